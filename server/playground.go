package server

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/billing"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/geocode"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/lookup/suggest"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/radius"
)

// playgroundScripts are the modules of the playground.
var playgroundScripts = []string{"app.js", "calls.js", "combobox.js", "form.js", "map.js"}

// explorerScripts are the modules of the explorer.
var explorerScripts = []string{
	"app.js", "around.js", "calls.js", "card.js", "cite.js", "dom.js", "export.js", "geometry.js", "map.js", "paint.js", "search.js", "sheet.js", "upload.js",
}

// A playgroundSetup has the data of the playground that the OpenAPI document lacks.
type playgroundSetup struct {
	Dataset   playgroundDataset `json:"dataset"`
	Keys      bool              `json:"keys"`              // keys are required
	DemoKey   string            `json:"demo_key,omitzero"` // shared; "" if there is none
	DemoCodes []string          `json:"demo_codes"`
	Outlines  int               `json:"outlines"`        // maximum number of codes of a request for outlines
	Survey    int               `json:"survey,omitzero"` // newest year of the survey; 0 if there is none
	Sources   []setupSource     `json:"sources"`
	Examples  []example         `json:"examples"`
}

// A setupSource is a source of the dataset, for figures that name their origin.
type setupSource struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Vintage string `json:"vintage,omitzero"`
}

type playgroundDataset struct {
	Version string `json:"version"`
	Built   string `json:"built"` // day
	Sample  bool   `json:"sample"`
	Sources int    `json:"sources"`
}

// An example is a call that succeeds with the dataset.
type example struct {
	Path   string            `json:"path"`
	Label  string            `json:"label"`
	Values map[string]string `json:"values"` // of the parameters
	Demo   bool              `json:"demo"`   // the demo key permits it
}

// showCodes are the example codes, with descriptions. Codes that the dataset does
// not have are omitted.
var showCodes = []struct{ code, label string }{
	{"90210", "a ZIP Code"},
	{"90210-1001", "a ZIP+4 with its street"},
	{"99546", "beyond the antimeridian"},
	{"00601", "in Puerto Rico"},
	{"10118", "of a single building"},
	{"09012", "of the military"},
	{"M5V", "a forward sortation area"},
	{"K1A 0B1", "a postal code"},
	{"K1A 9Z9", "a postal code with the record of its area"},
	{"34.1,-118.4", "a coordinate, resolved by the areas of codes"},
}

var showSearches = []struct {
	center, max, label string
	opt                radius.Options
}{
	{"90210", "10", "Points within 10 miles of 90210", radius.Options{Max: 10}},
	{"90210", "5", "Areas within 5 miles of 90210", radius.Options{Max: 5, Mode: radius.Spatial}},
	{"48201", "auto", "Automatic radius around 48201", radius.Options{Auto: radius.Density}},
}

var showPlaces = []string{"350 5th Ave, New York, NY 10118", "455 N Rexford Dr, Beverly Hills, CA 90210", "1600 Pennsylvania Ave NW, Washington, DC 20500"}

var showTyped = []string{"beverly", "new y", "wayne county", "902", "k1a", "detr mi"}

var showPairs = [][2]string{{"90210", "10001"}, {"48201", "N9A"}, {"98101", "M5V"}}

func (c *call) setup() (*printed, error) {
	info := c.s.db.Info()
	return c.s.setupPage.get(info.Version, func() ([]byte, bool, error) {
		// The page is kept for other requests, even if this caller leaves.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(c.r.Context()), c.s.cfg.RequestTimeout)
		defer cancel()
		examples, complete := c.s.examples(ctx)
		out := playgroundSetup{
			Dataset:   playgroundDataset{Version: info.Version, Built: info.Built.UTC().Format(time.DateOnly), Sample: info.Sample, Sources: len(info.Sources)},
			Keys:      c.s.cfg.Accounts != nil,
			DemoCodes: billing.DemoCodes(),
			Outlines:  maxOutlines,
			Sources:   []setupSource{},
			Examples:  examples,
		}
		for _, source := range info.Sources {
			out.Sources = append(out.Sources, setupSource{source.ID, source.Title, source.Vintage})
		}
		if db, ok := c.s.db.(*postgeo.DB); ok {
			years, err := db.ACSYears(ctx, acs.ZCTA)
			if err != nil {
				return nil, false, err
			}
			if len(years) > 0 {
				out.Survey = years[0]
			}
		}
		if out.Keys {
			out.DemoKey = c.s.cfg.Accounts.DemoKey
		}
		body, err := json.Marshal(out)
		return body, complete, err
	})
}

// examples returns the calls that succeed, and false if some failed temporarily.
func (s *Server) examples(ctx context.Context) (out []example, complete bool) {
	out, complete = []example{}, true
	answers := func(err error) bool {
		var f envelope.Failure
		complete = complete && (err == nil || envelope.AsFailure(err, &f) && !envelope.Retryable(err))
		return err == nil
	}
	add := func(path, label string, values map[string]string, codes ...string) {
		demo := !slices.ContainsFunc(codes, func(c string) bool { return !slices.Contains(billing.DemoCodes(), c) })
		out = append(out, example{path, label, values, demo})
	}
	for _, c := range showCodes {
		if _, err := s.db.QuickLookup(ctx, c.code, lookup.QuickOptions{}); answers(err) {
			add("/v2/quick-zip", c.code+" · "+c.label, map[string]string{"code": c.code}, c.code)
		}
		if _, err := s.db.Lookup(ctx, c.code, lookup.Options{}); answers(err) {
			add("/v2/zip", c.code+" · "+c.label, map[string]string{"code": c.code, "include": "timezone"}, c.code)
		}
	}
	for _, r := range showSearches {
		if _, err := s.db.Radius(ctx, r.center, r.opt); answers(err) {
			add("/v2/radius", r.label, map[string]string{"code": r.center, "max": r.max, "mode": r.opt.Mode.String()}, r.center)
		}
	}
	for _, a := range billing.DemoAddresses() {
		if _, err := s.db.MatchAddress(ctx, a, address.Options{}); answers(err) {
			add("/v2/address", a, map[string]string{"address": a, "include": "coordinates"})
		}
	}
	for _, a := range showPlaces {
		r, err := s.db.Geocode(ctx, a, geocode.Options{})
		if !answers(err) || r.Precision > geocode.Interpolated {
			continue
		}
		add("/v2/geocode", a, map[string]string{"address": a}, a)
		add("/v2/reverse", r.Formatted, map[string]string{"point": r.Location.String()}, r.Location.String())
	}
	for _, q := range showTyped {
		if r, err := s.db.Suggest(ctx, q, suggest.Options{Limit: 1}); answers(err) && len(r.Matches) > 0 {
			add("/v2/suggest", q, map[string]string{"q": q})
		}
	}
	if db, ok := s.db.(*postgeo.DB); ok {
		miles := operation.Miles(5)
		in := operation.FiguresInput{Code: "90210", Max: &miles, Field: operation.Figures.Param("field").Example}
		if _, err := in.Run(ctx, db); answers(err) {
			add("/v2/figures", "Household income within 5 miles of 90210", map[string]string{"field": in.Field, "code": in.Code, "max": "5"}, in.Code)
		}
	}
	for _, p := range showPairs {
		if _, err := s.db.Distance(ctx, p[0], p[1], radius.DistanceOptions{}); answers(err) {
			add("/v2/distance", p[0]+" to "+p[1], map[string]string{"from": p[0], "to": p[1]}, p[0], p[1])
		}
	}
	return out, complete
}
