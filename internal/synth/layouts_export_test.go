package synth

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/store"
)

// Layouts that only readers need.
const (
	SurveyDisplay SurveyLayout = SurveyFactFinder + 1 + iota // the table of the screen, transposed
	SurveyArrays                                             // JSON arrays of the Census Bureau's interface
)

// LayoutName returns the name of the downloaded file in any layout.
func LayoutName(t *SurveyTable, l SurveyLayout) string {
	switch l {
	case SurveyDisplay:
		return fmt.Sprintf("ACSDP5Y%d.%s-display.csv", t.layout.Year, t.layout.Name)
	case SurveyArrays:
		return fmt.Sprintf("ACSDP5Y%d.%s.json", t.layout.Year, t.layout.Name)
	default:
		return t.FileName(l)
	}
}

// WriteLayout writes the rows of the areas in any layout.
func WriteLayout(ctx context.Context, t *SurveyTable, w io.Writer, l SurveyLayout, areas []SurveyArea) (err error) {
	b := bufio.NewWriter(w)
	switch l {
	case SurveyDisplay:
		err = t.writeDisplay(ctx, b, areas)
	case SurveyArrays:
		err = t.writeArrays(ctx, b, areas)
	default:
		return t.Write(ctx, w, l, areas)
	}
	if err != nil {
		return err
	}
	return b.Flush()
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
				if k%4 == 2 && t.layout.Columns[i].Class != store.ACSPlain {
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
var surveyCodes = map[store.ACSMark]string{
	store.ACSNotApplicable: "-888888888", store.ACSTooFewSamples: "-666666666", store.ACSTooFewCases: "-999999999",
	store.ACSNoMargin: "-222222222", store.ACSOpenInterval: "-333333333", store.ACSControlled: "-555555555",
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
	if t.layout.Level == store.ACSTract {
		w.WriteString(`,"state","county","tract"]`)
	} else {
		w.WriteString(`,"zip code tabulation area"]`)
	}
	var cells []store.ACSCell
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
		if t.layout.Level == store.ACSTract {
			fmt.Fprintf(w, `,"%s","%s","%s"]`, digits[:2], digits[2:5], digits[5:])
		} else {
			fmt.Fprintf(w, `,"%s"]`, digits)
		}
	}
	w.WriteString("]\n")
	return nil
}
