package enrich

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
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
	index *geo.PolygonIndex
	sum   string // SHA-256 of the columns, the cells and the index
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
	sum := sha256.New()
	fmt.Fprintf(sum, "%q", columns)
	var b geo.PolygonIndexBuilder
	for area, err := range rows {
		if err != nil {
			return nil, err
		}
		if err := a.add(area.Cells, MaxAreas, sum); err != nil {
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
		a.index, err = geo.DecodePolygonIndex(packed)
	}
	if err != nil {
		return nil, fmt.Errorf("enrich: index areas: %w", err)
	}
	for i := range a.cells {
		if !a.index.HasPolygon(i) {
			return nil, fmt.Errorf("enrich: area %d encloses no surface; give a polygon that does not cross itself", i+1)
		}
	}
	sum.Write(packed)
	a.sum = hex.EncodeToString(sum.Sum(nil))
	return a, nil
}

// Len returns the number of areas.
func (a *Areas) Len() int { return len(a.cells) }

// digest returns a checksum that identifies the areas, or "" if a is nil.
func (a *Areas) digest() string {
	if a == nil {
		return ""
	}
	return a.sum
}

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
