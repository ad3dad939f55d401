package build

import (
	"fmt"

	"github.com/postgeo/postgeo/dataset/build/fetch"
)

// leastRows is the part of the expected rows below which a file counts as cut
// short. Editions of a file differ by a few percent.
const leastRows = 0.8

// enough refuses a source without rows, and one with far fewer than its mirror
// tells or, where that is silent, than the catalogue expects. A file that the
// user named may be a part of the published one, but not empty.
func (b *builder) enough(id string, rows int64) error {
	f := b.files[id]
	expected := f.Source.Rows
	switch {
	case f.ToldEmpty:
		return nil
	case rows == 0 && (expected > 0 || !f.Source.Optional):
	case f.Origin == fetch.Local, float64(rows) >= leastRows*float64(expected):
		return nil
	}
	return fmt.Errorf("%s: %s: %d rows, expected about %d; the file is empty or cut short: get it again, or say in the mirror's ACTUAL.csv how many rows it has",
		id, f.Path, rows, expected)
}
