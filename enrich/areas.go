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

// MaxAreas is how many [Areas] there may be.
const MaxAreas = 200_000

// An Area is a row of a list of areas.
type Area struct {
	Outline orb.MultiPolygon // longitudes and latitudes in degrees
	Cells   []string         // one for each column
}

// Areas are areas of one's own, such as sales territories, of which it can be
// told in which one each row lies. They never change, and any number of
// Enrichers may have them.
type Areas struct {
	ownTable
	index *geo.PolygonIndex
	sum   string // of everything above
}

// NewAreas indexes areas. The columns name what the cells are. Of areas that
// overlap the smallest has what lies in it; a point on an edge that two share
// belongs to one of them. The error is the rows', or matches
// [geo.ErrInvalidPolygon], or says that an area has no extent, that there is
// none, or that there are too many.
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
		return nil, errors.New("enrich: the list of areas is empty; expected at least one")
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
			return nil, fmt.Errorf("enrich: area %d has no extent; expected a polygon that does not cross itself", i+1)
		}
	}
	sum.Write(packed)
	a.sum = hex.EncodeToString(sum.Sum(nil))
	return a, nil
}

// Len returns how many areas there are.
func (a *Areas) Len() int { return len(a.cells) }

// digest tells lists of areas apart; "" for none.
func (a *Areas) digest() string {
	if a == nil {
		return ""
	}
	return a.sum
}

// areaRoot is the first key of fields of areas of one's own.
const areaRoot = "in_area"

// areaFields lists what the catalogue has of areas.
func areaFields() []Field {
	return []Field{{areaRoot + ".row", Int, byArea.String(), "number of the area in the list, from 1; in_area.NAME is what the list has under NAME"}}
}

// area resolves a path behind in_area: row, a column, or columns.NAME for one
// that is called so.
func (p paths) area(segs []string) (target, bool) {
	t := target{root: root{name: areaRoot, by: byArea}}
	name := strings.Join(segs, ".")
	read := func(_ *Areas, at int) Value { return IntValue(int64(at) + 1) }
	t.typ = Int
	if name != "row" {
		i, ok := 0, name != ""
		if p.areas != nil { // else whatever its columns are
			i, ok = p.areas.column(name)
		}
		if !ok {
			return t, false
		}
		t.typ = String
		read = func(list *Areas, at int) Value { return StringValue(list.cells[at][i]) }
	}
	t.value = func(a *answers) Value {
		if !a.inArea {
			return Value{}
		}
		return read(p.areas, a.area)
	}
	return t, true
}
