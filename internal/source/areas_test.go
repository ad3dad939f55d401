package source_test

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

func TestGeographicAttributes(t *testing.T) {
	rows := source.GeographicAttributes(text(
		"PRUID_PRIDU,CDUID_DRIDU,CSDUID_SDRIDU,CMAUID_RMRIDU,CMANAME_RMRNOM,CTUID_SRIDU,POPCTRRAUID_CTRPOPRRIDU,POPCTRRANAME_CTRPOPRRNOM,POPCTRRACLASS_CTRPOPRRCLASSE,DPLUID_LDIDU,DPLNAME_LDNOM,DAUID_ADIDU,DBUID_IDIDU",
		"35,3599,3599001,35505,Maple,9990001.00,0123,Maple,3,359901,Station,35990001,35990001002",
		"35,3599,3599002,999,,,9999,Rural area,1,,,35990002,35990002001",
		"35,3599,3599002,,,,,,,,,35990002,3599000200",
	))
	good, refused, err := read(rows)
	if err != nil || len(good) != 2 || len(refused) != 1 {
		t.Fatalf("%d rows, refused %v, %v", len(good), refused, err)
	}
	named := func(r source.GeographicRow) map[store.LayerID]string {
		out := map[store.LayerID]string{}
		for _, a := range r.Around() {
			if a.GEOID != "" {
				out[a.Layer] = a.GEOID + " " + a.Name
			}
		}
		return out
	}
	town, country := named(good[0]), named(good[1])
	if town[store.LayerMetroArea] != "505 Maple" || town[store.LayerPopulationCentre] != "0123 Maple" || town[store.LayerDesignatedPlace] != "359901 Station" || town[store.LayerCensusTract] == "" {
		t.Errorf("the town lies in %v", town)
	}
	if len(country) != 2 || country[store.LayerCensusSubdivision] != "3599002 " {
		t.Errorf("the country lies in %v, want a division and a subdivision", country)
	}
}

func TestZIPPolygonsOfGeoJSON(t *testing.T) {
	feature := func(properties string) string {
		return `{"type":"Feature","properties":{` + properties + `},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}}`
	}
	path := filepath.Join(t.TempDir(), "zips.json")
	text := `{"type":"FeatureCollection","features":[` + strings.Join([]string{
		feature(`"GEOID":"x","ZIP":"90210"`), feature(`"zcta5ce10":"10001"`), feature(`"zip":"1001"`), feature(`"name":"10001"`), feature(`"POSTCODE":"00601"`),
	}, ",") + `]}`
	check(t, os.WriteFile(path, []byte(text), 0o644))
	var got []string
	for r, err := range source.ZIPPolygons(format.File{Path: path}) {
		switch {
		case errors.Is(err, format.ErrValue):
			got = append(got, "refused")
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, r.ID)
			if r.Closed != 1 || len(r.Polygon) != 1 {
				t.Errorf("%s: %d rings closed of %d polygons, want 1 of 1", r.ID, r.Closed, len(r.Polygon))
			}
		}
	}
	if diff := cmp.Diff([]string{"90210", "10001", "refused", "refused", "00601"}, got); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	for _, err := range source.ZIPPolygons(format.File{Path: filepath.Join(t.TempDir(), "absent")}) {
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("error %v, want that there is no file", err)
		}
	}
}

// TestRenamedColumns refuses a file without one of the columns that its readers need.
func TestRenamedColumns(t *testing.T) {
	for text, read := range map[string]func(format.File) error{
		"GEOID NAME LSAD ALAND AWATER":                          rowsOf(source.LayerColumns{ID: "GEOID", Name: "NAME", Full: "NAMELSAD?", Kind: "LSAD", Land: "ALAND", Water: "AWATER"}.Areas),
		"FEDUID FEDNAME FEDENAME FEDFNAME LANDAREA":             rowsOf(source.LayerColumns{ID: "FEDUID", Name: "FEDNAME", English: "FEDENAME", French: "FEDFNAME", LandKM2: "LANDAREA"}.Areas),
		"CFSAUID LANDAREA":                                      rowsOf(source.LayerColumns{ID: "CFSAUID", LandKM2: "LANDAREA"}.Areas),
		"USPS GEOID NAME ALAND AWATER INTPTLAT INTPTLONG":       rowsOf(source.Gazetteer(5, "USPS", "NAME")),
		"postal_code DBUID DAUID CTUID best_link addressweight": rowsOf(source.BlockCorrespondence),
	} {
		names := strings.Fields(text)
		for i, name := range names {
			header := strings.Join(names[:i], ",") + ",RENAMED," + strings.Join(names[i+1:], ",")
			content := header + "\n" + strings.Repeat(",", len(names)+1)
			var e *format.Error
			err := read(format.File{Path: "renamed.csv", Content: []byte(content)})
			if !errors.As(err, &e) || !errors.Is(err, format.ErrColumns) || e.File != "renamed.csv" || e.Column != name && e.Column != "weight" {
				t.Errorf("%s without %s: %v", text, name, err)
			}
		}
	}
}

func rowsOf[R any](rows func(format.File) iter.Seq2[R, error]) func(format.File) error {
	return func(f format.File) error {
		for _, err := range rows(f) {
			return err
		}
		return nil
	}
}
