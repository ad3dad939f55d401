package server

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A search is the parsed request of /v2/radius, or one item of its batch.
type search struct {
	operation.RadiusInput
	code    lookup.Code
	unknown []string
	last    int // year that ACS flags may name
	opt     radius.Options
	miles   geo.Miles // value of max; 0 if the center is unknown
	index   int       // in a batch
}

// parse parses the parameters of a search or of an item of a batch. The fields of q
// are defaults.
func (q *search) parse(in *input, params ...*param) error {
	if err := in.fill(&q.RadiusInput, params...); err != nil {
		return err
	}
	if q.Max == (operation.Reach{}) {
		return in.missing(operation.Radius.Param("max"))
	}
	var err error
	if q.code, err = lookup.ParseCode(q.Code); err != nil {
		return err
	}
	q.opt, q.unknown = q.Options(q.last)
	q.miles = q.opt.Max
	return q.opt.Check()
}

func (q *search) echo() operation.RadiusRequest {
	return operation.RadiusRequest{
		Code: q.code.String(), Max: *q.Max.Echo(), Min: (*float64)(q.Min), Mode: string(cmp.Or(q.Mode, radius.Centroid)), Include: q.Include, Limit: q.Limit,
	}
}

func (q *search) allow(id *billing.Identity) error {
	if err := checkCode(id, q.code); err != nil {
		return err
	}
	return checkRadius(id, float64(q.miles), q.opt.Mode == radius.Spatial)
}

func (q *search) quote() billing.Cost {
	opt := q.opt
	s := billing.RadiusSearch{Miles: float64(q.miles), Spatial: opt.Mode == radius.Spatial, Auto: opt.Auto != ""}
	s.Flags = opt.Include.Flags()
	return billing.QuoteRadius(s)
}

// same returns a text that identifies equal searches.
func (q *search) same() string {
	reach := q.Max.Echo()
	parts := []string{q.code.String(), reach.Auto, strconv.FormatFloat(reach.Miles, 'g', -1, 64), strconv.FormatFloat(float64(q.opt.Min), 'g', -1, 64), strconv.Itoa(q.opt.Limit)}
	return strings.Join(append(parts, q.Include...), "\n")
}

// size grows with the number of matches and figures of a search.
func (q *search) size() int {
	size := int(q.opt.Max) * (1 + len(q.opt.Include.ACS))
	if q.opt.Mode == radius.Spatial {
		const areas = 16 // outlines cost more than points
		size *= areas
	}
	return size
}

func (s *Server) radiusTask() task[search, *radius.Result] {
	return task[search, *radius.Result]{
		meter:   s.meter("radius"),
		size:    (*search).size,
		prepare: resolve,
		allow:   func(id *billing.Identity, q *search) error { return q.allow(id) },
		input:   func(q *search) envelope.Input { return q.Echo() },
		quote:   (*search).quote,
		work: func(ctx context.Context, db DB, q *search, at time.Time) (*radius.Result, error) {
			opt := q.opt
			if opt.At.IsZero() {
				opt.At = at
			}
			return db.Radius(ctx, q.Code, opt)
		},
		price:  func(_ *search, r *radius.Result) billing.Cost { return billing.ForRadius(r) },
		failed: func(_ *search, err error) billing.Cost { return billing.ForError(err) },

		failures: []envelope.Code{envelope.NotFoundZIP, envelope.NotFoundFSA, envelope.NotFoundPostal},
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted, envelope.AuthTestKeyRadiusExceeded, envelope.AuthFreeTierRadiusExceeded},
	}
}

// resolve computes an automatic radius for limits and credits. The search reports an
// unknown center.
func resolve(ctx context.Context, db DB, q *search) error {
	if q.opt.Auto == "" {
		return nil
	}
	miles, err := db.AutoRadius(ctx, q.Code, q.opt.Auto)
	if err != nil && statusOf(err) == http.StatusOK {
		return nil
	}
	q.miles = miles
	return err
}

