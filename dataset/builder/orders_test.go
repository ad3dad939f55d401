package builder_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/lookup"
)

// TestRepresentationOrders reads invented outlines of Elections Canada's 2023 order, in
// its layout and projection, with those of the 2013 order. A number of the old order
// has another meaning in the new one.
func TestRepresentationOrders(t *testing.T) {
	const elections = "ftp.maps.canada.ca/pub/elections_elections/Electoral-districts_Circonscription-electorale/federal_electoral_districts_boundaries_2023/FED_CA_2023_EN-SHP.zip"
	const lambert = `PROJCS["PCS_Lambert_Conformal_Conic",` + mirrortest.NAD83 + `,PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",6200000.0],PARAMETER["False_Northing",3000000.0],` +
		`PARAMETER["Central_Meridian",-91.86666666666666],PARAMETER["Standard_Parallel_1",49.0],PARAMETER["Standard_Parallel_2",77.0],PARAMETER["Latitude_Of_Origin",63.390675],UNIT["Meter",1.0]]`
	for _, tt := range []struct {
		outlines     bool
		day          string
		want, absent string
	}{
		{true, "2025-04-27", "Elm River 2013 Representation Order", "Oak Lake"},
		{true, "2025-04-28", "Oak Lake 2023 Representation Order", "Elm River"},
		{false, "2025-04-28", "Elm River 2013 Representation Order", "Oak Lake"},
	} {
		w := bounded(t)
		w.fsa("K9Q", "Elm", "ON", 44, -77)
		w.others[statCanBounds+"lfed000b21a_e.zip"] = zippedShapes(t, "lfed000b21a_e", []string{"FEDUID", "DGUID", "FEDNAME", "FEDENAME", "FEDFNAME", "LANDAREA", "PRUID"}, []outline{
			{-79, 42.5, -75, 45.5, []string{"35901", "x", "Elm River", "Elm River", "Elm River", "1", "35"}},
		})
		if tt.outlines {
			// The rectangle in meters is around the area of the code.
			x, y := format.StatCanLambert.Forward(-77, 44)
			w.others[elections] = zippedShapesIn(t, "FED_CA_2023_EN", lambert, []string{"FED_NUM", "ED_NAMEE", "ED_NAMEF", "REP_ORDER", "SHAPE_AREA", "SHAPE_LEN"}, []outline{
				{x - 200_000, y - 200_000, x + 200_000, y + 200_000, []string{"35901", "Oak Lake", "Lac Oak", "2023", "1", "1"}},
				{x + 400_000, y, x + 500_000, y + 100_000, []string{"35902", "Far Bay", "Baie Far", "2023", "1", "1"}},
			})
		}
		b := w.buildWith(builder.Options{Layers: []string{"districts"}})
		db, err := postgeo.Open(b.path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		day, err := time.Parse(time.DateOnly, tt.day)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := db.Lookup(t.Context(), "K9Q", lookup.Options{AsOf: day, Include: lookup.Include{CongressionalDistrict: true}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(rec.FederalElectoralDistrict)
		if err != nil {
			t.Fatal(err)
		}
		name, order, _ := strings.Cut(tt.want, " 20")
		if text := string(got); !strings.Contains(text, name) || !strings.Contains(text, "20"+order) || strings.Contains(text, tt.absent) || !strings.Contains(text, "35901") {
			t.Errorf("on %s, outlines of 2023 %t: %s, want %s", tt.day, tt.outlines, text, tt.want)
		}
	}
}
