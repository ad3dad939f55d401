package builder_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// world is a mirror of invented rows in the official formats. Its states are
// real, its counties, places and codes are not.
type world struct {
	t *testing.T

	geoNames, geoNamesPR, canada, canadaFull []string
	zctas, counties, places, cousubs         []string
	metros                                   [][]string
	population, uds, zipDatabase             []string
	zctaElevation, countyElevation           []string
	correspondence, daPoints, daLinks        []string
	zones                                    string // GeoJSON features
	others                                   map[string][]byte
	silent                                   map[string]bool // paths that the mirror does not list
}

// newWorld has two counties of Ohio and one FSA, the least that the identity
// layer builds from.
func newWorld(t *testing.T) *world {
	w := &world{t: t, others: map[string][]byte{}}
	w.county("OH", "39901", "Amber County", 40.0, -83.0)
	w.county("OH", "39903", "Birch County", 40.0, -82.0)
	w.zip("43901", "Amberton", "OH", "901", 40.01, -83.01)
	w.fsa("K9Q", "Maple", "ON", 44.0, -77.0)
	return w
}

func (w *world) zip(code, city, state, county string, lat, lng float64) {
	w.geoNames = append(w.geoNames, fmt.Sprintf("US\t%s\t%s\tname\t%s\tcounty\t%s\t\t\t%v\t%v\t", code, city, state, county, lat, lng))
}

func (w *world) fsa(code, place, province string, lat, lng float64) {
	w.canada = append(w.canada, fmt.Sprintf("CA\t%s\t%s\tname\t%s\t\t\t\t\t%v\t%v\t6", code, place, province, lat, lng))
}

func (w *world) zcta(code string, land, water int, lat, lng float64) {
	w.zctas = append(w.zctas, fmt.Sprintf("%s|860Z200US%s|%d|%d|0|0|%v|%v", code, code, land, water, lat, lng))
}

func (w *world) county(state, fips, name string, lat, lng float64) {
	w.counties = append(w.counties, fmt.Sprintf("%s|%s|x|x|%s|1000|0|0|0|%v|%v", state, fips, name, lat, lng))
}

func (w *world) place(state, geoid, name string) {
	w.places = append(w.places, fmt.Sprintf("%s|%s|x|x|%s|25|A|1|0|0|0|40|-83", state, geoid, name))
}

// metro puts a county into a metropolitan area, division and combined area.
func (w *world) metro(cbsa, division, csa, title, kind, divisionTitle, csaTitle, fips string) {
	w.metros = append(w.metros, []string{cbsa, division, csa, title, kind, divisionTitle, csaTitle, "c", "s", fips[:2], fips[2:], "Central"})
}

// supplied adds a row of zip_code_database.csv.
func (w *world) supplied(zip, kind, decommissioned, city, acceptable, state, county, areaCodes string, lat, lng float64) {
	w.zipDatabase = append(w.zipDatabase, fmt.Sprintf("%s,%s,%s,%s,%q,,%s,%s,,%q,NA,US,%v,%v,", zip, kind, decommissioned, city, acceptable, state, county, areaCodes, lat, lng))
}

const (
	geoNamesPath  = "download.geonames.org/export/zip/"
	gazetteerPath = "www2.census.gov/geo/docs/maps-data/data/gazetteer/2025_Gazetteer/"
)

// write makes the mirror and returns its folder.
func (w *world) write() string {
	w.t.Helper()
	m, root := mirrortest.New(), w.t.TempDir()
	text := func(name, member, header string, lines []string) {
		if lines != nil {
			m.Text(name, member, header, lines...)
		}
	}
	text(geoNamesPath+"US.zip", "US.txt", "", w.geoNames)
	text(geoNamesPath+"PR.zip", "PR.txt", "", w.geoNamesPR)
	text(geoNamesPath+"CA.zip", "CA.txt", "", w.canada)
	text(geoNamesPath+"CA_full.csv.zip", "CA_full.txt", "", w.canadaFull)
	text(gazetteerPath+"2025_Gaz_zcta_national.zip", "z.txt", "GEOID|GEOIDFQ|ALAND|AWATER|ALAND_SQMI|AWATER_SQMI|INTPTLAT|INTPTLONG", some(w.zctas))
	text(gazetteerPath+"2025_Gaz_counties_national.zip", "c.txt", "USPS|GEOID|GEOIDFQ|ANSICODE|NAME|ALAND|AWATER|ALAND_SQMI|AWATER_SQMI|INTPTLAT|INTPTLONG", some(w.counties))
	text(gazetteerPath+"2025_Gaz_place_national.zip", "p.txt", "USPS|GEOID|GEOIDFQ|ANSICODE|NAME|LSAD|FUNCSTAT|ALAND|AWATER|ALAND_SQMI|AWATER_SQMI|INTPTLAT|INTPTLONG", some(w.places))
	text(gazetteerPath+"2025_Gaz_cousubs_national.zip", "s.txt", "USPS|GEOID|GEOIDFQ|ANSICODE|NAME|FUNCSTAT|ALAND|AWATER|ALAND_SQMI|AWATER_SQMI|INTPTLAT|INTPTLONG", some(w.cousubs))
	text("www150.statcan.gc.ca/n1/tbl/csv/98100019-eng.zip", "98100019.csv", "\ufeff"+`"REF_DATE","GEO","DGUID","Coordinate","Population and dwelling counts (3):Population, 2021[1]","Symbols","Population and dwelling counts (3):Total private dwellings, 2021[2]","Symbols","Population and dwelling counts (3):Private dwellings occupied by usual residents, 2021[3]","Symbols"`, some(w.population))
	text("aux.local/uds/zip_to_zcta_2015.csv.gz", "", "ZIP,ReportingYear,ZIPType,CityName,StateName,StateAbbr,ENC_ZIP,ZCTA_USE", w.uds)
	text("aux.local/elevation/zip_code_elevations.csv", "", "ZIP Code,Average Elevation", w.zctaElevation)
	text("aux.local/elevation/county_weighted_elevations.csv", "", "County_FIPS,Weighted_Avg_Elevation,NAME", w.countyElevation)
	text("www.unitedstateszipcodes.org/zip_code_database.csv", "", "zip,type,decommissioned,primary_city,acceptable_cities,unacceptable_cities,state,county,timezone,area_codes,world_region,country,latitude,longitude,irs_estimated_population", w.zipDatabase)
	text("statcan.local/opcc/opcc_m2_correspondence.csv.gz", "", "postal_code,DBUID,DAUID,CTUID,n_observations,n_unique_addresses,n_sources,address_weight,best_link,confidence,source_vintage,census_vintage", w.correspondence)
	text("statcan.local/da/da2016_popw_centroids.csv.gz", "", "da2016,lat,lon", w.daPoints)
	text("statcan.local/da/da2021_to_da2016.csv.gz", "", "da2021,da2016", w.daLinks)
	if w.zones != "" {
		text("github.com/evansiroky/timezone-boundary-builder/releases/download/2025b/timezones.geojson.zip", "combined.json", "", []string{w.zones})
	}
	m.Sheet("www2.census.gov/programs-surveys/metro-micro/geographies/reference-files/2023/delineation-files/list1_2023.xlsx", append([][]string{{
		"CBSA Code", "Metropolitan Division Code", "CSA Code", "CBSA Title", "Metropolitan/Micropolitan Statistical Area",
		"Metropolitan Division Title", "CSA Title", "County/County Equivalent", "State Name", "FIPS State Code", "FIPS County Code", "Central/Outlying County",
	}}, w.metros...)...)
	for name, data := range w.others {
		m.Files[name] = data
		if name != "ACTUAL.csv" {
			m.Rows[name] = 1 // at least
		}
	}
	for name := range w.silent {
		delete(m.Rows, name)
	}
	if err := m.Write(root); err != nil {
		w.t.Fatal(err)
	}
	return root
}

