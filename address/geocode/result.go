package geocode

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// A Precision is the level of a position.
type Precision string

// The precisions, the most exact first.
const (
	Point        Precision = "point"        // an address point of the number
	Interpolated Precision = "interpolated" // between known numbers of the street
	Intersection Precision = "intersection" // the crossing of two streets
	Street       Precision = "street"       // the street, without the number
	ZIP          Precision = "zip"          // the ZIP Code or forward sortation area
	City         Precision = "city"         // the city
)

// rank orders precisions, the most exact first.
func (p Precision) rank() int {
	return slices.Index([]Precision{Point, Interpolated, Intersection, Street, ZIP, City}, p)
}

// A Record is the record of the dataset behind a position.
type Record struct {
	Source string `json:"source"`          // identifier in the manifest of the dataset
	Kind   string `json:"kind"`            // point, points or segment
	Basis  string `json:"basis"`           // of the ZIP Code: given by the source, outline or nearest
	From   string `json:"from,omitzero"`   // first number of the segment, or the known number below or nearest
	To     string `json:"to,omitzero"`     // last number of the segment, or the known number above
	Length int    `json:"meters,omitzero"` // distance of both, rounded
}

func recordOf(o store.RoadOrigin, kind string) *Record {
	return &Record{Source: o.Source, Kind: kind, Basis: o.Code.String()}
}

// between sets the numbers of the record and their distance in meters.
func (r *Record) between(from, to string, meters float64) *Record {
	r.From, r.To, r.Length = from, to, round(meters)
	return r
}

// A Place is an address with its position.
type Place struct {
	Precision Precision  `json:"precision"`             // point, interpolated, intersection, street, zip or city
	Location  geo.LatLng `json:"location"`              // in degrees of WGS84
	RadiusM   int        `json:"radius_m"`              // expected to hold 90 % of the errors, in meters
	Formatted string     `json:"formatted_address"`     // the parts on one line
	Number    string     `json:"number,omitzero"`       // house number
	Street    string     `json:"street,omitzero"`       // with its directions and suffix
	Cross     string     `json:"cross_street,omitzero"` // the other street of a crossing
	City      string     `json:"city,omitzero"`         // as given if the ZIP Code accepts it, else its own
	State     string     `json:"state,omitzero"`        // abbreviation of the state or province
	ZIP       string     `json:"zip,omitzero"`          // or forward sortation area
	Side      string     `json:"side,omitzero"`         // left or right, from the first number of the segment
	Record    *Record    `json:"record,omitzero"`
}

// A Result is the position of an address.
type Result struct {
	envelope.Item
	Place
	address.Areas
	Candidates []Place `json:"candidates,omitzero"` // all places that match equally well, or all cities of the name
}

// A Nearest is the address nearest to a position.
type Nearest struct {
	envelope.Item
	Place
	address.Areas
	DistanceM int `json:"distance_m"` // of the position from the address, in meters
}

// Options configures [Engine.Find].
type Options struct {
	// Offset is the distance of interpolated positions from the middle of the
	// street, up to 100 meters. Zero means 8 meters; a negative value none.
	Offset geo.Meters
	// Include selects areas around the position. They are unavailable if its
	// precision is street, zip or city.
	Include address.Include
	// Likely adds the probabilities of the areas of the requested families, also of a
	// street and a ZIP Code.
	Likely bool
	// At is the time of the call. Zero means now.
	At time.Time
	// AsOf selects the plans of districts in force on the day in UTC. Zero means the day
	// of At.
	AsOf time.Time
	// Plan is the ID of a plan of districts, such as "cd120", which replaces the plan of
	// the day in its states.
	Plan string
}

func (o *Options) areas() address.Options {
	return address.Options{Include: o.Include, Likely: o.Likely, At: o.At, AsOf: o.AsOf, Plan: o.Plan}
}

// DefaultOffset is the default of Options.Offset.
const DefaultOffset geo.Meters = 8

const maxOffset geo.Meters = 100

func (o Options) offset() float64 { return float64(max(cmp.Or(o.Offset, DefaultOffset), 0)) }

func (o Options) check() error {
	return inRange("geocode", "Offset", o.Offset, o.Offset <= maxOffset, "at most", maxOffset)
}

// inRange returns the error of an option unless ok is true.
func inRange(op, name string, v geo.Meters, ok bool, most string, limit geo.Meters) error {
	if ok {
		return nil
	}
	return &envelope.Failure{
		Op: op, Kind: envelope.KindInvalidParam, Param: name, Input: strconv.FormatFloat(float64(v), 'g', -1, 64), Range: fmt.Sprintf("%s %v meters", most, float64(limit)),
	}
}

// ReverseOptions configures [Engine.Reverse].
type ReverseOptions struct {
	// Within is the greatest distance of the address, up to 5,000 meters. Zero
	// means 500 meters.
	Within geo.Meters
	// Include selects areas around the position.
	Include address.Include
	// Likely adds the probabilities of the areas of the requested families.
	Likely bool
	// At is the time of the call. Zero means now.
	At time.Time
	// AsOf selects the plans of districts in force on the day in UTC. Zero means the day
	// of At.
	AsOf time.Time
	// Plan is the ID of a plan of districts, such as "cd120", which replaces the plan of
	// the day in its states.
	Plan string
}

func (o *ReverseOptions) areas() address.Options {
	return address.Options{Include: o.Include, Likely: o.Likely, At: o.At, AsOf: o.AsOf, Plan: o.Plan}
}

func (o ReverseOptions) check() error {
	return inRange("reverse", "Within", o.Within, o.Within >= 0 && o.Within <= maxWithin, "from 0 to", maxWithin)
}

// setPlace fills in the code and its city. It returns the point of the code.
func (e *Engine) setPlace(p *Place, a store.Code) (at geo.LatLng) {
	if z, ok := a.ZIP(); ok {
		if row, ok := e.data.ZIP(z); ok {
			p.City, p.State, at = row.City, e.data.State(row.State).Abbr, row.Location
		}
	} else if f, ok := a.FSA(); ok {
		if row, ok := e.data.FSA(f); ok {
			p.City, p.State, at = row.City, e.data.State(row.Province).Abbr, row.Location
		}
	}
	p.ZIP = a.String()
	return at
}

func (e *Engine) pointOf(a store.Code) geo.LatLng { return e.setPlace(new(Place), a) }

// setFormatted joins the parts of the place.
func (p *Place) setFormatted() {
	var room [96]byte
	b := room[:0]
	add := func(separator, part string) {
		if part == "" {
			return
		}
		if len(b) > 0 {
			b = append(b, separator...)
		}
		b = append(b, part...)
	}
	if p.Street != "" {
		add("", p.Number)
	}
	add(" ", p.Street)
	add(" & ", p.Cross)
	add(", ", p.City)
	add(", ", p.State)
	add(" ", p.ZIP)
	p.Formatted = string(b)
}
