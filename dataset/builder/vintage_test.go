package builder_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

// TestVintagesOfMirror builds from a mirror with two files of another time than
// in their names. Source, vintage, year and school year follow the mirror
// together, and other layers keep the files' names.
func TestVintagesOfMirror(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	dir := countryMirror(t)
	path := filepath.Join(dir, "ACTUAL.csv")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(data, []byte("\n"))
	changed := 0
	for i, line := range lines {
		for file, vintage := range map[string]string{"unsd_500k.zip": "school year 2013-14", "place_500k.zip": "2019"} {
			if f := strings.Split(string(line), ","); strings.HasSuffix(f[0], file) {
				f[1] = vintage
				lines[i] = []byte(strings.Join(f, ","))
				changed++
			}
		}
	}
	if changed != 2 {
		t.Fatalf("ACTUAL.csv has %d of the two files:\n%s", changed, data)
	}
	if err := os.WriteFile(path, bytes.Join(lines, []byte("\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	b := buildMirror(t, dir, "census", "districts", "schools")
	for _, tt := range []struct {
		layer                   store.LayerID
		source, vintage, period string
		year                    int
	}{
		{store.LayerSchoolDistrict, "U.S. Census Bureau (school year 2013-14), cb_2024_us_elsd_500k, cb_2024_us_scsd_500k", "school year 2013-14", "2013-2014", 2013},
		{store.LayerPlace, "U.S. Census Bureau (2019)", "2019", "", 2019},
		{store.LayerTract, "U.S. Census Bureau, cb_2024_us_tract_500k", "2024", "", 2024},
		{store.LayerStateUpper, "U.S. Census Bureau, cb_2024_us_sldu_500k", "2024", "2024", 2024},
		{store.LayerFederalDistrict, "Statistics Canada, lfed000b21a_e", "2013 representation order", "", 2021},
	} {
		info := b.Layer(tt.layer).Info()
		if info.Source != tt.source || info.Vintage != tt.vintage || info.Period != tt.period || info.Year != tt.year {
			t.Errorf("%s: source %q, vintage %q, period %q, year %d; want %q, %q, %q, %d",
				tt.layer, info.Source, info.Vintage, info.Period, info.Year, tt.source, tt.vintage, tt.period, tt.year)
		}
	}
	for i := range b.Layer(store.LayerFederalDistrict).Len() {
		if a := b.Layer(store.LayerFederalDistrict).Area(i); strings.Contains(a.Name+a.NameFR, "--") {
			t.Errorf("the name of district %s is %q, %q; want an em dash", a.GEOID, a.Name, a.NameFR)
		}
	}
}
