package enrich

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/spatial"
)

// MaxAreas is the maximum number of areas in an [Areas].
const MaxAreas = 200_000

// An Area is one polygon of an [Areas], with its attributes.
type Area struct {
	Outline orb.MultiPolygon // longitude and latitude in degrees
	Cells   []string         // attribute values, one per column
}

// Areas is an immutable set of user-supplied polygons, such as sales
// territories. An [Enricher] reports which one contains each row. Any number of
// Enrichers can share one Areas.
type Areas struct {
	ownTable
	index *spatial.PolygonIndex
}

// NewAreas builds an index of rows. The argument columns names the cells of
// each row.
//
// If areas overlap, a point belongs to the smallest area that contains it. A
// point on a shared edge belongs to exactly one of the two areas.
//
// NewAreas returns the first error from rows. It also returns an error for an
// invalid polygon (matching [geo.ErrInvalidPolygon]) or one without surface,
// and for no areas or more than [MaxAreas].
func NewAreas(columns []string, rows iter.Seq2[Area, error]) (*Areas, error) {
	a := &Areas{ownTable: ownTable{columns: slices.Clone(columns)}}
	var b spatial.PolygonIndexBuilder
	for area, err := range rows {
		if err != nil {
			return nil, err
		}
		if err := a.add(area.Cells, MaxAreas); err != nil {
			return nil, err
		}
		if err := b.Add(area.Outline); err != nil {
			return nil, fmt.Errorf("enrich: area %d: %w", len(a.cells), err)
		}
	}
	if len(a.cells) == 0 {
		return nil, errors.New("enrich: the list of areas is empty; at least one is required")
	}
	packed, err := b.AppendBinary(nil)
	if err == nil {
		a.index, err = spatial.DecodePolygonIndex(packed)
	}
	if err != nil {
		return nil, fmt.Errorf("enrich: index areas: %w", err)
	}
	for i := range a.cells {
		if !a.index.HasPolygon(i) {
			return nil, fmt.Errorf("enrich: area %d encloses no surface; give a polygon that does not cross itself", i+1)
		}
	}
	return a, nil
}

// Len returns the number of areas.
func (a *Areas) Len() int { return len(a.cells) }

// areaRoot is the path prefix of fields from user-supplied areas.
const areaRoot = "in_area"

// areaFields returns the catalog entries for user-supplied areas.
func areaFields() []Field {
	return []Field{{areaRoot + ".row", Int, byArea.String(), "number of the area in the list, from 1; in_area.NAME is its property NAME"}}
}

// area resolves the segments that follow in_area in a path. They are "row", the
// name of a column, or "columns.NAME" for a column whose name is also a field.
func (p paths) area(segs []string) (target, bool) {
	t := target{root: root{name: areaRoot, by: byArea}}
	name := strings.Join(segs, ".")
	read := func(_ *Areas, at int) Value { return IntValue(int64(at) + 1) }
	t.typ = Int
	if name != "row" {
		i, ok := 0, name != ""
		if p.areas != nil { // without areas, accept any column name
			i, ok = p.areas.column(name)
		}
		if !ok {
			return t, false
		}
		t.typ = String
		read = func(list *Areas, at int) Value { return StringValue(list.cells[at][i]) }
	}
	t.value = func(a *results) Value {
		if !a.inArea {
			return Value{}
		}
		return read(p.areas, a.area)
	}
	return t, true
}

// An ownTable holds the attributes of user-supplied places or areas: rows of
// cells with column names.
type ownTable struct {
	columns []string
	cells   [][]string
}

// Columns returns the names of the columns. They must not be changed.
func (o *ownTable) Columns() []string { return o.columns }

// add appends a row.
func (o *ownTable) add(cells []string, most int) error {
	switch n := len(o.cells); {
	case n == most:
		return fmt.Errorf("enrich: the list has more than %d rows", most)
	case len(cells) != len(o.columns):
		return fmt.Errorf("enrich: row %d of the list has %d cells; expected %d, one for each column", n+1, len(cells), len(o.columns))
	}
	o.cells = append(o.cells, slices.Clone(cells))
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
