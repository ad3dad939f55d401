package server

import (
	"context"
	"net/http"
	"slices"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/draw"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// terms are the limits and prices that the HTTP interface adds to an operation. Their argument
// in is a pointer to the input. Functions that are nil have a default.
type terms struct {
	// read parses the parameters in an order of its own.
	read func(in any, from *input) error
	// check comes before the Check of the input. Its errors cost nothing either.
	check func(in any, from *input) error
	// prepare computes values for limits and credits in the request's turn. It returns the
	// errors of work.
	prepare func(ctx context.Context, db DB, in any) error
	// allow checks the limits of demo, test and free callers. There is no default.
	allow func(in any, id *billing.Identity) error
	// quote returns the maximum cost. There is no default.
	quote func(in any) billing.Cost
	// size grows with the work. It needs prepare. The default is the quote in credits.
	size func(in any) int
	// work runs the operation, the default. A failure with a code of items becomes a failed
	// item. Other errors fail the request.
	work func(ctx context.Context, c *call, in any) (any, error)
	// finish completes the result, of an item of a batch or not.
	finish func(t *task, batch bool, result any, err error) (any, error)
	// price returns the cost of a result. The default is the quote.
	price func(in, result any) billing.Cost
	// failed returns the cost of an error. The default is [billing.ForError].
	failed func(in any, err error) billing.Cost
	// notices returns the notices about a request of one task as a whole.
	notices func(t *task) []envelope.Notice
}

// ignored returns the notice of ignored flags.
func ignored(t *task) []envelope.Notice {
	return t.in.(interface{ Ignored() []envelope.Notice }).Ignored()
}

var quickTerms = terms{
	allow: func(in any, id *billing.Identity) error { return checkCode(id, in.(*operation.QuickInput).Parsed) },
	quote: func(in any) billing.Cost {
		q := in.(*operation.QuickInput)
		return billing.QuoteQuickLookup(q.Parsed, slices.Contains(q.Include, "timezone"))
	},
	price:   func(_, result any) billing.Cost { return billing.ForQuickLookup(result.(*lookup.QuickRecord), nil) },
	failed:  func(_ any, err error) billing.Cost { return billing.ForQuickLookup(nil, err) },
	notices: ignored,
}

var fullTerms = terms{
	allow: func(in any, id *billing.Identity) error { return checkCode(id, in.(*operation.LookupInput).Parsed) },
	quote: func(in any) billing.Cost {
		q := in.(*operation.LookupInput)
		return billing.QuoteLookup(q.Parsed, q.Opt)
	},
	price:   func(_, result any) billing.Cost { return billing.ForLookup(result.(*lookup.Record)) },
	notices: ignored,
}

var distanceTerms = terms{
	allow: func(in any, id *billing.Identity) error {
		q := in.(*operation.DistanceInput)
		if err := checkCode(id, q.ParsedFrom); err != nil {
			return err
		}
		return checkCode(id, q.ParsedTo)
	},
	quote: func(any) billing.Cost { return billing.QuoteDistance() },
}

var radiusTerms = terms{
	read: readSearch,
	check: func(in any, from *input) error {
		if in.(*operation.RadiusInput).Max == (operation.Reach{}) {
			return from.Missing(operation.Radius.Param("max"))
		}
		return nil
	},
	prepare: func(ctx context.Context, db DB, in any) error {
		q := in.(*operation.RadiusInput)
		if q.Opt.Auto == "" {
			return nil
		}
		miles, err := db.AutoRadius(ctx, q.Code, q.Opt.Auto)
		if err != nil && statusOf(err) == http.StatusOK {
			return nil // the search reports an unknown center, which costs 1
		}
		q.Miles = miles
		return err
	},
	allow: func(in any, id *billing.Identity) error {
		q := in.(*operation.RadiusInput)
		if err := checkCode(id, q.Parsed); err != nil {
			return err
		}
		return checkRadius(id, float64(q.Miles), q.Opt.Mode == radius.Spatial)
	},
	quote: func(in any) billing.Cost {
		q := in.(*operation.RadiusInput)
		return billing.QuoteRadius(billing.RadiusSearch{
			Miles: q.Miles, Spatial: q.Opt.Mode == radius.Spatial, Auto: q.Opt.Auto != "", Flags: q.Opt.Include.Flags(),
		})
	},
	size: func(in any) int { // grows with the number of matches and figures
		q := in.(*operation.RadiusInput)
		size := int(q.Opt.Max) * (1 + len(q.Opt.Include.ACS))
		if q.Opt.Mode == radius.Spatial {
			const areas = 16 // outlines cost more than points
			size *= areas
		}
		return size
	},
	price:   func(_, result any) billing.Cost { return billing.ForRadius(result.(*radius.Result)) },
	notices: ignored,
}

// readSearch parses the mode first: it decides about the largest radius, and a batch in
// spatial mode is refused whatever its searches are.
func readSearch(in any, from *input) error {
	q := in.(*operation.RadiusInput)
	mode, params := operation.Radius.Param("mode"), operation.Radius.Params
	if from.batch {
		mode, params = batchMode, []*param{batchMax, batchMin, batchInclude, operation.Radius.Param("at")}
	}
	if err := from.Fill(q, mode); err != nil {
		return err
	}
	if from.batch && q.Mode == radius.Spatial {
		return &envelope.Fault{Code: envelope.SpatialModeDisabledBatch, Message: wording.SpatialBatch}
	}
	return from.Fill(q, params...)
}

// suggestTerms returns the terms of suggestions, whose number depends on the caller's plan.
func (s *Server) suggestTerms() terms {
	return terms{
		allow: func(in any, id *billing.Identity) error {
			q := in.(*operation.SuggestInput)
			q.Opt.Limit = min(q.Opt.Limit, maxSuggestions(id))
			return nil
		},
		quote: func(in any) billing.Cost { return billing.QuoteSuggest(in.(*operation.SuggestInput).Opt.Limit) },
		work: func(ctx context.Context, c *call, in any) (any, error) {
			q := in.(*operation.SuggestInput)
			if q.Opt.Locator = s.cfg.Locator; q.Opt.Locator != nil {
				q.Opt.Client = clientAddr(c.r, s.trustedProxies())
			}
			return c.db.Suggest(ctx, q.Query, q.Opt)
		},
		notices: func(t *task) []envelope.Notice {
			list := ignored(t)
			if q := t.in.(*operation.SuggestInput); q.Opt.Limit < *q.Limit {
				list = append(list, notice.SuggestCapped(s.links.Pricing))
			}
			return list
		},
	}
}

var addressTerms = terms{
	allow: func(in any, id *billing.Identity) error {
		return checkAddress(id, in.(*operation.AddressInput).Address)
	},
	quote: func(in any) billing.Cost {
		q := in.(*operation.AddressInput)
		return billing.QuoteAddress(q.Wanted.Include.Coordinates, q.Wanted.Enrichments()...)
	},
	finish: finishMatch,
	price: func(in, result any) billing.Cost {
		return billing.ForAddress(in.(*operation.AddressInput).Wanted.Include.Coordinates, result.(*address.Match), nil)
	},
	failed: func(in any, err error) billing.Cost {
		return billing.ForAddress(in.(*operation.AddressInput).Wanted.Include.Coordinates, nil, err)
	},
	notices: noticesAround,
}

var geocodeTerms = terms{
	allow: func(in any, id *billing.Identity) error {
		return checkAddress(id, in.(*operation.GeocodeInput).Address)
	},
	quote: quotePosition,
	finish: func(t *task, batch bool, result any, err error) (any, error) {
		if t.missed = address.Unmatched(err); err == nil {
			r := result.(*geocode.Result)
			t.withhold(batch, r.Unavailable, &r.Notices)
		}
		return result, err
	},
	price: func(_, result any) billing.Cost {
		return billing.QuoteAddress(false, result.(*geocode.Result).Delivered...)
	},
	failed:  func(_ any, err error) billing.Cost { return billing.ForAddress(false, nil, err) },
	notices: noticesAround,
}

var reverseTerms = terms{
	allow: func(in any, id *billing.Identity) error { return checkCode(id, in.(*operation.ReverseInput).Parsed) },
	quote: quotePosition,
	finish: func(t *task, batch bool, result any, err error) (any, error) {
		if err == nil {
			r := result.(*geocode.Nearest)
			t.withhold(batch, r.Unavailable, &r.Notices)
		}
		return result, err
	},
	price: func(_, result any) billing.Cost {
		return billing.QuoteAddress(false, result.(*geocode.Nearest).Delivered...)
	},
	notices: noticesAround,
}

// An around is an input with areas around an address.
type around interface{ Asked() *operation.Around }

// quotePosition is the quote of a position or of the address at one.
func quotePosition(in any) billing.Cost {
	return billing.QuoteAddress(false, in.(around).Asked().Wanted.Enrichments()...)
}

// finishMatch completes a match. In a batch, an address without a match is a result.
func finishMatch(t *task, batch bool, result any, err error) (any, error) {
	t.missed = address.Unmatched(err)
	switch {
	case t.missed && batch:
		m := &address.Match{Matched: lookup.False}
		m.Success = true
		e := envelope.Links{}.Error(err)
		m.Notices = []envelope.Notice{{Code: e.Code, Message: e.Message, Class: envelope.ClassMatch}}
		return m, nil
	case err != nil:
		return nil, err
	}
	m := result.(*address.Match)
	if batch {
		m.Matched = lookup.True
	}
	t.withhold(batch, m.Data.Unavailable, &m.Notices)
	return m, nil
}

// withhold removes the notice of unavailable flags from an item of a batch, which reports
// them once for all.
func (t *task) withhold(batch bool, lacking []string, notices *[]envelope.Notice) {
	if batch {
		t.lacking = lacking
		*notices = slices.DeleteFunc(slices.Clone(*notices), func(n envelope.Notice) bool { return n.Code == envelope.EnrichmentUnavailable })
	}
}

// unmatched reports whether areas were requested for an address without a match.
func (t *task) unmatched() bool {
	return t.missed && len(t.in.(around).Asked().Wanted.Enrichments()) > 0
}

func noticesAround(t *task) (list []envelope.Notice) {
	if t.unmatched() {
		list = append(list, notice.AddressUnmatched())
	}
	return append(list, ignored(t)...)
}

// enrichedNotices returns the notices of a batch about unavailable enrichments,
// addresses without a match, and unknown flags.
func enrichedNotices(tasks []task) (list []envelope.Notice) {
	var unavailable, unknown []string
	missedSome := false
	for i := range tasks {
		t := &tasks[i]
		in, ok := t.in.(around)
		if !ok {
			return nil
		}
		unknown = in.Asked().Unknown // the same for all
		missedSome = missedSome || t.unmatched()
		for _, f := range t.lacking {
			if !slices.Contains(unavailable, f) {
				unavailable = append(unavailable, f)
			}
		}
	}
	if len(unavailable) > 0 {
		list = append(list, notice.UnavailableEnrichments(unavailable))
	}
	if missedSome {
		list = append(list, notice.AddressUnmatched())
	}
	return append(list, operation.Ignored(unknown)...)
}

// A polygonInput has a polygon, whose size sets the price.
type polygonInput interface {
	Prepare() error // it is called before Size
	Size() int
}

// describedTerms are the terms of an operation whose route follows from its description. The
// price is 1, or that of a polygon.
func describedTerms(o *operation.Operation) terms {
	return terms{
		prepare: func(_ context.Context, _ DB, in any) error {
			if p, ok := in.(polygonInput); ok {
				return p.Prepare()
			}
			return nil
		},
		allow: allowDescribed,
		quote: func(in any) billing.Cost {
			if p, ok := in.(polygonInput); ok {
				return billing.QuotePolygon(p.Size())
			}
			return billing.QuoteDistance()
		},
		work: func(ctx context.Context, c *call, in any) (any, error) {
			out, err := o.Run(ctx, c.db, in)
			// A missing layer has the code BAD_REQUEST, for operations that take its name as a
			// parameter. Here the request is right and the dataset lacks data (decision D53).
			if e := envelope.AsFailure(err); e != nil && e.Kind == envelope.KindUnavailable && e.Thing == envelope.ThingLayer {
				err = &envelope.Failure{Op: e.Op, Kind: e.Kind, Thing: envelope.ThingArea, Lacks: e.Lacks}
			}
			return out, err
		},
	}
}

// allowDescribed refuses test and demo keys, except for the figures of small circles.
func allowDescribed(in any, id *billing.Identity) error {
	f, ok := in.(*draw.FiguresInput)
	if !ok || f.Max == nil {
		return checkLive(id)
	}
	code, err := lookup.ParseCode(f.Code)
	if err != nil {
		return checkLive(id)
	}
	if err := checkCode(id, code); err != nil {
		return err
	}
	return checkRadius(id, float64(*f.Max), true)
}
