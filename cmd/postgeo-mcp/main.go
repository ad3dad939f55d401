// Command postgeo-mcp serves US and Canadian postal geography
// to clients of the Model Context Protocol, over standard input and output or
// over HTTP.
//
// Run "postgeo-mcp --help", or see docs/mcp.md.
package main

import (
	"context"
	"os"

	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/program"
)

func main() {
	os.Exit(program.Run(context.Background(), os.Args[1:], program.Process()))
}
