package synth

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/dataset"
)

// A SurveyLayout is a published format of the tables.
type SurveyLayout uint8

// The layouts.
const (
	SurveyData       SurveyLayout = iota // "-Data.csv" of data.census.gov
	SurveyFactFinder                     // "with_ann" of the former American FactFinder
	SurveyDisplay                        // the table of the screen, transposed
	SurveyArrays                         // JSON arrays of the Census Bureau's interface
	numSurveyLayouts
)

// LayoutOf returns the first published layout of a year's tables.
func LayoutOf(year int) SurveyLayout {
	if year <= 2017 {
		return SurveyFactFinder
	}
	return SurveyData
}

// FileName returns the name of the downloaded file in a layout.
func (t *SurveyTable) FileName(l SurveyLayout) string {
	y, name := t.layout.Year, t.layout.Name
	switch l {
	case SurveyFactFinder:
		return fmt.Sprintf("ACS_%02d_5YR_%s_with_ann.csv", y%100, name)
	case SurveyDisplay:
		return fmt.Sprintf("ACSDP5Y%d.%s-display.csv", y, name)
	case SurveyArrays:
		return fmt.Sprintf("ACSDP5Y%d.%s.json", y, name)
	default:
		return fmt.Sprintf("ACSDP5Y%d.%s-Data.csv", y, name)
	}
}

