package address_test

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/store"
)

// truthFolder holds the reference files that the tests of this file read.
const truthFolder = "../../shared/data/address"

// truthText returns the text of a compressed reference file. The test skips if the
// file is missing.
func truthText(t testing.TB, name string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(truthFolder, name))
	if os.IsNotExist(err) {
		t.Skipf("%s is not there; this needs the shared data beside the repository", name)
	}
	check(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	check(t, err)
	b, err := io.ReadAll(z)
	check(t, err)
	return string(b)
}

// truthLines returns the objects of a file of JSON lines.
func truthLines[T any](t testing.TB, name string) []T {
	t.Helper()
	var list []T
	for line := range strings.Lines(truthText(t, name)) {
		var v T
		check(t, json.Unmarshal([]byte(line), &v))
		list = append(list, v)
	}
	return list
}

// truthRows returns the rows of a table without its header.
func truthRows(t testing.TB, name string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(truthText(t, name))).ReadAll()
	check(t, err)
	return rows[1:]
}

var check = checktest.Check

// A labeled address of another project.
type labeled struct {
	ID     string          `json:"id"`
	Text   string          `json:"text"`
	Comp   json.RawMessage `json:"comp"`
	Tokens [][2]string     `json:"tokens"`
}

// want returns the number and street that the label says; ok is false for
// labels without a street, such as boxes and towns.
func (l *labeled) want() (number, street string, ok bool) {
	if len(l.Tokens) > 0 {
		var line []string
		for _, tok := range l.Tokens {
			switch tok[1] {
			case "AddressNumber", "AddressNumberPrefix", "AddressNumberSuffix":
				number += " " + tok[0]
			case "StreetName", "StreetNamePreDirectional", "StreetNamePostDirectional", "StreetNamePreType", "StreetNamePostType",
				"StreetNamePreModifier", "StreetNamePostModifier", "IntersectionSeparator":
				line = append(line, tok[0])
			}
		}
		return number, strings.Join(line, " "), len(line) > 0
	}
	var pairs [][2]string
	if json.Unmarshal(l.Comp, &pairs) == nil {
		var line []string
		for _, p := range pairs {
			switch p[0] {
			case "housenumber", "house_number":
				number = p[1]
			case "street", "road":
				line = append(line, p[1])
			}
		}
		return number, strings.Join(line, " and "), len(line) > 0
	}
	var m map[string]any
	if json.Unmarshal(l.Comp, &m) != nil {
		return "", "", false
	}
	get := func(k string) string { s, _ := m[k].(string); return s }
	if _, ok := m["streetName"]; ok { // PostGIS
		number = get("address_alphanumeric")
		if number == "" {
			number = get("address")
		}
		if !strings.ContainsAny(number, "0123456789") || strings.HasPrefix(number, "I-") {
			number = "" // PostGIS takes the word for the number
		}
		street = strings.Join(strings.Fields(get("predirAbbrev")+" "+get("streetName")+" "+get("streetTypeAbbrev")+" "+get("postdirAbbrev")), " ")
		return number, street, street != ""
	}
	number = get("number")
	kind := get("street_type") // of highways it repeats a word of the name
	if fields := strings.Fields(plainLine(get("street"))); slices.Contains(fields, plainLine(kind)) {
		kind = ""
	}
	street = strings.Join(strings.Fields(get("prefix")+" "+get("street")+" "+kind+" "+get("suffix")), " ")
	if s := get("street2"); s != "" {
		street += " and " + strings.Join(strings.Fields(get("prefix2")+" "+s+" "+get("street_type2")+" "+get("suffix2")), " ")
	}
	return number, street, street != ""
}

// right reports whether a reading has the number and street of the label.
func (l *labeled) right(a *address.Address) bool {
	number, street, _ := l.want()
	return plain(number) == plain(a.Number) && plain(street) == plain(wholeLine(a))
}

// wholeLine returns the street, and the one that crosses it.
func wholeLine(a *address.Address) string {
	if a.Cross == "" {
		return a.Line()
	}
	return a.Line() + " AND " + a.Cross
}

// same spelling for words that labels and readings abbreviate differently.
var plainWords = map[string]string{"COUNTY": "CO", "CNTY": "CO", "SVC": "SERVICE", "US": "U S", "STATE": "ST", "ROUTE": "HWY", "RT": "HWY", "RTE": "HWY", "SR": "ST HWY"}

// plain writes a street's words in standard abbreviations and in alphabetical
// order, to compare streets regardless of spelling and order.
func plain(s string) string {
	return strings.ReplaceAll(plainLine(s), " ", "")
}

