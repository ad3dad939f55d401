package geocode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// An Engine finds addresses of a dataset. A postgeo.DB has one; no other program can make
// a reader for it.
type Engine struct {
	data      *store.Dataset
	reader    *lookup.Reader
	addresses *address.Engine
	queries   sync.Pool // of *query, for their buffers

	// Functions that package lookup offers.
	likelyAt func(r *lookup.Reader, ctx context.Context, p geo.LatLng, kind string, radius geo.Meters, opt lookup.Options) (*lookup.Likely, error)
	likelyIn func(r *lookup.Reader, ctx context.Context, code string, opt lookup.Options) (*lookup.Likely, error)

	once     sync.Once
	states   map[string]bool         // keys of names, and abbreviations after a space
	canada   map[string][]store.Code // by townKey
	counties map[store.CountyID][]store.Code
	areas    []store.Code           // general ZIP Codes and FSAs
	points   *spatial.PointIndex    // of areas
	streets  map[store.StateID]bool // of states with codes: whether the dataset has streets there
}

// NewEngine returns an engine on the dataset of a reader. The other engine reads the
// names of cities.
func NewEngine(r *lookup.Reader, a *address.Engine) *Engine {
	return &Engine{
		data: door.Take[func(*lookup.Reader) *store.Dataset]()(r), reader: r, addresses: a,
		likelyAt: door.Take[func(*lookup.Reader, context.Context, geo.LatLng, string, geo.Meters, lookup.Options) (*lookup.Likely, error)](),
		likelyIn: door.Take[func(*lookup.Reader, context.Context, string, lookup.Options) (*lookup.Likely, error)](),
	}
}

// Costs of the differences between a text and a road, on the scale of package address: a
// direction or suffix more, less or other is 10 (nameCost). The sums order the evidence.
// costMost admits two such parts beside a code of the same city. A road without the number
// always costs more than that, so that each pass goes on until a road has the number.
const (
	costSuffix = 1  // another suffix instead of none, in addition to nameCost
	costDoubt  = 1  // a less likely division of the words
	costLetter = 10 // a different letter of the name, as much as another direction
	costArea   = 4  // another code of the city than the given one
	costNear   = 8  // a code around the given one
	costNumber = 25 // the number is not on the road
	costMost   = 24 // of a road with the number
	costNever  = 1000
)

// A candidate is a place with the cost of its differences. Its street and city are
// set once it is chosen.
type candidate struct {
	Place
	cost int
	read *address.Address
	name store.RoadName
	area store.Code
}

// A query is one address on its way to a place:
//
//  1. read orders the text (text.go) and parses it with the names of the dataset's cities.
//  2. locate turns the last line into areas: the codes whose roads may be meant.
//  3. The passes look for the roads of each reading in the areas, the exact ones first. A
//     pass runs only if those before it found no road with the number.
//  4. choose takes the cheapest candidate, or lists those that are equally good. Without
//     any, fallBack takes the code or the city. correct compares the answer with the text.
//
// Roads are looked up by code and key of the name in pages that stay decoded; a geocode in
// memory takes some ten microseconds. Matching in package address is stricter: there a wrong
// record is worse than none, here a position with an honest radius is better than none.
type query struct {
	*Engine
	ctx     context.Context
	opt     Options
	text    string // as it is read
	reads   []address.Address
	areas   []scope
	given   bool // the first area has the code of the text
	vague   bool // the areas are of cities of one name in several states
	found   []candidate
	least   int // cost of the best of found, costNever without any; passes stop by it
	roads   []store.RoadRow
	key     []byte
	others  []store.RoadRow   // roads that may be the other street of a crossing
	wide    bool              // they are of all areas, not of the area of the first street
	cross   []address.Address // readings of the other street of a crossing
	crossOf string            // the other street that cross has been read from
}

// A scope is a code with the cost of streets that are found there.
type scope struct {
	store.Code
	cost int
}

// Find returns the position of an address.
func (e *Engine) Find(ctx context.Context, text string, opt Options) (*Result, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	if err := e.data.Load(ctx, store.SectionRoads); err != nil {
		return nil, err
	}
	e.prepare()
	q, _ := e.queries.Get().(*query)
	if q == nil {
		q = new(query)
	}
	q.reset(ctx, e, opt)
	r, err := q.find(text, text)
	if other, otherErr := q.findTurned(text, r, err); other != nil || otherErr != nil {
		r, err = other, otherErr
	}
	q.ctx = nil
	e.queries.Put(q)
	return r, err
}

