package source_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

const acsShared = "../../../shared/data/acs"

// sharedACS skips the test without the real tables.
func sharedACS(t testing.TB) string {
	t.Helper()
	if _, err := os.Stat(acsShared); err != nil {
		t.Skipf("the published tables are not at hand: %v", err)
	}
	return acsShared
}

// printed writes a figure as the Census Bureau does, without commas.
func printed(f store.ACSFigure, decimals uint8) string {
	if !f.Mark.IsNumber() {
		return f.Mark.Sign()
	}
	s := fmt.Sprintf("%0*d", decimals+1, f.N)
	if decimals > 0 {
		s = s[:len(s)-int(decimals)] + "." + s[len(s)-int(decimals):]
	}
	return s + map[store.ACSMark]string{store.ACSAtLeast: "+", store.ACSAtMost: "-"}[f.Mark]
}

var checkLabel = door.Take[func(f *acs.Field, label string, year int) string]()

// TestACSLabels compares the list of fields with the labels of every year's
// columns, from the Census Bureau's lists and from FactFinder.
func TestACSLabels(t *testing.T) {
	checked, columns := 0, map[string]*acs.Field{} // by year and column
	for year := acs.FirstYear; year <= acs.LastYear; year++ {
		for _, p := range acs.AllProfiles() {
			_, fields, _ := lookuptest.SurveyTable(acs.ZCTA, p, year)
			for _, f := range fields {
				columns[fmt.Sprint(year, f.Column(year))] = f
			}
		}
	}
	check := func(year int, id, label string) {
		t.Helper()
		f := columns[fmt.Sprint(year, id)]
		if checked++; f == nil {
			t.Errorf("%d %s is no field", year, id)
		} else if checkLabel(f, label, year) != "" {
			t.Errorf("%d %s: the label %q does not agree with that of %s", year, id, label, f.Key())
		}
	}
	dir := filepath.Join(sharedACS(t), "variables")
	for year := acs.FirstYear; year <= acs.LastYear; year++ {
		for _, rec := range csvRows(t, filepath.Join(dir, fmt.Sprintf("%d.csv.gz", year)))[1:] {
			if !strings.HasSuffix(rec[0], "PE") {
				check(year, rec[0], rec[1])
			}
		}
	}
	for _, rec := range csvRows(t, filepath.Join(dir, "aff_map.csv.gz"))[1:] {
		year := 0
		fmt.Sscan(rec[0], &year)
		check(year, rec[3], "Estimate; "+rec[4])
	}
	if checked < 9000 {
		t.Errorf("%d labels were checked", checked)
	}
}

func csvRows(t *testing.T, name string) [][]string {
	t.Helper()
	in, err := format.File{Path: name}.Open()
	check(t, err)
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	check(t, err)
	return rows
}

// TestRealAddressPoints reads every layout of the shared files.
func TestRealAddressPoints(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	const shared = "../../../shared/data/mirror"
	for _, c := range []struct {
		path          string
		least, badMax int
		located       string // of a ZIP or postal code: all, some or none
	}{
		{"data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed", 198_000, 400, "all"},
		{"data.openaddresses.io/openaddr-collected-us_south.zip", 95_000, 500, "all"},
		{"data.openaddresses.io/openaddr-collected-us_west.zip", 63_000, 700, "none"},
		{"data.openaddresses.io/openaddr-collected-us_northeast.zip", 8_900, 50, "all"},
		{"data.openaddresses.io/openaddr-collected-us_midwest.zip", 12_100, 100, "all"},
		{"data.openaddresses.io/openaddr-collected-north_america.zip", 85_900, 100, "none"},
		{"aux.local/openaddresses/us/vt/lamoille-addresses-county.geojson.gz", 11_000, 50, "all"},
		{"aux.local/address_points/vt_e911_morristown.geojson.gz", 2_800, 60, "all"},
		{"aux.local/address_points/md_baltimore_county_TM110.geojson.gz", 2_500, 100, "all"},
		{"aux.local/address_points/ma_massgis_plymouth.csv.gz", 8_900, 50, "all"},
		{"aux.local/address_points/bc_vancouver_property_addresses.csv.gz", 1_700, 80, "none"},
		{"www150.statcan.gc.ca/n1/pub/46-26-0002/2022001/202606.zip", 15_000, 1200, "some"},
		{"../address/va_address_points.csv.gz", 110_000, 1200, "all"},
	} {
		t.Run(filepath.Base(c.path), func(t *testing.T) {
			path := filepath.Join(shared, c.path)
			if _, err := os.Stat(path); err != nil {
				t.Skip("the shared files are not there: ", err)
			}
			good, bad, coded := 0, 0, 0
			var first error
			for p, err := range source.ReadAddressPoints(format.File{Path: path}) {
				switch {
				case errors.Is(err, format.ErrValue):
					bad++
					if first == nil {
						first = err
					}
				case err != nil:
					t.Fatal(err)
				default:
					good++
					if p.HasZIP || p.Postal != "" {
						coded++
					}
				}
			}
			t.Logf("%d points, %d with a code, %d refused, such as %v", good, coded, bad, first)
			if good < c.least || bad > c.badMax {
				t.Errorf("%d points and %d refused rows, expected at least %d and at most %d", good, bad, c.least, c.badMax)
			}
			if part := float64(coded) / float64(max(good, 1)); c.located == "all" && part < 0.99 || c.located == "none" && coded > 0 || c.located == "some" && coded == 0 {
				t.Errorf("%d of %d have a code, expected %s", coded, good, c.located)
			}
		})
	}
}
