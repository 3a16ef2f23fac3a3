// Package protocol holds the part of the Language Server Protocol that mcpls
// speaks: wire types under their LSP 3.17 names, DocumentURI, and Mapper, the
// one converter between positions, offsets and encodings.
//
// Positions on the wire count lines from 0 and characters in the units of the
// encoding that the session negotiated. Nothing here does I/O.
package protocol
