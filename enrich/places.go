package enrich

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
)

// MaxPlaces is how many [Places] there may be.
const MaxPlaces = 2_000_000

// A Place is a row of a list of places.
type Place struct {
	Key   string   // what it is looked up by, as in [Enricher.Row]
	Cells []string // one for each column
}

// Places are places of one's own, such as stores, of which the nearest to each
// row can be told. They never change, and any number of Enrichers may have them.
type Places struct {
	ownTable
	index    *geo.PointIndex
	points   []geo.LatLng
	unplaced []Unplaced
	sum      string // of everything above
}

// An Unplaced is a place without a point, which is nearest to nothing.
type Unplaced struct {
	Row     int // of the list, from 1
	Key     string
	Outcome Outcome // says why; matched, of a code without a point
}

// PlaceOptions say how places are located.
type PlaceOptions struct {
	Kind         Kind // of their keys
	RestoreZeros bool // as in [Options]
}

// NewPlaces locates places: a coordinate is where it says, a code or an address
// where [DB.Distance] has it, a text where the place that it means has its point.
// The columns name what the cells are. The error is the rows', the context's or a
// failure of the dataset, or says that no place has a point, or that there are
// too many of them.
func NewPlaces(ctx context.Context, db *postgeo.DB, columns []string, rows iter.Seq2[Place, error], opt PlaceOptions) (*Places, error) {
	e, err := New(db, Options{Kind: opt.Kind, RestoreZeros: opt.RestoreZeros})
	if err != nil {
		return nil, err
	}
	e.places = 1 // that is, rows have to be located
	e.identity = opt.Kind == Address
	e.atPoint(e.identity)
	p := &Places{ownTable: ownTable{columns: slices.Clone(columns)}}
	e.opt.Places = p
	p.index = geo.NewPointIndex(nil)
	sum := sha256.New()
	fmt.Fprintf(sum, "%q", columns)
	for place, err := range rows {
		if err != nil {
			return nil, err
		}
		if err := p.add(place.Cells, MaxPlaces, sum); err != nil {
			return nil, err
		}
		var a answers
		out, err := e.ask(ctx, strings.TrimSpace(place.Key), &a)
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
		fmt.Fprint(sum, a.at)
	}
	if len(p.unplaced) == len(p.cells) {
		return nil, p.pointless()
	}
	p.index = geo.NewPointIndex(p.points)
	p.sum = hex.EncodeToString(sum.Sum(nil))
	return p, nil
}

func (p *Places) pointless() error {
	if len(p.cells) == 0 {
		return errors.New("enrich: the list of places is empty; expected at least one")
	}
	u := p.unplaced[0]
	return fmt.Errorf("enrich: none of the %d places has a point; the first, %q: %s %s", len(p.cells), u.Key, u.Outcome.Status, u.Outcome.Reason)
}

// Len returns how many places have a point.
func (p *Places) Len() int { return len(p.points) - len(p.unplaced) }

// Unplaced returns the places without a point, in the order of the list. They
// must not be changed.
func (p *Places) Unplaced() []Unplaced { return p.unplaced }

// digest tells lists of places apart; "" for none.
func (p *Places) digest() string {
	if p == nil {
		return ""
	}
	return p.sum
}

// A nearPlace is a place near a row.
type nearPlace struct {
	list     *Places
	at       int // in the list, from 0
	distance geo.Meters
	from     geo.LatLng // the row
}

// nearest returns the places nearest to a point, at most count, no farther than
// most unless that is 0; of places as far those that stand before in the list. A
// point that is not valid has none.
func (p *Places) nearest(from geo.LatLng, count int, most geo.Miles) []nearPlace {
	var room [8]geo.Neighbor
	var found []geo.Neighbor
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

// placeRoot is the first key of fields of places of one's own.
const placeRoot = "nearest_place"

// A placeField is a field that every place has.
type placeField struct {
	path  string
	typ   Type
	about string
	get   func(*nearPlace) Value
}

// placesOwn lists the fields of places beside their columns.
func placesOwn() []placeField {
	where := func(p *nearPlace) geo.LatLng { return p.list.points[p.at].Rounded() }
	length := func(v float64) Value { return FloatValue(geo.Round(v, 2)) }
	return []placeField{
		{"row", Int, "its number in the list, from 1; nearest_place.NAME is the column NAME of its row", func(p *nearPlace) Value { return IntValue(int64(p.at) + 1) }},
		{"location.lat", Float, "degrees north", func(p *nearPlace) Value { return FloatValue(where(p).Lat()) }},
		{"location.lon", Float, "degrees east", func(p *nearPlace) Value { return FloatValue(where(p).Lng()) }},
		{"distance.miles", Float, "geodesic from the row, rounded to 2 decimals", func(p *nearPlace) Value { return length(float64(p.distance.Miles())) }},
		{"distance.km", Float, "kilometres, rounded to 2 decimals", func(p *nearPlace) Value { return length(float64(p.distance.Kilometers())) }},
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

// placeFields lists what the catalogue has of places.
func placeFields() []Field {
	var list []Field
	for _, f := range placesOwn() {
		list = append(list, Field{placeRoot + "." + f.path, f.typ, byPlace.String(), f.about})
	}
	return list
}

// place resolves a path behind nearest_place: the number of a place, or none,
// then a field of it, a column, or columns.NAME for one that is called as a
// field is. A number that nothing follows, or that no place has, is the name of a
// column, such as a year.
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
		t.value = func(a *answers) Value {
			if at >= len(a.places) {
				return Value{}
			}
			return one.get(&a.places[at])
		}
		return t, true
	}
	t.typ = List
	most := p.count
	t.value = func(a *answers) Value {
		list := make([]Value, min(len(a.places), most))
		for i := range list {
			list[i] = one.get(&a.places[i])
		}
		return ListValue(list)
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
	case p.places == nil: // whatever its columns are
		return placeField{typ: String}, true
	}
	i, ok := p.places.column(name)
	return placeField{typ: String, get: func(q *nearPlace) Value { return StringValue(q.list.cells[q.at][i]) }}, ok
}

// String names the place, for messages.
func (u Unplaced) String() string {
	return strconv.Itoa(u.Row) + " " + strconv.Quote(u.Key) + ": " + u.Outcome.Status.String()
}
