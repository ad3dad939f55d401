package table_test

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
)

// mixed is a table whose rows have different keys.
const mixed = `id,zip,postal,lat,lon,street,city,state
1,90210,,,,,,
2,,K1A 0B1,,,,,
3,,,40.75,-73.99,,,
4,,,,,350 5th Ave,New York,NY 10118
5,,,,,,,
6,99999,,34.1,-118.4,,,
7,10001,M5V 3L9,34.1,-118.4,350 5th Ave,New York,NY 10118
8,,,34.1,,,Boston,MA
9,,,34.1,,350 5th Ave,New York,NY 10118
`

func mixedJob() job {
	return job{
		names: table.Names{Keys: []string{"zip", "code=postal", "lat,lon", "street,city,state"}, TryNext: true},
		out:   table.Output{Key: enrich.KeyColumn},
		add:   []string{"code", "home=city", "address.confidence"},
	}
}

// TestSeveralKeys checks which key each row of a mixed table uses.
func TestSeveralKeys(t *testing.T) {
	const head = "id,zip,postal,lat,lon,street,city,state,code,home,address.confidence,postgeo_key,postgeo_status,postgeo_reason\n"
	sixth := `6,99999,,34.1,-118.4,,,,90210,Beverly Hills,,"lat,lon",matched,`
	want := head + `1,90210,,,,,,,90210,Beverly Hills,,zip,matched,
2,,K1A 0B1,,,,,,K1A 0B1,Ottawa,,postal,matched,
3,,,40.75,-73.99,,,,10001,New York,,"lat,lon",matched,
4,,,,,350 5th Ave,New York,NY 10118,10118-8059,New York,medium,"street,city,state",matched,PARTIAL_MATCH; SECONDARY_NEEDED
5,,,,,,,,,,,,empty,
` + sixth + `
7,10001,M5V 3L9,34.1,-118.4,350 5th Ave,New York,NY 10118,10001,New York,,zip,matched,
8,,,34.1,,,Boston,MA,,,,"lat,lon",invalid,"VALIDATION_INVALID_COORDINATES: Invalid coordinates: '34.1,'. Expected latitude,longitude in decimal degrees, latitude -90 to 90 and longitude -180 to 180."
9,,,34.1,,350 5th Ave,New York,NY 10118,10118-8059,New York,medium,"street,city,state",matched,PARTIAL_MATCH; SECONDARY_NEEDED
`
	got, sum, err := mixedJob().stream(t, mixed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	count := map[string]int64{"zip": 2, "postal": 1, "lat,lon": 3, "street,city,state": 2}
	if diff := cmp.Diff(count, sum.Keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

// TestSeveralKeysFormats checks that a mixed table has the same rows in every format.
func TestSeveralKeysFormats(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "in.csv")
	var long strings.Builder
	head, rows, _ := strings.Cut(mixed, "\n")
	fmt.Fprintln(&long, head)
	for range 700 { // several blocks and row groups
		long.WriteString(rows)
	}
	write1(t, text, long.String())
	whole := filepath.Join(dir, "whole.csv")
	want, err := mixedJob().file(t, text, whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"csv", "ndjson", "parquet", "xlsx"} {
		t.Run(f, func(t *testing.T) {
			in, out, back := filepath.Join(dir, "in."+f), filepath.Join(dir, "out."+f), filepath.Join(dir, f+"-back.csv")
			if f != "csv" {
				plain := job{names: table.Names{Code: "zip"}, out: table.Output{Status: "s", Reason: "r"}}
				if _, err := plain.file(t, text, in); err != nil {
					t.Fatal(err)
				}
			}
			got, err := mixedJob().file(t, in, out)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("summary (-want +got):\n%s", diff)
			}
			plain := job{names: table.Names{Code: "zip"}, out: table.Output{Status: "s2", Reason: "r2"}}
			if _, err := plain.file(t, out, back); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(keyCells(t, whole), keyCells(t, back)); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

// keyCells returns the first of the added columns, and those of the key and the
// status, of every row.
func keyCells(t *testing.T, path string) []string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(readFile(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, row := range rows[1:] {
		var cells []string
		for i, name := range rows[0] {
			switch name {
			case "id", "code", "home", enrich.KeyColumn, enrich.StatusColumn:
				cells = append(cells, row[i])
			}
		}
		list = append(list, strings.Join(cells, "|"))
	}
	return list
}

// TestNameKeys checks which keys texts name.
func TestNameKeys(t *testing.T) {
	header := strings.Split("id,ZIP,lat,lon,address,city,state,Breite,L\u00e4nge", ",")
	tests := []struct {
		keys []string
		want string // kinds and columns, or a part of the error
	}{
		{[]string{"zip"}, "code ZIP"},
		{[]string{"zip", "lat,lon"}, "code ZIP; coordinates lat lon"},
		{[]string{"lat, lon", "id"}, "coordinates lat lon; code id"},
		{[]string{"coordinates", "code", "address"}, "coordinates lat lon; code ZIP; address address city state ZIP"},
		{[]string{"address=address", "#2"}, "address address; code ZIP"},
		{[]string{"street=address,zip=ZIP"}, "address address ZIP"},
		{[]string{"address=street=address,city=city"}, "address address city"},
		{[]string{"coordinates=Breite,L\u00e4nge", "city,state"}, "coordinates Breite L\u00e4nge; city city state"},
		{[]string{"city=id", "code=id"}, "city id; code id"},
		{[]string{"city"}, "city city state"},
		{[]string{"Breite,L\u00e4nge"}, "do not define its kind"},
		{[]string{"coordinates=lat"}, "has 1 columns"},
		{[]string{"code=ZIP,id"}, "has 2 columns"},
		{[]string{"zip", "none"}, `there is no column "none"`},
		{[]string{""}, `there is no column ""`},
		{strings.Split(strings.Repeat("zip,", table.MaxKeys)+"zip", ","), "9 keys are named"},
	}
	for _, tt := range tests {
		keys, err := table.FindKeys(header, table.Names{Keys: tt.keys, TryNext: true})
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q: %v, want %q", tt.keys, err, tt.want)
			}
			continue
		}
		var got []string
		for _, k := range append([]table.Keys{keys}, keys.Next...) {
			got = append(got, k.Kind.String()+" "+strings.Join(k.Names, " "))
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.keys, diff)
		}
	}
	if _, err := table.FindKeys(header, table.Names{Keys: []string{"zip", "lat,lon"}}); err == nil || !strings.Contains(err.Error(), "--try-next") {
		t.Errorf("two keys without TryNext: %v", err)
	}
	if _, err := table.FindKeys(header, table.Names{Keys: []string{"zip"}, Code: "id"}); err == nil {
		t.Error("keys in two ways are accepted")
	}
}

// TestSeveralKeysOfOneColumn checks a column of codes and names, also with a
// dictionary of Parquet.
func TestSeveralKeysOfOneColumn(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "in.parquet")
	write1(t, in, "where\n"+strings.Repeat("90210\n\"Beverly Hills, CA\"\nnowhere at all\n\n", 50))
	if _, err := (job{names: table.Names{Code: "where"}, out: table.Output{Status: "s", Reason: "r"}}).file(t, in, out); err != nil {
		t.Fatal(err)
	}
	j := job{names: table.Names{Keys: []string{"code=where", "city=where"}, TryNext: true}, add: []string{"city", "geocode.city"}}
	for _, from := range []string{in, out} {
		sum, err := j.file(t, from, strings.Replace(from, "in.", "out.", 1))
		if err != nil {
			t.Fatal(err)
		}
		want := table.Summary{
			Rows: 200, Keys: map[string]int64{"code=where": 100, "city=where": 50},
			Statuses: map[string]int64{"matched": 100, "invalid": 50, "empty": 50},
		}
		if diff := cmp.Diff(want, sum); diff != "" {
			t.Errorf("%s (-want +got):\n%s", from, diff)
		}
	}
}
