package enrich

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// An ownTable holds the attributes of user-supplied places or areas: rows of
// cells with column names.
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
		return fmt.Errorf("enrich: the list has more than %d rows", most)
	case len(cells) != len(o.columns):
		return fmt.Errorf("enrich: row %d of the list has %d cells; expected %d, one for each column", n+1, len(cells), len(o.columns))
	}
	o.cells = append(o.cells, slices.Clone(cells))
	fmt.Fprintf(digest, "%q", cells)
	return nil
}

// column finds a column by its name, the first of several. "columns.NAME" is
// the column NAME, for names that are also fields, unless only a column
// "columns.NAME" exists. If no name is equal, letter case and surrounding
// spaces are ignored.
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

// A request is a path and the name of its column.
type request struct{ name, path string }

// requests parses Add. The columns of places and areas replace
// "nearest_place.*", "nearest_place.2.*" and "in_area.*".
func (o *Options) requests() []request {
	var list []request
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
			list = append(list, request{name, path})
		}
		for _, c := range columns {
			list = append(list, request{head + "." + c, head + ".columns." + c})
		}
	}
	return list
}

func (o *ownTable) fields(root string, by operation) []Field {
	list := make([]Field, len(o.columns))
	for i, c := range o.columns {
		list[i] = Field{Path: root + "." + c, Type: String, Operation: by.String()}
	}
	return list
}
