package radius

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/lookup"
)

// Search finds the codes around a center, which is a code of any kind or a
// coordinate. A ZIP+4 is searched from its ZIP. A match exactly on a limit is
// inside.
//
// The error is a [*envelope.Failure], the context's, or a failure of the dataset.
// Search checks the options before it looks up the center, except for Min, which
// must be below the automatic radius.
func (e *Engine) Search(ctx context.Context, center string, opt Options) (*Result, error) {
	res, at, err := e.begin(ctx, center, &opt)
	if err != nil {
		return nil, err
	}
	if err := e.find(ctx, res, at, &opt); err != nil {
		return nil, fmt.Errorf("radius: %w", err)
	}
	if err := e.cover(res, at, &opt); err != nil {
		return nil, err
	}
	res.deliver(&opt)
	return res, nil
}

// begin checks the options of a search and resolves its center and an automatic
// radius.
func (e *Engine) begin(ctx context.Context, center string, opt *Options) (*Result, geo.LatLng, error) {
	if err := ctx.Err(); err != nil {
		return nil, geo.LatLng{}, fmt.Errorf("radius: %w", err)
	}
	// An option out of range is reported before a center that does not exist, but not before a
	// center without the form of a code, or a dataset that cannot be read.
	p, err := e.center(ctx, center)
	shape := opt.Check()
	if shape == nil {
		shape = e.reader.ACS().CheckTags(acs.ZCTA, opt.Include.ACS)
	}
	if shape != nil && (err == nil || errors.Is(err, envelope.ErrNotFound)) {
		return nil, geo.LatLng{}, shape
	}
	if err != nil {
		return nil, geo.LatLng{}, err
	}
	res := &Result{Item: envelope.Item{Success: true, Notices: p.Notices}}
	res.Search.echo(&p, opt)
	if opt.Auto != "" {
		if err := e.resolve(ctx, res, &p, opt); err != nil {
			return nil, geo.LatLng{}, err
		}
	}
	return res, p.Location, nil
}

func (e *Engine) center(ctx context.Context, input string) (lookup.Place, error) {
	if err := e.load(ctx); err != nil {
		return lookup.Place{}, err
	}
	p, err := e.reader.Center(ctx, input)
	switch {
	case err != nil:
		return p, envelope.In(op, "center", err)
	case !p.Location.IsValid():
		c := lookup.MustParseCode(input)
		return p, &envelope.Failure{Op: op, Kind: envelope.KindNotFound, Reason: envelope.ReasonPointless, Thing: c.Thing(), Param: "center", Input: c.String()}
	}
	return p, nil
}

func newCenter(p *lookup.Place) Center {
	c := Center{Country: p.Country, City: p.City, State: p.State, Location: p.Location, InputType: InputCoordinates}
	if p.CodeType != lookup.Coordinates {
		c.Code, c.CodeType, c.InputType = p.Code, p.CodeType, InputCode
	}
	return c
}

func (s *Search) echo(p *lookup.Place, opt *Options) {
	s.Center = newCenter(p)
	s.Max = opt.Max
	s.Mode = cmp.Or(opt.Mode, Centroid)
	if opt.Min != 0 || opt.EchoMin {
		s.Min = &opt.Min
	}
	if opt.Limit != 0 {
		s.Limit = &opt.Limit
	}
}

func (e *Engine) resolve(ctx context.Context, res *Result, p *lookup.Place, opt *Options) error {
	miles, rule, known, err := e.automatic(ctx, p, opt.Auto)
	if err != nil {
		return err
	}
	if opt.Auto == Commute && rule != Commute {
		res.Notices = append(res.Notices, notice.CommuteFallback())
	}
	if !known {
		res.Notices = append(res.Notices, notice.DensityDefault())
	}
	if opt.Min >= miles {
		return invalid(op, "min", number(float64(opt.Min)), fmt.Sprintf("at least 0 and below the automatic radius of %v miles", float64(miles)))
	}
	opt.Max = miles
	res.Search.Max = miles
	res.Search.AutoMode = rule
	return nil
}

// find adds the matches, their counts and the requested sums. In centroid mode the index counts
// everything inside and returns only the nearest up to the limit. In spatial mode all hits are
// collected, because a share decides whether an area is inside, and then cut.
func (e *Engine) find(ctx context.Context, res *Result, center geo.LatLng, opt *Options) error {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	limit, set := opt.Limit, &e.areas
	var total int
	if opt.Mode == Spatial {
		var err error
		if total, err = e.spatial(s, center, opt); err != nil {
			return err
		}
		limit = cmp.Or(limit, math.MaxInt)
	} else {
		set = &e.codes
		if limit == 0 || limit > MaxMatches {
			limit = MaxMatches
		}
		total = e.centroid(s, center, opt, limit)
	}
	// Sums are of everything inside, so they are made before the limit cuts the hits.
	if len(opt.Include.ACS) > 0 {
		if err := e.survey(ctx, res, e.surveyParts(s, center, opt), opt); err != nil {
			return err
		}
	}
	if opt.Mode == Spatial {
		res.Notices = e.undrawn(res.Notices, s.hits)
	}
	if len(s.hits) > limit {
		s.hits = s.hits[:limit]
	}
	var err error
	if res.Matches, err = e.matches(ctx, set, s.hits, opt.Include.Timezone, opt.At); err != nil {
		return err
	}
	res.Summary = summarize(res.Matches, total)
	served, missing, err := e.addLayers(ctx, res.Matches, opt.Include.Layers)
	if err != nil {
		return err
	}
	res.Delivered, res.missing = append(res.Delivered, served...), append(res.missing, missing...)
	if opt.Mode == Spatial {
		e.measure(res.Matches, s.hits)
	}
	if total > len(res.Matches) {
		res.Notices = append(res.Notices, notice.Capped(len(res.Matches), total))
	}
	return nil
}

// centroid collects the nearest codes, up to limit, and returns the number of
// all.
func (e *Engine) centroid(s *scratch, center geo.LatLng, opt *Options, limit int) int {
	var total int
	s.near, total = e.codes.index.AppendNearestWithin(s.near[:0], center, opt.Min.Meters(), opt.Max.Meters(), limit)
	s.take()
	return total
}

// deliver notes which flags were served, and names the others in a notice.
func (r *Result) deliver(opt *Options) {
	var missing []string
	if opt.Include.Timezone {
		if r.zoned() {
			r.Delivered = append([]string{"timezone"}, r.Delivered...)
		} else {
			missing = append(missing, "timezone")
		}
	}
	missing = append(append(missing, opt.Include.Dropped...), r.missing...)
	if len(missing) > 0 {
		r.Notices = append(r.Notices, notice.UnavailableEnrichments(missing))
	}
}

// zoned reports whether time zones were served: any match has one, or there
// are no matches.
func (r *Result) zoned() bool {
	return len(r.Matches) == 0 || slices.ContainsFunc(r.Matches, func(m Match) bool { return m.Timezone != nil })
}
