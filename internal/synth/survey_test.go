package synth_test

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
)

func surveyAreas(level store.ACSLevel) []synth.SurveyArea {
	areas := []synth.SurveyArea{{GEOID: 601, Population: 0}, {GEOID: 10001, Population: 23_000}, {GEOID: 90210, Population: 180}, {GEOID: 99501, Population: 140_000}}
	if level == store.ACSTract {
		for i := range areas {
			areas[i].GEOID = 48029_110100 + uint64(i)
			areas[i].Name = fmt.Sprintf("Census Tract 1101.%02d, Bexar County, Texas", i)
		}
		areas[0].Name = "Census Tract 1101, Bexar County, Texas"
	}
	return areas
}

// tract finds the codes of the names above.
func tract(name string) (string, bool) {
	for _, a := range surveyAreas(store.ACSTract) {
		if a.Name == name {
			return fmt.Sprintf("%011d", a.GEOID), true
		}
	}
	return "", false
}

// TestSurveyLayouts writes tables of every profile and year in every layout. The
// importer reads the same figures without complaints.
func TestSurveyLayouts(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	s := synth.NewSurvey(1, nil)
	for _, level := range []store.ACSLevel{store.ACSZCTA, store.ACSTract} {
		areas := surveyAreas(level)
		for _, p := range acs.AllProfiles() {
			for year := acs.FirstYear; year <= acs.LastYear; year++ {
				if testing.Short() && year%5 != int(p)%5 {
					continue
				}
				table := s.Table(level, p, year)
				for _, l := range []synth.SurveyLayout{synth.SurveyData, synth.SurveyFactFinder, synth.SurveyDisplay, synth.SurveyArrays} {
					name := synth.LayoutName(table, l)
					var b bytes.Buffer
					if err := synth.WriteLayout(t.Context(), table, &b, l, areas); err != nil {
						t.Fatal(err)
					}
					in := format.NewInput(name, &b)
					if !source.IsACSProfile(in) {
						t.Errorf("%s does not look like a table of a profile", name)
					}
					profile, err := source.OpenACSProfile(in, source.ACSProfileOptions{Tract: tract})
					if err != nil {
						t.Fatal(err)
					}
					n := 0
					for row, err := range profile.Rows() {
						if err != nil {
							t.Fatalf("%s: %v", name, err)
						}
						for _, f := range row.Faults {
							t.Fatalf("%s, line %d: %s: %s", name, row.Line, f.Reason, f.Given)
						}
						if row.GEOID != areas[n].GEOID {
							t.Errorf("%s: row %d is of %d, want %d", name, n, row.GEOID, areas[n].GEOID)
						}
						if diff := gocmp.Diff(table.Row(areas[n], nil), row.Cells); diff != "" {
							t.Fatalf("%s, %d (-want +got):\n%s", name, row.GEOID, diff)
						}
						n++
					}
					if n != len(areas) {
						t.Errorf("%s: %d rows, want %d", name, n, len(areas))
					}
				}
			}
		}
	}
}

