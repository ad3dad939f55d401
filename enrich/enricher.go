package enrich

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// A Kind is what a row has that it is looked up by.
type Kind uint8

// The kinds of keys.
const (
	Code        Kind = iota + 1 // a ZIP, ZIP+4, FSA or Canadian postal code, or a coordinate as one text
	Coordinates                 // a latitude and a longitude
	Address                     // a US address
)

// String returns "code", "coordinates" or "address".
func (k Kind) String() string {
	switch k {
	case Code:
		return "code"
	case Coordinates:
		return "coordinates"
	case Address:
		return "address"
	default:
		return ""
	}
}

// Options say what is added to rows.
type Options struct {
	// Kind is what rows are looked up by. It is needed.
	Kind Kind
	// Add are the fields: paths of [Catalog], each of which may have a name of
	// its own before it, "income=acs.economic.income.median_household_income".
	// None adds only status and reason.
	Add []string
	// RestoreZeros reads codes that a spreadsheet has taken for numbers: 501 as
	// 00501, 6103 and 6103.0 as 06103, and eight digits as a ZIP+4.
	RestoreZeros bool
	// DistanceTo is the code or coordinate that the fields of distance measure
	// to. They need it.
	DistanceTo string
	// Radius is the search that the fields of radius tell of, around each row.
	// They need its Max or Auto. Its Include is found from the fields.
	Radius postgeo.RadiusOptions
}

// A Column is a column that an Enricher adds.
type Column struct {
	Name string // how it is headed
	Path string // what it holds
	Type Type
}

// An Enricher answers rows. It is safe for concurrent use, and it belongs to
// the DB that it was made of.
type Enricher struct {
	db      *postgeo.DB
	opt     Options
	columns []Column
	read    []func(*answers) Value

	identity bool // an identity is needed
	zone     bool // with the time zone of the point
	record   bool // a full record is needed
	include  lookup.Include
	match    postgeo.AddressOptions
	distance bool
	radius   bool
}

// New prepares what the options ask for. The error is a [*FieldError] where a
// field does not exist or lacks what it needs, and names the place of
// DistanceTo where the dataset does not have it.
func New(db *postgeo.DB, opt Options) (*Enricher, error) {
	if opt.Kind.String() == "" {
		return nil, errors.New("enrich: Options.Kind is not set; expected Code, Coordinates or Address")
	}
	e := &Enricher{db: db, opt: opt}
	for _, path := range opt.Add {
		if err := e.add(path); err != nil {
			return nil, err
		}
	}
	if e.distance {
		if _, err := db.Distance(context.Background(), opt.DistanceTo, opt.DistanceTo); err != nil {
			return nil, fmt.Errorf("enrich: fields of distance: DistanceTo is %q: %w", opt.DistanceTo, err)
		}
	}
	if e.radius {
		if err := e.opt.Radius.Check(); err != nil {
			return nil, fmt.Errorf("enrich: fields of radius: %w", err)
		}
	}
	return e, nil
}

// Columns returns what [Enricher.Row] appends, in its order. It must not be
// changed.
func (e *Enricher) Columns() []Column { return e.columns }

// Kind returns what rows are looked up by.
func (e *Enricher) Kind() Kind { return e.opt.Kind }

func (e *Enricher) add(text string) error {
	name, path := splitName(text)
	r, n, ok := resolve(path, e.db)
	switch {
	case !ok:
		return &FieldError{Path: path, Near: near(path)}
	case name == "":
		return &FieldError{Path: path, why: "has no name before ="}
	case r.by == byAddress && e.opt.Kind != Address:
		return &FieldError{Path: path, why: "is told of addresses only; rows are looked up by " + e.opt.Kind.String()}
	case r.by == byDistance && e.opt.DistanceTo == "":
		return &FieldError{Path: path, why: "needs a place to measure to (DistanceTo)"}
	case r.by == byRadius && e.opt.Radius.Max == 0 && e.opt.Radius.Auto == 0:
		return &FieldError{Path: path, why: "needs the radius of the search (Radius)"}
	}
	if i := slices.IndexFunc(e.columns, func(c Column) bool { return c.Name == name }); i >= 0 {
		return &FieldError{Path: path, why: fmt.Sprintf("would be the second column %q; name one of them anew: NAME=%s", name, path)}
	}
	e.columns = append(e.columns, Column{name, path, n.typ})
	e.read = append(e.read, e.reader(r, n))
	e.need(r, n, path)
	return nil
}

// families are the roots that an address answers itself, for its own point.
var families = map[string]bool{
	"census": true, "congressional_district": true, "federal_electoral_district": true, "state_legislative": true, "school_district": true,
}

