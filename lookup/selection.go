package lookup

import (
	"context"
	"slices"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/store"
)

// A selection is the choice of a caller, nil for all values.
type selection struct{ *door.Selection }

var (
	_ = door.Offer((*Reader).full)
	_ = door.Offer((*Reader).quick)
	_ = door.Offer((*Reader).areaKey)
)

// outside returns the record of a coordinate that is not in the area of a code.
func (r *Reader) outside(ctx context.Context, p geo.LatLng, opt Options, only selection) (*Record, error) {
	f, _, err := r.familiesAt(ctx, p, "", opt, only)
	if err != nil {
		return nil, err
	}
	var zones *TimeZones
	if opt.Include.Timezone {
		at, err := r.zoneAround(ctx, p, false)
		if err != nil {
			return nil, err
		}
		zones = r.zoneShares(nil, at, false, opt.At)
	}
	switch {
	case zones != nil, f.Census != nil && f.Census.Current != nil,
		f.CongressionalDistrict != nil && f.CongressionalDistrict.Current != nil,
		f.FederalElectoralDistrict != nil && f.FederalElectoralDistrict.Current != nil,
		f.StateLegislative != nil && f.StateLegislative.Current != nil,
		f.SchoolDistrict != nil && f.SchoolDistrict.Current != nil, f.Layers != nil:
		rec := &Record{Families: f, Timezone: zones}
		rec.Notices = outsideNotices(r.notContained(p))
		return rec, nil
	default:
		return nil, r.notContained(p)
	}
}

// outsideCodes returns the record of a point outside the areas of all codes, or the error
// missing if nothing is known of it.
func (r *Reader) outsideCodes(ctx context.Context, p geo.LatLng, zone store.ZoneID, opt QuickOptions, missing error) (*QuickRecord, error) {
	country, state, err := r.stateAround(ctx, p)
	if err != nil {
		return nil, err
	}
	if state == 0 && zone == 0 {
		return nil, missing
	}
	rec := r.newQuickRecord(zone, opt)
	switch county, ok := r.data.CountyAreas().Containing(p); {
	case ok:
		r.zip(&rec.Identity, &store.ZIPRow{State: state, County: county})
	case country == store.CA:
		r.canadian(&rec.Identity, state)
	}
	rec.Notices = outsideNotices(missing)
	return rec.done(opt), nil
}

// outsideNotices returns the notice with the code of an error.
func outsideNotices(err error) []envelope.Notice {
	missing := envelope.FaultOf(err)
	if missing != nil {
		return []envelope.Notice{{Code: missing.Code}}
	}
	return nil
}

// details reports whether the details of a code are needed.
func (s selection) details(inc *Include) bool {
	return s.Selection == nil || s.Details || inc.Demographics || inc.Medicare || inc.Quality
}

// lists reports whether the aliases of a code are needed, or the counties that sources name.
func (s selection) lists(inc *Include) bool {
	return s.Selection == nil || s.Aliases || inc.Quality
}

// needsPlans reports whether plans of districts are needed, or have to be
// checked.
func (o *Options) needsPlans() bool {
	inc := &o.Include
	return inc.CongressionalDistrict || inc.CongressNext || inc.StateLegislative || inc.StateLegislativeNext || o.Plan != ""
}

// census reports whether a member of a CensusPeriod is needed.
func (s selection) census(member string) bool {
	return s.Selection == nil || slices.Contains(s.Census, member)
}

// layers returns the layers of a code's census areas, or nil if more layers may be needed.
func (s selection) layers(opt *Options) (list []store.LayerID) {
	if s.Selection == nil || opt.Likely || len(opt.Include.Layers) > 0 || opt.Include.SchoolDistrict || opt.needsPlans() {
		return nil
	}
	for _, k := range [...][]kind{usKinds[:], canadianKinds[:]} {
		for _, k := range k {
			if s.census(k.name) || k.id == store.LayerCounty && s.metro() {
				list = append(list, k.id)
			}
		}
	}
	return list
}

// metro reports whether the statistical areas of a CensusPeriod are needed.
func (s selection) metro() bool {
	return s.census("metro_micro_cbsa_statistical_area") || s.census("metropolitan_cbsa_division")
}
