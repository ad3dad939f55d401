package lookup

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// Full returns everything that identifies a code, and the requested enrichments.
// It never replaces a postal code by its FSA. An unknown ZIP+4 of a known ZIP
// returns the ZIP's record with a detail that is not valid. A coordinate returns
// the code whose area contains it, with the boundary families of the point.
//
// The error is a [*envelope.Failure], the context's, or a failure of the dataset.
func (r *Reader) Full(ctx context.Context, input string, opt Options) (*Record, error) {
	return r.full(ctx, input, opt, nil)
}

// full is [Reader.Full] for a caller that reads only the selected values, or all if
// only is nil.
func (r *Reader) full(ctx context.Context, input string, opt Options, chosen *door.Selection) (*Record, error) {
	only := selection{chosen}
	c, err := ParseCode(input)
	if err != nil {
		return nil, err
	}
	if err := r.acs.CheckTags(acs.ZCTA, opt.Include.ACS); err != nil {
		return nil, err
	}
	at := c
	if c.typ == pointKind {
		if at, err = r.containing(ctx, c.point); err != nil {
			return nil, err
		}
		if !at.IsValid() && (chosen == nil || !chosen.Outside) {
			return nil, r.notContained(c.point)
		}
	}
	opt.At = orNow(opt.At)
	if err := r.checkPlan(opt.Plan); err != nil {
		return nil, err
	}
	if !at.IsValid() {
		return r.outside(ctx, c.point, opt, only)
	}
	rec := &Record{}
	var h hit
	s := subject{at: opt.At, details: only.details(&opt.Include), lists: only.lists(&opt.Include)}
	switch at.typ {
	case zipKind, zip4Kind:
		err = r.fullZIP(ctx, rec, at, &h, &s)
	case fsaKind:
		err = r.fullFSA(ctx, rec, at, &s)
	case postalKind:
		err = r.fullPostal(ctx, rec, at, &s)
	default:
		err = r.notFound(c)
	}
	if err != nil {
		return nil, err
	}
	rec.Success = true
	if at != c {
		rec.Code, rec.CodeType = at.String(), at.Type()
		if chosen == nil {
			rec.Notices = resolved(c, at, input)
		}
	} else {
		rec.Notices = r.nameHit(&rec.Identity, c, &h, input)
	}
	if opt.Include.ACS, err = r.survey(ctx, rec, &s, opt); err != nil {
		return nil, err
	}
	if at != c {
		s.around = c.point
	}
	if err := r.enrich(ctx, rec, opt, only, &s); err != nil {
		return nil, err
	}
	return rec, nil
}

// A subject holds the rows of the dataset that the enrichments of a record
// describe. They are read once, while the record is filled; each enrichment finds its own
// among them.
type subject struct {
	zip     *store.ZIPRow    // of a ZIP or ZIP+4, else nil
	detail  *store.ZIPDetail // of a ZIP or ZIP+4, else nil
	quality *store.Quality   // of a ZIP or FSA, or of the one that the code is part of; nil unknown
	postal  *store.PostalRow // of a full postal code, else nil
	fsa     postcode.FSA     // of an FSA
	state   store.StateID    // state or province
	country store.Country
	around  geo.LatLng   // valid if the input is a coordinate
	at      time.Time    // of the time zones
	details bool         // the details of the code are needed
	lists   bool         // and its aliases and the counties that sources name
	zone    store.ZoneID // of the code's point
}

