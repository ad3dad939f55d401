// Command names writes the names that a dataset finds for suggestions, as
// lines "key<TAB>prominence", for the engines of bench/suggest.
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/postgeo/postgeo/dataset"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: names DATASET")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
}

func run(path string) error {
	d, err := dataset.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	t := d.Entities()
	if t == nil {
		return fmt.Errorf("%s holds no names; build it with this release", path)
	}
	w := bufio.NewWriter(os.Stdout)
	for i, at := range t.Starts.Offset {
		fmt.Fprintf(w, "%s\t%d\n", t.Key(at), t.Prominence(int(t.Starts.Entity[i]&^dataset.AliasKey)))
	}
	return w.Flush()
}