func plainLine(s string) string {
	var out []string
	line := address.Clean(strings.ReplaceAll(strings.ReplaceAll(s, ",", " "), ".", ""))
	if kind, rest := pub28.Highway(line); kind != "" {
		line = kind + " " + rest
	}
	words := strings.Fields(line)
	for i, w := range words {
		w = strings.Trim(w, "-#,")
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		if n, used := pub28.Ordinal(w, next); used > 0 {
			w = fmt.Sprint(n)
			if used == 2 {
				words[i+1] = ""
			}
		} else if abbr, ok := pub28.Suffix(w); ok {
			w = abbr
		} else if abbr, ok := pub28.Directional(w); ok {
			w = abbr
		}
		if other, ok := plainWords[w]; ok {
			w = other
		}
		if w = strings.ReplaceAll(w, "-", ""); w != "" && w != "AND" && w != "&" && w != "AT" && w != "@" {
			out = append(out, strings.Fields(w)...)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// TestParseSets scores the parser on the labeled sets: number and street have
// to be right.
func TestParseSets(t *testing.T) {
	table := scoretest.Table{Title: "lines", Columns: []string{"labeled lines", ">number", ">number and street right"}}
	for _, set := range []struct {
		file, name string
		reach      float64
	}{
		{"parse_usaddress_train", "usaddress", 80},
		{"parse_pelias_us", "Pelias", 90},
		{"parse_libpostal_us", "libpostal", 90},
		{"parse_postgis_normalize", "PostGIS", 95},
		{"parse_geo_streetaddress_us", "Geo::StreetAddress::US", 90},
	} {
		t.Run(set.file, func(t *testing.T) {
			right, all := 0, 0
			for _, l := range truthLines[labeled](t, "parse/"+set.file+".jsonl.gz") {
				number, street, ok := l.want()
				if !ok {
					continue
				}
				all++
				p, err := address.Parse(l.Text)
				check(t, err)
				if a := &p[0]; l.right(a) {
					right++
				} else {
					t.Logf("%s %q: %q | %q, want %q | %q", l.ID, l.Text, a.Number, wholeLine(a), number, street)
				}
			}
			table.Rows = append(table.Rows, []any{set.name, all, scoretest.Percent(right, all)})
			score := 100 * float64(right) / float64(all)
			t.Logf("%s: %d of %d right, %.1f %%", set.file, right, all, score)
			if score < set.reach {
				t.Errorf("%.1f %% right, want at least %.0f %%", score, set.reach)
			}
		})
	}
	if !t.Failed() && len(table.Rows) > 0 { // else the shared data is missing
		scoretest.Hold(t, "address", table)
	}
}

// pollingLines returns addresses as people typed them.
func pollingLines(t testing.TB) (lines []string) {
	t.Helper()
	for _, r := range truthRows(t, "polling_2018_raw.csv.gz") {
		lines = append(lines, r[3])
	}
	return lines
}

// TestPollingPlaces parses what people typed: none is an error, nearly all
// have a street.
func TestPollingPlaces(t *testing.T) {
	kinds := map[address.Kind]int{}
	lines := pollingLines(t)
	for _, line := range lines {
		p, err := address.Parse(line)
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		kinds[p[0].Kind]++
	}
	t.Log(kinds)
	if got := float64(kinds[address.NoDelivery]) / float64(len(lines)); got > 0.02 {
		t.Errorf("%.1f %% of the polling places have no delivery, want at most 2 %%", 100*got)
	}
}

// TestForms writes addresses of the truth set in other ways that people have.
// None may become another record, and nearly all have to be found.
func TestForms(t *testing.T) {
	cases := truthLines[matchCase](t, "match_cases.jsonl.gz")
	m := truthFixture(t).engine(t)
	forms, err := os.ReadFile("testdata/forms.txt")
	check(t, err)
	towns := map[string]string{"22": "Alexandria", "233": "Chesapeake", "237": "Portsmouth"}
	streets := slices.DeleteFunc(cases, func(c matchCase) bool {
		return c.Outcome != "MATCH" || c.Number == "" || c.Street == "" || strings.HasPrefix(c.Category, "highrise") ||
			slices.Contains([]string{"po_box", "rural_route", "general_delivery"}, c.Category)
	})
	for line := range strings.Lines(string(forms)) {
		name, form, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if strings.HasPrefix(line, "#") || !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 9))
			missed := 0
			const n = 200
			for range n {
				c := streets[rng.IntN(len(streets))]
				town := towns[c.Zip[:3]]
				if town == "" {
					town = towns[c.Zip[:2]]
				}
				text := strings.NewReplacer(
					"{number}", c.Number, "{street}", c.Street, "{words}", fullWords(c.Street), "{city}", town, "{typo}", town[:2]+town[3:], "{zip}", c.Zip,
				).Replace(form)
				if strings.HasSuffix(name, "(lower case)") {
					text = strings.ToLower(text)
				}
				got, err := m.Match(t.Context(), text, address.Options{})
				var none *envelope.Failure
				switch {
				case errors.As(err, &none):
					missed++
					t.Logf("%q: %s", text, envelope.Links{}.Error(err).Code)
				case err != nil:
					t.Fatal(err)
				case got.Data.Components.ZIP != c.Zip || got.Data.Components.Plus4 != c.Plus4:
					t.Errorf("%q is %s, want %s %s-%s", text, got.Data.FormattedAddress, c.Street, c.Zip, c.Plus4)
				}
			}
			if missed > n/50 {
				t.Errorf("%d of %d were not found", missed, n)
			}
		})
	}
}

