package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// A question is one of the fixed list that damaged files are asked: at least
// one for every operation, and for every table of a file.
type question struct {
	name string
	ask  func(ctx context.Context, db *postgeo.DB) (any, error)
}

// everything are all enrichments of a full lookup.
func everything(tags ...string) lookup.Options {
	inc := lookup.Include{
		Timezone: true, Census: true, CongressionalDistrict: true, StateLegislative: true, SchoolDistrict: true,
		Demographics: true, Medicare: true, CongressNext: true, StateLegislativeNext: true,
	}
	for _, s := range tags {
		tag, err := acs.ParseTag(s, acs.ZCTA)
		if err != nil {
			panic("not the name of a profile: " + s)
		}
		inc.ACS = append(inc.ACS, tag)
	}
	return lookup.Options{Include: inc}
}

// gather collects what an iterator yields.
func gather[R any](answers iter.Seq2[R, error]) (any, error) {
	var list []R
	for a, err := range answers {
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// questions are about codes of the sample.
func questions() []question {
	var list []question
	add := func(name string, ask func(ctx context.Context, db *postgeo.DB) (any, error)) {
		list = append(list, question{name, ask})
	}
	for _, code := range []string{"90210", "00501", "09012", "10001-0001", "K1A", "M5V 2T6", "K1A 0B1", "99998", "10297", "34.0901,-118.4065"} {
		add("quick "+code, func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.QuickLookup(ctx, code, lookup.QuickOptions{Timezone: true})
		})
	}
	for _, code := range []string{"90210", "10001", "98101", "60601", "20500", "00601", "K1A", "M5V", "K1A 0B1", "40.7506,-73.9972"} {
		add("full "+code, func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.Lookup(ctx, code, everything("acs_social", "acs_economic_2019", "acs_housing_2015", "acs_demographic_2012"))
		})
	}
	for _, s := range []struct {
		center string
		opt    radius.Options
	}{
		{"90210", radius.Options{Max: 25}},
		{"10001", radius.Options{Max: 8, Mode: radius.Spatial}},
		{"98101", radius.Options{Auto: radius.Density}},
		{"M5V", radius.Options{Max: 300, Min: 20, Limit: 40}},
		{"45.42,-75.69", radius.Options{Max: 30, Mode: radius.Spatial}},
	} {
		if s.opt.Auto != "" {
			s.opt.Include.ACS = everything("acs_economic").Include.ACS
		}
		add(fmt.Sprintf("radius %s %+v", s.center, s.opt), func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.Radius(ctx, s.center, s.opt)
		})
	}
	for _, q := range []string{"90", "beverly", "san", "toront", "los ang", "king county", "seatle", "K1"} {
		add("suggest "+q, func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.Suggest(ctx, q, suggest.Options{Limit: 20})
		})
	}
	for _, a := range []string{
		"350 5th Ave, New York, NY 10118", "PO Box 12, Beverly Hills CA 90210", "100 e oak blvd new york ny 10001",
		"1600 Pennsylvania Ave NW, Washington DC 20500", "1 nowhere lane, 90210",
	} {
		add("address "+a, func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.MatchAddress(ctx, a, address.Options{Include: address.Include{
				Coordinates: true, Census: true, CongressionalDistrict: true, SchoolDistrict: true,
			}})
		})
	}
	codes := []string{"90210", "90211", "10001", "K1A", "98101"}
	add("quick batch", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return gather(db.QuickLookupBatch(ctx, slices.Values(codes), lookup.QuickOptions{}))
	})
	add("distances", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return db.DistanceMatrix(ctx, codes, codes, radius.DistanceOptions{})
	})
	add("distance", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return db.Distance(ctx, "96813", "K1A 0B1", radius.DistanceOptions{})
	})
	add("pairs", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return gather(db.PairsWithin(ctx, codes, 50_000))
	})
	add("nearest", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return db.Nearest(ctx, "60601", radius.NearestOptions{Count: 12})
	})
	add("in polygon", func(ctx context.Context, db *postgeo.DB) (any, error) {
		box := orb.Bound{Min: orb.Point{-122.5, 47.4}, Max: orb.Point{-122.2, 47.8}}
		return db.InPolygon(ctx, box.ToPolygon(), radius.PolygonOptions{})
	})
	add("boundary", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return db.Boundary(ctx, "47.6,-122.33", "98101")
	})
	for _, code := range []string{"90210", "M5V", "98101"} {
		add("outline "+code, func(ctx context.Context, db *postgeo.DB) (any, error) {
			m, _, err := db.CodeOutline(ctx, code)
			return m, err
		})
		add("neighbors "+code, func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.Neighbors(ctx, code, lookup.NeighborOptions{})
		})
	}
	for _, a := range []struct {
		layer lookup.Layer
		geoid string
	}{
		{lookup.LayerCounty, "53033"},
		{lookup.LayerCBSA, "42660"},
		{lookup.LayerCensusDivision, "3506"},
	} {
		add("codes in "+a.geoid, func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.CodesIn(ctx, a.layer, a.geoid, lookup.CodesInOptions{})
		})
		add("outline of "+a.geoid, func(ctx context.Context, db *postgeo.DB) (any, error) {
			area, outline, err := db.AreaOutline(ctx, a.layer, a.geoid)
			return []any{area, outline}, err
		})
	}
	for _, l := range []lookup.Layer{lookup.LayerTract, lookup.LayerSchoolDistrict, lookup.LayerPlace, lookup.LayerFederalDistrict} {
		add(fmt.Sprint("crosswalk ", l), func(ctx context.Context, db *postgeo.DB) (any, error) {
			from := lookup.Layer("zip")
			if l == lookup.LayerFederalDistrict {
				from = "fsa"
			}
			return gather(db.Crosswalk(ctx, from, l, lookup.CrosswalkOptions{}))
		})
	}
	add("crosswalk by people", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return gather(db.Crosswalk(ctx, "zip", "county", lookup.CrosswalkOptions{Weight: lookup.WeightPeople}))
	})
	add("crosswalk of combined areas", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return gather(db.Crosswalk(ctx, "csa", "cd", lookup.CrosswalkOptions{}))
	})
	add("full 98101 of a plan", func(ctx context.Context, db *postgeo.DB) (any, error) {
		opt := everything()
		opt.Plan = "cd120"
		return db.Lookup(ctx, "98101", opt)
	})
	add("codes in 0632 of a plan", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return db.CodesIn(ctx, lookup.LayerCongressionalDistrict, "0632", lookup.CodesInOptions{Plan: "cd120"})
	})
	add("crosswalk of a plan", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return gather(db.Crosswalk(ctx, "cd", "zip", lookup.CrosswalkOptions{Plan: "cd120"}))
	})
	add("families", func(ctx context.Context, db *postgeo.DB) (any, error) {
		fam, missing, err := db.FamiliesAt(ctx, geo.MustLatLng(47.61, -122.33), everything())
		return []any{fam, missing}, err
	})
	add("series on the areas of 2020", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return db.ACSSeries(ctx, []string{"10001", "90210"}, []string{"economic.income.median_household_income"}, acs.SeriesOptions{})
	})
	add("manifest", func(ctx context.Context, db *postgeo.DB) (any, error) {
		years, err := db.ACSYears(ctx, acs.ZCTA)
		tracts, failed := db.ACSYears(ctx, acs.Tract)
		return []any{db.Info(), years, tracts}, errors.Join(err, failed)
	})
	add("states in a box", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return gather(db.StateOutlines(ctx, geo.Box{SouthWest: geo.MustLatLng(40.5, -74.3), NorthEast: geo.MustLatLng(40.9, -73.7)}))
	})
	add("geocode", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return db.Geocode(ctx, "350 5th Ave, New York, NY 10118", geocode.Options{})
	})
	add("geocode box", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return db.Geocode(ctx, "PO Box 12, Beverly Hills, CA 90210", geocode.Options{})
	})
	add("geocode batch", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return gather(db.GeocodeBatch(ctx, slices.Values([]string{"455 N Rexford Dr, Beverly Hills, CA 90210", "Beverly Hills, CA"}), geocode.Options{}))
	})
	add("reverse", func(ctx context.Context, db *postgeo.DB) (any, error) {
		return db.Reverse(ctx, geo.MustLatLng(40.7484, -73.9857), geocode.ReverseOptions{})
	})
	add("ping", func(ctx context.Context, db *postgeo.DB) (any, error) { return nil, db.Ping(ctx) })
	return list
}