// some makes a table without rows one that is written with its header alone.
func some(rows []string) []string {
	if rows == nil {
		return []string{}
	}
	return rows
}

// packed returns rows as a file by the name's extension.
func packed(name, member, header string, rows []string) []byte {
	m := mirrortest.New()
	m.Text(name, member, header, rows...)
	return m.Files[name]
}

// sheet returns rows as a workbook.
func sheet(rows [][]string) []byte {
	m := mirrortest.New()
	m.Sheet("x", rows...)
	return m.Files["x"]
}

// built is a dataset that was built from a world.
type built struct {
	*store.Dataset
	t      *testing.T
	report *builder.Report
	path   string
}

// build builds the layers from the world.
func (w *world) build(layers ...string) *built {
	w.t.Helper()
	return w.buildWith(builder.Options{Layers: layers})
}

func (w *world) buildWith(o builder.Options) *built {
	w.t.Helper()
	o.Mirror = w.write()
	b, err := build(w.t, o)
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

// build builds a new file and opens it.
func build(t *testing.T, o builder.Options) (*built, error) {
	o.Output = filepath.Join(t.TempDir(), "out.db")
	report, err := builder.Build(t.Context(), o)
	if err != nil {
		return nil, err
	}
	d := lookuptest.OpenFile(t, o.Output)
	return &built{Dataset: d, t: t, report: report, path: o.Output}, nil
}

// fails builds the world and returns the error that it must give.
func (w *world) fails(layers ...string) error {
	w.t.Helper()
	out := filepath.Join(w.t.TempDir(), "out.db")
	_, err := builder.Build(context.Background(), builder.Options{Mirror: w.write(), Output: out, Layers: layers})
	if err == nil {
		w.t.Fatal("the build succeeded, expected an error")
	}
	files, globErr := filepath.Glob(filepath.Join(filepath.Dir(out), "*"))
	if globErr != nil || len(files) > 0 {
		w.t.Errorf("a failed build left %v, %v", files, globErr)
	}
	return err
}

// zip returns a ZIP of the dataset with its detail.
func (b *built) zip(code string) (store.ZIPRow, *store.ZIPDetail) {
	b.t.Helper()
	return rowOf(b, code, postcode.ParseZIP, b.ZIP, b.ZIPDetail)
}

// fsa returns an FSA of the dataset with its detail.
func (b *built) fsa(code string) (store.FSARow, *store.FSADetail) {
	b.t.Helper()
	return rowOf(b, code, postcode.ParseFSA, b.FSA, b.FSADetail)
}

func rowOf[K, R, D any](b *built, text string, parse func(string) (K, bool), find func(K) (R, bool), details func(context.Context, K) (D, error)) (R, D) {
	b.t.Helper()
	code, _ := parse(text)
	row, ok := find(code)
	if !ok {
		b.t.Fatalf("%s is not in the dataset", text)
	}
	detail, err := details(context.Background(), code)
	if err != nil {
		b.t.Fatal(err)
	}
	return row, detail
}

func (b *built) hasZIP(code string) bool {
	zip, _ := postcode.ParseZIP(code)
	_, ok := b.ZIP(zip)
	return ok
}

func (b *built) county(id store.CountyID) string {
	if id == 0 {
		return ""
	}
	return b.County(id).FIPS
}

// count returns how often a finding whose name contains the text was made.
func (b *built) count(findings []builder.Finding, text string) int64 {
	n := int64(0)
	for _, f := range findings {
		if strings.Contains(f.Name, text) {
			n += f.Count
		}
	}
	return n
}
