package enrich

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// Lists of the user are held in memory, as an index of geometry and a table of cells whose
// rows have the same numbers. Areas share the index of the dataset's own layers, so that a
// point on an edge, an overlap and a hole are decided alike (D49).

// Maximum sizes of an [Areas] and a [Places]. A place takes about 400 bytes, so a full list
// takes 800 MB.
const (
	MaxAreas  = 200_000
	MaxPlaces = 2_000_000
)

// An Area is one polygon of an [Areas], with its attributes.
type Area struct {
	Outline orb.MultiPolygon // longitude and latitude in degrees
	Cells   []string         // attribute values, one per column
}

// Areas is an immutable set of user-supplied polygons, such as sales territories. An
// [Enricher] reports which one contains each row. Any number of Enrichers can share one
// Areas.
type Areas struct {
	ownTable
	index *spatial.PolygonIndex
}

// NewAreas builds an index of rows. The argument columns names the cells of each row.
//
// If areas overlap, a point belongs to the smallest area that contains it. A point on a
// shared edge belongs to exactly one of the two areas.
//
// NewAreas returns the first error from rows. It also returns an error for an invalid
// polygon (matching [geo.ErrInvalidPolygon]) or one without surface, and for no areas or
// more than [MaxAreas].
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
	// An index is only searched in its encoded form, which is that of a dataset.
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

// Path prefixes of fields from user-supplied areas and places.
const (
	areaRoot  = "in_area"
	placeRoot = "nearest_place"
)

// area resolves the name that follows in_area in a path: "row", a column, or
// "columns.NAME" for a column whose name is also a field.
func (p paths) area(name string) (t target, ok bool) {
	t = target{by: byArea, name: areaRoot, typ: Int}
	value, ok := func(row int) Value { return ValueOf(int64(row) + 1) }, true
	if name != "row" {
		t.typ = String
		value, ok = p.ownLists()[areaRoot].cell(name)
	}
	t.get = func(a *results) Value {
		if !a.inArea {
			return Value{}
		}
		return value(a.area)
	}
	return t, ok
}

// An ownTable holds the attributes of user-supplied places or areas: rows of cells with
// column names.
type ownTable struct {
	columns []string
	cells   [][]string
}

// Columns returns the names of the columns. They must not be changed.
func (o *ownTable) Columns() []string { return o.columns }

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

// column finds a column by its name, the first of several. "columns.NAME" is the column
// NAME, for names that are also fields, unless only a column "columns.NAME" exists. If no
// name is equal, letter case and surrounding spaces are ignored.
func (o *ownTable) column(name string) (int, bool) {
	for _, name := range [...]string{strings.TrimPrefix(name, "columns."), name} {
		i := slices.Index(o.columns, name)
		if i < 0 {
			i = slices.IndexFunc(o.columns, func(c string) bool { return strings.EqualFold(strings.TrimSpace(c), strings.TrimSpace(name)) })
		}
		if i >= 0 {
			return i, true
		}
	}
	return 0, false
}

// cell returns a function that reads a column. Without a list, any name is one: [Check] runs
// before the list is read.
func (o *ownTable) cell(name string) (func(row int) Value, bool) {
	if o == nil {
		return nil, name != ""
	}
	i, ok := o.column(name)
	return func(row int) Value { return ValueOf(o.cells[row][i]) }, ok
}

// ownLists returns the lists of places and areas by their path prefixes.
func (p paths) ownLists() map[string]*ownTable {
	lists := make(map[string]*ownTable)
	if p.places != nil {
		lists[placeRoot] = &p.places.ownTable
	}
	if p.areas != nil {
		lists[areaRoot] = &p.areas.ownTable
	}
	return lists
}

// A request is a path and the name of its column.
type request struct{ name, path string }

// requests parses the fields of Options.Add. The columns of places and areas replace
// "nearest_place.*", "nearest_place.2.*" and "in_area.*".
func (p paths) requests(add []string) (list []request) {
	for _, text := range add {
		name, path := splitName(text)
		head, all := strings.CutSuffix(path, ".*")
		first, nth, _ := strings.Cut(head, ".")
		own := p.ownLists()[first]
		if !all || name != path || own == nil || first == areaRoot && nth != "" {
			list = append(list, request{name, path})
			continue
		}
		for _, c := range own.columns {
			// with "columns.", so that a column called row or location.lat is meant
			list = append(list, request{head + "." + c, head + ".columns." + c})
		}
	}
	return list
}

// A Place is one entry of a [Places], with its attributes.
type Place struct {
	Key   string   // its key, as in [Enricher.Row]
	Cells []string // attribute values, one per column
}

// Places is an immutable list of user-supplied places, such as stores. An [Enricher]
// reports the nearest to each row. Any number of Enrichers can share one Places.
type Places struct {
	ownTable
	index    *spatial.PointIndex
	points   []geo.LatLng
	unplaced []Unplaced
}

// An Unplaced is a place without a point, which is never nearest.
type Unplaced struct {
	Row     int     // of the list, from 1
	Key     string  // as in the row
	Outcome Outcome // the reason; matched for a code without a point
}

// PlaceOptions configures the location of places.
type PlaceOptions struct {
	Kind         Kind // of their keys; required
	RestoreZeros bool // as in [Options]
}

