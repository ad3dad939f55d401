package source_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

var check = checktest.Check

// A surveyTable is a table of the American Community Survey with invented figures: parts
// add up to their totals, and percentages are shares.
type surveyTable struct {
	store.ACSTable
	fields []*acs.Field
	ids    [][]int // see package acs: each total with its parts after it
}

func newSurveyTable(level acs.Level, p acs.Profile, year int) *surveyTable {
	table, fields, sums := lookuptest.SurveyTable(level, p, year)
	return &surveyTable{table, fields, sums}
}

func surveyFigure(n int32) store.ACSFigure { return store.ACSFigure{N: n, Mark: store.ACSNumber} }

// row returns the figures of an area with a number of people. The fewest have no medians,
// and the most have open intervals.
func (t *surveyTable) row(people int32) []store.ACSCell {
	cells := make([]store.ACSCell, len(t.fields))
	owner, done := map[int]int{}, make([]bool, len(t.fields))
	for n, id := range t.ids {
		for _, i := range id[1:] {
			owner[i] = max(owner[i], len(t.ids)-n) // the first identity
		}
	}
	var estimate func(i int) int32
	split := func(n int) {
		rest, own := estimate(t.ids[n][0]), []int(nil)
		for _, i := range t.ids[n][1:] {
			if owner[i] == len(t.ids)-n {
				own, done[i] = append(own, i), true
			} else {
				rest -= estimate(i)
			}
		}
		for k, i := range own {
			part := rest / int32(len(own)-k)
			cells[i].Estimate, rest = surveyFigure(part), rest-part
		}
	}
	estimate = func(i int) int32 {
		switch o, of := owner[i], t.Columns[i].Denominator; {
		case done[i]:
		case o > 0:
			split(len(t.ids) - o)
		case of >= 0:
			cells[i].Estimate = surveyFigure(int32(int64(estimate(of)) * int64(i*37%60) / 100))
		default:
			cells[i].Estimate = surveyFigure(people)
		}
		done[i] = true
		return cells[i].Estimate.N
	}
	none, few, bare := store.ACSFigure{Mark: store.ACSNotApplicable}, store.ACSFigure{Mark: store.ACSTooFewSamples}, store.ACSFigure{Mark: store.ACSNoMargin}
	for i, f := range t.fields {
		c, level := &cells[i], people/100+int32(i)
		switch {
		case f.Kind == acs.Count:
			estimate(i)
			c.MOE = surveyFigure(int32(i%50) + 1)
		case f.Kind == acs.PercentOnly:
			*c = store.ACSCell{Estimate: none, MOE: none, Percent: surveyFigure(level % 1000), PercentMOE: surveyFigure(int32(i % 90))}
		case people < 200:
			c.Estimate, c.MOE = few, bare
		case f.Kind == acs.Median && f.Decimals == 0 && people > 100_000:
			c.Estimate, c.MOE = store.ACSFigure{N: 250_000, Mark: store.ACSAtLeast}, store.ACSFigure{Mark: store.ACSOpenInterval}
		default:
			c.Estimate, c.MOE = surveyFigure(level), surveyFigure(level/9)
		}
	}
	for i := range t.fields {
		c, col := &cells[i], t.Columns[i]
		if col.Class != store.ACSShare {
			continue
		}
		c.Percent, c.PercentMOE = few, bare
		if col.Denominator < 0 {
			continue
		}
		if p, ok := store.ACSPercent(c.Estimate.N, cells[col.Denominator].Estimate.N); ok {
			c.Percent, c.PercentMOE = surveyFigure(p), surveyFigure(int32(i%30))
		}
	}
	return cells
}

// texts are the four printed figures of a column.
func (t *surveyTable) texts(i int, c store.ACSCell) [4]string {
	d := t.fields[i].Decimals
	text := [4]string{printed(c.Estimate, d), printed(c.MOE, d), "(X)", "(X)"}
	switch {
	case t.Columns[i].Class != store.ACSPlain:
		text[2], text[3] = printed(c.Percent, 1), printed(c.PercentMOE, 1)
	case t.fields[i].Universe:
		text[2] = text[0] // totals repeat themselves
	}
	return text
}

// surveyLayouts are the layouts of tables. The first two write the labels too.
var surveyLayouts = []struct{ name, file string }{
	{"data", "ACSDP5Y%d.%s-Data.csv"}, {"FactFinder", "ACSDP5Y%d.%s_with_ann.csv"}, {"arrays", "ACSDP5Y%d.%s.json"},
}

