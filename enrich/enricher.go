package enrich

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

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

	identity  bool // an identity is needed
	zone      bool // with the time zone of the point
	record    bool // a full record is needed
	include   lookup.Include
	match     postgeo.AddressOptions
	distance  bool
	radius    bool
	nearest   postgeo.NearestOptions // Count 0: not needed
	places    int                    // how many nearest places are needed
	areas     bool
	neighbors bool
	boundary  bool
	changes   []change
	surveys   []survey // that answer the changes
}

// New prepares what the options ask for. The error is a [*FieldError] where a
// field does not exist or lacks what it needs, and an [*OptionError] where an
// option is out of range or names a place that the dataset does not have.
func New(db *postgeo.DB, opt Options) (*Enricher, error) {
	if opt.Kind.String() == "" {
		return nil, errors.New("enrich: Options.Kind is not set; expected Code, Coordinates, Address or Text")
	}
	e := &Enricher{db: db, opt: opt}
	for _, w := range opt.wanted() {
		if err := e.add(w.name, w.path); err != nil {
			return nil, err
		}
	}
	if err := e.check(context.Background()); err != nil {
		return nil, err
	}
	return e, nil
}

// check asks once what rows will be asked, so that options which are out of
// range, and places that there are not, are no fault of the rows.
func (e *Enricher) check(ctx context.Context) error {
	const somewhere = "0,0"
	if to := e.opt.DistanceTo; e.distance && !(to == "" && e.opt.DistanceToRow) {
		if _, err := e.db.Distance(ctx, to, to, postgeo.DistanceOptions{}); err != nil {
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
	if e.opt.Kind == Text {
		res, err := e.suggest(ctx, somewhere)
		if err != nil {
			return &OptionError{Option: "Suggest", Err: err}
		}
		if near := e.opt.Suggest.Proximity; near != "" && len(res.Notices) > 0 { // it would be ignored
			return &OptionError{"Suggest.Proximity", near, errors.New("it is no place that is known")}
		}
	}
	return nil
}

// An OptionError says that an option of [Options] is out of range, or names what
// the dataset does not have.
type OptionError struct {
	Option string // its name, e.g. "DistanceTo"
	Given  string // "" where Err says it
	Err    error
}

// Error names the option.
func (e *OptionError) Error() string {
	if e.Given == "" {
		return fmt.Sprintf("enrich: %s: %v", e.Option, e.Err)
	}
	return fmt.Sprintf("enrich: %s is %q: %v", e.Option, e.Given, e.Err)
}

// Unwrap returns what is wrong with it.
func (e *OptionError) Unwrap() error { return e.Err }

// Columns returns what [Enricher.Row] appends, in its order. It must not be
// changed.
func (e *Enricher) Columns() []Column { return e.columns }

// Kind returns what rows are looked up by.
func (e *Enricher) Kind() Kind { return e.opt.Kind }

func (e *Enricher) add(name, path string) error {
	p := paths{db: e.db, count: e.opt.Nearest.Count, places: e.opt.Places, areas: e.opt.Areas}
	t, ok := p.resolve(path)
	switch {
	case !ok:
		return &FieldError{Path: path, Near: near(path, p.own())}
	case name == "":
		return &FieldError{Path: path, why: "has no name before ="}
	}
	if why := e.lacks(&t); why != "" {
		return &FieldError{Path: path, why: why}
	}
	if i := slices.IndexFunc(e.columns, func(c Column) bool { return c.Name == name }); i >= 0 {
		return &FieldError{Path: path, why: fmt.Sprintf("would be the second column %q; name one of them anew: NAME=%s", name, path)}
	}
	e.columns = append(e.columns, Column{name, path, t.typ})
	e.need(&t, path)
	e.read = append(e.read, e.reader(&t))
	return nil
}

// lacks says what a field needs that the options do not have; "" for nothing.
func (e *Enricher) lacks(t *target) string {
	rows := "; rows are looked up by " + e.opt.Kind.String()
	switch {
	case t.by == byAddress && e.opt.Kind != Address:
		return "is told of addresses (Address) only" + rows
	case t.by == bySuggest && e.opt.Kind != Text:
		return "is told of texts (Text) only" + rows
	case e.opt.Kind == Text && !t.by.ofTexts():
		return "is not told of texts; add suggest.location.lat and suggest.location.lon, and look the result up by them"
	case t.by == byDistance && e.opt.DistanceTo == "" && !e.opt.DistanceToRow:
		return "needs a place to measure to (DistanceTo)"
	case t.by == byRadius && e.opt.Radius.Max == 0 && e.opt.Radius.Auto == 0:
		return "needs the radius of the search (Radius)"
	case t.by == byPlace && e.opt.Places == nil:
		return "needs a list of places (Places)"
	case t.by == byArea && e.opt.Areas == nil:
		return "needs a list of areas (Areas)"
	case t.by == byBoundary && e.opt.BoundaryOf == "":
		return "needs the code whose boundary is meant (BoundaryOf)"
	default:
		return ""
	}
}

// Row answers one row and appends its values to dst, one for each column, null
// where there is none. The key is a code, a coordinate ("34.09,-118.4"), an
// address or a text; see [JoinCoordinates] and [JoinAddress]. The error is the context's,
// or a failure of the dataset: a row that cannot be answered has an Outcome.
func (e *Enricher) Row(ctx context.Context, key string, dst []Value) ([]Value, Outcome, error) {
	return e.RowTo(ctx, key, "", dst)
}

// RowTo is Row for rows that bring the place which their fields of distance
// measure to, a code or a coordinate; "" is that of the options. A place that is
// none, or that the dataset does not have, leaves these fields null, and is the
// reason of a row that is answered.
func (e *Enricher) RowTo(ctx context.Context, key, to string, dst []Value) ([]Value, Outcome, error) {
	a := answers{to: strings.TrimSpace(to)}
	if a.to == "" {
		a.to = e.opt.DistanceTo
	}
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
	for i, read := range e.read {
		v := read(&a)
		if v.typ == broken {
			return dst, out, fmt.Errorf("enrich: %s: %s", e.columns[i].Path, v.text)
		}
		dst = append(dst, v)
	}
	return dst, out, nil
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
	o, s := &e.opt, &e.opt.Suggest
	return fmt.Sprintf("%s %+v %v %q %v %v %+v %+v %s %s %q %d %v %q %q %q", info, e.columns, o.Kind, o.DistanceTo, o.DistanceToRow, o.RestoreZeros, o.Radius,
		o.Nearest, o.Places.digest(), o.Areas.digest(), o.BoundaryOf, s.Limit, s.Include, s.State, s.Country, s.Proximity)
}
