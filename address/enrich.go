package address

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// An Engine matches addresses to the records of a dataset and adds the areas
// around their points. It is safe for concurrent use until the dataset is
// closed. A postgeo.DB has one; no other program can make a reader for it.
type Engine struct {
	data     *store.Dataset
	ref      *reference
	reader   *lookup.Reader
	searches sync.Pool                                // of *search, for their buffers
	index    *cache.Recent[postcode.ZIP, *zipStreets] // for completions
	likelyAt func(r *lookup.Reader, ctx context.Context, p geo.LatLng, kind string, radius geo.Meters, opt lookup.Options) (*lookup.Likely, error)
	// ofRecords reports whether districts belong to the plan that records name. Both are
	// functions of package lookup that it doesn't export; see internal/door.
	ofRecords func(*lookup.Reader, *lookup.CongressPeriod) bool
}

// NewEngine returns an engine on the dataset of the reader.
func NewEngine(r *lookup.Reader) *Engine {
	data := door.Take[func(*lookup.Reader) *store.Dataset]()(r)
	return &Engine{
		data: data, ref: newReference(data), reader: r, index: cache.NewRecent[postcode.ZIP, *zipStreets](maxIndexed),
		likelyAt:  door.Take[func(*lookup.Reader, context.Context, geo.LatLng, string, geo.Meters, lookup.Options) (*lookup.Likely, error)](),
		ofRecords: door.Take[func(*lookup.Reader, *lookup.CongressPeriod) bool](),
	}
}

// Match returns the record of an address with the enrichments. The house number
// is never changed, and no direction is reversed. On a dataset without address
// records the error matches [envelope.ErrUnavailable].
func (e *Engine) Match(ctx context.Context, input string, opt Options) (*Match, error) {
	return e.match(ctx, input, nil, opt)
}

// match matches a text, or the fields that it consists of.
func (e *Engine) match(ctx context.Context, input string, fields *Fields, opt Options) (*Match, error) {
	if err := e.data.Load(ctx, store.SectionStreets); err != nil {
		return nil, fmt.Errorf("address: %w", err)
	}
	if !e.data.HasStreets() {
		if err := Check(input); err != nil {
			return nil, err
		}
		return nil, noRecords(input, "address records")
	}
	s := e.search(ctx, input)
	s.fields = fields
	m, err := s.run()
	e.free(s)
	if err != nil {
		return nil, err
	}
	m.Input = &envelope.Input{Address: input}
	if err := e.enrich(ctx, m.Data, opt); err != nil {
		return nil, err
	}
	if unavailable := m.Data.Unavailable; len(unavailable) > 0 {
		m.Notices = append(m.Notices, notice.UnavailableEnrichments(unavailable))
	}
	return m, nil
}

func (e *Engine) enrich(ctx context.Context, d *Data, opt Options) error {
	if !d.point.IsValid() {
		d.Unavailable = opt.Enrichments()
		return nil
	}
	if opt.Include.Coordinates {
		p := d.point.Rounded()
		d.Location = &Location{Latitude: geo.Degrees(p.Lat()), Longitude: geo.Degrees(p.Lng())}
	}
	block, err := e.areaAround(ctx, store.LayerBlockGroup, d.point)
	if err != nil {
		return err
	}
	d.Details.LocationBlockGroup = block
	county := ""
	if d.Details.County != nil { // ranges of segments have none
		county = d.Details.County.FIPS
	}
	likely := func(opt lookup.Options) (*lookup.Likely, error) {
		return e.likelyAt(e.reader, ctx, d.point, "record", radiusOfRecord, opt)
	}
	if d.Areas, err = e.AreasIn(ctx, d.point, county, opt, likely); err != nil {
		return err
	}
	e.postalDistrict(d)
	return nil
}

// radiusOfRecord holds 90 % of the addresses of a ZIP+4 record around its point, as
// measured at 6,000 address points of three cities of Virginia.
const radiusOfRecord geo.Meters = 125

// AreasIn returns the areas around a point and the profiles of its tract, which is
// the same for all years. If the point is not valid, all are unavailable. Counties
// report whether they are the postal county, which has a FIPS code; "" if unknown.
// likely returns the probabilities of the areas around the place of the address, nil if
// it is unknown; it may be known without a point.
func (e *Engine) AreasIn(ctx context.Context, p geo.LatLng, county string, opt Options, likely func(lookup.Options) (*lookup.Likely, error)) (a Areas, err error) {
	want, tags := opt.families(), opt.Include.Tract
	exact := want
	exact.Likely = false
	if a.Unavailable = exact.Flags(); p.IsValid() {
		a.Families, a.Unavailable, err = e.reader.FamiliesAt(ctx, p, county, exact)
	}
	if err == nil && want.Likely {
		if a.Likely, err = likely(want); a.Likely == nil {
			a.Unavailable = append(a.Unavailable, "likely")
		}
	}
	if err == nil && len(tags) > 0 && p.IsValid() {
		a.ACS, _, tags, err = e.reader.TractAt(ctx, p, tags, acs.Options{})
	}
	if err != nil {
		return a, fmt.Errorf("address: %w", err)
	}
	for _, t := range tags { // those that are missing
		a.Unavailable = append(a.Unavailable, t.Flag(acs.Tract))
	}
	for _, flag := range opt.Enrichments() {
		if !slices.Contains(a.Unavailable, flag) {
			a.Delivered = append(a.Delivered, flag)
		}
	}
	return a, nil
}

// areaAround returns the code of the area of a layer around a point, or "".
func (e *Engine) areaAround(ctx context.Context, id store.LayerID, p geo.LatLng) (string, error) {
	l := e.data.Layer(id)
	if !l.HasOutlines() {
		return "", nil
	}
	var room [2]int
	around, err := l.Containing(ctx, p, room[:0])
	if err != nil {
		return "", fmt.Errorf("address: areas of the layer %s: %w", id, err)
	}
	if len(around) == 0 {
		return "", nil
	}
	return l.GEOID(around[0]), nil
}

// postalDistrict makes the district that the record names the primary one. It
// ignores plans other than the one in force when the dataset was built.
func (e *Engine) postalDistrict(d *Data) {
	if d.CongressionalDistrict == nil || d.CongressionalDistrict.Current == nil {
		return
	}
	if !e.ofRecords(e.reader, d.CongressionalDistrict.Current) {
		return
	}
	geoid, number, ok := e.districtOf(d.Components.State, d.cd)
	if !ok {
		return
	}
	// The reader may share the family with other answers, so that copies are changed.
	family := *d.CongressionalDistrict
	period := *family.Current
	period.Primary = lookup.PrimaryDistrict{GEOID: geoid, State: d.Components.State, DistrictNumber: number, Basis: lookup.USPSRecord}
	family.Current = &period
	d.CongressionalDistrict = &family
}

// districtOf returns the code and number of a record's congressional district. The
// argument cd has two digits, or is AL for the only district of a state (00) or the
// delegate's (98). ok is false if the outlines are of another Congress.
func (e *Engine) districtOf(state, cd string) (geoid string, number int, ok bool) {
	id, ok := e.data.StateByAbbr(store.US, state)
	codes := []string{cd}
	if cd == "AL" {
		codes = []string{"00", "98"}
	}
	for _, code := range codes {
		geoid = e.data.State(id).FIPS + code
		if _, known := e.data.Layer(store.LayerCongressionalDistrict).Find(geoid); ok && known && len(code) == 2 {
			number, err := strconv.Atoi(code)
			return geoid, number, err == nil
		}
	}
	return "", 0, false
}
