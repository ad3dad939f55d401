package builder_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// TestFiguresOfPublishedTables computes margins of error and a median of
// brackets from the texts of New York's tables of 2015, without the library. It
// covers lower Manhattan, in full and in part.
func TestFiguresOfPublishedTables(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	const shared = "../../../shared/data/acs/values/zcta/"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the published tables are not at hand")
	}
	files := []string{shared + "2015_NY_DP03.aff.csv.gz", shared + "2015_NY_DP05.aff.csv.gz"}
	r := lookuptest.Survey(surveyed(t, builder.Options{ACS: files}).Dataset)
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
		got, err := r.Figures(t.Context(), store.ACSZCTA, parts, fields, []int{2015}, acs.FigureOptions{})
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
		got, err := r.Figures(t.Context(), store.ACSZCTA, parts, fields[2:3], []int{2015}, acs.FigureOptions{})
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

// TestSurveyPublished brings every published table through import, file and
// JSON: each figure of each area equals the table's text.
func TestSurveyPublished(t *testing.T) {
	const shared = "../../../shared/data/acs/values"
	files, err := filepath.Glob(shared + "/[zt]*/*DP0*.csv.gz")
	if err != nil || len(files) == 0 {
		t.Skip("the published tables are not at hand")
	}
	if testing.Short() {
		t.Skip("six million figures take a while")
	}
	d := surveyed(t, builder.Options{ACS: files})
	if len(d.report.Refused) > 0 {
		t.Errorf("refused: %+v", d.report.Refused)
	}
	r := lookuptest.Survey(d.Dataset)
	figures := 0
	for _, name := range files {
		base := filepath.Base(name)
		year, _ := strconv.Atoi(base[:4])
		p, _ := acs.ProfileOfTable(regexp.MustCompile(`DP0\d`).FindString(base))
		for code, published := range publishedTexts(t, name) {
			tag := []acs.Tag{{Profile: p, Year: uint16(year)}}
			res, err := r.ZCTA(t.Context(), code, tag, acs.Options{Bridged: true, Extras: true})
			if len(code) == 11 {
				res, err = r.Tract(t.Context(), code, tag, acs.Options{Bridged: true, Extras: true})
			}
			if err != nil || len(res.Years) != 1 {
				t.Fatalf("%s %s: %d blocks, %v", base, code, len(res.Years), err)
			}
			js, err := res.Years[0].AppendJSON(nil)
			if err != nil {
				t.Fatal(err)
			}
			figures += compareJSON(t, base+" "+code, js, p, year, published)
		}
	}
	t.Logf("%d published figures are the same in JSON", figures)
}

// compareJSON holds a block against the texts of a table and returns how many
// figures were equal.
func compareJSON(t *testing.T, name string, js []byte, p acs.Profile, year int, published map[string]string) int {
	t.Helper()
	var block map[string]json.RawMessage
	if err := json.Unmarshal(js, &block); err != nil {
		t.Fatal(err)
	}
	var sections map[string]map[string]map[string]any
	d := json.NewDecoder(bytes.NewReader(block[p.String()]))
	d.UseNumber()
	if err := d.Decode(&sections); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range acs.BuiltIn().Columns(p, year) {
		m := sections[f.Section][f.Name]
		id := strings.TrimSuffix(f.Column(year), "E")
		if m["column"] != id+"E" {
			t.Fatalf("%s: %s has the column %v, want %sE", name, f, m["column"], id)
		}
		for key, suffix := range map[string]string{"est": "E", "moe": "M", "pct": "PE", "pct_moe": "PM"} {
			got, there := m[key]
			text := published[id+suffix]
			if !there {
				if suffix[0] != 'P' || f.Denominator != "" || f.Kind == acs.PercentOnly {
					t.Fatalf("%s: %s has no %s", name, f, key)
				}
				continue
			}
			want := any(nil)
			if text = strings.ReplaceAll(strings.TrimRight(text, "+-"), ",", ""); text != "" && text[0] >= '0' && text[0] <= '9' {
				if strings.Contains(text, ".") {
					text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
				}
				want = json.Number(text)
			}
			if got != want {
				t.Fatalf("%s: %s of %s is %v, published %q", name, key, f, got, published[id+suffix])
			}
			n++
		}
	}
	return n
}

// publishedTexts reads a table in either layout with two header rows: the texts
// by the digits of the area and the identifier of the column.
func publishedTexts(t *testing.T, name string) map[string]map[string]string {
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
	lines := strings.SplitN(strings.TrimPrefix(string(all), "\ufeff"), "\n", 3)
	rows, err := csv.NewReader(strings.NewReader(lines[0] + "\n" + lines[2])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	ids := rows[0]
	table := regexp.MustCompile(`DP0\d`).FindString(filepath.Base(name))
	numbers := map[string]int{}
	for i, id := range ids {
		if measure, line, ok := strings.Cut(id, "_VC"); ok {
			if _, ok := numbers[line]; !ok {
				numbers[line] = len(numbers) + 1
			}
			ids[i] = fmt.Sprintf("%s_%04d%s", table, numbers[line], map[string]string{"HC01": "E", "HC02": "M", "HC03": "PE", "HC04": "PM"}[measure])
		}
	}
	texts := map[string]map[string]string{}
	for _, row := range rows[1:] {
		_, code, _ := strings.Cut(row[0], "US")
		texts[code] = map[string]string{}
		for i, s := range row {
			texts[code][ids[i]] = s
		}
	}
	return texts
}