// NewPlaces locates the places of rows: coordinates directly, codes at the points that
// [postgeo.DB.Locate] returns, addresses at their positions, and cities at their points.
// The argument columns names the cells of each row.
//
// NewPlaces returns the first error from rows, the context or the dataset. It also returns
// an error if no place has a point, if there are more than [MaxPlaces], or if the kind of
// the options is not valid.
func NewPlaces(ctx context.Context, db *postgeo.DB, columns []string, rows iter.Seq2[Place, error], opt PlaceOptions) (*Places, error) {
	e, err := New(db, Options{Kind: opt.Kind, RestoreZeros: opt.RestoreZeros})
	if err != nil {
		return nil, err
	}
	p := &Places{ownTable: ownTable{columns: slices.Clone(columns)}, index: spatial.NewPointIndex(nil)}
	// A row's own point is found by measure, so each place is looked up like a row that needs
	// its nearest place. The list is still empty then, and the search finds none.
	e.places, e.opt.Places = 1, p
	e.needs[byIdentity] = opt.Kind == Address
	e.match.Include.Coordinates = true
	for place, err := range rows {
		if err != nil {
			return nil, err
		}
		if err := p.add(place.Cells, MaxPlaces); err != nil {
			return nil, err
		}
		var a results
		out, err := e.lookup(ctx, strings.TrimSpace(place.Key), &a)
		if err != nil {
			return nil, err
		}
		if !out.Status.Answered() {
			a.at = geo.LatLng{}
		}
		p.points = append(p.points, a.at)
		if !a.at.IsValid() {
			p.unplaced = append(p.unplaced, Unplaced{len(p.cells), place.Key, out})
		}
	}
	if len(p.cells) == 0 {
		return nil, errors.New("enrich: the list of places is empty; at least one is required")
	}
	if p.Len() == 0 {
		u := p.unplaced[0]
		return nil, fmt.Errorf("enrich: none of the %d places has a point; the first, %q: %s %s", len(p.cells), u.Key, u.Outcome.Status, u.Outcome.Reason)
	}
	p.index = spatial.NewPointIndex(p.points) // places without a point are never found
	return p, nil
}

// Len returns the number of places with a point.
func (p *Places) Len() int { return len(p.points) - len(p.unplaced) }

// Unplaced returns the places without a point, in list order. They must not be changed.
func (p *Places) Unplaced() []Unplaced { return p.unplaced }

// A nearPlace is a place near a row.
type nearPlace struct {
	list     *Places
	at       int // in the list, from 0
	distance geo.Meters
	from     geo.LatLng // the row
}

// nearest returns at most count places nearest to a point. If most is not 0, they are
// within that distance. Equidistant places keep their order. An invalid point has none.
func (p *Places) nearest(from geo.LatLng, count int, most geo.Miles) []nearPlace {
	var room [8]spatial.Neighbor // usual counts need no allocation
	var found []spatial.Neighbor
	if most > 0 {
		found, _ = p.index.AppendNearestWithin(room[:0], from, 0, most.Meters(), count)
	} else {
		found = p.index.AppendNearest(room[:0], from, count)
	}
	near := make([]nearPlace, len(found))
	for i, n := range found {
		near[i] = nearPlace{p, n.Index, n.Distance, from}
	}
	return near
}

// A placeField is a field that every place has.
type placeField struct {
	path  string
	typ   Type
	about string
	get   func(*nearPlace) Value
}

func placeFields() []placeField {
	where := func(p *nearPlace) geo.LatLng { return p.list.points[p.at].Rounded() }
	length := func(v float64) Value { return ValueOf(geo.Round(v, 2)) }
	return []placeField{
		{"row", Int, "its number in the list, from 1; nearest_place.NAME is the column NAME of its row", func(p *nearPlace) Value { return ValueOf(int64(p.at) + 1) }},
		{"location.lat", Float, "degrees north", func(p *nearPlace) Value { return ValueOf(where(p).Lat()) }},
		{"location.lon", Float, "degrees east", func(p *nearPlace) Value { return ValueOf(where(p).Lng()) }},
		{"distance.miles", Float, "geodesic from the row, rounded to 2 decimals", func(p *nearPlace) Value { return length(float64(p.distance.Miles())) }},
		{"distance.km", Float, "kilometers, rounded to 2 decimals", func(p *nearPlace) Value { return length(float64(p.distance.Kilometers())) }},
		{"bearing", Float, "degrees clockwise from north at the row, 0 ≤ bearing < 360, 1 decimal", func(p *nearPlace) Value {
			const full = 360
			_, bearing := geo.Inverse(p.from, p.list.points[p.at])
			b := geo.Round(float64(bearing), 1) // 359.96 rounds to 360
			if b >= full {
				b = 0
			}
			return ValueOf(b)
		}},
	}
}

// place resolves the segments that follow nearest_place in a path. They are an optional
// number of a place, and a field or a column. "columns.NAME" is a column whose name is
// also a field. A last number, or one out of range, is the name of a column, such as a
// year.
func (p paths) place(segs []string) (t target, ok bool) {
	t = target{by: byPlace, name: placeRoot, nth: max(p.count, 1), typ: String}
	lists := t.nth > 1
	if nth, counts := entryOf(segs); counts && nth > 0 && len(segs) > 1 {
		t.nth, segs, lists = nth, segs[1:], false
	}
	var get func(*nearPlace) Value
	name, fields := strings.Join(segs, "."), placeFields()
	if i := slices.IndexFunc(fields, func(f placeField) bool { return f.path == name }); i >= 0 {
		t.typ, get, ok = fields[i].typ, fields[i].get, true
	} else {
		var cell func(row int) Value
		cell, ok = p.ownLists()[placeRoot].cell(name)
		get = func(q *nearPlace) Value { return cell(q.at) }
	}
	t.get = func(a *results) Value {
		if len(a.places) < t.nth {
			return Value{}
		}
		return get(&a.places[t.nth-1])
	}
	if lists {
		t.typ, t.get = List, func(a *results) Value {
			list := make([]Value, min(len(a.places), t.nth))
			for i := range list {
				list[i] = get(&a.places[i])
			}
			return ValueOf(list)
		}
	}
	return t, ok
}
