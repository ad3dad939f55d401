// Package program is the command postgeo-mcp: its flags, and the transports
// over which it serves the tools of package tools.
//
// # Errors
//
// [Run] returns 0 when it was told to stop, 1 when something failed and 2 for
// a command line that is not right. Standard output belongs to the protocol,
// so that everything else goes to standard error.
package program