// enrich adds the requested values that the dataset has, and one notice of the
// others. Each one that is delivered is deselected in opt: the flags that remain are the
// unavailable ones, which are not charged.
func (r *Reader) enrich(ctx context.Context, rec *Record, opt Options, only selection, s *subject) error {
	inc := &opt.Include
	if inc.Timezone {
		const of = store.SectionZoneShares | store.SectionZoneAreas | store.SectionZIPAreas | store.SectionFSAAreas
		if err := r.data.Load(ctx, of); err != nil {
			return fmt.Errorf("lookup: time zones of %s: %w", rec.Code, err)
		}
		rec.Timezone = r.zonesOf(s)
		inc.Timezone = rec.Timezone == nil
	}
	if opt.boundaries() {
		of := opt // allocated only for families
		if err := r.codeFamilies(ctx, &rec.Families, &of, only, s); err != nil {
			return err
		}
		opt = of
	}
	if inc.Demographics && s.zip != nil {
		d, err := r.demographics(ctx, s.zip.ZIP, s.detail)
		if err != nil {
			return err
		}
		rec.Demographics, inc.Demographics = d, d == nil
	}
	if inc.Medicare && s.zip != nil {
		rec.Medicare = r.medicare(s.zip, s.detail)
		inc.Medicare = rec.Medicare == nil
	}
	if inc.Quality {
		var err error
		if rec.Quality, err = r.quality(ctx, s); err != nil {
			return err
		}
		inc.Quality = rec.Quality == nil
	}
	if missing := opt.Flags(); len(missing) > 0 {
		rec.Notices = append(rec.Notices, notice.UnavailableEnrichments(missing))
	}
	return nil
}

// zonesOf returns the time zones of a code.
func (r *Reader) zonesOf(s *subject) *TimeZones {
	switch {
	case s.zip != nil && s.zip.Class == store.General:
		_, area := r.data.ZIPAreas().Find(s.zip.ZIP)
		return r.zoneShares(r.data.ZoneShares(store.CodeOfZIP(s.zip.ZIP)), s.zone, area, s.at)
	case s.zip != nil || s.postal != nil:
		return r.zoneShares(nil, s.zone, false, s.at)
	default:
		_, area := r.data.FSAAreas().Find(s.fsa)
		return r.zoneShares(r.data.ZoneShares(store.CodeOfFSA(s.fsa)), s.zone, area, s.at)
	}
}

// fullZIP fills the record of a ZIP or ZIP+4.
func (r *Reader) fullZIP(ctx context.Context, rec *Record, c Code, h *hit, s *subject) error {
	if !r.find(c, h) {
		return r.notFound(c)
	}
	if c.typ == zip4Kind {
		if err := r.addOn(ctx, c, h); err != nil {
			return err
		}
		rec.Detail = h.detail
	}
	r.fill(&rec.Identity, h)
	row := h.row
	s.zip, s.country, s.state, s.zone = &row, store.US, row.State, row.Zone
	if err := r.zipDetail(ctx, rec, s); err != nil {
		return fmt.Errorf("lookup: ZIP code %s: %w", row.ZIP, err)
	}
	return nil
}

// zipDetail adds the details of a ZIP Code, if they are needed.
func (r *Reader) zipDetail(ctx context.Context, rec *Record, s *subject) error {
	if !s.details {
		return nil
	}
	read := r.data.ZIPDetail
	if !s.lists {
		read = r.data.ZIPRowDetail
	}
	d, err := read(ctx, s.zip.ZIP)
	if err != nil {
		return err
	}
	rec.AreaCodes = areaCodes(d.AreaCodes)
	rec.Elevation = elevation(d.Elevation)
	rec.Metro = r.metro(s.zip)
	rec.ZIPInfo = zipInfo(s.zip, d)
	rec.CityAliases = cityAliases(d.Aliases)
	s.detail, s.quality = d, &d.Quality
	return nil
}

func (r *Reader) fullFSA(ctx context.Context, rec *Record, c Code, s *subject) error {
	var h hit
	if !r.find(c, &h) {
		return r.notFound(c)
	}
	r.fill(&rec.Identity, &h)
	row, fsa := h.row, c.fsa()
	s.fsa, s.country, s.state, s.zone = fsa, store.CA, row.State, row.Zone
	return r.fsaDetail(ctx, rec, fsa, s)
}

