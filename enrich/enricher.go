package enrich

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A Column is a column that an Enricher adds.
type Column struct {
	Name string // header
	Path string // field
	Type Type
}

// New resolves each path once, by reflection over the type results, into a function that
// reads its value from a row's results. At the same time, it collects what the paths need:
// the operations, and the flags, survey tables and members that each operation must
// compute. A row then runs each needed operation once and calls the functions, so a
// hundred columns of the full record cost one lookup, and layers that no column reads are
// not searched.
//
// Nothing changes after New, so rows need no lock. Each kind of key has its own Enricher,
// all with the same columns in the same order, because a table has one header. A column
// that a kind can't have reads null there.

// An Enricher adds fields to rows. It is safe for concurrent use, and it requires an open
// DB.
type Enricher struct {
	db      *postgeo.DB
	opt     Options
	columns []Column
	read    []func(*results) Value // of the columns, in their order

	// What the columns of this kind of key need. The options of the operations below are
	// made from it once, at the end of newOfKind.
	needs     [numOperations]bool
	flags     [numOperations][]string  // of the include parameter
	tags      [numOperations][]acs.Tag // profiles of the survey
	record    lookup.Options
	identity  door.Identity  // values of the quick record
	selection door.Selection // of the record
	match     address.Options
	matches   bool // fields of an address match or of its ZIP are needed
	place     geocode.Options
	nearest   radius.NearestOptions
	places    int // number of nearest places needed

	kinds []*Enricher // for keys of further kinds
}

// A Kind is a kind of key that rows are matched by.
type Kind string

// The kinds of keys.
const (
	Code        Kind = "code"        // a ZIP, ZIP+4, FSA or Canadian postal code, or a coordinate as one text
	Coordinates Kind = "coordinates" // a latitude and a longitude
	Address     Kind = "address"     // a US address
	City        Kind = "city"        // a city with its state or province, "Springfield, IL"
)

// IsValid reports whether the kind is one of the constants.
func (k Kind) IsValid() bool { return k == Code || k == Coordinates || k == Address || k == City }

// Options configures an [Enricher].
type Options struct {
	// Kind is the kind of the rows' keys. It is required.
	Kind Kind
	// Kinds lists further kinds of keys of the same rows (see [Enricher.RowBy]). A field
	// must be available for one of all kinds.
	Kinds []Kind
	// Add lists the fields: paths of [Catalog]. A column name may precede a path,
	// "income=acs.economic.income.median_household_income". "nearest_place.*",
	// "nearest_place.2.*" and "in_area.*" are all columns. If Add is empty, rows only get
	// status and reason.
	Add []string
	// RestoreZeros restores codes that a spreadsheet turned into numbers: 501 becomes
	// 00501, 6103 and 6103.0 become 06103, and eight digits become a ZIP+4. Without it they
	// are invalid.
	RestoreZeros bool
	// Radius configures the search around each row for radius fields. They require its
	// Max or Auto. Its Include is derived from the fields.
	Radius radius.Options
	// Nearest configures the search around each row for nearest fields. Its Count is the
	// number of codes in a field without a number: "nearest.code" is one code, or a list of
	// three with a Count of 3, and "nearest.2.code" is always the second. Its Timezone is
	// derived from the fields.
	Nearest radius.NearestOptions
	// Places is required by nearest_place fields. The Count and the Max of Nearest apply
	// to it too.
	Places *Places
	// Areas is required by in_area fields.
	Areas *Areas
	// At is the time of the rows. Zero means now.
	At time.Time
	// AsOf selects the plans of districts in force on the day in UTC. Zero means the day
	// of At.
	AsOf time.Time
	// Plan is the ID of a plan of districts for any day, such as "cd120".
	Plan string
}

