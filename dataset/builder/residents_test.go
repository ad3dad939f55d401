package builder_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
)

// TestPointsAmongPeople checks where general ZIPs lie whose outlines hold
// centers of population.
func TestPointsAmongPeople(t *testing.T) {
	w := bounded(t)
	w.zip("43907", "Split", "OH", "901", 40, -82.7)
	w.zip("43908", "Border", "OH", "901", 40, -82.55)
	w.zip("43909", "Off", "OH", "901", 40.5, -82.1) // GeoNames has it in the other county
	w.zcta("43909", 1_000_000_000, 0, 40.5, -82.6)
	w.zip("43910", "Beside", "OH", "901", 40.85, -83.5) // GeoNames has it west of the outline
	w.zip("43911", "Around", "OH", "901", 40.3, -83.5)  // the outline has no hole for 43912
	w.zip("43912", "Inner", "OH", "901", 40.3, -83.5)
	w.other("www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt", "", "STATEFP,COUNTYFP,TRACTCE,BLKGRPCE,POPULATION,LATITUDE,LONGITUDE",
		"39,901,000100,1,300,+40.000000,-082.900000", // 43902
		"39,901,000100,2,100,+40.040000,-082.700000",
		"39,901,000100,3,0,+39.910000,-082.700000",
		"39,901,000200,1,100,+40.550000,-082.750000", // 43907, in two parts
		"39,901,000200,2,110,+40.550000,-082.550000",
		"39,901,000300,1,300,+40.750000,-082.510000", // 43908, in two counties
		"39,903,000300,2,200,+40.750000,-082.310000",
		"39,901,000400,1,0,+40.000000,-083.100000",   // 43901, without people
		"39,901,000500,1,100,+40.300000,-083.600000", // 43911, around its mean
		"39,901,000500,2,110,+40.300000,-083.400000",
	)
	file := filepath.Join(t.TempDir(), "mine.geojson")
	text := `{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"zip_code":"43907"},"geometry":{"type":"Polygon","coordinates":[[[-82.8,40.5],[-82.7,40.5],[-82.7,40.6],[-82.8,40.6],[-82.8,40.5]]]}},
		{"type":"Feature","properties":{"zip_code":"43907"},"geometry":{"type":"Polygon","coordinates":[[[-82.6,40.5],[-82.5,40.5],[-82.5,40.6],[-82.6,40.6],[-82.6,40.5]]]}},
		{"type":"Feature","properties":{"zip_code":"43908"},"geometry":{"type":"Polygon","coordinates":[[[-82.7,40.7],[-82.3,40.7],[-82.3,40.8],[-82.7,40.8],[-82.7,40.7]]]}},
		{"type":"Feature","properties":{"zip_code":"43910"},"geometry":{"type":"Polygon","coordinates":[[[-83.2,40.8],[-83,40.8],[-83,40.9],[-83.2,40.9],[-83.2,40.8]]]}},
		{"type":"Feature","properties":{"zip_code":"43911"},"geometry":{"type":"Polygon","coordinates":[[[-83.7,40.2],[-83.3,40.2],[-83.3,40.4],[-83.7,40.4],[-83.7,40.2]]]}},
		{"type":"Feature","properties":{"zip_code":"43912"},"geometry":{"type":"Polygon","coordinates":[[[-83.55,40.25],[-83.45,40.25],[-83.45,40.35],[-83.55,40.35],[-83.55,40.25]]]}}]}`
	check(t, os.WriteFile(file, []byte(text), 0o644))
	b := w.buildWith(builder.Options{Layers: []string{"boundaries"}, ZIPPolygons: file})
	for code, want := range map[string]geo.LatLng{
		"43901": geo.MustLatLng(40.01, -83.01), // without residents: GeoNames
		"43902": geo.MustLatLng(40.01, -82.85), // the mean
		"43907": geo.MustLatLng(40.55, -82.55), // the mean lies between the parts
		"43908": geo.MustLatLng(40.75, -82.51), // the mean lies in the other county
		"43909": geo.MustLatLng(40.5, -82.6),   // so does GeoNames' point
		"43910": geo.MustLatLng(40.85, -83.1),  // within the outline
		"43911": geo.MustLatLng(40.3, -83.4),   // the mean resolves to 43912
		"43912": geo.MustLatLng(40.3, -83.5),
		"43906": geo.MustLatLng(40, -81.2),  // without outline
		"43903": geo.MustLatLng(40, -82.55), // PO Box ZIP with an outline
	} {
		if row, _ := b.zip(code); row.Location != want {
			t.Errorf("%s is at %v, want %v", code, row.Location, want)
		}
	}
	if got := b.count(b.report.Rules, "point outside the outline or the county of the record refused"); got != 4 {
		t.Errorf("%d points outside their outline or county refused, want 4", got)
	}
}