var surveyPeople = []int32{0, 23_000, 180, 140_000} // of the areas of a table

func (t *surveyTable) area(k int) (name, digits string) {
	if t.Level == acs.Tract {
		return fmt.Sprintf("Census Tract 1101.%02d, Bexar County, Texas", k), fmt.Sprintf("48029%06d", 110_100+k)
	}
	digits = []string{"00601", "10001", "90210", "99501"}[k]
	return "ZCTA5 " + digits, digits
}

// write returns the table in a layout, and the name of its file.
func (t *surveyTable) write(layout int) (name, text string) {
	name = fmt.Sprintf(surveyLayouts[layout].file, t.Year, t.Name)
	var b bytes.Buffer
	label := func(i int) string { return t.fields[i].LabelIn(t.Year) }
	rows := make([][]string, len(surveyPeople)) // figures
	for k, people := range surveyPeople {
		for i, c := range t.row(people) {
			text := t.texts(i, c)
			rows[k] = append(rows[k], text[:]...)
		}
	}
	measures := [...]string{"Estimate", "Margin of Error", "Percent", "Percent Margin of Error"}
	switch layout {
	case 0, 1:
		ids, labels := []string{"GEO_ID", "NAME"}, []string{"Geography", "Geographic Area Name"}
		if layout == 1 {
			ids[0], ids[1] = "GEO.id", "GEO.display-label"
		}
		for i, f := range t.fields {
			for m, of := range measures {
				if layout == 1 {
					ids, labels = append(ids, fmt.Sprintf("HC%02d_VC%02d", m+1, 2*i+3)), append(labels, of+"; "+strings.ReplaceAll(label(i), "!!", " - "))
				} else {
					ids = append(ids, fmt.Sprintf("%s_%04d%s", t.Name, f.Number(t.Year), []string{"E", "M", "PE", "PM"}[m]))
					labels = append(labels, of+"!!"+label(i))
				}
			}
		}
		fmt.Fprintf(&b, "\"%s\"\n\"%s\"\n", strings.Join(ids, `","`), strings.Join(labels, `","`))
		prefix := "8600000US"
		if t.Level == acs.Tract {
			prefix = "1400000US"
		} else if t.Year >= 2020 {
			prefix = "860Z200US"
		}
		for k := range rows {
			place, digits := t.area(k)
			fmt.Fprintf(&b, "\"%s\",\"%s\",\"%s\"\n", prefix+digits, place, strings.Join(rows[k], `","`))
		}
	case 2:
		b.WriteString(`[["NAME"`)
		for _, f := range t.fields {
			for _, m := range []string{"E", "M", "PE", "PM"} {
				fmt.Fprintf(&b, `,"%[1]s_%04[2]d%[3]s","%[1]s_%04[2]d%[3]sA"`, t.Name, f.Number(t.Year), m)
			}
		}
		b.WriteString(map[acs.Level]string{acs.Tract: `,"state","county","tract"]`, acs.ZCTA: `,"zip code tabulation area"]`}[t.Level])
		for k := range rows {
			place, digits := t.area(k)
			fmt.Fprintf(&b, ",\n[%q", place)
			for _, s := range rows[k] {
				if _, err := strconv.ParseFloat(s, 64); err != nil { // a number for the sign, and the sign
					fmt.Fprintf(&b, `,"-888888888",%q`, s)
				} else {
					fmt.Fprintf(&b, `,"%s",null`, s)
				}
			}
			if t.Level == acs.Tract {
				fmt.Fprintf(&b, `,"%s","%s","%s"]`, digits[:2], digits[2:5], digits[5:])
			} else {
				fmt.Fprintf(&b, `,"%s"]`, digits)
			}
		}
		b.WriteString("]\n")
	}
	return name, b.String()
}

