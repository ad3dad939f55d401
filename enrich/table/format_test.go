package table_test

import (
	"testing"

	"github.com/postgeo/postgeo/enrich/table"
)

func TestCheckName(t *testing.T) {
	for path, fine := range map[string]bool{
		"places.csv": true, "places.csv.gz": true, "places": true, "places.dat": true, "-": true, "a.xlsx/places.tsv": true,
		"places.xlsx": true, "places.xlsx.gz": false, "PLACES.XLS": false, "areas.shp": false, "areas.geojson": false, "points.GPKG": false, "folder/places.ods": false,
	} {
		if err := table.CheckName(path); (err == nil) != fine {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := table.Open("places.xls", table.Input{}); err == nil {
		t.Error("a spreadsheet was opened as text")
	}
}
