package roots

// nonblock is nothing on Windows: a named pipe is not reached through a path
// beneath a root.
const nonblock = 0
