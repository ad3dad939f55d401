package radius_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/radius"
)

// sampleEngine searches the embedded dataset.
func sampleEngine(tb testing.TB) *radius.Engine {
	tb.Helper()
	d := lookuptest.Sample(tb)
	r := lookuptest.Reader(tb, d)
	return radius.NewEngine(r)
}

func surveyTags(tb testing.TB, flags ...string) []acs.Tag {
	tb.Helper()
	inc, unknown := radius.ParseInclude(flags)
	if len(unknown) > 0 {
		tb.Fatal(unknown)
	}
	return inc.ACS
}

// TestStats holds what a search sums up: everything inside, whatever is cut.
func TestStats(t *testing.T) {
	e := sampleEngine(t)
	search := func(center string, opt radius.Options, flags ...string) *radius.Result {
		t.Helper()
		opt.Include.ACS = surveyTags(t, flags...)
		res, err := e.Search(t.Context(), center, opt)
		if err != nil {
			t.Fatal(err)
		}
		lookuptest.JSON(t, res)
		return res
	}
	for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
		all := search("98101", radius.Options{Max: 25, Mode: mode}, "acs_housing", "acs_social_2012")
		cut := search("98101", radius.Options{Max: 25, Mode: mode, Limit: 1}, "acs_housing", "acs_social_2012")
		if len(cut.Matches) != 1 || len(all.Matches) < 10 {
			t.Fatalf("%v: %d and %d matches", mode, len(cut.Matches), len(all.Matches))
		}
		if diff := cmp.Diff(string(lookuptest.JSON(t, all.Stats)), string(lookuptest.JSON(t, cut.Stats))); diff != "" {
			t.Errorf("%v: a limit changes the aggregates (-want +got):\n%s", mode, diff)
		}
		if diff := cmp.Diff([]string{"acs_housing", "acs_social_2012"}, all.Delivered); diff != "" {
			t.Errorf("%v: delivered (-want +got):\n%s", mode, diff)
		}
		now := all.Stats.ACS[0]
		if !now.Current || now.WithData+now.WithoutData != all.Summary.USZIPCount || now.WithData == 0 {
			t.Errorf("%v: %d with data and %d without among %d", mode, now.WithData, now.WithoutData, all.Summary.USZIPCount)
		}
		// What lies nearer is left out.
		ring := search("98101", radius.Options{Max: 25, Min: 1, Mode: mode}, "acs_housing").Stats.ACS[0]
		if ring.WithData >= now.WithData {
			t.Errorf("%v: %d in the ring, %d in the circle", mode, ring.WithData, now.WithData)
		}
	}
	for _, center := range []string{"K1A", "0,0"} {
		res := search(center, radius.Options{Max: 1}, "acs_housing", "acs_housing_2024", "acs_social_2012")
		if res.Stats != nil || len(res.Delivered) != 0 {
			t.Errorf("%s: %+v, delivered %v", center, res.Stats, res.Delivered)
		}
		if n := res.Notices[len(res.Notices)-1]; !strings.HasSuffix(n.Message, ": acs_housing, acs_social_2012.") {
			t.Errorf("%s: %+v", center, res.Notices)
		}
	}
}

// TestCommute holds radii against the travel times of the embedded dataset.
func TestCommute(t *testing.T) {
	e := sampleEngine(t)
	minutes := func(zip string) float64 {
		res, err := e.Search(t.Context(), zip, radius.Options{Max: 0.001, Include: radius.Include{ACS: surveyTags(t, "acs_economic")}})
		if err != nil {
			t.Fatal(err)
		}
		v, ok := res.Stats.ACS[0].Metric(acs.MustField("economic.commuting.mean_travel_time_minutes")).Estimate.Float64()
		if !ok {
			t.Fatalf("nobody travels to work from %s", zip)
		}
		return v
	}
	for _, zip := range []string{"10001", "90210"} {
		want := geo.Miles(math.Round(10*min(max(0.6*minutes(zip), 3), 100)) / 10)
		res, err := e.Search(t.Context(), zip, radius.Options{Auto: radius.Commute})
		if err != nil {
			t.Fatal(err)
		}
		if res.Search.Max != want || res.Search.AutoMode != radius.Commute || len(res.Notices) != 0 {
			t.Errorf("%s: %v miles by %v with %v, want %v by commute", zip, res.Search.Max, res.Search.AutoMode, res.Notices, want)
		}
		// A coordinate is served by the ZIP Code around it.
		at := res.Search.Center.Location
		lat, lng := strconv.FormatFloat(at.Lat(), 'f', -1, 64), strconv.FormatFloat(at.Lng(), 'f', -1, 64)
		if got, err := e.AutoRadius(t.Context(), lat+","+lng, radius.Commute); err != nil || got != want {
			t.Errorf("%s,%s: %v miles, %v; want %v", lat, lng, got, err, want)
		}
	}
	for _, center := range []string{"M5V", "0,0"} {
		res, err := e.Search(t.Context(), center, radius.Options{Auto: radius.Commute})
		if err != nil {
			t.Fatal(err)
		}
		var codes []string
		for _, n := range res.Notices {
			codes = append(codes, string(n.Code))
		}
		want := "AUTO_COMMUTE_FALLBACK"
		if center == "0,0" { // nobody lives there
			want = "COORDINATES_USED AUTO_COMMUTE_FALLBACK AUTO_DENSITY_DEFAULT"
		}
		if res.Search.AutoMode != radius.Density || strings.Join(codes, " ") != want {
			t.Errorf("%s: %v with %v", center, res.Search.AutoMode, res.Notices)
		}
	}
}
