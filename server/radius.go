package server

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
	"github.com/postgeo/postgeo/server/internal/document"
)

var (
	paramMax = &param{
		Name: "max", Required: true, Aliases: []string{"radius", "distance", "miles"},
		Doc:  "Miles, at most 500 (250 in spatial mode), or auto or auto-commute.",
		Kind: document.NumberOrText, Values: []string{"auto", "auto-commute"}, Most: float64(radius.MaxCentroidMiles), Example: "10",
	}
	paramMin           = &param{Name: "min", Doc: "Excluded miles around the center, less than max.", Kind: document.Number, Default: "0"}
	paramMode          = &param{Name: "mode", Doc: "centroid finds points; spatial finds areas and their shares.", Values: searchModes, Default: searchModes[0]}
	paramLimit         = &param{Name: "limit", Doc: "Maximum number of matches.", Kind: document.Integer, Least: 1}
	paramSearchInclude = &param{
		Name: "include", List: true, Values: searchFlags(),
		Doc: "timezone adds the time zone of each match. An ACS profile is summed up over all US ZIP Codes inside, in stats; " +
			"it can have a year, 2011 to 2024, as in acs_social_2019; the default is the newest.",
	}
)

// searchFlags are the flags of a search, ACS profiles without years.
func searchFlags() []string {
	return slices.DeleteFunc(fullFlags(), func(flag string) bool { return flag != flagTimezone && !strings.HasPrefix(flag, "acs_") })
}

var searchModes = []string{radius.Centroid.String(), radius.Spatial.String()}

// A search is the parsed request of /v2/radius, or one item of its batch.
type search struct {
	given   string // the center as the caller wrote it
	code    lookup.Code
	max     *envelope.RadiusMax // nil if missing
	min     *float64            // nil if missing
	limit   *int                // nil if missing
	flags   envelope.Flags
	unknown []string
	last    int // year that ACS flags may name
	opt     radius.Options
	miles   geo.Miles // value of max; 0 if the center is unknown
	index   int       // in a batch
}

// parse parses the parameters of a search or of an item of a batch. The fields of q
// are defaults.
func (q *search) parse(in *input) error {
	var errs [5]error
	q.given, errs[0] = in.text(paramCode)
	errs[1] = q.parseMax(in)
	errs[2] = q.parseMin(in)
	errs[3] = q.parseLimit(in)
	errs[4] = q.parseInclude(in)
	if err := worstOf(errs[:]...); err != nil {
		return err
	}
	if q.max == nil {
		return envelope.NewFault(envelope.ValidationMissingParam, envelope.MissingParam(paramMax.Name, in.alias(paramMax)))
	}
	var err error
	if q.code, err = lookup.ParseCode(q.given); err != nil {
		return err
	}
	q.miles = q.opt.Max
	return q.opt.Check()
}

func (q *search) parseMax(in *input) error {
	v, found, err := in.number(paramMax, true)
	if err != nil || !found {
		return err
	}
	q.max = nil // a failed item does not echo the default
	if strings.TrimSpace(v) == "" {
		return in.empty(paramMax)
	}
	if q.opt.Max, q.opt.Auto, err = radius.ParseMax(v); err != nil {
		return err
	}
	q.max = &envelope.RadiusMax{Miles: float64(q.opt.Max)}
	if q.opt.Auto != 0 {
		q.max.Auto = strings.TrimSpace(v)
	}
	return nil
}

func (q *search) parseMin(in *input) error {
	v, found, err := in.number(paramMin, false)
	if err != nil || !found || strings.TrimSpace(v) == "" {
		return err
	}
	if q.opt.Min, err = radius.ParseMin(v); err != nil {
		return err
	}
	least := float64(q.opt.Min)
	q.min = &least
	return nil
}

func (q *search) parseLimit(in *input) error {
	v, found, err := in.number(paramLimit, false)
	if err != nil || !found || strings.TrimSpace(v) == "" {
		return err
	}
	if q.opt.Limit, err = radius.ParseLimit(v); err != nil {
		return err
	}
	most := q.opt.Limit
	q.limit = &most
	return nil
}

