package output_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
)

type zone struct {
	Name   string  `json:"name"`
	Offset float64 `json:"offset"`
}

type place struct {
	envelope.Item
	Code     string     `json:"code"`
	City     string     `json:"city,omitzero"`
	Location geo.LatLng `json:"location,omitzero"`
	Area     *float64   `json:"area,omitzero"`
	Phones   []string   `json:"phones,omitzero"`
	Zones    []zone     `json:"zones,omitzero"`
}

func point(t *testing.T, lat, lng float64) geo.LatLng {
	t.Helper()
	p, err := geo.LatLngFromDegrees(lat, lng)
	check(t, err)
	return p
}

func places(t *testing.T) []place {
	area := 0.0
	return []place{
		{
			Item: envelope.Item{Success: true}, Code: "00601", City: `San Juan "SJ", PR`, Location: point(t, 18.18, -66.75),
			Area: &area, Phones: []string{"787", "939"}, Zones: []zone{{"A|B", -4}, {"C", -3.5}},
		},
		{
			Item: envelope.Item{Success: true, Notices: []envelope.Notice{{Code: "N1", Message: "one <b>."}, {Code: "N2", Message: "two."}}},
			Code: "H0H", City: "Saint-\tÉmile\x1b[31m",
		},
		{Item: envelope.Item{Input: &envelope.Input{Code: "99999"}, Error: &envelope.Error{Code: "NOT_FOUND_ZIP", Message: "ZIP code 99999 not found.", URL: "/"}}},
	}
}

func write[T any](t *testing.T, o output.Options, items []T) string {
	t.Helper()
	var b bytes.Buffer
	w := output.NewWriter(&b, o)
	for _, item := range items {
		check(t, w.Write(item))
	}
	check(t, w.Close())
	return b.String()
}

func TestColumns(t *testing.T) {
	got := output.Headers(output.Columns[place]())
	want := []string{
		"input.index", "input.code", "input.max", "input.from", "input.to", "input.address",
		"code", "city", "location.lat", "location.lon", "area", "phones", "zones", "notices", "error",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

func TestWriterFormats(t *testing.T) {
	columns, unknown := output.Find(output.Columns[place](), []string{"input.code", "code", "city", "location.lat", "area", "phones", "zones", "notices", "error"})
	if unknown != "" {
		t.Fatalf("no column %q", unknown)
	}
	table := []output.Column{
		output.PathColumn("code"), output.PathColumn("city"),
		{Header: "zone", Paths: []string{"zone", "zones.1.name"}},
	}
	file, err := os.ReadFile("testdata/formats.txt")
	check(t, err)
	sections := strings.Split(string(file), "\n-- ")[1:]
	tests := []struct {
		name  string
		o     output.Options
		items int
	}{
		{"json one", output.Options{Format: output.JSON}, 1},
		{"csv", output.Options{Format: output.CSV, Columns: columns}, 3},
		{"csv without formulas", output.Options{Format: output.CSV, Columns: []output.Column{output.PathColumn("code"), {Header: "=lat", Paths: []string{"location.lat"}}, {Header: "lon", Paths: []string{"location.lon"}}}, NeutralizeFormulas: true}, 1},
		{"tsv without formulas", output.Options{Format: output.TSV, Columns: []output.Column{{Header: "@", Paths: []string{"code"}}, output.PathColumn("location.lon")}, NeutralizeFormulas: true}, 1},
		{"csv none", output.Options{Format: output.CSV, Columns: columns[:2]}, 0},
		{"tsv", output.Options{Format: output.TSV, Columns: columns[1:4]}, 2},
		{"table", output.Options{Format: output.Table, TableColumns: table}, 2},
		{"upright", output.Options{Format: output.Table}, 1},
		{"markdown", output.Options{Format: output.Markdown, TableColumns: table}, 2},
	}
	if len(sections) != len(tests) {
		t.Fatalf("testdata/formats.txt has %d sections, want %d", len(sections), len(tests))
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name, want, _ := strings.Cut(sections[i], " --\n")
			if diff := cmp.Diff(want, strings.TrimSuffix(write(t, tt.o, places(t)[:tt.items]), "\n")); diff != "" || name != tt.name {
				t.Errorf("output %s (-want +got):\n%s", name, diff)
			}
		})
	}
}

// On a terminal a table is as wide as that: the widest cells are cut, and what a
// row is about is not.
func TestTableFits(t *testing.T) {
	columns := []output.Column{output.PathColumn("name"), output.PathColumn("kind"), output.PathColumn("label")}
	type row struct {
		Name  string `json:"name"`
		Kind  string `json:"kind"`
		Label string `json:"label"`
	}
	rows := []row{{"economic.income.median", "count", "Ein Wort, noch ein Wört und viele mehr davon"}, {"b", "a kind of thing", "short"}}
	tests := []struct {
		width int
		want  string
	}{
		{0, "NAME                    KIND             LABEL\neconomic.income.median  count            Ein Wort, noch ein Wört und viele mehr davon\nb                       a kind of thing  short\n"},
		{60, "NAME                    KIND             LABEL\neconomic.income.median  count            Ein Wort, noch ein…\nb                       a kind of thing  short\n"},
		{50, "NAME                    KIND          LABEL\neconomic.income.median  count         Ein Wort, n…\nb                       a kind of t…  short\n"},
		{10, "NAME                    KIND      LABEL\neconomic.income.median  count     Ein Wor…\nb                       a kind …  short\n"},
	}
	for _, tt := range tests {
		var b strings.Builder
		w := output.NewWriter(&b, output.Options{Format: output.Table, TableColumns: columns, Width: tt.width})
		for _, r := range rows {
			check(t, w.Write(r))
		}
		check(t, w.Close())
		if diff := cmp.Diff(tt.want, b.String()); diff != "" {
			t.Errorf("width %d (-want +got):\n%s", tt.width, diff)
		}
	}
}

// A table of many rows is written as it comes; the first rows decide the
// widths.
func TestTableStreams(t *testing.T) {
	items := make([]place, 1200)
	for i := range items {
		items[i] = place{Code: fmt.Sprintf("%05d", i), City: "Town"}
	}
	items[1100].City = strings.Repeat("long ", 10)
	got := write(t, output.Options{Format: output.Table, TableColumns: []output.Column{output.PathColumn("city"), output.PathColumn("code")}}, items)
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 1201 || lines[1200] != "Town  01199" || !strings.HasSuffix(lines[1101], "  01100") {
		t.Errorf("%d lines, last %q, long one %q", len(lines), lines[len(lines)-1], lines[min(1101, len(lines)-1)])
	}
}

var check = checktest.Check
