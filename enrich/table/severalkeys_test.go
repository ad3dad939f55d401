package table_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		add:   []string{"code", "home=city", "address.confidence"},
	}
}

// TestSeveralKeys checks which key each row of a mixed table uses.
func TestSeveralKeys(t *testing.T) {
	const head = "id,zip,postal,lat,lon,street,city,state,code,home,address.confidence,postgeo_status,postgeo_reason\n"
	sixth := `6,99999,,34.1,-118.4,,,,90210,Beverly Hills,,matched,`
	want := head + `1,90210,,,,,,,90210,Beverly Hills,,matched,
2,,K1A 0B1,,,,,,K1A 0B1,Ottawa,,matched,
3,,,40.75,-73.99,,,,10001,New York,,matched,
4,,,,,350 5th Ave,New York,NY 10118,10118-8059,New York,medium,matched,PARTIAL_MATCH; SECONDARY_NEEDED
5,,,,,,,,,,,empty,
` + sixth + `
7,10001,M5V 3L9,34.1,-118.4,350 5th Ave,New York,NY 10118,10001,New York,,matched,
8,,,34.1,,,Boston,MA,,,,invalid,"VALIDATION_INVALID_COORDINATES: Invalid coordinates: '34.1,'. Expected latitude,longitude in decimal degrees, latitude -90 to 90 and longitude -180 to 180."
9,,,34.1,,350 5th Ave,New York,NY 10118,10118-8059,New York,medium,matched,PARTIAL_MATCH; SECONDARY_NEEDED
`
	got, _, err := mixedJob().stream(t, mixed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
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
	}
	for _, tt := range tests {
		keys, err := keysOf(t, header, table.Names{Keys: tt.keys, TryNext: true})
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q: %v, want %q", tt.keys, err, tt.want)
			}
			continue
		}
		var got []string
		for _, k := range append([]table.Keys{keys}, keys.Next...) {
			got = append(got, string(k.Kind)+" "+strings.Join(k.Names, " "))
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.keys, diff)
		}
	}
	if k, err := keysOf(t, []string{"City", "Region", "ST"}, table.Names{Keys: []string{"city"}}); err != nil || k.Names[1] != "ST" {
		t.Errorf("the state of a city is in %q, %v", k.Names, err)
	}
	if _, err := keysOf(t, header, table.Names{Keys: []string{"zip", "lat,lon"}}); err == nil || !strings.Contains(err.Error(), "--try-next") {
		t.Errorf("two keys without TryNext: %v", err)
	}
}