func (q *search) parseInclude(in *input) error {
	flags, found, err := in.flags(paramSearchInclude)
	if err != nil || !found {
		return err
	}
	q.flags = flags
	q.opt.Include, q.unknown = radius.ParseIncludeUntil(flags, q.last)
	return nil
}

func (q *search) echo() envelope.RadiusRequest {
	return envelope.RadiusRequest{
		Code: q.code.String(), Max: *q.max, Min: q.min, Mode: q.opt.Mode.String(), Include: q.flags, Limit: q.limit,
	}
}

func (q *search) allow(id *billing.Identity) error {
	if err := id.CheckCode(q.code); err != nil {
		return err
	}
	return id.CheckRadius(float64(q.miles), q.opt.Mode == radius.Spatial)
}

func (q *search) quote() billing.Cost {
	opt := q.opt
	s := billing.RadiusSearch{Miles: float64(q.miles), Spatial: opt.Mode == radius.Spatial, Auto: opt.Auto != 0}
	if opt.Include.Timezone {
		s.Flags = append(s.Flags, flagTimezone)
	}
	for _, tag := range opt.Include.ACS {
		s.Flags = append(s.Flags, tag.String())
	}
	return billing.QuoteRadius(s)
}

// same returns a text that identifies equal searches.
func (q *search) same() string {
	parts := []string{q.code.String(), q.max.Auto, strconv.FormatFloat(q.max.Miles, 'g', -1, 64), strconv.FormatFloat(float64(q.opt.Min), 'g', -1, 64), strconv.Itoa(q.opt.Limit)}
	return strings.Join(append(parts, q.flags...), "\n")
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
		input:   func(q *search) envelope.Input { return envelope.Input{Code: q.given} },
		quote:   (*search).quote,
		work: func(ctx context.Context, db DB, q *search, at time.Time) (*radius.Result, error) {
			opt := q.opt
			if opt.At.IsZero() {
				opt.At = at
			}
			r, err := db.Radius(ctx, q.given, opt)
			if err == nil && r.Search.Min == nil && q.min != nil {
				r.Search.Min = new(geo.Miles) // given as 0
			}
			return r, err
		},
		price:  func(_ *search, r *radius.Result) billing.Cost { return billing.ForRadius(r) },
		failed: func(_ *search, err error) billing.Cost { return billing.ForRadiusError(err) },

		failures: []envelope.Code{envelope.NotFoundZIP, envelope.NotFoundFSA, envelope.NotFoundPostal},
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted, envelope.AuthTestKeyRadiusExceeded, envelope.AuthFreeTierRadiusExceeded},
		cost: "1 for every 100 miles of max or part of them (50 in spatial mode), × (1 + each distinct flag + auto_radius). " +
			"Matches, and flags that cannot be served, cost nothing. Unknown center: 1.",
	}
}

// resolve computes an automatic radius for limits and credits. The search reports an
// unknown center.
func resolve(ctx context.Context, db DB, q *search) error {
	if q.opt.Auto == 0 {
		return nil
	}
	miles, err := db.AutoRadius(ctx, q.given, q.opt.Auto)
	if err != nil && envelope.StatusOf(err) == http.StatusOK {
		return nil
	}
	q.miles = miles
	return err
}

// radius is /v2/radius, the codes around a center.
func (s *Server) radius() operation[search, envelope.RadiusRequest, *radius.Result] {
	return operation[search, envelope.RadiusRequest, *radius.Result]{
		path:    "/v2/radius",
		summary: "The codes around a code or coordinate.",
		params:  []*param{paramCode, paramMax, paramMin, paramMode, paramLimit, paramSearchInclude, paramAt},
		task:    s.radiusTask(),
		parse: func(in *input) (q search, err error) {
			q.last = in.lastYear(acs.ZCTA)
			mode, err := in.text(paramMode)
			if err != nil {
				return q, err
			}
			if q.opt.Mode, err = radius.ParseMode(strings.TrimSpace(mode)); err != nil {
				return q, err
			}
			err = q.parse(in)
			return q, err
		},
		echo: (*search).echo,
		notices: func(q *search) []envelope.Notice {
			if len(q.unknown) == 0 {
				return nil
			}
			return []envelope.Notice{envelope.UnknownEnrichments(q.unknown)}
		},
	}
}

