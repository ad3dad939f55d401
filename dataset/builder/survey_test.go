package builder_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
	"github.com/postgeo/postgeo/lookup"
)

// surveyed builds a small world with tables of the user.
func surveyed(t *testing.T, o builder.Options) *built {
	t.Helper()
	return surveyWorld(t).buildWith(o)
}

func surveyWorld(t *testing.T) *world {
	w := newWorld(t)
	w.county("CA", "06037", "Los Angeles County", 34.2, -118.2)
	w.county("NY", "36061", "New York County", 40.8, -74)
	w.zip("90210", "Beverly Hills", "CA", "037", 34.09, -118.41)
	w.zip("10001", "New York", "NY", "061", 40.75, -74)
	w.zcta("90210", 1000, 0, 34.09, -118.41)
	w.zcta("10001", 1000, 0, 40.75, -74)
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
		path := filepath.Join(dir, fmt.Sprintf("ACSDP5Y%d.DP05.json", year))
		if err := os.WriteFile(path, arrays(year, pair), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
		tags = append(tags, acs.Tag{Profile: acs.Demographic, Year: uint16(year)})
	}
	r, err := lookup.NewReader(surveyed(t, builder.Options{ACS: paths}).Dataset)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := r.Full(t.Context(), "90210", lookup.Options{Include: lookup.Include{ACS: tags}})
	if err != nil {
		t.Fatal(err)
	}
	js, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		ACS map[string]struct {
			Demographic struct {
				SexAndAge map[string]struct {
					Est json.Number `json:"est"`
				} `json:"sex_and_age"`
			} `json:"demographic"`
		} `json:"acs"`
	}
	if err := json.Unmarshal(js, &got); err != nil {
		t.Fatal(err)
	}
	found := map[int][2]string{}
	for key, b := range got.ACS {
		year, _ := strconv.Atoi(strings.Replace(key, "current", "2024", 1))
		found[year] = [2]string{b.Demographic.SexAndAge["total_population"].Est.String(), b.Demographic.SexAndAge["median_age"].Est.String()}
	}
	if diff := cmp.Diff(pairs, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// arrays writes a table with nothing but two figures.
func arrays(year int, pair [2]string) []byte {
	var head, row bytes.Buffer
	for _, f := range acs.BuiltIn().Columns(acs.Demographic, year) {
		id := strings.TrimSuffix(f.Column(year), "E")
		value := "null"
		switch f.Name {
		case "total_population":
			value = `"` + pair[0] + `"`
			if f.Section != "sex_and_age" {
				value = "null"
			}
		case "median_age":
			value = pair[1] // the interface gives numbers too
		}
		fmt.Fprintf(&head, `"%[1]sE","%[1]sM","%[1]sPE","%[1]sPM",`, id)
		fmt.Fprintf(&row, "%s,null,null,null,", value)
	}
	return fmt.Appendf(nil, "[[%s\"state\",\"zip code tabulation area\"],\n[%s\"06\",\"90210\"]]", head.String(), row.String())
}

// nextYear is the list of fields with an unknown year.
func nextYear(t *testing.T) string {
	t.Helper()
	f, err := os.Open("../../acs/registry.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "fields.csv")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(out)
	for i, row := range rows {
		last := row[len(row)-1] // the columns of 2024 again
		if i == 0 {
			last = "2025"
		}
		row[11] = regexp.MustCompile(`2024$`).ReplaceAllString(row[11], "2025")
		if err := w.Write(append(row, last)); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	if err := errors.Join(w.Error(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSurveyNextYear adds an invented 2025: everything that is named after the
// newest year moves on by itself.
func TestSurveyNextYear(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	fields := nextYear(t)
	f, err := os.Open(fields)
	if err != nil {
		t.Fatal(err)
	}
	registry, err := acs.ParseRegistry(f)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := synth.NewSurvey(1, registry)
	const tract = 36061009900
	write := func(year int) (paths []string) {
		for level, geoid := range map[store.ACSLevel]uint64{store.ACSZCTA: 10001, store.ACSTract: tract} {
			table := s.Table(level, acs.Social, year)
			path := filepath.Join(dir, level.String()+"-"+table.FileName(synth.SurveyData))
			out, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			areas := []synth.SurveyArea{{GEOID: geoid, Population: 20_000}}
			if err := errors.Join(table.Write(t.Context(), out, synth.SurveyData, areas), out.Close()); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		return paths
	}
	paths := slices.Concat(write(2022), write(2023), write(2024))
	before := surveyed(t, builder.Options{ACS: paths})
	after := surveyed(t, builder.Options{ACS: append(paths, write(2025)...), ACSFields: fields})
	if got := after.ACSTable(store.ACSZCTA, 2025, "DP02").Rows; got != 1 {
		t.Errorf("%d areas of 2025, want 1", got)
	}

	keys := func(d *store.Dataset, flags ...string) string {
		r, err := lookup.NewReader(d)
		if err != nil {
			t.Fatal(err)
		}
		include, unknown := lookup.ParseIncludeUntil(flags, r.LastACSYear())
		rec, err := r.Full(t.Context(), "10001", lookup.Options{Include: include})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for i := range rec.ACS {
			said += fmt.Sprintf("%s=%d %s; ", rec.ACS[i].Key(), rec.ACS[i].Year, rec.ACS[i].GeoID)
		}
		return said + fmt.Sprint("delivered ", rec.Delivered().Flags(), " unknown ", unknown)
	}
	flags := []string{"acs_social", "acs_social_2024", "acs_social_2025", "acs_social_2023", "acs_social_2026", "acs_social_2010"}
	for _, test := range []struct {
		d    *store.Dataset
		want string
	}{
		{before.Dataset, "current=2024 860Z200US10001; 2023=2023 860Z200US10001; delivered [acs_social acs_social_2023] unknown [acs_social_2025 acs_social_2026 acs_social_2010]"},
		{after.Dataset, "current=2025 860Z200US10001; 2024=2024 860Z200US10001; 2023=2023 860Z200US10001; delivered [acs_social acs_social_2024 acs_social_2023] unknown [acs_social_2026 acs_social_2010]"},
	} {
		if got := keys(test.d, flags...); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}

	for _, test := range []struct {
		d             *store.Dataset
		newest, years string
	}{
		{before.Dataset, "2024", "current 2023 2022 "},
		{after.Dataset, "2025", "current 2024 2023 "},
	} {
		r, err := lookup.NewReader(test.d)
		if err != nil {
			t.Fatal(err)
		}
		if got := strconv.Itoa(r.LastTractYear()); got != test.newest {
			t.Errorf("the newest year of tracts is %s, want %s", got, test.newest)
		}
		var tags []acs.Tag
		for _, suffix := range []string{"", "_2022", "_2023", "_2024", "_2025"} {
			if tag, err := acs.ParseTractTag("acs_tract_social"+suffix, r.LastTractYear()); err == nil {
				tags = append(tags, tag)
			}
		}
		res, err := r.ACS().Tract(t.Context(), fmt.Sprintf("%011d", tract), tags, acs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		years := ""
		for i := range res.Years {
			years += res.Years[i].Key() + " "
		}
		if years != test.years {
			t.Errorf("years of tracts are %q, want %q; unavailable %v", years, test.years, res.Unavailable)
		}
	}
}

// TestSurveyRefused checks the builder's refusals.
func TestSurveyRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	dir := t.TempDir()
	s := synth.NewSurvey(1, nil)
	areas := []synth.SurveyArea{{GEOID: 10001, Population: 9000}, {GEOID: 10002, Population: 8000}, {GEOID: 10003, Population: 700}}
	text := func(year int) string {
		var b bytes.Buffer
		if err := s.Table(store.ACSZCTA, acs.Demographic, year).Write(t.Context(), &b, synth.SurveyData, areas); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mirror := surveyWorld(t).write()
	good := file("ACSDP5Y2022.DP05-Data.csv", text(2022))
	for name, test := range map[string]struct {
		o    builder.Options
		says string
	}{
		"a copy of a year":   {builder.Options{ACS: []string{file("ACSDP5Y2021.DP05-Data.csv", text(2021)), file("ACSDP5Y2020.DP05-Data.csv", text(2021))}}, "is it a copy of that file under another year's name?"},
		"no list of fields":  {builder.Options{ACS: []string{good}, ACSFields: filepath.Join(dir, "none.csv")}, "list of fields"},
		"a bad list":         {builder.Options{ACS: []string{good}, ACSFields: file("bad.csv", "profile,section\na,b\n")}, "list of fields"},
		"nothing adds up":    {builder.Options{ACS: []string{file("ACSDP5Y2019.DP05-Data.csv", strings.NewReplacer(`"ZCTA5 10001","`, `"ZCTA5 10001","9`, `"ZCTA5 10002","`, `"ZCTA5 10002","9`, `"ZCTA5 10003","`, `"ZCTA5 10003","9`).Replace(text(2019)))}}, "rows do not add up"},
		"a missing file":     {builder.Options{ACS: []string{filepath.Join(dir, "gone.csv")}}, "gone.csv"},
		"cut within a table": {builder.Options{ACS: []string{file("ACSDP5Y2023.DP05-Data.csv", text(2023)[:30_000])}}, "ACSDP5Y2023.DP05-Data.csv:"},
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
// not add up is left out and reported.
func TestSurveyParts(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	dir := t.TempDir()
	table := synth.NewSurvey(1, nil).Table(store.ACSZCTA, acs.Housing, 2013)
	part := func(name string, geoids ...uint64) string {
		var areas []synth.SurveyArea
		for _, g := range geoids {
			areas = append(areas, synth.SurveyArea{GEOID: g, Population: int32(g % 9000)})
		}
		var b bytes.Buffer
		if err := table.Write(t.Context(), &b, synth.SurveyFactFinder, areas); err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(b.String(), "ZCTA5 75003,", "ZCTA5 75003,9", 1)
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	d := surveyed(t, builder.Options{ACS: []string{part("2013_TX_DP04.csv", 75001, 75002, 75003), part("2013_OK_DP04.csv", 75002, 73430)}})
	if got := d.ACSTable(store.ACSZCTA, 2013, "DP04").Rows; got != 3 {
		t.Errorf("%d areas, want 3", got)
	}
	if len(d.report.Refused) != 1 || d.report.Refused[0].Count != 1 || !strings.Contains(d.report.Refused[0].Examples[0], "2013_TX_DP04.csv:5: ") {
		t.Errorf("refused: %+v, want one row in line 5", d.report.Refused)
	}
	if got := d.count(d.report.Rules, "taken once"); got != 1 {
		t.Errorf("%d areas were taken once, want one", got)
	}
}

// TestSurveyOtherAreas passes over a state among ZCTAs and counts it, also in
// the first row.
func TestSurveyOtherAreas(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	areas := []synth.SurveyArea{{GEOID: 10001, Population: 9000}, {GEOID: 10002, Population: 8000}, {GEOID: 10003, Population: 700}}
	var b bytes.Buffer
	if err := synth.NewSurvey(1, nil).Table(store.ACSZCTA, acs.Demographic, 2022).Write(t.Context(), &b, synth.SurveyData, areas); err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("860Z200US10001", "0400000US36", "860Z200US10003", "0500000US36061").Replace(b.String())
	path := filepath.Join(t.TempDir(), "ACSDP5Y2022.DP05-Data.csv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	d := surveyed(t, builder.Options{ACS: []string{path}})
	if got := d.ACSTable(store.ACSZCTA, 2022, "DP05").Rows; got != 1 {
		t.Errorf("%d areas, want 1", got)
	}
	if got := d.count(d.report.Rules, "rows of other areas"); len(d.report.Refused) > 0 || got != 2 {
		t.Errorf("refused %+v, %d rows passed over, want 2", d.report.Refused, got)
	}
}
