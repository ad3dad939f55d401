package enrich

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/enum"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A Column is a column that an Enricher adds.
type Column struct {
	Name string // header
	Path string // field
	Type Type
}

// An Enricher adds fields to rows. It is safe for concurrent use, and it
// requires an open DB.
type Enricher struct {
	db      *postgeo.DB
	opt     Options
	columns []Column
	read    []func(*results) Value

	identity  bool // an identity is needed
	zone      bool // with the time zone of the point
	record    bool // a full record is needed
	include   lookup.Include
	selection door.Selection // of the record
	match     address.Options
	matches   bool // fields of an address match or of its ZIP are needed
	geocode   bool
	place     geocode.Options
	distance  bool
	radius    bool
	nearest   radius.NearestOptions // Count 0: not needed
	places    int                   // number of nearest places needed
	areas     bool
	neighbors bool
	zip3      bool
	boundary  bool
	changes   []change
	surveys   []survey // of the changes

	kinds []*Enricher // for keys of further kinds
}

// New returns an Enricher for the options. The error is a [*FieldError] for a
// field that does not exist or lacks an option. It is an [*OptionError] for an
// option that is out of range or names an unknown place.
func New(db *postgeo.DB, opt Options) (*Enricher, error) {
	if opt.Kind.String() == "" {
		return nil, errors.New("enrich: Options.Kind is missing; must be Code, Coordinates, Address or City")
	}
	if slices.ContainsFunc(opt.Kinds, func(k Kind) bool { return k.String() == "" }) {
		return nil, errors.New("enrich: Options.Kinds has an unknown kind; must be Code, Coordinates, Address or City")
	}
	e, err := newOfKind(db, opt)
	if err != nil {
		return nil, err
	}
	if err := e.addKinds(db, opt); err != nil {
		return nil, err
	}
	return e, nil
}

func newOfKind(db *postgeo.DB, opt Options) (*Enricher, error) {
	e := &Enricher{db: db, opt: opt, matches: len(opt.Add) == 0}
	e.include.Plans, e.match.Include.Plans, e.place.Include.Plans = opt.Plans, opt.Plans, opt.Plans
	for _, w := range opt.requests() {
		if err := e.add(w.name, w.path); err != nil {
			return nil, err
		}
	}
	e.matches = e.matches || !e.geocode // else nothing looks up the rows
	e.selection.Outside = true
	if err := e.check(context.Background()); err != nil {
		return nil, err
	}
	return e, nil
}

// check runs each operation once, so that invalid options are not reported as
// errors of rows.
func (e *Enricher) check(ctx context.Context) error {
	const somewhere = "0,0"
	if to := e.opt.DistanceTo; e.distance && !(to == "" && e.opt.DistanceToRow) {
		if _, err := e.db.Distance(ctx, to, to, radius.DistanceOptions{}); err != nil {
			return &OptionError{"DistanceTo", to, err}
		}
	}
	if e.radius {
		if err := e.opt.Radius.Check(); err != nil {
			return &OptionError{Option: "Radius", Err: err}
		}
	}
	if e.nearest.Count > 0 || e.places > 0 {
		if _, err := e.db.Nearest(ctx, somewhere, e.opt.Nearest); err != nil {
			return &OptionError{Option: "Nearest", Err: err}
		}
	}
	if of := e.opt.BoundaryOf; e.boundary {
		if _, err := e.db.Boundary(ctx, somewhere, of); err != nil {
			return &OptionError{"BoundaryOf", of, err}
		}
	}
	if plans := e.opt.Plans; plans.Plan != "" {
		inc := lookup.Include{CongressionalDistrict: true, Plans: plans}
		if _, _, err := e.db.FamiliesAt(ctx, geo.MustLatLng(0, 0), inc); err != nil {
			return &OptionError{Option: "Plans", Err: err}
		}
	}
	return nil
}

// An OptionError indicates an option of [Options] that is out of range or names
// an unknown place.
type OptionError struct {
	Option string // its name, e.g. "DistanceTo"
	Given  string // "" if Err contains it
	Err    error
}

// Error returns the option and its error.
func (e *OptionError) Error() string {
	if e.Given == "" {
		return fmt.Sprintf("enrich: %s: %v", e.Option, e.Err)
	}
	return fmt.Sprintf("enrich: %s is %q: %v", e.Option, e.Given, e.Err)
}

