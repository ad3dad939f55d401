package radius_test

import (
	"encoding/csv"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build"
	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/dataset/sample"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// sampleEngine searches the embedded dataset, with tables of the survey added.
func sampleEngine(tb testing.TB, tables ...string) *radius.Engine {
	tb.Helper()
	fail := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	fail(err)
	path := filepath.Join(tb.TempDir(), "sample.db")
	fail(os.WriteFile(path, data, 0o600))
	if len(tables) > 0 {
		o := build.Options{ACS: tables, Output: filepath.Join(tb.TempDir(), "extended.db"), Cache: tb.TempDir()}
		_, err := build.Extend(tb.Context(), path, o)
		fail(err)
		path = o.Output
	}
	d, err := dataset.Open(path)
	fail(err)
	tb.Cleanup(func() { d.Close() })
	r, err := lookup.NewReader(d)
	fail(err)
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

// TestStatsOfPublishedTables holds three figures against what the tables of New
// York of 2015 come to by hand: a sum, a median and a rate, around Manhattan.
func TestStatsOfPublishedTables(t *testing.T) {
	const shared = "../../shared/data/acs/values/zcta/"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the published tables are not at hand")
	}
	files := []string{shared + "2015_NY_DP03.aff.csv.gz", shared + "2015_NY_DP05.aff.csv.gz"}
	e := sampleEngine(t, files...)
	people := publishedColumns(t, files[1], "Estimate; SEX AND AGE - Total population")
	money := publishedColumns(t, files[0],
		"Estimate; INCOME AND BENEFITS (IN 2015 INFLATION-ADJUSTED DOLLARS) - Total households",
		"Estimate; INCOME AND BENEFITS (IN 2015 INFLATION-ADJUSTED DOLLARS) - Total households - Median household income (dollars)",
		"Estimate; EMPLOYMENT STATUS - Population 16 years and over - In labor force - Civilian labor force",
		"Estimate; EMPLOYMENT STATUS - Population 16 years and over - In labor force - Civilian labor force - Unemployed")
	for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
		for _, miles := range []geo.Miles{10, 50} {
			opt := radius.Options{Max: miles, Mode: mode, Include: radius.Include{ACS: surveyTags(t, "acs_economic_2015", "acs_demographic_2015")}}
			res, err := e.Search(t.Context(), "10001", opt)
			if err != nil {
				t.Fatal(err)
			}
			a := res.Stats.ACS.Year(2015)
			var population, households, income, force, unemployed float64
			with := 0
			for _, m := range res.Matches {
				share := 1.0
				if m.PctInside != nil {
					share = *m.PctInside / 100
				}
				if people[m.Code] != nil || money[m.Code] != nil {
					with++
				}
				if f := people[m.Code]; f != nil {
					population += share * f[0]
				}
				f := money[m.Code]
				if f == nil {
					continue
				}
				force += share * f[2]
				unemployed += share * f[3]
				if !math.IsNaN(f[1]) {
					households += share * f[0]
					income += share * f[0] * f[1]
				}
			}
			t.Logf("%v miles, %v: %d of %d ZIP Codes, population %.1f, median household income %.2f, unemployment rate %.3f %%",
				float64(miles), mode, with, res.Summary.USZIPCount, population, income/households, 100*unemployed/force)
			if with == 0 || a.WithData != with || a.WithData+a.WithoutData != res.Summary.USZIPCount {
				t.Errorf("%d with data, %d without; want %d of %d", a.WithData, a.WithoutData, with, res.Summary.USZIPCount)
			}
			near := func(name string, got acs.Value, want, tolerance float64) {
				if v, ok := got.Float64(); !ok || math.Abs(v-want) > tolerance*1.000001 {
					t.Errorf("%v miles, %v: %s is %v, by hand %v", float64(miles), mode, name, got, want)
				}
			}
			near("population", a.Demographic.SexAndAge.TotalPopulation.Estimate, population, 0.5)
			near("median household income", a.Economic.Income.MedianHouseholdIncome.Estimate, income/households, 0.5)
			near("unemployment rate", a.Economic.Employment.UnemploymentRate.Percent, 100*unemployed/force, 0.05)
		}
	}
}

// publishedColumns reads columns of a table by their labels: figures by area,
// NaN where there is none.
func publishedColumns(t *testing.T, name string, labels ...string) map[string][]float64 {
	t.Helper()
	in, err := format.Open(name, format.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	all, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(all), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string][]float64{}
	for _, label := range labels {
		at := -1
		for i, l := range rows[1] {
			if at < 0 && strings.TrimSpace(l) == label {
				at = i
			}
		}
		if at < 0 {
			t.Fatalf("%s has no %q", name, label)
		}
		for _, row := range rows[2:] {
			v, err := strconv.ParseFloat(strings.TrimRight(strings.ReplaceAll(row[at], ",", ""), "+-"), 64)
			if err != nil {
				v = math.NaN()
			}
			figures[row[1]] = append(figures[row[1]], v)
		}
	}
	return figures
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
		sameJSON(t, res)
		return res
	}
	for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
		all := search("98101", radius.Options{Max: 25, Mode: mode}, "acs_housing", "acs_social_2012")
		cut := search("98101", radius.Options{Max: 25, Mode: mode, Limit: 1}, "acs_housing", "acs_social_2012")
		if len(cut.Matches) != 1 || len(all.Matches) < 10 {
			t.Fatalf("%v: %d and %d matches", mode, len(cut.Matches), len(all.Matches))
		}
		if diff := cmp.Diff(string(sameJSON(t, all.Stats)), string(sameJSON(t, cut.Stats))); diff != "" {
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
		ring := search("98101", radius.Options{Max: 25, Min: 5, Mode: mode}, "acs_housing").Stats.ACS[0]
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
		v, ok := res.Stats.ACS[0].Economic.Commuting.MeanTravelTimeMinutes.Estimate.Float64()
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
	for _, center := range []string{"K1A", "0,0"} {
		res, err := e.Search(t.Context(), center, radius.Options{Auto: radius.Commute})
		if err != nil {
			t.Fatal(err)
		}
		if n := res.Notices[len(res.Notices)-1]; res.Search.AutoMode != radius.Density || n.Code != "AUTO_COMMUTE_FALLBACK" {
			t.Errorf("%s: %v with %v", center, res.Search.AutoMode, res.Notices)
		}
	}
}