// reset prepares a query for an address. All fields are set anew, so that nothing of an
// earlier address stays but memory.
func (q *query) reset(ctx context.Context, e *Engine, opt Options) {
	*q = query{
		Engine: e, ctx: ctx, opt: opt, reads: q.reads[:0], areas: q.areas[:0], found: q.found[:0], least: costNever,
		roads: q.roads[:0], key: q.key[:0], others: q.others[:0],
	}
}

// findTurned finds a text whose city is not behind its street, in the order of mail, if the
// text as it is has no answer, only a city, or one in another state. It returns nil if that
// answer stays. Nothing is turned before, since the first part may be a recipient.
func (q *query) findTurned(text string, r *Result, err error) (*Result, error) {
	if err != nil && envelope.OfInput(err) == nil {
		return nil, nil // the dataset failed
	}
	t, err := q.turned(text)
	if err != nil || t.text == "" || r != nil && t.state == "" {
		return nil, err
	}
	meant := r != nil && r.State == t.state && (r.Precision != City || sameName(r.City, t.city))
	if meant && r.Precision != City {
		return nil, nil
	}
	q.reset(q.ctx, q.Engine, q.opt)
	other, err := q.find(text, t.text)
	f := envelope.AsFailure(err)
	switch {
	case err != nil && f == nil, f != nil && r == nil && f.Kind == envelope.KindAmbiguous && f.Reason != envelope.ReasonIncomplete:
		return nil, err
	case err != nil, meant && other.Precision == City:
		return nil, nil
	default:
		return other, nil
	}
}

// Locate returns the location of a matched address in its ZIP Code, nil if it is
// unknown.
func (e *Engine) Locate(ctx context.Context, d *address.Data) (*address.Location, error) {
	r, err := e.Find(ctx, d.AddressLine1+", "+d.AddressLine2, Options{})
	switch {
	case errors.Is(err, envelope.ErrNotFound), errors.Is(err, envelope.ErrAmbiguous):
		return nil, nil
	case err != nil:
		return nil, err
	case r.Precision.rank() > Interpolated.rank() || r.ZIP != d.Components.ZIP:
		return nil, nil
	}
	p := r.Location.Rounded()
	return &address.Location{Latitude: geo.Degrees(p.Lat()), Longitude: geo.Degrees(p.Lng()), Basis: string(r.Precision)}, nil
}

// find returns the position of an address that is read in a form of its text.
func (q *query) find(text, form string) (*Result, error) {
	if err := q.read(form); err != nil {
		return nil, err
	}
	if a := &q.reads[0]; a.State == "" && a.ZIP == "" && (isCountry(q.text) || endsAbroad(q.text, a.Number != "" && a.Suffix != "")) {
		return nil, q.notFound(text)
	}
	// The first reading with a known last line locates all.
	for i := range q.reads {
		if len(q.areas) > 0 {
			break
		}
		if err := q.locate(&q.reads[i]); err != nil {
			return nil, err
		}
	}
	for _, pass := range [...]func() error{q.named, q.borders, q.around, q.similar} {
		if q.least <= costMost || len(q.areas) == 0 {
			break
		}
		if err := pass(); err != nil {
			return nil, err
		}
	}
	r := &Result{Item: envelope.Item{Success: true}}
	if err := q.settle(text, r); err != nil {
		return nil, err
	}
	missing, err := q.missing(r)
	if err != nil {
		return nil, err
	}
	if missing != "" {
		r.Notices = append(r.Notices, notice.NotLoaded(missing))
	}
	at := r.Location
	// The house may lie anywhere along a street, so that a district at the street's
	// middle would be a guess. Probabilities (decision D81) are still known.
	if r.Precision.rank() > Intersection.rank() {
		at = geo.LatLng{}
	}
	r.Areas, r.Notices, err = q.areasAt(q.ctx, at, q.opt.areas(), r.Notices, &r.Place)
	return r, err
}

// settle sets the best place, else that of the code or city, and the notices of what it
// contradicts.
func (q *query) settle(text string, r *Result) error {
	if best := q.choose(r); best != nil {
		return q.correct(r, best.read, &best.name)
	}
	if q.vague && len(r.Candidates) > 0 {
		return ambiguous(text, r.Candidates)
	}
	a, err := q.fallBack(text, r)
	if err != nil {
		return err
	}
	return q.correct(r, a, nil)
}