// fullWords writes suffixes in full.
func fullWords(s string) string {
	f := strings.Fields(s)
	for i := range f {
		if n := pub28.SuffixName(f[i]); n != "" && i > 0 {
			f[i] = n
		}
	}
	return strings.Join(f, " ")
}

// TestNames matches every street of the sample and of the shared data, typed in
// full with a number, city and state. At most 0.05 % may be missed, and none may
// become another street.
func TestNames(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	t.Run("sample", func(t *testing.T) {
		d := lookuptest.Sample(t)
		matchNames(t, d)
	})
	t.Run("Virginia", func(t *testing.T) { matchNames(t, truthFixture(t).dataset(t)) })
}

// A nameCase is a street of a ZIP Code with one of its numbers.
type nameCase struct {
	record store.StreetRecord
	number string
	city   string
}

// nameCases returns the streets of a dataset, each once per ZIP Code.
func nameCases(t *testing.T, d *store.Dataset) []nameCase {
	t.Helper()
	var list []nameCase
	for z := range d.StreetZIPs() {
		row, _ := d.ZIP(z)
		seen := map[[4]string]bool{}
		for r, err := range d.StreetRecords(t.Context(), z) {
			check(t, err)
			name := [4]string{r.PreDir, r.Street, r.Suffix, r.PostDir}
			number := pub28.Trim(r.AddrLow)
			if r.RecordType != 'S' || r.Alternate || number == "" || seen[name] {
				continue
			}
			seen[name] = true
			list = append(list, nameCase{r, number, row.City})
		}
	}
	return list
}

func (c *nameCase) line() string {
	return strings.Join(strings.Fields(strings.Join([]string{c.number, c.record.PreDir, c.record.Street, c.record.Suffix, c.record.PostDir}, " ")), " ")
}

// matchNames writes the streets of a dataset in several forms and matches them.
func matchNames(t *testing.T, d *store.Dataset) {
	t.Helper()
	m := engineOn(t, d)
	forms := []struct{ name, text string }{
		{"full", "{line}, {city}, {state} {zip}"},
		{"no ZIP", "{line}, {city}, {state}"},
		{"lower case", "{line}, {city}, {state} {zip}"},
		{"no commas", "{line} {city} {state} {zip}"},
		{"no commas, no ZIP", "{line} {city} {state}"},
	}
	cases := nameCases(t, d)
	for _, form := range forms {
		missed, ambiguous, wrong := 0, 0, 0
		for i := range cases {
			c := &cases[i]
			text := strings.NewReplacer("{line}", c.line(), "{city}", c.city, "{state}", c.record.State, "{zip}", c.record.ZIP.String()).Replace(form.text)
			if form.name == "lower case" {
				text = strings.ToLower(text)
			}
			got, err := m.Match(t.Context(), text, address.Options{})
			switch {
			case errors.Is(err, envelope.ErrAmbiguous):
				ambiguous++ // the city may have the number on several streets of the name
				if strings.Contains(text, c.record.ZIP.String()) {
					t.Logf("%s: %q: %v", form.name, text, err)
				}
			case address.Unmatched(err):
				missed++
				t.Logf("%s: %q: %v", form.name, text, err)
			case err != nil:
				t.Fatalf("%q: %v", text, err)
			case !c.is(got):
				wrong++
				t.Errorf("%s: %q is %s", form.name, text, got.Data.FormattedAddress)
			}
		}
		t.Logf("%s: %d streets, %d not found, %d ambiguous, %d wrong", form.name, len(cases), missed, ambiguous, wrong)
		if missed*2000 > len(cases) {
			t.Errorf("%s: %d of %d streets are not found, want at most 0.05 %%", form.name, missed, len(cases))
		}
	}
}

// is reports whether a match has the number and street of the case.
func (c *nameCase) is(m *address.Match) bool {
	got := m.Data.Components
	r := &c.record
	return got.Number == c.number && got.PreDirectional == r.PreDir && got.Suffix == r.Suffix && got.PostDirectional == r.PostDir &&
		pub28.Key(strings.TrimSpace(got.StreetPreType+" "+got.Street)) == pub28.Key(r.Street)
}
