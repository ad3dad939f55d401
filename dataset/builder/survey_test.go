package builder_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/lookup"
)

// surveyed builds a small world with tables of the user.
func surveyed(t *testing.T, o builder.Options) *built {
	t.Helper()
	return surveyWorld(t).buildWith(o)
}

func surveyWorld(t *testing.T) *world {
	w := newWorld(t, "small")
	w.do(`county CA 06037 "Los Angeles County" 34.2 -118.2
		county NY 36061 "New York County" 40.8 -74
		zip 90210 "Beverly Hills" CA 037 34.09 -118.41
		zip 10001 "New York" NY 061 40.75 -74
		zcta 90210 1000 0 34.09 -118.41
		zcta 10001 1000 0 40.75 -74`)
	return w
}

// pairs are total population and median age of the ZCTA 90210 as published.
var pairs = map[int][2]string{
	2011: {"21719", "45.7"}, 2012: {"21517", "47"}, 2013: {"21548", "46.4"}, 2014: {"21478", "46.8"}, 2015: {"22052", "46.1"},
	2016: {"20957", "47.5"}, 2017: {"20016", "47.1"}, 2018: {"19909", "48.1"}, 2019: {"19314", "49.2"}, 2020: {"19229", "49"},
	2021: {"19627", "49.1"}, 2022: {"19180", "50.9"}, 2023: {"19652", "51.2"}, 2024: {"19004", "51.9"},
}