func (r *Reader) fullPostal(ctx context.Context, rec *Record, c Code, s *subject) error {
	if err := r.load(ctx, c); err != nil {
		return err
	}
	row, ok := r.data.PostalCode(postcode.PostalCode(c.num))
	if !ok {
		return r.notFound(c)
	}
	var h hit
	h.setCanadian(row.City, row.Municipality, row.Province, row.Zone, row.Location)
	r.fill(&rec.Identity, &h)
	s.postal, s.country, s.state, s.zone = &row, store.CA, row.Province, row.Zone
	if _, ok := r.data.FSA(c.fsa()); !ok {
		rec.PostalInfo = &PostalInfo{FSA: c.fsa().String()}
		return nil
	}
	return r.fsaDetail(ctx, rec, c.fsa(), s)
}

// fsaDetail adds the details of an FSA.
func (r *Reader) fsaDetail(ctx context.Context, rec *Record, f postcode.FSA, s *subject) error {
	if !s.details {
		return nil
	}
	d, err := r.data.FSADetail(ctx, f)
	if err != nil {
		return fmt.Errorf("lookup: FSA %s: %w", f, err)
	}
	s.quality = &d.Quality
	rec.AreaCodes = areaCodes(d.AreaCodes)
	rec.PostalInfo = &PostalInfo{
		FSA:                  f.String(),
		FSAPopulation:        count(d.Population),
		FSADwellings:         count(d.Dwellings),
		FSADwellingsOccupied: count(d.DwellingsOccupied),
		FSAPostalCodeCount:   count(d.PostalCodes),
	}
	return nil
}

// metro returns nil if the row has no metropolitan area.
func (r *Reader) metro(row *store.ZIPRow) *Metro {
	state, county := r.data.State(row.State), r.data.County(row.County)
	cbsa, division := r.data.CBSA(county.CBSA), r.data.Division(county.Division)
	m := Metro{
		Region:   state.Region,
		Division: state.Division,
		CSA:      cbsa.CSA,
		CSAName:  cbsa.CSATitle,
		MSA:      cbsa.Code,
		MSAName:  cbsa.Title,
		PMSA:     division.Code,
		PMSAName: division.Title,
	}
	if m == (Metro{}) {
		return nil
	}
	return &m
}

func zipInfo(row *store.ZIPRow, d *store.ZIPDetail) *ZIPInfo {
	info := &ZIPInfo{
		Classification:        Classification(row.Class.Letter()),
		ClassificationName:    ClassificationName(row.Class.Name()),
		FacilityCode:          d.FacilityCode,
		CityDeliveryIndicator: d.CityDelivery,
		IntroDate:             d.IntroDate,
		LandAreaSqMi:          squareMiles(d.LandArea),
		WaterAreaSqMi:         squareMiles(d.WaterArea),
		ZIP4Count:             count(d.ZIP4Count),
	}
	if p := d.DeliveryPoints; p != nil {
		info.DeliveryPoints = &DeliveryPoints{
			TotalActive:  count(&p.TotalActive),
			Business:     count(&p.Business),
			Residential:  count(&p.Residential),
			POBox:        count(&p.POBox),
			SingleFamily: count(p.SingleFamily),
			MultiFamily:  count(p.MultiFamily),
		}
	}
	return info
}

func areaCodes(codes []uint16) []string {
	if len(codes) == 0 {
		return nil
	}
	out := make([]string, len(codes))
	for i, c := range codes {
		out[i] = strconv.Itoa(int(c))
	}
	return out
}

func elevation(meters *float64) *Elevation {
	if meters == nil {
		return nil
	}
	const metersPerFoot = 0.3048
	return &Elevation{Feet: int(math.Round(*meters / metersPerFoot)), Meters: int(math.Round(*meters))}
}

func squareMiles(squareMeters *int64) *float64 {
	if squareMeters == nil {
		return nil
	}
	v := geo.Round(float64(geo.SquareMeters(*squareMeters).SquareMiles()), 2)
	return &v
}

func count(n *int32) *int {
	if n == nil {
		return nil
	}
	v := int(*n)
	return &v
}

func cityAliases(aliases []store.CityAlias) []CityAlias {
	if len(aliases) == 0 {
		return nil
	}
	out := make([]CityAlias, len(aliases))
	for i, a := range aliases {
		out[i] = CityAlias{City: a.City, MailingName: a.MailingName, IntroDate: a.IntroDate}
	}
	return out
}