// Unwrap returns Err.
func (e *OptionError) Unwrap() error { return e.Err }

// Columns returns the columns that [Enricher.Row] appends, in order. They must
// not be changed.
func (e *Enricher) Columns() []Column { return e.columns }

func (e *Enricher) add(name, path string) error {
	p := paths{db: e.db, count: e.opt.Nearest.Count, places: e.opt.Places, areas: e.opt.Areas}
	t, ok := p.resolve(path)
	switch {
	case !ok:
		return p.unknown(path)
	case name == "":
		return &FieldError{Path: path, why: "has no name before ="}
	}
	if why := p.missing(&t, path); why != "" {
		return &FieldError{Path: path, why: why}
	}
	null := e.unavailable(&t)
	if option, why := e.lacks(e.opt.Kind, &t); option != "" && !null {
		return &FieldError{Path: path, Option: option, why: why}
	}
	if i := slices.IndexFunc(e.columns, func(c Column) bool { return c.Name == name }); i >= 0 {
		return &FieldError{Path: path, why: fmt.Sprintf("has the column name %[1]q of another field; rename it: NAME=%[2]s", name, path)}
	}
	e.columns = append(e.columns, Column{name, path, t.typ})
	if null {
		e.read = append(e.read, func(*results) Value { return Value{} })
		return nil
	}
	e.need(&t, path)
	e.read = append(e.read, e.reader(&t))
	return nil
}

// lacks returns the option that a field for keys of a kind requires, with the reason, or "".
func (e *Enricher) lacks(kind Kind, t *target) (option, why string) {
	switch {
	case t.by == byAddress && kind != Address, t.by == byGeocode && kind != Address && kind != City:
		return "Address", "addresses (%s); rows are of kind " + kind.String()
	case t.by == byDistance && e.opt.DistanceTo == "" && !e.opt.DistanceToRow:
		return "DistanceTo", "a place to measure to (%s)"
	case t.by == byRadius && e.opt.Radius.Max == 0 && e.opt.Radius.Auto == "":
		return "Radius", "the radius of the search (%s)"
	case t.by == byPlace && e.opt.Places == nil:
		return "Places", "a list of places (%s)"
	case t.by == byArea && e.opt.Areas == nil:
		return "Areas", "a list of areas (%s)"
	case t.by == byBoundary && e.opt.BoundaryOf == "":
		return "BoundaryOf", "the code of the boundary (%s)"
	default:
		return "", ""
	}
}

// Row looks up one row and appends its values to dst, one for each column;
// missing values are null. The key is a code, a coordinate ("34.09,-118.4"), an
// address or a city; see [JoinCoordinates] and [JoinAddress]. The error is the
// context's, or a failure of the dataset. A row without a match has an
// [Outcome] instead.
func (e *Enricher) Row(ctx context.Context, key string, dst []Value) ([]Value, Outcome, error) {
	return e.RowTo(ctx, key, "", dst)
}

// RowTo is like Row for rows with their own place for distance fields, a code
// or a coordinate; "" means that of the options. If the place is invalid or not
// in the dataset, these fields are null, and the outcome has the reason.
func (e *Enricher) RowTo(ctx context.Context, key, to string, dst []Value) ([]Value, Outcome, error) {
	a := results{to: strings.TrimSpace(to)}
	a.to = cmp.Or(a.to, e.opt.DistanceTo)
	if padded, ok := lookup.RestoreZeros(a.to); ok && e.opt.RestoreZeros {
		a.to = padded
	}
	out, err := e.lookup(ctx, strings.TrimSpace(key), &a)
	if err != nil {
		return dst, out, err
	}
	if !out.Status.Answered() {
		for range e.read {
			dst = append(dst, Value{})
		}
		return dst, out, nil
	}
	held := len(e.read) == 0
	for i, read := range e.read {
		v := read(&a)
		if v.typ == broken {
			return dst, out, fmt.Errorf("enrich: %s: %s", e.columns[i].Path, v.text)
		}
		held = held || !v.IsNull()
		dst = append(dst, v)
	}
	if !held {
		out.Status = NoData
	}
	return dst, out, nil
}