// New returns an Enricher for the options. The error is a [*FieldError] for a field that
// does not exist or lacks an option. It matches [postgeo.ErrInvalidParam] for an option
// that is out of range.
func New(db *postgeo.DB, opt Options) (*Enricher, error) {
	for _, k := range append([]Kind{opt.Kind}, opt.Kinds...) {
		if !k.IsValid() {
			return nil, &postgeo.Error{
				Op: "enrich", Kind: envelope.KindInvalidParam, Param: "kind", Input: string(k), Range: "code, coordinates, address or city",
			}
		}
	}
	e, err := newOfKind(db, opt)
	if err != nil {
		return nil, err
	}
	for _, kind := range opt.Kinds {
		if e.of(kind) != nil {
			continue
		}
		own := opt
		// Kind joins Kinds, so that a field that only Kind has is a null column here, too.
		own.Kind, own.Kinds = kind, append(slices.Clone(opt.Kinds), opt.Kind)
		other, err := newOfKind(db, own)
		if err != nil {
			return nil, err
		}
		e.kinds = append(e.kinds, other)
	}
	return e, nil
}

func newOfKind(db *postgeo.DB, opt Options) (*Enricher, error) {
	e := &Enricher{db: db, opt: opt, nearest: opt.Nearest, matches: len(opt.Add) == 0}
	known := paths{db, opt.Nearest.Count, opt.Places, opt.Areas}
	for _, r := range known.requests(opt.Add) {
		if err := e.add(known, r.name, r.path); err != nil {
			return nil, err
		}
	}
	// No flag is unknown, because flagsOf wrote them. Survey tables are set as tags and not
	// as flags: flags would have to be parsed with the years of the dataset.
	e.record, _ = lookup.ParseOptions(e.flags[byRecord])
	e.match, _ = address.ParseOptions(e.flags[byAddress])
	place, _ := address.ParseOptions(e.flags[byGeocode])
	e.place.Include, e.place.Likely = place.Include, place.Likely
	e.record.Include.ACS, e.match.Include.Tract, e.place.Include.Tract, e.opt.Radius.Include.ACS = e.tags[byRecord], e.tags[byAddress], e.tags[byGeocode], e.tags[byRadius]
	e.record.At, e.record.AsOf, e.record.Plan = opt.At, opt.AsOf, opt.Plan
	e.match.At, e.match.AsOf, e.match.Plan = opt.At, opt.AsOf, opt.Plan
	e.place.At, e.place.AsOf, e.place.Plan = opt.At, opt.AsOf, opt.Plan
	e.matches = e.matches || !e.needs[byGeocode] // else nothing looks up the rows
	e.selection.Outside = true                   // a point outside all codes still has districts and a time zone
	if err := e.check(context.Background()); err != nil {
		return nil, err
	}
	return e, nil
}

// check runs each operation once, so that invalid options are not reported as errors of
// rows. It passes the caller's own options, because messages name their values.
func (e *Enricher) check(ctx context.Context) error {
	const somewhere = "0,0" // at sea; only the options matter
	if e.needs[byRadius] {
		if err := e.opt.Radius.Check(); err != nil {
			return err
		}
	}
	if e.needs[byNearest] || e.places > 0 {
		if _, err := e.db.Nearest(ctx, somewhere, e.opt.Nearest); err != nil {
			return err
		}
	}
	if e.opt.Plan != "" {
		opt := lookup.Options{Include: lookup.Include{CongressionalDistrict: true}, Plan: e.opt.Plan}
		if _, _, err := e.db.FamiliesAt(ctx, geo.MustLatLng(0, 0), opt); err != nil {
			return err
		}
	}
	return nil
}

// Columns returns the columns that [Enricher.Row] appends, in order. They must not be
// changed.
func (e *Enricher) Columns() []Column { return e.columns }