// An answered is what became of a question: a text of the answer, or an error.
type answered struct {
	text string
	err  error
}

// failure is the text of an error, "" without one.
func (a answered) failure() string {
	if a.err == nil {
		return ""
	}
	return a.err.Error()
}

// refused reports whether the error says that the file is no good.
func refused(err error) bool {
	return errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotDataset) || errors.Is(err, store.ErrVersion)
}

// TestQuestionsAreAnswered holds that the list asks what the sample can answer,
// so that a change of the sample does not make the tests of damage hollow.
func TestQuestionsAreAnswered(t *testing.T) {
	db, err := postgeo.OpenSample()
	check(t, err)
	defer db.Close()
	unanswered := []string{"quick 99998", "quick 10297", "address 1 nowhere lane, 90210"}
	list := questions()
	for i, q := range list {
		a := askSafely(t.Context(), q, db)
		expected := slices.Contains(unanswered, list[i].name)
		if expected != (a.err != nil) || !expected && len(a.text) < 30 && !strings.HasPrefix(list[i].name, "ping") {
			t.Errorf("%s: %.200s, error %v", list[i].name, a.text, a.err)
		}
	}
}

// askSafely returns a panic as an error that matches nothing.
func askSafely(ctx context.Context, q question, db *postgeo.DB) (a answered) {
	defer func() {
		if p := recover(); p != nil {
			a = answered{err: fmt.Errorf("panic: %v", p)}
		}
	}()
	v, err := q.ask(ctx, db)
	if err != nil {
		return answered{err: err}
	}
	text, err := json.Marshal(v)
	return answered{string(text), err}
}