// point returns the point of an address's record, or the invalid point.
func point(lat, lon geo.Degrees) geo.LatLng {
	p, err := geo.LatLngFromDegrees(float64(lat), float64(lon))
	if err != nil {
		return geo.LatLng{}
	}
	return p
}

// A Kind is a kind of key that rows are matched by.
type Kind uint8

// The kinds of keys.
const (
	Code        Kind = iota + 1 // a ZIP, ZIP+4, FSA or Canadian postal code, or a coordinate as one text
	Coordinates                 // a latitude and a longitude
	Address                     // a US address
	City                        // a city with its state or province, "Springfield, IL"
)

var kindNames = enum.Names[Kind]{Code: "code", Coordinates: "coordinates", Address: "address", City: "city"}

// String returns "code", "coordinates", "address" or "city".
func (k Kind) String() string { return kindNames.Of(k) }

// ParseKind is the inverse of [Kind.String].
func ParseKind(name string) (k Kind, ok bool) { return kindNames.Find(name) }

// Options configures an [Enricher].
type Options struct {
	// Kind is the kind of the rows' keys. It is required.
	Kind Kind
	// Kinds lists further kinds of keys of the same rows (see [Enricher.RowBy]).
	// A field must be available for one of all kinds.
	Kinds []Kind
	// Add lists the fields: paths of [Catalog]. A column name may precede a
	// path, "income=acs.economic.income.median_household_income".
	// "nearest_place.*", "nearest_place.2.*" and "in_area.*" are all columns.
	// If Add is empty, rows only get status and reason.
	Add []string
	// RestoreZeros restores codes that a spreadsheet turned into numbers: 501
	// becomes 00501, 6103 and 6103.0 become 06103, and eight digits become a
	// ZIP+4.
	RestoreZeros bool
	// DistanceTo is the code or coordinate that distance fields measure to.
	// They require it, or DistanceToRow.
	DistanceTo string
	// DistanceToRow indicates that each row has its own place to measure
	// distances to (see [Enricher.RowTo]). DistanceTo then applies to rows
	// without one.
	DistanceToRow bool
	// Radius configures the search around each row for radius fields. They
	// require its Max or Auto. Its Include is derived from the fields.
	Radius radius.Options
	// Nearest configures the search around each row for nearest fields. Its
	// Count is the number of codes in a field without a number: "nearest.code"
	// is one code, or three with a Count of 3, and "nearest.2.code" is always
	// the second. Its Timezone is derived from the fields.
	Nearest radius.NearestOptions
	// Places is required by nearest_place fields. The Count and the Max of
	// Nearest apply to it too.
	Places *Places
	// Areas is required by in_area fields.
	Areas *Areas
	// BoundaryOf is the ZIP or FSA whose boundary the boundary fields measure
	// to. They require it.
	BoundaryOf string
	// Plans selects the plans of districts.
	Plans lookup.PlanOptions
}

// JoinCoordinates returns the key of a row with a latitude and a longitude, or
// "" if both are empty. A comma in one of them is a decimal comma.
func JoinCoordinates(lat, lon string) string {
	lat, lon = decimal(lat), decimal(lon)
	if missingKeys(lat) && missingKeys(lon) {
		return ""
	}
	return lat + "," + lon
}

// decimal returns a number with a decimal point.
func decimal(text string) string {
	text = visible(strings.TrimSpace(text))
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") {
		return strings.Replace(text, ",", ".", 1)
	}
	return text
}

// JoinAddress returns the key of a row whose address or city is split into
// several columns. Empty ones are left out.
func JoinAddress(parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, p := range parts {
		if p = visible(strings.TrimSpace(p)); !missingKeys(p) {
			kept = append(kept, wholeCell(p))
		}
	}
	return strings.Join(kept, ", ")
}

// JoinStreet joins parts of a street, such as a house number and a name.
func JoinStreet(parts ...string) string {
	return strings.ReplaceAll(JoinAddress(parts...), ", ", " ")
}

// wholeCell returns a number without the fraction that a spreadsheet added to it: 115.0
// is 115.
func wholeCell(text string) string {
	if digits, fraction, ok := strings.Cut(text, "."); ok && isDigits(digits) && fraction != "" && strings.Trim(fraction, "0") == "" {
		return digits
	}
	return text
}