func (e *Enricher) add(known paths, name, path string) error {
	t, err := known.find(path)
	if err != nil {
		return err
	}
	op := operations[t.by]
	fits := func(k Kind) bool { return op.lacks == nil || !op.lacks(&e.opt, k) }
	null := !fits(e.opt.Kind)
	switch {
	case name == "":
		return &FieldError{Path: path, why: "has no name before ="}
	case null && !slices.ContainsFunc(e.opt.Kinds, fits): // for none of the kinds
		if op.option == "Address" {
			op.why += string(e.opt.Kind)
		}
		return &FieldError{Path: path, Option: op.option, why: op.why}
	case slices.ContainsFunc(e.columns, func(c Column) bool { return c.Name == name }):
		return &FieldError{Path: path, why: fmt.Sprintf("has the column name %[1]q of another field; rename it: NAME=%[2]s", name, path)}
	}
	e.columns = append(e.columns, Column{name, path, t.typ})
	if null {
		e.read = append(e.read, func(*results) Value { return Value{} })
		return nil
	}
	if e.opt.Kind == Address && t.by == byRecord && families[t.name] { // those of the address
		path = "address." + path
		t, _ = known.resolve(path)
	}
	e.need(&t, path)
	e.read = append(e.read, t.get)
	return nil
}

// Row looks up one row and appends its values to dst, one for each column; missing values
// are null. The key is a code, a coordinate ("34.09,-118.4"), an address or a city; see
// [JoinCoordinates] and [JoinAddress]. The error is the context's, or a failure of the
// dataset. A row without a match has an [Outcome] instead.
func (e *Enricher) Row(ctx context.Context, key string, dst []Value) ([]Value, Outcome, error) {
	var a results
	out, err := e.lookup(ctx, strings.TrimSpace(key), &a)
	if err != nil {
		return dst, out, err
	}
	if !out.Status.Answered() {
		return append(dst, make([]Value, len(e.read))...), out, nil
	}
	held := len(e.read) == 0 // without columns, status and reason are the result
	for _, read := range e.read {
		v := read(&a)
		held = held || !v.IsNull()
		dst = append(dst, v)
	}
	if !held {
		out.Status = NoData
	}
	return dst, out, nil
}

// A Key is one of the keys of a row.
type Key struct {
	Kind Kind   // one of the options
	Text string // "" if the row lacks it; see [JoinCoordinates] and [JoinAddress]
}

// RowBy is like [Enricher.Row] for rows with several keys in order of preference. It
// uses the first key that is answered, else the first with a text. Fields that are not
// available for its kind are null. The error may also be a kind that is not one of the
// options.
func (e *Enricher) RowBy(ctx context.Context, keys []Key, dst []Value) ([]Value, Outcome, error) {
	missed := Outcome{Status: Empty}
	first := true
	for _, k := range keys {
		by := e.of(k.Kind)
		if by == nil {
			return dst, Outcome{}, fmt.Errorf("enrich: a key is of kind %q, which is not in Options.Kind or Options.Kinds", k.Kind)
		}
		if strings.TrimSpace(k.Text) == "" {
			continue
		}
		values, out, err := by.Row(ctx, k.Text, dst)
		if err != nil || out.Status.Answered() {
			return values, out, err
		}
		if first {
			missed, first = out, false
		}
	}
	return append(dst, make([]Value, len(e.read))...), missed, ctx.Err()
}

// of returns the Enricher for a kind of key, or nil.
func (e *Enricher) of(kind Kind) *Enricher {
	if kind == e.opt.Kind {
		return e
	}
	for _, other := range e.kinds {
		if kind == other.opt.Kind {
			return other
		}
	}
	return nil
}

// families lists the roots that an address match fills for the address's own point. Those
// of its ZIP would be wrong: one ZIP can lie in several counties and districts.
var families = map[string]bool{
	"census": true, "congressional_district": true, "federal_electoral_district": true, "state_legislative": true, "school_district": true, "layers": true, "likely": true,
}

// regional lists the values of an identity that codes of a county have in common. If a
// table reads no others, coordinates of a county can share one result: see door.AreaKey.
var regional = map[string]bool{"country": true, "state": true, "state_name": true, "state_fips": true, "county": true, "county_fips": true}

