package enrich_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// answer returns the result of a row as text.
func answer(t *testing.T, e *enrich.Enricher, key string) []string {
	t.Helper()
	values, out, err := e.Row(t.Context(), key, nil)
	if err != nil {
		t.Fatalf("Row(%q): %v", key, err)
	}
	texts := []string{string(out.Status)}
	for _, v := range values {
		texts = append(texts, v.String())
	}
	reason, _, _ := strings.Cut(out.Reason, ":")
	return append(texts, reason)
}

// Lists of places of testdata/rows.txt: the columns, and places with their keys.
var placeLists = map[string][][]string{
	"stores": {
		{"id", "Store Name", "distance.miles"},
		{"34.02,-118.49", "S1", "Pier", "far"},
		{"99999", "S2", "Nowhere", ""},
		{"10118", "S3", "Tower", "x"},
		{"34.02,-118.49", "S4", "Twin of the pier", "near"},
		{"90210", "S5", "Hills", ""},
	},
	"numbered": {{"lat", "columns.lat", "2", "2024", "row"}, {"90210", "a", "b", "c", "d", "e"}, {"10001", "f", "g", "h", "i", "j"}},
	"named":    {{"Store ID", "name"}, {"90210", "1", "x"}},
}

// optionsOf reads the options of a group.
func optionsOf(t *testing.T, db *postgeo.DB, words []string) enrich.Options {
	t.Helper()
	opt := enrich.Options{Kind: enrich.Kind(words[0])}
	var at, asOf, kinds, places string
	var areas, national bool
	options := map[string]any{
		"zeros": &opt.RestoreZeros, "radius": &opt.Radius.Max, "count": &opt.Nearest.Count, "max": &opt.Nearest.Max, "at": &at, "asof": &asOf,
		"kinds": &kinds, "places": &places, "areas": &areas, "national": &national,
	}
	for _, word := range words[1:] {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			value = "true"
		}
		if _, err := fmt.Sscan(value, options[name]); err != nil {
			t.Fatalf("option %s: %v", word, err)
		}
	}
	for text, day := range map[string]*time.Time{at: &opt.At, asOf: &opt.AsOf} {
		if text != "" {
			var err error
			*day, err = time.Parse(time.DateOnly, text)
			check(t, err)
		}
	}
	if kinds != "" {
		opt.Kinds = []enrich.Kind{enrich.Kind(kinds)}
	}
	if list := placeLists[places]; places != "" {
		opt.Places = placesOf(t, db, enrich.Code, list[0], list[1:]...)
	}
	if areas {
		opt.Areas = areasOf(t)
	}
	return opt
}

// TestRows runs the groups of testdata/rows.txt.
func TestRows(t *testing.T) {
	text, err := os.ReadFile("testdata/rows.txt")
	check(t, err)
	script := regexp.MustCompile(`(?m)\s*(^|\s)# .*$`).ReplaceAllString(string(text), "")
	heads := regexp.MustCompile(`(?m)^((?:code|coordinates|address|city)(?: \S+)*):(.*)\n`)
	groups := heads.FindAllStringSubmatchIndex(script, -1)
	if groups == nil {
		t.Error("testdata/rows.txt has no groups")
	}
	for i, at := range groups {
		head, fields, end := script[at[2]:at[3]], script[at[4]:at[5]], len(script)
		if i+1 < len(groups) {
			end = groups[i+1][0]
		}
		t.Run(head+":"+fields, func(t *testing.T) {
			db := sampletest.Open(t)
			if strings.Contains(head, "national") {
				db = sampletest.File(t, lookuptest.NationalPath(t))
			}
			opt := optionsOf(t, db, strings.Fields(head))
			for field := range strings.SplitSeq(fields, ", ") {
				if field = strings.TrimSpace(field); field != "" {
					opt.Add = append(opt.Add, strings.Trim(field, `"`))
				}
			}
			e, err := enrich.New(db, opt)
			lines := strings.Split(strings.TrimSpace(script[at[1]:end]), "\n")
			if want, ok := strings.CutPrefix(lines[0], "error "); ok {
				var bad *enrich.FieldError
				if err == nil || len(lines) > 1 || !inOrder(err.Error(), want) || strings.Contains(want, "unknown field") && !errors.As(err, &bad) {
					t.Errorf("error %v, want %s alone", err, want)
				}
				return
			}
			check(t, err)
			for _, line := range lines {
				if line != "" {
					checkRow(t, e, line)
				}
			}
		})
	}
}