// TestSurveyLayouts reads tables of every profile and year in every layout without
// complaints: the figures are the same.
func TestSurveyLayouts(t *testing.T) {
	for _, level := range []acs.Level{acs.ZCTA, acs.Tract} {
		for _, p := range acs.AllProfiles() {
			for year := acs.FirstYear; year <= acs.LastYear; year++ {
				if testing.Short() && year%5 != int(p)%5 {
					continue
				}
				table := newSurveyTable(level, p, year)
				for layout := range surveyLayouts {
					name, text := table.write(layout)
					in := format.File{Path: name, Content: []byte(text)}
					if is, err := source.IsACSProfile(in); !is || err != nil {
						t.Errorf("%s does not look like a table of a profile", name)
					}
					profile, err := source.OpenACSProfile(in)
					check(t, err)
					n := 0
					for row, err := range profile.Rows() {
						if err != nil || len(row.Faults) > 0 {
							t.Fatalf("%s: %v %v", name, err, row.Faults)
						}
						if _, digits := table.area(n); fmt.Sprintf("%0*d", len(digits), row.GEOID) != digits {
							t.Errorf("%s: row %d is of %d", name, n, row.GEOID)
						}
						if diff := gocmp.Diff(table.row(surveyPeople[n]), row.Cells); diff != "" {
							t.Fatalf("%s, %d (-want +got):\n%s", name, row.GEOID, diff)
						}
						n++
					}
					if n != len(surveyPeople) {
						t.Errorf("%s: %d rows", name, n)
					}
				}
			}
		}
	}
}

// TestSurveyWithoutLabels reads a table whose second header row was removed.
func TestSurveyWithoutLabels(t *testing.T) {
	table := newSurveyTable(acs.ZCTA, acs.Demographic, 2022)
	name, text := table.write(0)
	lines := strings.SplitAfter(text, "\n")
	profile, err := source.OpenACSProfile(format.File{Path: name, Content: []byte(lines[0] + strings.Join(lines[2:], ""))})
	check(t, err)
	n := 0
	for row, err := range profile.Rows() {
		if err != nil || row.Line != n+2 || !slices.Equal(table.row(surveyPeople[n]), row.Cells) {
			t.Errorf("row %d in line %d: %v", n, row.Line, err)
		}
		n++
	}
	if n != len(surveyPeople) {
		t.Errorf("%d rows", n)
	}
}