// need requests the operation of a field and the parts of its result. Options of later
// fields add to those of earlier ones; none is taken back.
func (e *Enricher) need(t *target, path string) {
	segs := strings.Split(path, ".")
	e.needs[t.by] = true
	e.matches = e.matches || t.by != byGeocode
	zoned := strings.Contains(path, ".timezone")
	switch t.by {
	case byIdentity:
		e.identity.Region, e.identity.Code = true, e.identity.Code || !regional[t.name]
	case byZone, byZIP3:
		e.needs[byIdentity] = true
		e.identity.Zone, e.identity.Code = e.identity.Zone || t.by == byZone, e.identity.Code || t.by == byZIP3
	case byRadius:
		e.opt.Radius.Include.Timezone = e.opt.Radius.Include.Timezone || zoned
	case byNearest:
		e.nearest.Count, e.nearest.Timezone = max(e.nearest.Count, t.nth), e.nearest.Timezone || zoned
	case byPlace, byArea:
		e.places = max(e.places, t.nth)
		e.needs[byIdentity] = e.needs[byIdentity] || e.opt.Kind == Address // of the ZIP, if the record has no point
	case byRecord:
		e.selectRecord(t.name, segs)
	default: // its name suffices
	}
	// Distances and areas are measured at the record's point, which a match only has with
	// the flag coordinates.
	if t.by >= byRadius || t.name == "location" || t.by == byAddress && (len(segs) == 1 || segs[1] == "location") {
		e.flags[byAddress] = append(e.flags[byAddress], "coordinates") // of the address's record
	}
	if t.by == byAddress || t.by == byGeocode {
		segs = segs[1:]
	}
	e.flags[t.by] = append(e.flags[t.by], flagsOf(segs)...)
	for _, tag := range t.tags {
		if !slices.Contains(e.tags[t.by], tag) {
			e.tags[t.by] = append(e.tags[t.by], tag)
		}
	}
}

// flagsOf returns the flags of the include parameter that a path in a record requires.
func flagsOf(segs []string) (flags []string) {
	segs = append(slices.Clip(segs), "", "") // segs[1] exists; Clip, so that the caller's array stays
	next := slices.Contains(segs, "next")
	switch segs[0] {
	case "census", "school_district", "demographics", "medicare", "quality":
		return []string{segs[0]}
	case "timezone": // only timezone.zones is of the record
		return []string{"timezone"}
	case "congressional_district", "federal_electoral_district":
		if flags = append(flags, "cd"); next {
			flags = append(flags, "cd_next")
		}
	case "state_legislative":
		if flags = append(flags, "state_leg"); next {
			flags = append(flags, "state_leg_next")
		}
	case "layers": // such as layers.clinics.id
		return []string{"layers." + segs[1]}
	case "likely": // such as likely.cd.p
		switch of := segs[1]; {
		case of == "":
			return []string{"likely", "census", "cd", "state_leg", "school_district"}
		case strings.HasPrefix(of, "state_"):
			return []string{"likely", "state_leg"}
		case of == "cd" || of == "school_district":
			return []string{"likely", of}
		default: // tract, county and census areas of Canada
			return []string{"likely", "census"}
		}
	}
	return flags
}

// selectRecord requests the values of a record that a path reads besides families.
func (e *Enricher) selectRecord(root string, segs []string) {
	switch root {
	case "city_aliases":
		e.selection.Aliases = true
	case "census":
		segs = slices.DeleteFunc(slices.Clone(segs[1:]), func(s string) bool { return s == current })
		if len(segs) > 0 {
			e.selection.Census = append(e.selection.Census, segs[0])
			return
		}
		// "census" alone is the whole object as JSON
		for _, m := range openapi.Properties(censusType) {
			e.selection.Census = append(e.selection.Census, m.Name)
		}
	}
	if !families[root] && root != "detail" && root != "acs" && root != zones {
		e.selection.Details = true
	}
}