// need marks what answers a field.
func (e *Enricher) need(r root, n node, path string) {
	byPoint := e.opt.Kind == Address
	switch r.by {
	case byIdentity:
		e.identity = true
		e.match.Include.Coordinates = e.match.Include.Coordinates || byPoint && r.name == "location"
	case byZone:
		e.identity, e.zone = true, true
	case byDistance:
		e.distance = true
		e.match.Include.Coordinates = e.match.Include.Coordinates || byPoint
	case byRadius:
		e.radius = true
		addTags(&e.opt.Radius.Include.ACS, n.tags)
		e.opt.Radius.Include.Timezone = e.opt.Radius.Include.Timezone || strings.Contains(path, ".timezone")
		e.match.Include.Coordinates = e.match.Include.Coordinates || byPoint
	case byAddress:
		_, rest, _ := strings.Cut(path, ".")
		family, _, _ := strings.Cut(rest, ".")
		e.needFamily(family)
		e.match.Include.Coordinates = e.match.Include.Coordinates || family == "location" || rest == ""
		addTags(&e.match.Include.Tract, n.tags)
	case byRecord:
		if byPoint && families[r.name] {
			e.needFamily(r.name)
			return
		}
		e.record = true
		e.needFamily(r.name)
		addTags(&e.include.ACS, n.tags)
	}
}

// needFamily asks for the enrichment behind the first key of a path.
func (e *Enricher) needFamily(name string) {
	switch name {
	case "timezone.zones":
		e.include.Timezone = true
	case "census":
		e.include.Census, e.match.Include.Census = true, true
	case "congressional_district", "federal_electoral_district":
		e.include.CongressionalDistrict, e.match.Include.CongressionalDistrict = true, true
	case "state_legislative":
		e.include.StateLegislative, e.match.Include.StateLegislative = true, true
	case "school_district":
		e.include.SchoolDistrict, e.match.Include.SchoolDistrict = true, true
	case "demographics":
		e.include.Demographics = true
	case "medicare":
		e.include.Medicare = true
	default: // needs no flag
	}
}

func addTags(to *[]acs.Tag, tags []acs.Tag) {
	for _, t := range tags {
		if !slices.Contains(*to, t) {
			*to = append(*to, t)
		}
	}
}

// reader returns what reads a field out of the answers to a row.
func (e *Enricher) reader(r root, n node) func(*answers) Value {
	of := func(v reflect.Value) Value {
		if r.index != nil {
			f, err := v.FieldByIndexErr(r.index)
			if err != nil {
				return Value{}
			}
			v = f
		}
		return n.get(v)
	}
	switch r.by {
	case byIdentity:
		return func(a *answers) Value { return of(reflect.ValueOf(&a.identity).Elem()) }
	case byZone:
		return present(func(a *answers) *lookup.TimeZone { return a.zone }, of)
	case byRecord:
		if e.opt.Kind == Address && families[r.name] {
			m, _ := memberOf(addressType, r.name)
			return func(a *answers) Value {
				if a.address == nil {
					return Value{}
				}
				return n.get(reflect.ValueOf(a.address).Elem().FieldByIndex(m.index))
			}
		}
		return present(func(a *answers) *lookup.Record { return a.record }, of)
	case byAddress:
		return func(a *answers) Value {
			if a.address == nil {
				return Value{}
			}
			return of(reflect.ValueOf(a.address).Elem())
		}
	case byDistance:
		return present(func(a *answers) *postgeo.DistanceResult { return a.distance }, of)
	default:
		return present(func(a *answers) *postgeo.RadiusResult { return a.radius }, of)
	}
}

// present reads a field of an answer that may be missing.
func present[T any](answer func(*answers) *T, of func(reflect.Value) Value) func(*answers) Value {
	return func(a *answers) Value {
		if p := answer(a); p != nil {
			return of(reflect.ValueOf(p).Elem())
		}
		return Value{}
	}
}

// Row answers one row and appends its values to dst, one for each column, null
// where there is none. The key is a code, a coordinate ("34.09,-118.4") or an
// address; see [JoinCoordinates] and [JoinAddress]. The error is the context's,
// or a failure of the dataset: a row that cannot be answered has an Outcome.
func (e *Enricher) Row(ctx context.Context, key string, dst []Value) ([]Value, Outcome, error) {
	var a answers
	out, err := e.ask(ctx, strings.TrimSpace(key), &a)
	if err != nil {
		return dst, out, err
	}
	if !out.Status.Answered() {
		for range e.read {
			dst = append(dst, Value{})
		}
		return dst, out, nil
	}
	for _, read := range e.read {
		dst = append(dst, read(&a))
	}
	return dst, out, nil
}

// JoinCoordinates makes the key of a row with a latitude and a longitude, "" of
// two empty ones.
func JoinCoordinates(lat, lon string) string {
	lat, lon = strings.TrimSpace(lat), strings.TrimSpace(lon)
	if lat == "" && lon == "" {
		return ""
	}
	return lat + "," + lon
}

// JoinAddress makes the key of a row whose address stands in several columns.
// Empty ones are left out.
func JoinAddress(parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ", ")
}

// point returns the point of an address's record as a key.
func point(lat, lon geo.Degrees) geo.LatLng {
	p, err := geo.LatLngFromDegrees(float64(lat), float64(lon))
	if err != nil {
		return geo.LatLng{}
	}
	return p
}

// Signature returns a text that is the same for two Enrichers only if they give
// the same values to the same keys: it names the dataset and all options.
func (e *Enricher) Signature() string {
	info, err := json.Marshal(e.db.Info())
	if err != nil {
		info = []byte(err.Error()) // a manifest is plain data
	}
	return fmt.Sprintf("%s %+v %v %q %v %+v", info, e.columns, e.opt.Kind, e.opt.DistanceTo, e.opt.RestoreZeros, e.opt.Radius)
}
