//go:build race

package config

// worstBytes is less than the bound here: the race detector makes decoding
// twenty times slower, and the decoder's time grows with the square.
const worstBytes = maxProjectBytes / 4
