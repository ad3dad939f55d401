package builder_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
)

// TestEnoughRows checks that a file that is empty or cut short fails the build
// and names itself, unless the mirror declares it so.
func TestEnoughRows(t *testing.T) {
	const counties, places = gazetteerPath + "2025_Gaz_counties_national.zip", gazetteerPath + "2025_Gaz_place_national.zip"
	actual := func(path, rows string) []byte {
		return []byte("path,vintage,rows,official_rows,fit_for_shares,note\n" + path + ",," + rows + ",,,\n")
	}
	tests := []struct {
		name   string
		change func(*world)
		want   string // in the error; "" none
	}{
		{"as the mirror says", func(*world) {}, ""},
		{"a fifth less than the mirror says", func(w *world) {
			w.county("OH", "39905", "Cedar County", 41, -83)
			w.county("OH", "39907", "Dogwood County", 41, -82)
			w.others["ACTUAL.csv"] = actual(counties, "5")
		}, ""},
		{
			"more than a fifth less", func(w *world) { w.others["ACTUAL.csv"] = actual(counties, "3") },
			"gazetteer-counties: *" + counties + ": 2 rows, expected about 3;",
		},
		{
			"the mirror is silent", func(w *world) { w.silent = map[string]bool{counties: true} },
			"gazetteer-counties: *" + counties + ": 2 rows, expected about 3222;",
		},
		{
			"empty, and the mirror is silent", func(w *world) { w.silent = map[string]bool{places: true} },
			"gazetteer-places: *" + places + ": 0 rows, expected about 32350;",
		},
		{
			"empty, and the mirror says otherwise", func(w *world) { w.others["ACTUAL.csv"] = actual(places, "1") },
			"gazetteer-places: *" + places + ": 0 rows, expected about 1;",
		},
		{"optional and cut short", func(w *world) {
			w.zctaElevation = []string{"43901,200"}
			w.silent = map[string]bool{"aux.local/elevation/zip_code_elevations.csv": true}
		}, "elevation-zcta: *aux.local/elevation/zip_code_elevations.csv: 1 rows, expected about 33791;"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			test.change(w)
			if test.want == "" {
				w.build()
				return
			}
			before, after, _ := strings.Cut(test.want, "*")
			err := w.fails().Error()
			if !strings.Contains(err, before) || !strings.Contains(filepath.ToSlash(err), after) || !strings.Contains(err, "ACTUAL.csv") {
				t.Errorf("error %q, want it to say %q and %q and to name ACTUAL.csv", err, before, after)
			}
		})
	}
}

// TestSuppliedFileMayBeAPart checks that the user's table may hold a part of
// the published rows, but that an empty one is an error.
func TestSuppliedFileMayBeAPart(t *testing.T) {
	const header = "zip,type,decommissioned,primary_city,acceptable_cities,unacceptable_cities,state,county,timezone,area_codes,world_region,country,latitude,longitude,irs_estimated_population\n"
	path := filepath.Join(t.TempDir(), "table.csv")
	write := func(text string) {
		check(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write(header + "43901,STANDARD,0,Amberton,,,OH,Amber County,,,NA,US,40.01,-83.01,\n")
	newWorld(t).buildWith(builder.Options{ZIPDatabase: path})

	write(header)
	out := filepath.Join(t.TempDir(), "out.db")
	_, err := builder.Build(context.Background(), builder.Options{Mirror: newWorld(t).write(), Output: out, ZIPDatabase: path})
	if err == nil || !strings.Contains(err.Error(), path+": 0 rows") {
		t.Errorf("error %v, want that %s has 0 rows", err, path)
	}
}
