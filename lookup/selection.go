package lookup

import (
	"context"
	"slices"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// A Selection lists the values that a caller reads from a result besides its
// identity, families and tables.
type Selection struct {
	// Details are the members of a record that describe its code, such as its
	// elevation and its metro.
	Details bool
	// Census lists members of a CensusPeriod with areas, by their names in JSON.
	Census []string
	// Outside indicates that a coordinate outside the areas of all codes has a record
	// too, if it has a time zone or a family with areas. The record has no identity, and a notice
	// with the code of the error.
	Outside bool
}

// Only returns an Include for a caller that reads no other values than those of
// the selection. The others may be missing, and so may the notices about
// coordinates. The rest of the result is the same.
func Only(inc Include, s Selection) Include {
	inc.only = &s
	return inc
}

// Terse returns options for a caller that reads no notices about coordinates. A
// coordinate outside the areas of all codes has a record too, if it has a state or
// province or a requested time zone. The record has the county and state, no code, and a
// notice with the code of the error.
func Terse(opt QuickOptions) QuickOptions {
	opt.terse = true
	return opt
}

// outside returns the record of a coordinate that is not in the area of a code.
func (r *Reader) outside(ctx context.Context, p geo.LatLng, inc Include) (*Record, error) {
	f, _, err := r.FamiliesAt(ctx, p, inc)
	if err != nil {
		return nil, err
	}
	var zones *TimeZones
	if inc.Timezone {
		at, err := r.zoneAround(ctx, p, false)
		if err != nil {
			return nil, err
		}
		zones = r.zoneShares(nil, at, false, inc.Plans.At)
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
	var missing envelope.Failure
	if envelope.AsFailure(err, &missing) {
		return []envelope.Notice{{Code: missing.ContractCode()}}
	}
	return nil
}

// details reports whether the details of a code are needed.
func (inc *Include) details() bool {
	return inc.only == nil || inc.only.Details || inc.Demographics || inc.Medicare || inc.Quality
}

// needsPlans reports whether plans of districts are needed, or have to be
// checked.
func (inc *Include) needsPlans() bool {
	return inc.CongressionalDistrict || inc.CongressNext || inc.StateLegislative || inc.StateLegislativeNext || inc.Plans.Plan != ""
}

// census reports whether a member of a CensusPeriod is needed.
func (s *Selection) census(member string) bool {
	return s == nil || slices.Contains(s.Census, member)
}

// metro reports whether the statistical areas of a CensusPeriod are needed.
func (s *Selection) metro() bool {
	return s.census("metro_micro_cbsa_statistical_area") || s.census("metropolitan_cbsa_division")
}