// inOrder reports whether a text contains the parts of another, which " ... " divides.
func inOrder(text, parts string) bool {
	for part := range strings.SplitSeq(parts, " ... ") {
		_, rest, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

// checkRow compares the row of a key with a line.
func checkRow(t *testing.T, e *enrich.Enricher, line string) {
	t.Helper()
	line, reason, _ := strings.Cut(line, " ! ")
	want := strings.Split(line, " | ")
	key := want[0]
	if unquoted, err := strconv.Unquote(key); err == nil {
		key = unquoted
	}
	values, out, err := e.Row(t.Context(), key, nil)
	check(t, err)
	got := []string{want[0], string(out.Status)}
	for _, v := range values {
		got = append(got, v.String())
	}
	want = append(want, make([]string, max(0, len(got)-len(want)))...)
	short, _, _ := strings.Cut(out.Reason, ":")
	if diff := cmp.Diff(want, got); diff != "" || short != reason && (!strings.Contains(reason, " ... ") || !inOrder(out.Reason, reason)) {
		t.Errorf("%s: reason %q, want %q; row (-want +got):\n%s", key, out.Reason, reason, diff)
	}
}

// TestFieldsMatchRecords checks figures of the survey and areas against the
// records that they come from.
func TestFieldsMatchRecords(t *testing.T) {
	db := sampletest.Open(t)
	rec, err := db.Lookup(t.Context(), "90210", includeOf(t, "acs_economic,acs_economic_2019,census"))
	check(t, err)
	newest, income := rec.ACS[0], acs.MustField("economic.income.median_household_income")
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{
		"acs.economic.income.median_household_income", "acs.current.economic.income.median_household_income.moe",
		"acs.economic.income.median_household_income.column", "acs.2019.economic.income.median_household_income.est",
		"census.tract.geoid", "census.year", "metro",
	}})
	check(t, err)
	var tracts []string
	for _, tract := range rec.Census.Current.Tract {
		tracts = append(tracts, tract.GEOID)
	}
	want := []string{
		"matched", newest.Metric(income).Estimate.String(), newest.Metric(income).MOE.String(),
		"DP03_0062E", rec.ACS.Year(2019).Metric(income).Estimate.String(),
		strings.Join(tracts, "; "), "2024", `{"region":"West","division":"Pacific","csa":"348","csa_name":"Los Angeles-Long Beach, CA","msa":"31080","msa_name":"Los Angeles-Long Beach-Anaheim, CA","pmsa":"31084","pmsa_name":"Los Angeles-Long Beach-Glendale, CA"}`, "",
	}
	if diff := cmp.Diff(want, answer(t, e, "90210")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func includeOf(t *testing.T, flags string) lookup.Options {
	t.Helper()
	inc, unknown := lookup.ParseOptions([]string{flags})
	if len(unknown) > 0 {
		t.Fatalf("unknown %q", unknown)
	}
	return inc
}

// TestCatalog adds every field of the catalog, for each kind of rows
// that supports it, and checks the types of the values.
func TestCatalog(t *testing.T) {
	db := sampletest.Open(t)
	keys := map[enrich.Kind]string{enrich.Code: "90210", enrich.Coordinates: "34.1,-118.415", enrich.Address: "350 5th Ave, New York NY 10118", enrich.City: "Beverly Hills, CA"}
	stores := placesOf(t, db, enrich.Code, []string{"id"}, []string{"90401", "A"}, []string{"10001", "B"})
	all := enrich.Catalog()
	if len(all) < 1500 {
		t.Errorf("the catalogue has %d fields, fewer than the survey alone", len(all))
	}
	paths := map[string]bool{}
	for _, f := range all {
		if f.About == "" || f.Operation == "" || paths[f.Path] {
			t.Errorf("%+v has no meaning, or is there twice", f)
		}
		paths[f.Path] = true
	}
	for kind, key := range keys {
		var add []string
		for _, f := range all {
			head, _, _ := strings.Cut(f.Path, ".")
			switch head {
			case "address":
				if kind != enrich.Address {
					continue
				}
			case "geocode":
				if kind != enrich.Address && kind != enrich.City {
					continue
				}
			}
			add = append(add, f.Path)
		}
		e, err := enrich.New(db, enrich.Options{
			Kind: kind, Add: add, Radius: radius.Options{Max: 5, Mode: radius.Spatial}, Places: stores, Areas: areasOf(t),
		})
		check(t, err)
		values, out, err := e.Row(t.Context(), key, nil)
		if err != nil || !out.Status.Answered() {
			t.Fatalf("%v: %v, %v", kind, out, err)
		}
		byPath := map[string]enrich.Type{}
		for _, f := range all {
			byPath[f.Path] = f.Type
		}
		filled := 0
		for i, c := range e.Columns() {
			if c.Type != byPath[c.Path] {
				t.Errorf("%s is %v, the catalogue has it as %v", c.Path, c.Type, byPath[c.Path])
			}
			if v := values[i]; !v.IsNull() {
				filled++
				if v.Type() != c.Type {
					t.Errorf("%s is a %v, its column is %v", c.Path, v.Type(), c.Type)
				}
			}
		}
		if filled < 400 {
			t.Errorf("%v: %d of %d fields have values", kind, filled, len(values))
		}
	}
}

// TestRowConcurrently calls one Enricher from several goroutines.
func TestRowConcurrently(t *testing.T) {
	e, err := enrich.New(sampletest.Open(t), enrich.Options{Kind: enrich.Code, Add: []string{"city", "acs.economic.income.median_household_income", "census.county.fips"}})
	check(t, err)
	want := answer(t, e, "90210")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if diff := cmp.Diff(want, answer(t, e, "90210")); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
	all.Wait()
}