// TestSurveyChecks damages a table in every way that the importer reports.
func TestSurveyChecks(t *testing.T) {
	text := func(p acs.Profile, year, layout int) string {
		_, text := newSurveyTable(acs.ZCTA, p, year).write(layout)
		return text
	}
	data := text(acs.Demographic, 2022, 0)
	lines := strings.SplitAfter(data, "\n")
	income := text(acs.Economic, 2022, 0)
	old := text(acs.Demographic, 2015, 1)
	arrays := text(acs.Demographic, 2022, 2)
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
		"another year, columns":   {"ACSDP5Y2015.DP05-Data.csv", data, "ACSDP5Y2015.DP05-Data.csv:2: "},
		"another year, areas":     {"ACSDP5Y2016.DP05_with_ann.csv", swap(old, "8600000US00601", "860Z200US00601"), "is not how tables of 2016 name ZCTAs"},
		"another year, dollars":   {"ACSDP5Y2021.DP03-Data.csv", income, "the label speaks of dollars of 2022"},
		"another year, arrays":    {"ACSDP5Y2011.DP05.json", arrays, "has no such column; is the file one of another year?"},
		"a year to come":          {"ACSDP5Y2031.DP05-Data.csv", data, "the list of fields has no table of 2031"},
		"no year":                 {"DP05-Data.csv", data, "the name has no year"},
		"another profile":         {"ACSDP5Y2022.DP05-Data.csv", swap(data, "DP05_0007E", "DP04_0007E"), "a column of DP04 in a table of DP05"},
		"a label of another":      {"ACSDP5Y2022.DP05-Data.csv", swap(data, "!!Total population!!Male\"", "!!Total population!!Mail\""), "the label is"},
		"a label of another, old": {"ACS_15_5YR_DP05_with_ann.csv", swap(old, "Total population - Male", "Total population - Mail"), "the label is"},
		"a column twice":          {"ACSDP5Y2022.DP05-Data.csv", swap(data, "DP05_0007PM", "DP05_0007PE"), "is duplicated"},
		"a column less":           {"ACSDP5Y2022.DP05-Data.csv", swap(data, "DP05_0007PM", "DP05_0007XX"), "the column is missing"},
		"counties":                {"ACSDP5Y2022.DP05-Data.csv", swap(data, "860Z200US00601", "0500000US06037"), "is neither a ZCTA nor a census tract"},
		"a county among ZCTAs":    {"ACSDP5Y2022.DP05-Data.csv", swap(data, "860Z200US10001", "0500000US06037"), "ACSDP5Y2022.DP05-Data.csv:4: "},
		"a tract among ZCTAs":     {"ACSDP5Y2022.DP05-Data.csv", swap(data, "860Z200US10001", "1400000US48029110100"), "in a table of the level zcta"},
		"cut within a row":        {"ACSDP5Y2022.DP05-Data.csv", data[:len(data)-900], "fields, expected"},
		"cut in the head":         {"ACSDP5Y2022.DP05-Data.csv", data[:900], "no rows below the head"},
		"cut after the labels":    {"ACSDP5Y2022.DP05-Data.csv", lines[0] + lines[1], "no rows below the head"},
		"arrays, cut":             {"ACSDP5Y2022.DP05.json", arrays[:len(arrays)-900], "the"},
		"arrays, ragged":          {"ACSDP5Y2022.DP05.json", swap(arrays, `,"10001"]`, `]`), "fields, expected"},
		"arrays, trailing":        {"ACSDP5Y2022.DP05.json", arrays + "[]", "behind the end of the array"},
		"arrays, an object":       {"ACSDP5Y2022.DP05.json", swap(arrays, ",\n[", ",\n{\"a\":1},["), "expected the array of a row"},
		"not UTF-8":               {"ACSDP5Y2022.DP05-Data.csv", swap(data, "ZCTA5 10001", "ZCTA5 \xff"), "not UTF-8"},
		"a sum":                   {"ACSDP5Y2022.DP05-Data.csv", swap(data, lines[3], grow(lines[3], 6)), "its parts male to female add up to"},
		"a percentage":            {"ACSDP5Y2022.DP05-Data.csv", swap(data, lines[3], grow(lines[3], 8)), "a percentage that is not the estimate's share"},
		"no figure":               {"ACSDP5Y2022.DP05-Data.csv", swap(data, lines[3], set(lines[3], 3, "many")), "a figure that is none"},
		"nothing":                 {"ACSDP5Y2022.DP05-Data.csv", "", "empty file"},
		"no table":                {"ACSDP5Y2022.DP05-Data.csv", "a,b\n1,2\n", "it is not a table of a data profile"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			found := ""
			p, err := source.OpenACSProfile(format.File{Path: test.name, Content: []byte(test.text)})
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

// FuzzSurveyTable checks that the importer neither panics nor hangs on tables of
// any layout, and that accepted rows fit the table. The inputs are a header, a
// row that is inserted into a valid table, and the length of the whole.
func FuzzSurveyTable(f *testing.F) {
	var names, texts [3]string
	for i := range surveyLayouts {
		names[i], texts[i] = newSurveyTable(acs.ZCTA, acs.Housing, []int{2022, 2015, 2023}[i]).write(i)
		f.Add(uint8(i), 0, 0, "")                                 // as it is
		f.Add(uint8(i), len(texts[i])/2, 0, "")                   // cut
		f.Add(uint8(i), 0, len(texts[i])-200, "-888888888")       // another figure
		f.Add(uint8(i), 0, strings.LastIndex(texts[i], "9"), "±") // no figure
		f.Add(uint8(i), 0, strings.Index(texts[i], "\n"), "\n\n") // a line more
	}
	f.Add(uint8(0), 0, 0, "\"GEO_ID\",\"NAME\",\"DP04_0001E\"\n")
	f.Add(uint8(2), 0, 0, `[["DP04_0001E","zip code tabulation area"],[null,"90210"]]`)
	f.Fuzz(func(t *testing.T, layout uint8, cut, at int, put string) {
		if len(put) > 1<<12 {
			return
		}
		i := int(layout) % len(surveyLayouts)
		text := texts[i]
		if cut > 0 {
			text = text[:cut%len(text)]
		}
		if at = max(at, 0) % (len(text) + 1); put != "" {
			text = text[:at] + put + text[min(at+len(put), len(text)):]
		}
		p, err := source.OpenACSProfile(format.File{Path: names[i], Content: []byte(text)})
		if err != nil {
			return
		}
		columns := len(p.Table().Columns)
		rows := 0
		for row, err := range p.Rows() {
			if err != nil {
				break
			}
			if rows++; rows > len(text) {
				t.Fatalf("more rows than bytes, %d", len(text))
			}
			if len(row.Cells) != columns || row.GEOID >= 1e11 {
				t.Fatalf("area %d with %d cells, want %d", row.GEOID, len(row.Cells), columns)
			}
		}
	})
}