// radius is /v2/radius, the codes around a center.
func (s *Server) radius() single[search, operation.RadiusRequest, *radius.Result] {
	return single[search, operation.RadiusRequest, *radius.Result]{
		about:  operation.Radius,
		params: operation.Radius.Params,
		task:   s.radiusTask(),
		parse: func(in *input) (q search, err error) {
			q.last = in.lastYear(acs.ZCTA)
			if err := in.fill(&q.RadiusInput, operation.Radius.Param("mode")); err != nil {
				return q, err
			}
			if err := q.parse(in, operation.Radius.Params...); err != nil {
				return q, err
			}
			return q, nil
		},
		echo:    (*search).echo,
		notices: func(q *search) []envelope.Notice { return operation.Ignored(q.unknown) },
	}
}

// The parameters of a batch are defaults of its searches.
var (
	batchMax = operation.Radius.Param("max").But(func(p *param) {
		p.Required, p.Help = false, "Default of the searches; as in /v2/radius."
	})
	batchMode = operation.Radius.Param("mode").But(func(p *param) {
		p.Values, p.Codes = p.Values[:1], []envelope.Code{envelope.SpatialModeDisabledBatch}
		p.Help = "centroid, for all searches; spatial is not available in batches."
	})
	batchMin     = operation.Radius.Param("min").But(func(p *param) { p.Help = "Default of the searches." })
	batchInclude = operation.Radius.Param("include").But(func(p *param) { p.Help = "Default of the searches." })

	paramSearches = &param{
		Name: "searches", Required: true, List: true, Help: "List of 1 to 100 objects with code, and max, min, limit, include and at if they differ from the batch.",
		Fields: []*param{
			operation.Radius.Param("code"),
			operation.Radius.Param("max").But(func(p *param) { p.Required, p.Aliases, p.Example = false, nil, "" }),
			operation.Radius.Param("min"), operation.Radius.Param("limit"), operation.Radius.Param("include"), operation.Radius.Param("at"),
		},
		Example: `[{"code": "90210"}, {"code": "K1A", "max": 5}]`,
	}
)

func (s *Server) radiusBatch() batch[search, operation.SearchesRequest, *radius.Result] {
	t := s.radiusTask()
	t.input = func(q *search) envelope.Input {
		return envelope.Input{Index: &q.index, Code: q.Code, Max: q.Max.Echo()}
	}
	return batch[search, operation.SearchesRequest, *radius.Result]{
		about:  operation.Radius,
		list:   paramSearches,
		params: []*param{batchMax, batchMin, batchMode, batchInclude, operation.Radius.Param("at")},
		task:   t,
		begin:  s.beginSearches,
		same:   (*search).same,
	}
}

// beginSearches parses the defaults of a batch.
func (s *Server) beginSearches(in *input, n int) (itemParser[search], operation.SearchesRequest, error) {
	shared := search{last: in.lastYear(acs.ZCTA)}
	if err := in.fill(&shared.RadiusInput, batchMode); err != nil {
		return nil, operation.SearchesRequest{}, err
	}
	if shared.Mode == radius.Spatial {
		return nil, operation.SearchesRequest{}, &envelope.Fault{Code: envelope.SpatialModeDisabledBatch, Message: wording.SpatialBatch}
	}
	if err := in.fill(&shared.RadiusInput, batchMax, batchMin, batchInclude); err != nil {
		return nil, operation.SearchesRequest{}, err
	}
	parse := func(el element) (search, error) {
		q := shared
		q.index = el.index
		fields, err := el.fields()
		if err != nil {
			return q, err
		}
		if err = q.parse(fields, paramSearches.Fields...); err != nil {
			return q, err
		}
		q.opt.At, err = fields.time(paramSearches.Fields, time.Time{})
		return q, err
	}
	return parse, operation.SearchesRequest{SearchesCount: n, Include: shared.Include, Mode: string(cmp.Or(shared.Mode, radius.Centroid))}, nil
}
