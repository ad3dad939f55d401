package radius

import (
	"context"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/acs"
)

// Stats are aggregates over everything inside, regardless of Limit.
type Stats struct {
	ACS acs.Aggregates `json:"acs"` // of the US ZIP Codes, newest year first
}

// survey fills in the aggregates of the survey over all parts.
func (e *Engine) survey(ctx context.Context, res *Result, parts []acs.Part, opt *Options) error {
	by := acs.InFull
	if opt.Mode == Spatial {
		by = acs.ByShare
	}
	found, err := e.reader.ACS().Aggregate(ctx, acs.ZCTA, parts, opt.Include.ACS, by, opt.ACS)
	if err != nil {
		return err
	}
	if len(found.Years) > 0 {
		res.Stats = &Stats{ACS: found.Years}
	}
	for _, t := range found.Delivered {
		res.Delivered = append(res.Delivered, t.String())
	}
	for _, t := range found.Unavailable {
		res.missing = append(res.missing, t.String())
	}
	return nil
}

// surveyParts returns the US ZIP Codes inside with the shares of their matches.
// Points, and all codes in centroid mode, count in full.
func (e *Engine) surveyParts(s *scratch, center geo.LatLng, opt *Options) []acs.Part {
	set := &e.areas
	if opt.Mode != Spatial {
		// Only the nearest were collected, among them the codes of Canada.
		s.near = set.index.AppendWithin(s.near[:0], center, opt.Min.Meters(), opt.Max.Meters())
		parts := make([]acs.Part, 0, len(s.near))
		for _, n := range s.near {
			if n.Index < set.zips {
				parts = append(parts, acs.Part{GEOID: uint64(set.numbers[n.Index]), Percent: 100})
			}
		}
		return parts
	}
	parts := make([]acs.Part, 0, len(s.hits))
	for i := range s.hits {
		h := &s.hits[i]
		if int(h.at) >= set.zips {
			continue
		}
		part := acs.Part{GEOID: uint64(set.numbers[h.at]), Percent: 100}
		if set.hasArea(h.at) {
			part.Percent = geo.Round(h.share, 1)
		}
		parts = append(parts, part)
	}
	return parts
}
