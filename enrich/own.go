package enrich

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// An ownTable is what the caller knows of places or areas of his own: rows of
// cells under names.
type ownTable struct {
	columns []string
	cells   [][]string
}

// Columns returns the names of the columns. They must not be changed.
func (o *ownTable) Columns() []string { return o.columns }

// add appends a row, and writes it to a digest.
func (o *ownTable) add(cells []string, most int, digest io.Writer) error {
	switch n := len(o.cells); {
	case n == most:
		return fmt.Errorf("enrich: the list has more than %d rows; expected at most so many", most)
	case len(cells) != len(o.columns):
		return fmt.Errorf("enrich: row %d of the list has %d cells; expected %d, one for each column", n+1, len(cells), len(o.columns))
	}
	o.cells = append(o.cells, slices.Clone(cells))
	fmt.Fprintf(digest, "%q", cells)
	return nil
}

// column finds a column by its name, of several the first; "columns.NAME" is
// one, too, which is called as a field is, rather than one that is called
// "columns.NAME". Letter case and blanks around it do not matter where no column
// has just this name.
func (o *ownTable) column(name string) (int, bool) {
	for _, name := range [...]string{strings.TrimPrefix(name, "columns."), name} {
		if i := slices.Index(o.columns, name); i >= 0 {
			return i, true
		}
		i := slices.IndexFunc(o.columns, func(c string) bool { return strings.EqualFold(strings.TrimSpace(c), strings.TrimSpace(name)) })
		if i >= 0 {
			return i, true
		}
	}
	return 0, false
}

// A wanted field is a path and what its column is called.
type wanted struct{ name, path string }

// wanted reads Add, with the columns of places and areas in the place of
// "nearest_place.*", "nearest_place.2.*" and "in_area.*".
func (o *Options) wanted() []wanted {
	var list []wanted
	for _, text := range o.Add {
		name, path := splitName(text)
		head, all := strings.CutSuffix(path, ".*")
		var columns []string
		switch root, nth, _ := strings.Cut(head, "."); {
		case !all || name != path:
		case root == areaRoot && nth == "" && o.Areas != nil:
			columns = o.Areas.columns
		case root == placeRoot && o.Places != nil:
			columns = o.Places.columns
		}
		if columns == nil {
			list = append(list, wanted{name, path})
		}
		for _, c := range columns {
			list = append(list, wanted{head + "." + c, head + ".columns." + c})
		}
	}
	return list
}

// fields lists the columns as fields.
func (o *ownTable) fields(root string, by operation) []Field {
	list := make([]Field, len(o.columns))
	for i, c := range o.columns {
		list[i] = Field{Path: root + "." + c, Type: String, Operation: by.String()}
	}
	return list
}
