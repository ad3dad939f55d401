package build_test

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build"
)

// TestFiguresOfPublishedTables computes margins of error and a median of
// brackets from the texts of New York's tables of 2015, without the library. It
// covers lower Manhattan, in full and in part.
func TestFiguresOfPublishedTables(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	const shared = "../../../../shared/data/acs/values/zcta/"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the published tables are not at hand")
	}
	files := []string{shared + "2015_NY_DP03.aff.csv.gz", shared + "2015_NY_DP05.aff.csv.gz"}
	d, _ := extend(t, build.Options{ACS: files})
	r := acs.NewReader(d)
	texts := publishedTexts(t, files[0])
	codes := []string{"10001", "10002", "10003", "10004", "10005", "10006", "10007", "10009", "10010", "10011", "10012", "10013", "10014"}
	keys := []string{
		"economic.income.total_households", "economic.commuting.public_transportation", "economic.income.median_household_income", "economic.industry.agriculture_forestry_fishing_hunting_mining",
	}
	fields, err := acs.ParseFields(keys...)
	if err != nil {
		t.Fatal(err)
	}
	number := func(code, id string) float64 {
		v, err := strconv.ParseFloat(strings.TrimRight(strings.ReplaceAll(texts[code][id], ",", ""), "+-"), 64)
		if err != nil {
			return math.NaN()
		}
		return v
	}
	// sum adds a column up, and its margins in squares; of zeros the largest.
	sum := func(id string, share float64) (estimate, margin float64) {
		var squares, zero float64
		for _, code := range codes {
			e, m := share*number(code, id), share*number(code, strings.TrimSuffix(id, "E")+"M")
			if estimate += e; e == 0 {
				zero = math.Max(zero, m)
			} else {
				squares += m * m
			}
		}
		return estimate, math.Sqrt(squares + zero*zero)
	}
	near := func(name string, got acs.Value, want, tolerance float64) {
		t.Helper()
		if v, ok := got.Float64(); !ok || math.Abs(v-want) > tolerance*1.000001 {
			t.Errorf("%s is %v, by hand %v", name, got, want)
		}
	}
	for _, share := range []float64{100, 12.5} {
		_, parts, err := acs.ParseParts(codes...)
		if err != nil {
			t.Fatal(err)
		}
		for i := range parts {
			parts[i].Percent = share
		}
		got, err := r.Figures(t.Context(), dataset.ACSZCTA, parts, fields, []int{2015}, acs.FigureOptions{})
		if err != nil {
			t.Fatal(err)
		}
		households, householdsMOE := sum("DP03_0051E", share/100)
		near("households", got[0].Estimate, households, 0.5)
		near("their margin", got[0].MOE, householdsMOE, 0.5)

		workers, workersMOE := sum("DP03_0018E", share/100)
		riders, ridersMOE := sum(fields[1].Column(2015), share/100)
		p := riders / workers
		margin := 100 * math.Sqrt(ridersMOE*ridersMOE-p*p*workersMOE*workersMOE) / workers
		near("share of riders", got[1].Percent, 100*p, 0.05)
		near("its margin", got[1].PercentMOE, margin, 0.05)

		farmers, farmersMOE := sum(fields[3].Column(2015), share/100)
		near("people in agriculture", got[3].Estimate, farmers, 0.5)
		near("their margin, with zeros", got[3].MOE, farmersMOE, 0.5)

		limits := []float64{0, 10_000, 15_000, 25_000, 35_000, 50_000, 75_000, 100_000, 150_000, 200_000}
		below, median := 0.0, 0.0
		for i := range limits {
			n, _ := sum("DP03_00"+strconv.Itoa(52+i)+"E", share/100)
			if below < households/2 && below+n >= households/2 {
				median = limits[i] + (households/2-below)/n*(limits[i+1]-limits[i])
			}
			below += n
		}
		near("median of brackets", got[2].Bracket.Estimate, median, 0.5)
		t.Logf("%v %% of %d ZIP Codes: %.1f ± %.1f households, %.1f ± %.1f %% ride, %.1f ± %.1f in agriculture, median income %.0f ± %s of brackets and %v ± %v weighted",
			share, len(codes), households, householdsMOE, 100*p, margin, farmers, farmersMOE, median, got[2].Bracket.MOE, got[2].Estimate, got[2].MOE)
	}

	// Published medians of single areas and those of their brackets.
	var off []float64
	for code := range texts {
		_, parts, err := acs.ParseParts(code)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Figures(t.Context(), dataset.ACSZCTA, parts, fields[2:3], []int{2015}, acs.FigureOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if b := got[0].Bracket; b != nil && b.Annotation == "" && number(code, "DP03_0051E") > 1000 {
			v, _ := b.Estimate.Float64()
			off = append(off, math.Abs(v/number(code, "DP03_0062E")-1))
		}
	}
	slices.Sort(off)
	if len(off) < 900 || off[len(off)/2] > 0.03 {
		t.Errorf("%d medians of brackets, off by %v in the median", len(off), off[len(off)/2])
	}
	t.Logf("%d ZCTAs of more than 1,000 households: medians of brackets are off by %.2f %% in the median, %.1f %% at the 95th percentile", len(off), 100*off[len(off)/2], 100*off[len(off)*95/100])
}
