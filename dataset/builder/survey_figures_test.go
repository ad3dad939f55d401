package builder_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/source/format"
)

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
		p := lookuptest.SurveyProfile(regexp.MustCompile(`DP0\d`).FindString(base))
		for code, published := range publishedTexts(t, name) {
			tag := []acs.Tag{{Profile: p, Year: uint16(year)}}
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