// TestSurveySeries brings the published figures of 90210 through the layout of
// the Census Bureau's interface, the file, and the record's JSON.
func TestSurveySeries(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	var tags []acs.Tag
	for year, pair := range pairs {
		id := map[bool]string{true: "860Z200US90210", false: "8600000US90210"}[year >= 2020]
		paths = append(paths, surveyFile(t, dir, fmt.Sprintf("ACSDP5Y%d.DP05.json", year), arrays(acs.Demographic, year,
			fmt.Sprintf("%s sex_and_age.total_population=%q sex_and_age.median_age=%s", id, pair[0], pair[1])))) // text and number
		tags = append(tags, acs.Tag{Profile: acs.Demographic, Year: year})
	}
	r := lookuptest.Reader(t, surveyed(t, builder.Options{ACS: paths}).Dataset)
	rec, err := r.Full(t.Context(), "90210", lookup.Options{Include: lookup.Include{ACS: tags}})
	check(t, err)
	js, err := json.Marshal(rec)
	check(t, err)
	var got struct {
		ACS map[string]struct {
			Demographic struct {
				SexAndAge map[string]struct {
					Est json.Number `json:"est"`
				} `json:"sex_and_age"`
			} `json:"demographic"`
		} `json:"acs"`
	}
	check(t, json.Unmarshal(js, &got))
	found := map[int][2]string{}
	for key, b := range got.ACS {
		year, _ := strconv.Atoi(strings.Replace(key, "current", "2024", 1))
		found[year] = [2]string{b.Demographic.SexAndAge["total_population"].Est.String(), b.Demographic.SexAndAge["median_age"].Est.String()}
	}
	if diff := cmp.Diff(pairs, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// arrays writes a table in the layout of the Census Bureau's interface. It has a row for
// each area, a GEO_ID followed by figures of fields, and nulls for all other fields.
func arrays(p acs.Profile, year int, areas ...string) string {
	var table strings.Builder
	table.WriteString("[[")
	_, fields, _ := lookuptest.SurveyTable(acs.ZCTA, p, year)
	for _, f := range fields {
		id := strings.TrimSuffix(f.Column(year), "E")
		fmt.Fprintf(&table, `"%[1]sE","%[1]sM","%[1]sPE","%[1]sPM",`, id)
	}
	table.WriteString(`"GEO_ID"]`)
	for _, a := range areas {
		table.WriteString(",\n[")
		figures := strings.Fields(a)
		for _, f := range fields {
			value := "null"
			for _, figure := range figures[1:] {
				if key, v, _ := strings.Cut(figure, "="); key == f.Section+"."+f.Name {
					value = v
				}
			}
			table.WriteString(value + ",null,null,null,")
		}
		fmt.Fprintf(&table, "%q]", figures[0])
	}
	return table.String() + "]"
}

// surveyFile writes a table of ZCTAs or tracts to a folder.
func surveyFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	check(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// TestSurveyRefused checks the builder's refusals.
func TestSurveyRefused(t *testing.T) {
	dir := t.TempDir()
	text := func(year int, more ...string) string {
		areas := append([]string{"860Z200US10001 sex_and_age.total_population=9", "860Z200US10002 sex_and_age.total_population=8", "860Z200US10003 sex_and_age.total_population=7"}, more...)
		return arrays(acs.Demographic, year, areas[len(more):]...)
	}
	const wrong = " sex_and_age.total_population=7 sex_and_age.male=3 sex_and_age.female=3"
	mirror := surveyWorld(t).write()
	for name, test := range map[string]struct {
		o    builder.Options
		says string
	}{
		"nothing adds up":    {builder.Options{ACS: []string{surveyFile(t, dir, "ACSDP5Y2023.DP05.json", text(2023, "860Z200US10001"+wrong, "860Z200US10002"+wrong, "860Z200US10003"+wrong))}}, "rows do not add up"},
		"a missing file":     {builder.Options{ACS: []string{filepath.Join(dir, "gone.csv")}}, "gone.csv"},
		"cut within a table": {builder.Options{ACS: []string{surveyFile(t, dir, "ACSDP5Y2024.DP05.json", text(2024)[:9000])}}, "ACSDP5Y2024.DP05.json:"},
	} {
		t.Run(name, func(t *testing.T) {
			test.o.Mirror = mirror
			_, err := build(t, test.o)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want one that says %q", err, test.says)
			}
		})
	}
}

// TestSurveyParts reads a year in parts, which share an area. A row that does
// not add up is left out and reported. A state among ZCTAs is passed over and counted,
// also in the first row.
func TestSurveyParts(t *testing.T) {
	part := func(name string, areas ...string) string {
		return surveyFile(t, t.TempDir(), name, arrays(acs.Demographic, 2013, areas...))
	}
	const people = " sex_and_age.total_population=9"
	d := surveyed(t, builder.Options{ACS: []string{
		part("2013_TX_DP05.json", "8600000US75001"+people, "8600000US75002"+people, "8600000US75003"+people+" sex_and_age.male=8 sex_and_age.female=2"),
		part("2013_OK_DP05.json", "0400000US40", "8600000US75002"+people, "8600000US73430"+people, "0500000US40001"),
	}})
	if got := d.ACSTables(); len(got) != 1 || got[0].String() != "DP05 2013 zcta" || got[0].Rows != 3 {
		t.Errorf("tables %v, want DP05 2013 zcta with 3 areas", got)
	}
	if len(d.report.Refused) != 1 || d.report.Refused[0].Count != 1 || !strings.Contains(d.report.Refused[0].Examples[0], "2013_TX_DP05.json:4: ") {
		t.Errorf("refused: %+v, want one row in line 4", d.report.Refused)
	}
	if taken, passed := d.count(d.report.Rules, "taken once"), d.count(d.report.Rules, "rows of other areas"); taken != 1 || passed != 2 {
		t.Errorf("%d areas were taken once and %d rows were passed over, want 1 and 2", taken, passed)
	}
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
	figures, all := 0, os.Getenv("POSTGEO_LONG") != ""
	for _, name := range files {
		base := filepath.Base(name)
		year, _ := strconv.Atoi(base[:4])
		p := lookuptest.SurveyProfile(regexp.MustCompile(`DP0\d`).FindString(base))
		for code, published := range publishedTexts(t, name) {
			if !all && int(code[len(code)-1])%3 != year%3 {
				continue // a third of the areas, others in each year
			}
			tag := []acs.Tag{{Profile: p, Year: year}}
			res, err := r.Area(t.Context(), acs.ZCTA, code, tag, acs.Options{Bridged: true, Extras: true})
			if len(code) == 11 {
				res, err = r.Area(t.Context(), acs.Tract, code, tag, acs.Options{Bridged: true, Extras: true})
			}
			if err != nil || len(res.Years) != 1 {
				t.Fatalf("%s %s: %d blocks, %v", base, code, len(res.Years), err)
			}
			js, err := res.Years[0].MarshalJSON()
			check(t, err)
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
	check(t, json.Unmarshal(js, &block))
	var sections map[string]map[string]map[string]any
	d := json.NewDecoder(bytes.NewReader(block[p.String()]))
	d.UseNumber()
	check(t, d.Decode(&sections))
	n := 0
	_, fields, _ := lookuptest.SurveyTable(acs.ZCTA, p, year)
	for _, f := range fields {
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
	in, err := format.File{Path: name}.Open()
	check(t, err)
	defer in.Close()
	all, err := io.ReadAll(in)
	check(t, err)
	lines := strings.SplitN(strings.TrimPrefix(string(all), "\ufeff"), "\n", 3)
	rows, err := csv.NewReader(strings.NewReader(lines[0] + "\n" + lines[2])).ReadAll()
	check(t, err)
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