// Write writes the rows of the areas in a layout.
func (t *SurveyTable) Write(ctx context.Context, w io.Writer, l SurveyLayout, areas []SurveyArea) error {
	b := bufio.NewWriterSize(w, 1<<16)
	var err error
	switch l {
	case SurveyDisplay:
		err = t.writeDisplay(ctx, b, areas)
	case SurveyArrays:
		err = t.writeArrays(ctx, b, areas)
	default:
		err = t.writeData(ctx, b, l, areas)
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

// geoID returns the identifier of an area in the table, and its digits.
func (t *SurveyTable) geoID(a *SurveyArea) (id, digits string) {
	if t.layout.Level == dataset.ACSTract {
		digits = fmt.Sprintf("%011d", a.GEOID)
	} else {
		digits = fmt.Sprintf("%05d", a.GEOID)
	}
	return acs.GeoID(t.layout.Level, digits, t.layout.Year), digits
}

// label returns the label of a column in dollars of the table's year.
func (t *SurveyTable) label(i int) string {
	return strings.ReplaceAll(t.fields[i].Label, "(IN 2023 INFLATION", fmt.Sprintf("(IN %d INFLATION", t.layout.Year))
}

// figures appends the four printed figures of a column.
func (t *SurveyTable) figures(dst []string, i int, c *dataset.ACSCell) []string {
	d := t.fields[i].Decimals
	dst = append(dst, printed(c.Estimate, d), printed(c.MOE, d))
	if t.layout.Columns[i].Class != dataset.ACSPlain {
		return append(dst, printed(c.Percent, 1), printed(c.PercentMOE, 1))
	}
	if t.fields[i].Universe {
		return append(dst, printed(c.Estimate, d), "(X)") // totals repeat their estimate
	}
	return append(dst, "(X)", "(X)")
}

func printed(f dataset.ACSFigure, decimals uint8) string {
	switch f.Mark {
	case dataset.ACSNumber:
		return fixed(f.N, decimals)
	case dataset.ACSAtLeast:
		return thousands(fixed(f.N, decimals)) + "+"
	case dataset.ACSAtMost:
		return thousands(fixed(f.N, decimals)) + "-"
	default:
		return f.Mark.Sign()
	}
}

func fixed(n int32, decimals uint8) string {
	s := strconv.Itoa(int(n))
	if decimals == 0 {
		return s
	}
	for len(s) <= int(decimals) {
		s = "0" + s
	}
	return s[:len(s)-int(decimals)] + "." + s[len(s)-int(decimals):]
}

// thousands puts commas into a number.
func thousands(s string) string {
	whole, fraction, ok := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if ok {
		return whole + "." + fraction
	}
	return whole
}

var surveyMeasures = [...]struct{ id, data, factFinder string }{
	{"E", "Estimate!!", "Estimate; "},
	{"M", "Margin of Error!!", "Margin of Error; "},
	{"PE", "Percent!!", "Percent; "},
	{"PM", "Percent Margin of Error!!", "Percent Margin of Error; "},
}

// writeData writes the two layouts with two header rows. FactFinder numbers the
// lines of its screen, headings included.
func (t *SurveyTable) writeData(ctx context.Context, w *bufio.Writer, l SurveyLayout, areas []SurveyArea) error {
	ids, labels := []string{"GEO_ID", "NAME"}, []string{"Geography", "Geographic Area Name"}
	if l == SurveyFactFinder {
		ids, labels = []string{"GEO.id", "GEO.id2", "GEO.display-label"}, []string{"Id", "Id2", "Geography"}
	}
	line, section := 2, ""
	for i, f := range t.fields {
		if line++; f.Section != section {
			line, section = line+1, f.Section
		}
		for m, of := range surveyMeasures {
			if l == SurveyFactFinder {
				ids = append(ids, fmt.Sprintf("HC%02d_VC%02d", m+1, line))
				labels = append(labels, of.factFinder+strings.ReplaceAll(t.label(i), "!!", " - "))
			} else {
				ids = append(ids, fmt.Sprintf("%s_%04d%s", t.layout.Name, f.Number(t.layout.Year), of.id))
				labels = append(labels, of.data+t.label(i))
			}
		}
	}
	write := func(fields []string) {
		for i, s := range fields {
			if i > 0 {
				w.WriteByte(',')
			}
			if l == SurveyFactFinder && !strings.ContainsAny(s, ",") {
				w.WriteString(s)
				continue
			}
			w.WriteByte('"')
			w.WriteString(s) // quotes within are not doubled, as in the published files
			w.WriteByte('"')
		}
		w.WriteByte('\n')
	}
	write(ids)
	write(labels)
	var cells []dataset.ACSCell
	var fields []string
	for k := range areas {
		if err := ctx.Err(); err != nil {
			return err
		}
		id, digits := t.geoID(&areas[k])
		fields = append(fields[:0], id)
		if l == SurveyFactFinder {
			fields = append(fields, digits)
		}
		fields = append(fields, t.name(&areas[k], digits))
		cells = t.Row(areas[k], cells)
		for i := range cells {
			fields = t.figures(fields, i, &cells[i])
		}
		write(fields)
	}
	return nil
}

func (t *SurveyTable) name(a *SurveyArea, digits string) string {
	if a.Name != "" {
		return a.Name
	}
	return "ZCTA5 " + digits
}

// writeDisplay writes the table of the screen: a line for each column, with
// commas, percent signs and plus-minus signs.
func (t *SurveyTable) writeDisplay(ctx context.Context, w *bufio.Writer, areas []SurveyArea) error {
	rows := make([][]string, len(t.fields))
	fmt.Fprintf(w, `"Label (Grouping)"`)
	for k := range areas {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, digits := t.geoID(&areas[k])
		for _, m := range []string{"Estimate", "Margin of Error", "Percent", "Percent Margin of Error"} {
			fmt.Fprintf(w, `,"%s!!%s"`, t.name(&areas[k], digits), m)
		}
		for i, c := range t.Row(areas[k], nil) {
			rows[i] = t.figures(rows[i], i, &c)
		}
	}
	section := ""
	for i, f := range t.fields {
		if f.Section != section {
			section = f.Section
			fmt.Fprintf(w, "\n\"%s\"%s", strings.ToUpper(section), strings.Repeat(`,""`, 4*len(areas)))
		}
		parts := strings.Split(t.label(i), "!!")
		fmt.Fprintf(w, "\n\"%s%s\"", strings.Repeat("    ", len(parts)-1), parts[len(parts)-1])
		for k, s := range rows[i] {
			if s != "" && s[0] >= '0' && s[0] <= '9' {
				if s = strings.TrimSpace(s); s[len(s)-1] != '+' && s[len(s)-1] != '-' {
					s = thousands(s)
				}
				if k%2 == 1 {
					s = "±" + s
				}
				if k%4 == 2 && t.layout.Columns[i].Class != dataset.ACSPlain {
					s += "%"
				}
			}
			fmt.Fprintf(w, `,"%s"`, s)
		}
	}
	w.WriteByte('\n')
	return nil
}

// surveyCodes are the numbers that encode signs in the arrays.
var surveyCodes = map[dataset.ACSMark]string{
	dataset.ACSNotApplicable: "-888888888", dataset.ACSTooFewSamples: "-666666666", dataset.ACSTooFewCases: "-999999999",
	dataset.ACSNoMargin: "-222222222", dataset.ACSOpenInterval: "-333333333", dataset.ACSControlled: "-555555555",
}

// writeArrays writes an array of arrays, with annotations of the codes.
func (t *SurveyTable) writeArrays(ctx context.Context, w *bufio.Writer, areas []SurveyArea) error {
	w.WriteString(`[["NAME"`)
	for _, f := range t.fields {
		for _, m := range surveyMeasures {
			id := fmt.Sprintf("%s_%04d%s", t.layout.Name, f.Number(t.layout.Year), m.id)
			fmt.Fprintf(w, `,"%s","%sA"`, id, id)
		}
	}
	if t.layout.Level == dataset.ACSTract {
		w.WriteString(`,"state","county","tract"]`)
	} else {
		w.WriteString(`,"zip code tabulation area"]`)
	}
	var cells []dataset.ACSCell
	var texts []string
	for k := range areas {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, digits := t.geoID(&areas[k])
		fmt.Fprintf(w, ",\n[%q", t.name(&areas[k], digits))
		cells = t.Row(areas[k], cells)
		for i := range cells {
			c := &cells[i]
			texts = t.figures(texts[:0], i, c)
			for _, s := range texts {
				code, note := s, "null"
				for mark, number := range surveyCodes {
					if s == mark.Sign() {
						code, note = number, strconv.Quote(s)
					}
				}
				if last := s[max(len(s)-1, 0):]; note == "null" && (last == "+" || last == "-") {
					code, note = strings.ReplaceAll(s[:len(s)-1], ",", ""), strconv.Quote(s)
					if n, err := strconv.Atoi(code); err == nil && last == "+" {
						code = strconv.Itoa(n + 1) // 250001 for 250,000+
					}
				}
				fmt.Fprintf(w, `,"%s",%s`, code, note)
			}
		}
		if t.layout.Level == dataset.ACSTract {
			fmt.Fprintf(w, `,"%s","%s","%s"]`, digits[:2], digits[2:5], digits[5:])
		} else {
			fmt.Fprintf(w, `,"%s"]`, digits)
		}
	}
	w.WriteString("]\n")
	return nil
}