// read sets the readings of a text. The name of a place is read as it is. The text is
// put in order first (text.go). Each step after that reads the text anew in another form and
// keeps the result only if it explains more.
func (q *query) read(text string) (err error) {
	q.text = q.ordered(text)
	if q.reads, err = q.addresses.Read(q.ctx, q.text, q.reads); err != nil {
		return err
	}
	if len(text) <= utf8.UTFMax*address.MaxRaw && (q.reads[0].Kind != address.NoDelivery || q.reads[0].State == "") { // longer ones are refused
		if plain := prepared(q.text); plain != q.text {
			q.text = plain
			if q.reads, err = q.addresses.Read(q.ctx, q.text, q.reads[:0]); err != nil {
				return err
			}
		}
	}
	if err = q.readCodeFirst(); err != nil {
		return err
	}
	if err = q.readForward(); err != nil {
		return err
	}
	if err = q.readForeignCode(); err != nil {
		return err
	}
	if a := &q.reads[0]; a.Kind == address.Street && a.City+a.State+a.ZIP == "" { // 100 MAIN STREET is not in STREET, MD
		q.reads = slices.DeleteFunc(q.reads, func(a address.Address) bool { return a.City != "" })
	}
	for i := range q.reads {
		a := &q.reads[i]
		a.Number = firstNumber(a.Number)
		if a.Country == "CA" {
			canadian(a)
		}
		if a.City == "" && a.State == "WA" && a.ZIP == "" && strings.Contains(strings.ToUpper(q.text), "WASHINGTON") {
			a.City, a.State = "WASHINGTON", "DC" // 1600 Pennsylvania Ave NW Washington
		}
	}
	return nil
}

// readCodeFirst reads a text that begins with a code again with the code at its end, if
// that is a code of the city: 90210 Beverly Hills CA.
func (q *query) readCodeFirst() error {
	first, rest, _ := strings.Cut(q.text, " ")
	if half, more, _ := strings.Cut(rest, " "); len(first) == 3 && len(half) == 3 && first[0] > '9' { // M5V 2T6
		first, rest = first+half, more
	}
	code, ok := q.codeOf(strings.ToUpper(first))
	if !ok || q.reads[0].ZIP != "" {
		return nil
	}
	other, err := q.addresses.Read(q.ctx, rest+" "+first, nil)
	if err != nil || other[0].ZIP == "" || other[0].Kind == address.Street && other[0].Number == "" {
		return err
	}
	var p Place
	if q.setPlace(&p, code); sameName(p.City, other[0].City) {
		q.reads = append(q.reads[:0], other...)
	}
	return nil
}

// readForward reads a text that ends in a forward sortation area of its city again with the
// province: M5V, Toronto M5V. Highway A1A is in no such city.
func (q *query) readForward() error {
	at := strings.LastIndexByte(q.text, ' ') + 1
	code, ok := q.codeOf(strings.ToUpper(q.text[at:]))
	if _, canadian := code.FSA(); !ok || !canadian || q.reads[0].ZIP != "" {
		return nil
	}
	var p Place
	q.setPlace(&p, code)
	other, err := q.addresses.Read(q.ctx, q.text[:at]+p.State+" "+q.text[at:], nil)
	if err == nil && other[0].ZIP != "" && (at == 0 || sameName(p.City, other[0].City)) {
		q.reads = append(q.reads[:0], other...)
	}
	return err
}

// readForeignCode reads a text again without its code, if that hides a state of the other
// country: Toronto, ON 90210.
func (q *query) readForeignCode() error {
	zip := q.reads[0].ZIP
	code, ok := q.codeOf(zip)
	if !ok || q.reads[0].State != "" {
		return nil
	}
	before, found := cutLast(q.text, zip)
	if !found {
		before, found = cutLast(q.text, strings.ReplaceAll(zip, " ", ""))
	}
	if before = strings.TrimRight(before, " ,"); !found || before == "" {
		return nil
	}
	other, err := q.addresses.Read(q.ctx, before, nil)
	if err != nil {
		return err
	}
	state, ok := q.stateOf(other[0].State)
	if _, canadian := code.FSA(); ok && other[0].City != "" && canadian == (q.data.State(state).Country == store.US) {
		q.reads = append(q.reads[:0], other...)
		for i := range q.reads {
			q.reads[i].ZIP = zip
		}
	}
	return nil
}

