// Command gen writes the embedded sample dataset. It runs in the folder of
// package sample, through go generate.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/postgeo/postgeo/internal/sample/internal/maker"
)

func main() {
	report, err := maker.Make(context.Background(), "sample.db")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("sample.db: %d bytes\n", report.Bytes)
}
