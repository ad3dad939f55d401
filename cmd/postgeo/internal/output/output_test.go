package output_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
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
	const first = `{"success":true,"code":"00601","city":"San Juan \"SJ\", PR","location":{"lat":18.18,"lon":-66.75},"area":0,"phones":["787","939"],"zones":[{"name":"A|B","offset":-4},{"name":"C","offset":-3.5}]}`
	tests := []struct {
		name  string
		o     output.Options
		items int
		want  string
	}{
		{"json one", output.Options{Format: output.JSON}, 1, first + "\n"},
		{
			"csv",
			output.Options{Format: output.CSV, Columns: columns},
			3,
			"input.code,code,city,location.lat,area,phones,zones,notices,error\n" +
				`,00601,"San Juan ""SJ"", PR",18.18,0,787; 939,"[{""name"":""A|B"",""offset"":-4},{""name"":""C"",""offset"":-3.5}]",,` + "\n" +
				",H0H,Saint-\tÉmile\\u001b[31m,,,,,N1: one <b>.; N2: two.,\n" +
				"99999,,,,,,,,NOT_FOUND_ZIP: ZIP code 99999 not found.\n",
		},
		{
			"csv without formulas",
			output.Options{Format: output.CSV, Columns: []output.Column{output.PathColumn("code"), {Header: "=lat", Paths: []string{"location.lat"}}, {Header: "lon", Paths: []string{"location.lon"}}}, NeutralizeFormulas: true},
			1,
			"code,'=lat,lon\n00601,18.18,-66.75\n",
		},
		{
			"tsv without formulas",
			output.Options{Format: output.TSV, Columns: []output.Column{{Header: "@", Paths: []string{"code"}}, output.PathColumn("location.lon")}, NeutralizeFormulas: true},
			1,
			"'@\tlocation.lon\n00601\t-66.75\n",
		},
		{"csv none", output.Options{Format: output.CSV, Columns: columns[:2]}, 0, "input.code,code\n"},
		{"tsv", output.Options{Format: output.TSV, Columns: columns[1:4]}, 2, "code\tcity\tlocation.lat\n00601\tSan Juan \"SJ\", PR\t18.18\nH0H\tSaint- Émile\\u001b[31m\t\n"},
		{"table", output.Options{Format: output.Table, TableColumns: table}, 2, "CODE   CITY                    ZONE\n00601  San Juan \"SJ\", PR       A|B\nH0H    Saint- Émile\\u001b[31m\n"},
		{
			"upright",
			output.Options{Format: output.Table},
			1,
			"FIELD           VALUE\ncode            00601\ncity            San Juan \"SJ\", PR\nlocation.lat    18.18\nlocation.lon    -66.75\narea            0\n" +
				"phones          787; 939\nzones.1.name    A|B\nzones.1.offset  -4\nzones.2.name    C\nzones.2.offset  -3.5\n",
		},
		{
			"markdown",
			output.Options{Format: output.Markdown, TableColumns: table},
			2,
			"| code  | city                     | zone |\n| ----- | ------------------------ | ---- |\n| 00601 | San Juan \"SJ\", PR        | A\\|B |\n| H0H   | Saint- Émile\\\\u001b\\[31m |      |\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, write(t, tt.o, places(t)[:tt.items])); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
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

// check ends the test with an error.
func check(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
