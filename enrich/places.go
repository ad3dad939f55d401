package enrich

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// MaxPlaces is the maximum number of places in a [Places].
const MaxPlaces = 2_000_000

// A Place is one entry of a [Places], with its attributes.
type Place struct {
	Key   string   // its key, as in [Enricher.Row]
	Cells []string // attribute values, one per column
}

// Places is an immutable list of user-supplied places, such as stores. An
// [Enricher] reports the nearest to each row. Any number of Enrichers can share
// one Places.
type Places struct {
	ownTable
	index    *spatial.PointIndex
	points   []geo.LatLng
	unplaced []Unplaced
}

// An Unplaced is a place without a point, which is never nearest.
type Unplaced struct {
	Row     int // of the list, from 1
	Key     string
	Outcome Outcome // the reason; matched for a code without a point
}

// PlaceOptions configures the location of places.
type PlaceOptions struct {
	Kind         Kind // of their keys
	RestoreZeros bool // as in [Options]
}

// NewPlaces locates the places of rows: coordinates directly, codes and
// addresses as [DB.Distance] does, and cities at their points. The argument columns names the cells of each row.
//
// NewPlaces returns the first error from rows, the context or the dataset. It
// also returns an error if no place has a point, or if there are more than
// [MaxPlaces].
func NewPlaces(ctx context.Context, db *postgeo.DB, columns []string, rows iter.Seq2[Place, error], opt PlaceOptions) (*Places, error) {
	e, err := New(db, Options{Kind: opt.Kind, RestoreZeros: opt.RestoreZeros})
	if err != nil {
		return nil, err
	}
	e.places = 1 // locate each row
	e.identity = opt.Kind == Address
	e.atPoint(e.identity)
	p := &Places{ownTable: ownTable{columns: slices.Clone(columns)}}
	e.opt.Places = p
	p.index = spatial.NewPointIndex(nil)
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
	if len(p.unplaced) == len(p.cells) {
		return nil, p.pointless()
	}
	p.index = spatial.NewPointIndex(p.points)
	return p, nil
}

func (p *Places) pointless() error {
	if len(p.cells) == 0 {
		return errors.New("enrich: the list of places is empty; at least one is required")
	}
	u := p.unplaced[0]
	return fmt.Errorf("enrich: none of the %d places has a point; the first, %q: %s %s", len(p.cells), u.Key, u.Outcome.Status, u.Outcome.Reason)
}

// Len returns the number of places with a point.
func (p *Places) Len() int { return len(p.points) - len(p.unplaced) }

// Unplaced returns the places without a point, in list order. They must not be
// changed.
func (p *Places) Unplaced() []Unplaced { return p.unplaced }

// A nearPlace is a place near a row.
type nearPlace struct {
	list     *Places
	at       int // in the list, from 0
	distance geo.Meters
	from     geo.LatLng // the row
}

// nearest returns at most count places nearest to a point. If most is not 0,
// they are within that distance. Equidistant places keep their order. An
// invalid point has none.
func (p *Places) nearest(from geo.LatLng, count int, most geo.Miles) []nearPlace {
	var room [8]spatial.Neighbor
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

// placeRoot is the path prefix of fields from user-supplied places.
const placeRoot = "nearest_place"

// A placeField is a field that every place has.
type placeField struct {
	path  string
	typ   Type
	about string
	get   func(*nearPlace) Value
}

func placesOwn() []placeField {
	where := func(p *nearPlace) geo.LatLng { return p.list.points[p.at].Rounded() }
	length := func(v float64) Value { return FloatValue(geo.Round(v, 2)) }
	return []placeField{
		{"row", Int, "its number in the list, from 1; nearest_place.NAME is the column NAME of its row", func(p *nearPlace) Value { return IntValue(int64(p.at) + 1) }},
		{"location.lat", Float, "degrees north", func(p *nearPlace) Value { return FloatValue(where(p).Lat()) }},
		{"location.lon", Float, "degrees east", func(p *nearPlace) Value { return FloatValue(where(p).Lng()) }},
		{"distance.miles", Float, "geodesic from the row, rounded to 2 decimals", func(p *nearPlace) Value { return length(float64(p.distance.Miles())) }},
		{"distance.km", Float, "kilometers, rounded to 2 decimals", func(p *nearPlace) Value { return length(float64(p.distance.Kilometers())) }},
		{"bearing", Float, "degrees clockwise from north at the row, 0 ≤ bearing < 360, 1 decimal", func(p *nearPlace) Value {
			const full = 360
			_, bearing := geo.Inverse(p.from, p.list.points[p.at])
			b := geo.Round(float64(bearing), 1)
			if b >= full {
				b = 0
			}
			return FloatValue(b)
		}},
	}
}

// placeFields returns the catalog entries for user-supplied places.
func placeFields() []Field {
	var list []Field
	for _, f := range placesOwn() {
		list = append(list, Field{placeRoot + "." + f.path, f.typ, byPlace.String(), f.about})
	}
	return list
}

// place resolves the segments that follow nearest_place in a path. They are an
// optional number of a place, and a field or a column. "columns.NAME" is a
// column whose name is also a field. A last number, or one out of range, is the
// name of a column, such as a year.
func (p paths) place(segs []string) (t target, ok bool) {
	t.root = root{name: placeRoot, by: byPlace}
	if nth, counts := entryOf(segs); counts && nth > 0 && len(segs) > 1 {
		t.nth, segs = nth, segs[1:]
	}
	one, ok := p.placeMember(strings.Join(segs, "."))
	if !ok {
		return t, false
	}
	t.typ = one.typ
	if t.nth > 0 || p.count <= 1 {
		at := max(t.nth, 1) - 1
		t.value = func(a *results) Value {
			if at >= len(a.places) {
				return Value{}
			}
			return one.get(&a.places[at])
		}
		return t, true
	}
	t.typ = List
	most := p.count
	t.value = func(a *results) Value {
		list := make([]Value, min(len(a.places), most))
		for i := range list {
			list[i] = one.get(&a.places[i])
		}
		return listValue(list)
	}
	return t, true
}

// placeMember finds a field or column of a place.
func (p paths) placeMember(name string) (placeField, bool) {
	for _, f := range placesOwn() {
		if f.path == name {
			return f, true
		}
	}
	switch {
	case name == "":
		return placeField{}, false
	case p.places == nil: // accept any column name
		return placeField{typ: String}, true
	}
	i, ok := p.places.column(name)
	return placeField{typ: String, get: func(q *nearPlace) Value { return StringValue(q.list.cells[q.at][i]) }}, ok
}

// String formats the place for messages.
func (u Unplaced) String() string {
	return strconv.Itoa(u.Row) + " " + strconv.Quote(u.Key) + ": " + u.Outcome.Status.String()
}