// notFound returns the error of an address that is nowhere. Without a city and a code, it may
// be anywhere. If the dataset lacks the codes or streets of its state or country, nothing
// rules the address out (decisions D33 and D54).
func (q *query) notFound(text string) error {
	err := &envelope.Failure{Op: "geocode", Kind: envelope.KindNotFound, Thing: envelope.ThingAddress, Input: text}
	a := &q.reads[0]
	if a.Kind != address.NoDelivery && a.City == "" && a.ZIP == "" {
		err.Kind, err.Reason = envelope.KindAmbiguous, envelope.ReasonIncomplete
		if street, others := readAs(a); street != "" && others != "" {
			err.Detail = fmt.Sprintf("address %q has no city: %q was read as the street, %q as the recipient or a note; write the city and state, or the ZIP Code or postal code, after the street",
				text, street, others)
		}
		return err
	}
	codes, n := "ZIP Codes", q.data.NumZIPs()
	if a.Country == "CA" {
		codes, n = "FSAs", q.data.NumFSAs()
	}
	state, known := q.stateOf(a.State)
	switch streets, some := q.streets[state]; {
	case n == 0 && a.Country+a.State+a.ZIP != "":
		err.Lacks = codes
	case known && !some:
		err.Lacks = codes + " of " + a.State
	case known && !streets && a.Kind == address.Street:
		err.Lacks = "streets of " + a.State
	default:
		return err
	}
	err.Kind = envelope.KindUnavailable
	return err
}

// readAs returns the street of a reading, and the words that are not a part of its address.
func readAs(a *address.Address) (street, others string) {
	street = strings.TrimSpace(a.Number + " " + a.Line())
	if a.Cross != "" {
		street += " & " + a.Cross
	}
	notes := append([]string{a.Recipient, a.Attention}, a.Unused...)
	return street, strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), ", ")
}

// ambiguous returns the error of an address that may be several.
func ambiguous(text string, list []Place) error {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Formatted
	}
	more := "the ZIP Code"
	if slices.ContainsFunc(list, func(p Place) bool { return p.State != list[0].State }) {
		more = "the state or the ZIP Code"
	}
	return &envelope.Failure{
		Op: "geocode", Kind: envelope.KindAmbiguous, Thing: envelope.ThingAddress, Input: text,
		Detail: fmt.Sprintf("address %q may be %s; add %s", text, strings.Join(names, "; "), more),
	}
}

// missing names the records of an address that the dataset has in none of its codes;
// "" if it has them, or if the text is a place.
func (q *query) missing(r *Result) (string, error) {
	where := cmp.Or(r.ZIP, r.City+", "+r.State)
	switch q.reads[0].Kind {
	case address.NoDelivery:
		return "", nil
	case address.POBox:
		for _, s := range q.areas {
			if z, ok := s.ZIP(); ok {
				if has, err := q.data.HasBoxesIn(q.ctx, z); has || err != nil {
					return "", err
				}
			}
		}
		return "PO Box records of " + where, nil
	default:
		if slices.ContainsFunc(q.areas, func(s scope) bool { return q.data.RoadCoverage(s.Code).Roads > 0 }) {
			return "", nil
		}
		return "streets of " + where, nil
	}
}

// areasAt returns the areas around a position of a place, and the notices with that of
// unavailable areas.
func (e *Engine) areasAt(ctx context.Context, at geo.LatLng, opt address.Options, list []envelope.Notice, p *Place) (address.Areas, []envelope.Notice, error) {
	a, err := e.addresses.AreasIn(ctx, at, "", opt, func(opt lookup.Options) (*lookup.Likely, error) {
		switch kind := errorKinds[p.Precision]; {
		case kind != "":
			return e.likelyAt(e.reader, ctx, p.Location, kind, geo.Meters(p.RadiusM), opt)
		case p.Precision == ZIP:
			return e.likelyIn(e.reader, ctx, p.ZIP, opt)
		default:
			return nil, nil // of a city
		}
	})
	if lacking := a.Unavailable; len(lacking) > 0 {
		list = append(list, notice.UnavailableEnrichments(lacking))
	}
	return a, list, err
}

// errorKinds are the kinds of errors of positions.
var errorKinds = map[Precision]string{Point: "point", Interpolated: "number", Intersection: "number", Street: "street"}
