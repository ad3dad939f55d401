// Package program is the command postgeo-mcp: its flags, and the transports
// that serve the tools of package tools.
//
// # Errors
//
// [Run] returns 0 after a normal stop, 1 after a failure and 2 for an invalid
// command line. Standard output belongs to the protocol; messages go to standard
// error.
package program
