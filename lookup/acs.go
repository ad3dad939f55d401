package lookup

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// ACS returns the reader of the dataset's tables of the American Community
// Survey.
func (r *Reader) ACS() *acs.Reader { return r.acs }

// survey adds the blocks of the ZIP Code Tabulation Area of the same code, and
// returns the tags that cannot be served. Canada has none.
func (r *Reader) survey(ctx context.Context, rec *Record, s *subject, opt Options) (missing []acs.Tag, err error) {
	tags := opt.Include.ACS
	if len(tags) == 0 {
		return nil, nil
	}
	zip := ""
	if s.zip != nil {
		zip = s.zip.ZIP.String()
	}
	res, err := r.acs.Area(ctx, acs.ZCTA, zip, tags, opt.ACS)
	if err != nil {
		return nil, fmt.Errorf("lookup: ZIP code %s: %w", zip, err)
	}
	rec.ACS = res.Years
	return res.Unavailable, nil
}

// A TractSurvey is the contract's acs member of an address: the years of the
// census tract around its point.
type TractSurvey struct {
	Tract acs.Years[acs.Block] `json:"tract"` // of the tract around the point
}

// TractAt reads the tables of the census tract around a point. The tract is the
// same for every year. The tags are split into delivered and missing ones. If
// no tract or none of its tables is found, survey is nil.
func (r *Reader) TractAt(ctx context.Context, p geo.LatLng, tags []acs.Tag, opt acs.Options) (survey *TractSurvey, delivered, missing []acs.Tag, err error) {
	if err := r.acs.CheckTags(acs.Tract, tags); err != nil {
		return nil, nil, nil, err
	}
	geoid, err := r.tractOf(ctx, p)
	if err != nil {
		return nil, nil, nil, err
	}
	res, err := r.acs.Area(ctx, acs.Tract, geoid, tags, opt)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("lookup: tract %s: %w", geoid, err)
	}
	if len(res.Years) > 0 {
		survey = &TractSurvey{res.Years}
	}
	return survey, res.Delivered, res.Unavailable, nil
}

// tractOf returns the code of the census tract around a point, or "".
func (r *Reader) tractOf(ctx context.Context, p geo.LatLng) (geoid string, err error) {
	layer := r.data.Layer(store.LayerTract)
	if !layer.HasOutlines() {
		return "", nil
	}
	at, err := layer.Containing(ctx, p, nil)
	if err != nil {
		return "", fmt.Errorf("lookup: tract at %v: %w", p, err)
	}
	if len(at) == 0 {
		return "", nil
	}
	return layer.GEOID(at[0]), nil
}
