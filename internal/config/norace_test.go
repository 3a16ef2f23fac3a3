//go:build !race

package config

// worstBytes is the size of the costly project files in the tests.
const worstBytes = maxProjectBytes
