// Command postgeo looks up US and Canadian postal codes, measures distances
// between them, serves both over HTTP and builds the dataset that it reads.
//
// Run "postgeo --help", or see docs/cli.md.
package main

import (
	"context"
	"os"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), os.Args[1:], cli.Process()))
}
