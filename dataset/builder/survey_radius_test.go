package builder_test

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/radius"
)

// TestStatsOfPublishedTables checks a sum, a median and a rate around Manhattan
// against figures computed by hand from the tables of New York of 2015.
func TestStatsOfPublishedTables(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	const shared = "../../../shared/data/acs/values/zcta/"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the published tables are not at hand")
	}
	files := []string{shared + "2015_NY_DP03.aff.csv.gz", shared + "2015_NY_DP05.aff.csv.gz"}
	d, err := build(t, builder.Options{Mirror: sharedMirror(t), Layers: []string{"identity", "boundaries"}, ACS: files})
	if err != nil {
		t.Fatal(err)
	}
	r, err := lookuptest.Reader(d.Dataset)
	if err != nil {
		t.Fatal(err)
	}
	e := radius.NewEngine(r)
	figures := func(name string, columns ...string) map[string][]float64 {
		all := map[string][]float64{}
		for code, texts := range publishedTexts(t, name) {
			for _, id := range columns {
				v, err := strconv.ParseFloat(strings.TrimRight(strings.ReplaceAll(texts[id], ",", ""), "+-"), 64)
				if err != nil {
					v = math.NaN()
				}
				all[code] = append(all[code], v)
			}
		}
		return all
	}
	people := figures(files[1], "DP05_0001E")
	// Households, their median income, civilian labor force, unemployed.
	money := figures(files[0], "DP03_0051E", "DP03_0062E", "DP03_0003E", "DP03_0005E")
	include := radius.Include{ACS: []acs.Tag{{Profile: acs.Economic, Year: 2015}, {Profile: acs.Demographic, Year: 2015}}}
	for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
		for _, miles := range []geo.Miles{10, 50} {
			opt := radius.Options{Max: miles, Mode: mode, Include: include}
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
			near("population", a.Metric(acs.MustField("demographic.sex_and_age.total_population")).Estimate, population, 0.5)
			near("median household income", a.Metric(acs.MustField("economic.income.median_household_income")).Estimate, income/households, 0.5)
			near("unemployment rate", a.Metric(acs.MustField("economic.employment.unemployment_rate")).Percent, 100*unemployed/force, 0.05)
		}
	}
}
