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

// A search is a request of /v2/radius, or one item of its batch.
type search struct {
	operation.RadiusInput
	code    lookup.Code
	unknown []string
	last    int // year that ACS flags may name
	opt     radius.Options
	miles   geo.Miles // value of max; 0 if the center is unknown
	index   *int      // in a batch
}

func (q *search) copy() task { c := *q; return &c }

func (q *search) input() any { return &q.RadiusInput }

// read parses the mode first, which decides about the other parameters.
func (q *search) read(in *input) error {
	q.last = in.lastYear(acs.ZCTA)
	mode, params := operation.Radius.Param("mode"), operation.Radius.Params
	if in.batch {
		mode, params = batchMode, []*param{batchMax, batchMin, batchInclude, operation.Radius.Param("at")}
	}
	if err := in.Fill(&q.RadiusInput, mode); err != nil {
		return err
	}
	if in.batch && q.Mode == radius.Spatial {
		return &envelope.Fault{Code: envelope.SpatialModeDisabledBatch, Message: wording.SpatialBatch}
	}
	return in.Fill(&q.RadiusInput, params...)
}

func (q *search) check(in *input) (err error) {
	if q.Max == (operation.Reach{}) {
		return in.Missing(operation.Radius.Param("max"))
	}
	if q.code, err = lookup.ParseCode(q.Code); err != nil {
		return err
	}
	q.opt, q.unknown = q.Options(q.last)
	q.miles = q.opt.Max
	return q.opt.Check()
}

// prepare computes an automatic radius. The search reports an unknown center.
func (q *search) prepare(ctx context.Context, db DB) error {
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

func (q *search) allow(id *billing.Identity) error {
	if err := checkCode(id, q.code); err != nil {
		return err
	}
	return checkRadius(id, float64(q.miles), q.opt.Mode == radius.Spatial)
}

func (q *search) quote() billing.Cost {
	return billing.QuoteRadius(billing.RadiusSearch{
		Miles: float64(q.miles), Spatial: q.opt.Mode == radius.Spatial, Auto: q.opt.Auto != "", Flags: q.opt.Include.Flags(),
	})
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

func (q *search) work(ctx context.Context, db DB, at time.Time) (any, error) {
	opt := q.opt
	opt.At = cmp.Or(opt.At, at)
	return db.Radius(ctx, q.Code, opt)
}

func (q *search) price(result any, err error) billing.Cost {
	if err != nil {
		return billing.ForError(err)
	}
	return billing.ForRadius(result.(*radius.Result))
}

func (q *search) request() any {
	reach := envelope.RadiusMax{}
	if e := q.Max.Echo(); e != nil {
		reach = *e
	}
	return &operation.RadiusRequest{
		Code: q.code.String(), Max: reach, Min: (*float64)(q.Min), Mode: string(cmp.Or(q.Mode, radius.Centroid)), Include: q.Include, Limit: q.Limit,
	}
}

func (q *search) total(n int) any {
	return &operation.SearchesRequest{SearchesCount: n, Include: q.Include, Mode: string(cmp.Or(q.Mode, radius.Centroid))}
}

// Echo returns the input as entries of a batch and failed items repeat it.
func (q *search) Echo() envelope.Input {
	if q.index == nil {
		return q.Place.Echo()
	}
	return envelope.Input{Index: q.index, Code: q.Code, Max: q.Max.Echo()}
}

func (q *search) same() string {
	parts := []string{q.code.String(), q.Max.String(), strconv.FormatFloat(float64(q.opt.Min), 'g', -1, 64), strconv.Itoa(q.opt.Limit)}
	return strings.Join(append(parts, q.Include...), "\n")
}

func (q *search) notices() []envelope.Notice { return operation.Ignored(q.unknown) }
