// Command gen writes the embedded sample dataset. It runs in the folder of
// package sample, through go generate. It leaves the file as it is without the
// publishers' files, which $POSTGEO_MIRROR names.
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/postgeo/postgeo/internal/sample/internal/maker"
)

func main() {
	mirror := cmp.Or(os.Getenv("POSTGEO_MIRROR"), "../../../shared/data/mirror")
	if _, err := os.Stat(mirror); err != nil {
		fmt.Fprintln(os.Stderr, "sample.db is left as it is: $POSTGEO_MIRROR names no mirror of the publishers' files")
		return
	}
	report, err := maker.Make(context.Background(), mirror, ".", "sample.db")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("sample.db: %d bytes\n", report.Bytes)
}