var (
	paramSearches = &param{
		Name: "searches", Required: true, List: true, Doc: "List of 1 to 100 objects with code, and max, min, limit, include and at if they differ from the batch.",
		Fields: []*param{paramCode, paramOwnMax, paramMin, paramLimit, paramSearchInclude, paramAt}, Example: `[{"code": "90210"}, {"code": "K1A", "max": 5}]`,
	}
	paramOwnMax   = &param{Name: "max", Doc: "Miles, or auto or auto-commute; required unless the batch has max.", Kind: document.NumberOrText, Values: paramMax.Values, Most: paramMax.Most}
	paramAllMax   = &param{Name: "max", Aliases: paramMax.Aliases, Doc: "Default of the searches; as in /v2/radius.", Kind: document.NumberOrText, Values: paramMax.Values, Most: paramMax.Most, Example: "10"}
	paramAllMin   = &param{Name: "min", Doc: "Default of the searches.", Kind: document.Number}
	paramAllMode  = &param{Name: "mode", Doc: "centroid, for all searches; spatial is not available in batches.", Values: searchModes[:1], Default: searchModes[0], Codes: []envelope.Code{envelope.SpatialModeDisabledBatch}}
	paramAllFlags = &param{Name: "include", List: true, Doc: "Default of the searches.", Values: paramSearchInclude.Values}
)

// radiusBatch is /v2/radius/batch.
func (s *Server) radiusBatch() batch[search, envelope.SearchesRequest, *radius.Result] {
	t := s.radiusTask()
	t.input = func(q *search) envelope.Input {
		return envelope.Input{Index: &q.index, Code: q.given, Max: q.max}
	}
	return batch[search, envelope.SearchesRequest, *radius.Result]{
		path:    "/v2/radius/batch",
		summary: "The codes around up to 100 codes or coordinates.",
		list:    paramSearches,
		params:  []*param{paramAllMax, paramAllMin, paramAllMode, paramAllFlags, paramAt},
		task:    t,
		begin:   s.beginSearches,
		same:    (*search).same,
	}
}

// beginSearches parses the defaults of a batch.
func (s *Server) beginSearches(in *input, n int) (itemParser[search], envelope.SearchesRequest, error) {
	mode, err := in.text(paramAllMode)
	if err != nil {
		return nil, envelope.SearchesRequest{}, err
	}
	shared := search{last: in.lastYear(acs.ZCTA)}
	if shared.opt.Mode, err = radius.ParseMode(strings.TrimSpace(mode)); err != nil {
		return nil, envelope.SearchesRequest{}, err
	}
	if shared.opt.Mode == radius.Spatial {
		return nil, envelope.SearchesRequest{}, envelope.NewFault(envelope.SpatialModeDisabledBatch, envelope.SpatialBatch)
	}
	if err := worstOf(shared.parseMax(in), shared.parseMin(in), shared.parseInclude(in)); err != nil {
		return nil, envelope.SearchesRequest{}, err
	}
	parse := func(el element) (search, error) {
		q := shared
		q.index = el.index
		fields, err := el.fields()
		if err != nil {
			return q, err
		}
		if err = q.parse(fields); err != nil {
			return q, err
		}
		q.opt.At, err = fields.time(paramSearches.Fields, time.Time{})
		return q, err
	}
	return parse, envelope.SearchesRequest{SearchesCount: n, Include: shared.flags, Mode: shared.opt.Mode.String()}, nil
}