// TestSurveyWithoutLabels reads a table whose second header row was removed.
func TestSurveyWithoutLabels(t *testing.T) {
	areas := surveyAreas(store.ACSZCTA)
	table := synth.NewSurvey(1, nil).Table(store.ACSZCTA, acs.Demographic, 2022)
	var b bytes.Buffer
	if err := table.Write(t.Context(), &b, synth.SurveyData, areas); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(b.String(), "\n")
	text := lines[0] + strings.Join(lines[2:], "")
	profile, err := source.OpenACSProfile(format.NewInput("ACSDP5Y2022.DP05-Data.csv", strings.NewReader(text)), source.ACSProfileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for row, err := range profile.Rows() {
		if err != nil || row.Line != n+2 {
			t.Fatalf("row %d in line %d: %v, want line %d", n, row.Line, err, n+2)
		}
		if diff := gocmp.Diff(table.Row(areas[n], nil), row.Cells); diff != "" {
			t.Errorf("%d (-want +got):\n%s", row.GEOID, diff)
		}
		n++
	}
	if n != len(areas) {
		t.Errorf("%d rows, want %d", n, len(areas))
	}
}

// TestSurveyChecks damages a table in every way that the importer reports.
func TestSurveyChecks(t *testing.T) {
	s := synth.NewSurvey(1, nil)
	text := func(p acs.Profile, year int, l synth.SurveyLayout) string {
		var b bytes.Buffer
		if err := synth.WriteLayout(t.Context(), s.Table(store.ACSZCTA, p, year), &b, l, surveyAreas(store.ACSZCTA)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	data := text(acs.Demographic, 2022, synth.SurveyData)
	lines := strings.SplitAfter(data, "\n")
	income := text(acs.Economic, 2022, synth.SurveyData)
	old := text(acs.Demographic, 2015, synth.SurveyFactFinder)
	arrays := text(acs.Demographic, 2022, synth.SurveyArrays)
	display := text(acs.Demographic, 2022, synth.SurveyDisplay)
	swap := func(s, old, by string) string {
		if !strings.Contains(s, old) {
			t.Fatalf("the table has no %q", old)
		}
		return strings.Replace(s, old, by, 1)
	}
	tests := map[string]struct {
		name, text string
		says       string // of the error that ends the reading, or of the only fault
	}{
		"another year, columns":    {"ACSDP5Y2015.DP05-Data.csv", data, "ACSDP5Y2015.DP05-Data.csv:2: "},
		"another year, areas":      {"ACSDP5Y2016.DP05_with_ann.csv", swap(old, "8600000US00601", "860Z200US00601"), "is not how tables of 2016 name ZCTAs"},
		"another year, dollars":    {"ACSDP5Y2021.DP03-Data.csv", income, "the label speaks of dollars of 2022"},
		"another year, arrays":     {"ACSDP5Y2011.DP05.json", arrays, "has no such column; is the file one of another year?"},
		"a year to come":           {"ACSDP5Y2031.DP05-Data.csv", data, "the list of fields has no table of 2031"},
		"no year":                  {"DP05-Data.csv", data, "the name has no year"},
		"another profile":          {"ACSDP5Y2022.DP05-Data.csv", swap(data, "DP05_0007E", "DP04_0007E"), "a column of DP04 in a table of DP05"},
		"a label of another":       {"ACSDP5Y2022.DP05-Data.csv", swap(data, "!!Total population!!Male\"", "!!Total population!!Mail\""), "the label is"},
		"a label of another, old":  {"ACS_15_5YR_DP05_with_ann.csv", swap(old, "Total population - Male", "Total population - Mail"), "the label is"},
		"a label of another, rows": {"ACSDP5Y2022.DP05-display.csv", swap(display, "    Male", "    Mail"), "the label is"},
		"a column twice":           {"ACSDP5Y2022.DP05-Data.csv", swap(data, "DP05_0007PM", "DP05_0007PE"), "is duplicated"},
		"a column less":            {"ACSDP5Y2022.DP05-Data.csv", swap(data, "DP05_0007PM", "DP05_0007XX"), "the column is missing"},
		"counties":                 {"ACSDP5Y2022.DP05-Data.csv", swap(data, "860Z200US00601", "0500000US06037"), "is neither a ZCTA nor a census tract"},
		"a county among ZCTAs":     {"ACSDP5Y2022.DP05-Data.csv", swap(data, "860Z200US10001", "0500000US06037"), "ACSDP5Y2022.DP05-Data.csv:4: "},
		"a tract among ZCTAs":      {"ACSDP5Y2022.DP05-Data.csv", swap(data, "860Z200US10001", "1400000US48029110100"), "in a table of the level zcta"},
		"places of the screen":     {"ACSDP5Y2022.DP05-display.csv", strings.ReplaceAll(display, "ZCTA5 00601", "Ware town"), "\"Ware town\" is neither a ZCTA"},
		"cut within a row":         {"ACSDP5Y2022.DP05-Data.csv", data[:len(data)-900], "fields, expected"},
		"cut in the head":          {"ACSDP5Y2022.DP05-Data.csv", data[:900], "the row of labels is missing"},
		"cut after the labels":     {"ACSDP5Y2022.DP05-Data.csv", lines[0] + lines[1], "no rows below the head"},
		"arrays, cut":              {"ACSDP5Y2022.DP05.json", arrays[:len(arrays)-900], "the"},
		"arrays, ragged":           {"ACSDP5Y2022.DP05.json", swap(arrays, `,"10001"]`, `]`), "values, expected"},
		"arrays, trailing":         {"ACSDP5Y2022.DP05.json", arrays + "[]", "behind the end of the array"},
		"arrays, an object":        {"ACSDP5Y2022.DP05.json", swap(arrays, ",\n[", ",\n{\"a\":1},["), "expected the array of a row"},
		"not UTF-8":                {"ACSDP5Y2022.DP05-Data.csv", swap(data, "ZCTA5 10001", "ZCTA5 \xff"), "not UTF-8"},
		"a sum":                    {"ACSDP5Y2022.DP05-Data.csv", swap(data, lines[3], grow(lines[3], 6)), "its parts male to female add up to"},
		"a percentage":             {"ACSDP5Y2022.DP05-Data.csv", swap(data, lines[3], grow(lines[3], 8)), "a percentage that is not the estimate's share"},
		"no figure":                {"ACSDP5Y2022.DP05-Data.csv", swap(data, lines[3], set(lines[3], 3, "many")), "a figure that is none"},
		"nothing":                  {"ACSDP5Y2022.DP05-Data.csv", "", "empty file"},
		"no table":                 {"ACSDP5Y2022.DP05-Data.csv", "a,b\n1,2\n", "it is not a table of a data profile"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			found := ""
			p, err := source.OpenACSProfile(format.NewInput(test.name, strings.NewReader(test.text)), source.ACSProfileOptions{})
			if err == nil {
				for row, rowErr := range p.Rows() {
					err = cmp.Or(err, rowErr)
					for _, f := range row.Faults {
						found += f.Reason + ": " + f.Given
					}
				}
			}
			if err != nil {
				found += err.Error()
			}
			if !strings.Contains(found, test.says) {
				t.Errorf("found %q, want %q", found, test.says)
			}
			if err != nil && test.text != "" && !strings.Contains(err.Error(), test.name) {
				t.Errorf("the error does not name the file: %v", err)
			}
		})
	}
}

// grow adds one to the whole number or the first digits of a field.
func grow(line string, field int) string {
	f := strings.Split(line, ",")
	s := strings.Trim(f[field], `"`)
	whole, rest, ok := strings.Cut(s, ".")
	n := 0
	fmt.Sscan(whole, &n)
	s = fmt.Sprint(n + 1)
	if ok {
		s += "." + rest
	}
	return set(line, field, s)
}

func set(line string, field int, s string) string {
	f := strings.Split(line, ",")
	f[field] = `"` + s + `"`
	return strings.Join(f, ",")
}

// A row is the same in every table that is prepared, and figures differ
// between areas and years.
func TestSurveyRows(t *testing.T) {
	s := synth.NewSurvey(7, nil)
	area := synth.SurveyArea{GEOID: 10001, Population: 20_000}
	a := s.Table(store.ACSZCTA, acs.Economic, 2022).Row(area, nil)
	if b := s.Table(store.ACSZCTA, acs.Economic, 2022).Row(area, make([]store.ACSCell, 3)); !slices.Equal(a, b) {
		t.Error("a row differs from itself")
	}
	if b := s.Table(store.ACSZCTA, acs.Economic, 2021).Row(area, nil); slices.Equal(a, b) {
		t.Error("two years are equal")
	}
	area.GEOID++
	if b := s.Table(store.ACSZCTA, acs.Economic, 2022).Row(area, nil); slices.Equal(a, b) {
		t.Error("two areas are equal")
	}
}

func BenchmarkSurveyRow(b *testing.B) {
	table := synth.NewSurvey(7, nil).Table(store.ACSZCTA, acs.Economic, 2022)
	var cells []store.ACSCell
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		cells = table.Row(synth.SurveyArea{GEOID: i, Population: 10_000}, cells)
	}
}

// BenchmarkACSImport reads the text of a table, as the builder does.
func BenchmarkACSImport(b *testing.B) {
	table := synth.NewSurvey(7, nil).Table(store.ACSZCTA, acs.Economic, 2022)
	var areas []synth.SurveyArea
	for i := range 200 {
		areas = append(areas, synth.SurveyArea{GEOID: uint64(i + 10_000), Population: int32(i * 100)})
	}
	for _, l := range []synth.SurveyLayout{synth.SurveyData, synth.SurveyFactFinder, synth.SurveyArrays} {
		var text bytes.Buffer
		if err := synth.WriteLayout(b.Context(), table, &text, l, areas); err != nil {
			b.Fatal(err)
		}
		b.Run([]string{"data", "factfinder", "display", "arrays"}[l], func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				p, err := source.OpenACSProfile(format.NewInput(synth.LayoutName(table, l), bytes.NewReader(text.Bytes())), source.ACSProfileOptions{})
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range p.Rows() {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// TestSurveySince checks that a new ZCTA is missing from the tables before its
// first year.
func TestSurveySince(t *testing.T) {
	w := newWorld(t)
	var old, young dataset.ZIP
	for i := range w.ZIPs {
		switch z := &w.ZIPs[i]; {
		case !z.HasArea || z.Decommissioned:
		case old == 0:
			old = z.Code
		case young == 0:
			young = z.Code
		}
	}
	dir := t.TempDir()
	_, err := w.WriteSurvey(t.Context(), dir, synth.SurveyOptions{
		Years: []int{2019, 2020}, ZIPs: []dataset.ZIP{old}, Since: map[dataset.ZIP]int{young: 2020},
	})
	if err != nil {
		t.Fatal(err)
	}
	for year, want := range map[int][]uint64{2019: {uint64(old)}, 2020: {uint64(old), uint64(young)}} {
		table := synth.NewSurvey(1, nil).Table(store.ACSZCTA, acs.Housing, year)
		in, err := format.Open(filepath.Join(dir, "zcta-"+table.FileName(synth.LayoutOf(year))), format.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		rows, err := source.OpenACSProfile(in, source.ACSProfileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []uint64
		for row, err := range rows.Rows() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, row.GEOID)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%d: areas (-want +got):\n%s", year, diff)
		}
	}
}
