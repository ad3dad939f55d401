package format_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/source/format"
)

// The tables of the official files, with the numbers of rows that the shared
// data's README gives.
func TestRealTables(t *testing.T) {
	comma := format.TableOptions{Quoted: true}
	tests := []struct {
		path   []string
		member string
		o      format.TableOptions
		rows   int
	}{
		{[]string{"download.geonames.org/export/zip/US.zip"}, "US.txt", format.TableOptions{Delimiter: '\t', Names: make([]string, 12)}, 41_490},
		{[]string{"download.geonames.org/export/zip/CA.zip"}, "CA.txt", format.TableOptions{Delimiter: '\t', Names: make([]string, 12)}, 1_655},
		{[]string{"www2.census.gov/geo/docs/maps-data/data/gazetteer/2025_Gazetteer/2025_Gaz_zcta_national.zip"}, "", format.TableOptions{Delimiter: '|', Columns: format.Columns("GEOID", "INTPTLAT", "INTPTLONG")}, 33_791},
		{[]string{"www2.census.gov/geo/docs/maps-data/data/gazetteer/2024_Gazetteer/2024_Gaz_counties_national.zip"}, "", format.TableOptions{Delimiter: '\t', Columns: format.Columns("GEOID", "INTPTLONG")}, 3_222},
		{[]string{"www2.census.gov/programs-surveys/cbp/datasets/2020/zbp20totals.zip"}, "", format.TableOptions{Quoted: true, Encoding: format.Latin1, Columns: format.Columns("zip", "name")}, 35_053},
		{[]string{"www2.census.gov/programs-surveys/cbp/datasets/2016/zbp16totals.zip"}, "", format.TableOptions{Quoted: true, Encoding: format.Latin1, Columns: format.Columns("zip", "empflag")}, 38_722},
		{[]string{"www150.statcan.gc.ca/n1/tbl/csv/98100019-eng.zip"}, "*19.csv", comma, 1_647},
		{[]string{"www150.statcan.gc.ca/t1/tbl1/en/dtl/9810001901_databaseLoadingData.csv"}, "", comma, 4_941},
		{[]string{"www.unitedstateszipcodes.org/zip_code_database.csv"}, "", comma, 42_789},
		{[]string{"data.nber.org/cbsa-msa-fips-ssa-county-crosswalk/cbsatocountycrosswalk.csv"}, "", comma, 3_293},
		{[]string{"aux.local/rating_areas/rating_areas.csv"}, "", comma, 3_287},
		{[]string{"aux.local/uds/zip_to_zcta_2015.csv.gz"}, "", comma, 41_250},
		{[]string{"aux.local/elevation/zip_code_elevations.csv"}, "", comma, 33_791},
		{[]string{"aux.local/census_regions/states.csv"}, "", format.TableOptions{Quoted: true, ShortRows: true}, 56},
		{[]string{"statcan.local/opcc/opcc_m5_da_correspondence.csv.gz"}, "", comma, 315_813},
		{[]string{"statcan.local/csd_2021_attributes.csv"}, "", comma, 5_161},
	}
	for _, tt := range tests {
		t.Run(tt.path[0], func(t *testing.T) {
			in, err := format.Open(shared(t, append([]string{"mirror"}, tt.path...)...), format.OpenOptions{Member: tt.member})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			rows, err := readTable(in, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if len(rows) != tt.rows {
				t.Errorf("%d rows, want %d", len(rows), tt.rows)
			}
		})
	}
}
