package builder_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

const (
	summary2024 = "www2.census.gov/programs-surveys/acs/summary_file/2024/table-based-SF/data/5YRData/acsdt5y2024-"
	summary2023 = "www2.census.gov/programs-surveys/acs/summary_file/2023/table-based-SF/data/5YRData/acsdt5y2023-"
)

// peopled is the world of bounded with the summary files of two years.
func peopled(t *testing.T) *world {
	w := bounded(t)
	const head = "GEO_ID|B01003_E001|B01003_M001\n"
	w.others[summary2024+"b01003.dat"] = []byte(head + "0400000US39|9999|5\n860Z200US43901|1000|\n860Z200US43903|30|12\n860Z200US43902||\n860Z200US43901|1|\n860Z200US439|1|\n")
	w.others[summary2023+"b01003.dat"] = []byte(head + "0500000US39901|5100|\n0600000US3990112345|77|\n1600000US3901234|88|\n860Z200US43901|900|\n860Z200US43902|2000|\n")
	const homes = "GEO_ID|B25001_E001|B25001_M001\n"
	w.others[summary2024+"b25001.dat"] = []byte(homes + "0400000US39|999|5\n860Z200US43901|410|\n860Z200US43902||\n")
	w.others[summary2023+"b25001.dat"] = []byte(homes + "860Z200US43901|400|\n860Z200US43902|800|\n")
	return w
}

// populations returns the people of the world's ZIP Codes.
func populations(t *testing.T, b *built) map[string]int32 {
	got := map[string]int32{}
	for _, code := range []string{"43901", "43902", "43903", "43905", "43906"} {
		if n, ok := b.Population(store.CodeOfZIP(zipOf(t, code))); ok {
			got[code] = n
		}
	}
	return got
}

func TestPopulation(t *testing.T) {
	w := peopled(t)
	w.place("OH", "3901234", "Bigburg city")
	b := w.buildWith(builder.Options{})
	if diff := cmp.Diff(map[string]int32{"43901": 1000, "43902": 2000, "43903": 30}, populations(t, b)); diff != "" {
		t.Errorf("population (-want +got):\n%s", diff)
	}
	type homes struct {
		Units              int32
		People, Year, Unit string
	}
	got := map[string]homes{}
	for _, code := range []string{"43901", "43902", "43903"} {
		_, d := b.zip(code)
		q := d.Quality
		h := homes{People: q.PopulationSource, Year: strconv.Itoa(q.PopulationYear), Unit: q.HousingSource}
		if d.Housing != nil {
			h.Units = *d.Housing
		}
		got[code] = h
	}
	want := map[string]homes{
		"43901": {410, "acs-b01003", "2024", "acs-b25001"},
		"43902": {800, "acs-b01003-older", "2023", "acs-b25001-older"},
		"43903": {0, "acs-b01003", "2024", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("homes and sources (-want +got):\n%s", diff)
	}
	for name, want := range map[string]int64{"passed over": 2, "an older survey": 1, "default density": 0} {
		if n := b.count(b.report.Rules, name); n != want {
			t.Errorf("%d %s, want %d", n, name, want)
		}
	}
	if n := b.count(b.report.Refused, "acs-b01003"); n != 2 {
		t.Errorf("%d rows refused, want a duplicate and one with too few digits", n)
	}
	people := map[string]int32{}
	for i := range b.Entities().Len() {
		e := b.Entities().At(i)
		if e.Population != store.NoPopulation && (e.Kind == store.EntityPlace || e.Kind == store.EntityCounty) {
			people[e.Name] = e.Population
		}
	}
	if diff := cmp.Diff(map[string]int32{"Amber County": 5100, "Bigburg": 88}, people); diff != "" {
		t.Errorf("people of counties and places (-want +got):\n%s", diff)
	}
}

// TestNationalPopulation checks a build from the mirror against figures of the
// Census Bureau.
func TestNationalPopulation(t *testing.T) {
	b := openNational(t)
	var zips, counties, places int64
	for z := range b.ZIPs() {
		n, _ := b.Population(store.CodeOfZIP(z.ZIP))
		zips += int64(n)
	}
	people := map[string]int32{}
	for i := range b.Entities().Len() {
		e := b.Entities().At(i)
		switch e.Kind {
		case store.EntityCounty:
			if b.State(e.State).Country == store.US {
				counties += int64(max(e.Population, 0))
			}
		case store.EntityPlace:
			if b.State(e.State).Country == store.US && e.Population != store.NoPopulation {
				places++
				people[e.Name+" "+b.State(e.State).Abbr] = e.Population
			}
		}
	}
	// 332,387,540 people of the states and 3,254,885 of Puerto Rico in counties.
	if counties != 335_642_425 {
		t.Errorf("%d people in counties, want 335,642,425", counties)
	}
	if zips < 330_000_000 || zips > 340_000_000 {
		t.Errorf("%d people in ZIPs, want 330 to 340 million", zips)
	}
	if places < 32_300 {
		t.Errorf("%d places with people, want 32,300 or more", places)
	}
	for name, want := range map[string]int32{"Los Angeles CA": 3_857_897, "Beverly Hills CA": 31_955} {
		if people[name] != want {
			t.Errorf("%s has %d people, want %d", name, people[name], want)
		}
	}
}

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

// The paths of the sources of Medicare and of business figures.
const (
	ssaPath      = "data.nber.org/cbsa-msa-fips-ssa-county-crosswalk/cbsatocountycrosswalk.csv"
	ratingPath   = "aux.local/rating_areas/rating_areas.csv"
	zbpPath      = "www2.census.gov/programs-surveys/cbp/datasets/2020/zbp20totals.zip"
	zbpPath2016  = "www2.census.gov/programs-surveys/cbp/datasets/2016/zbp16totals.zip"
	ssaHeader    = `"countyname","state","ssacounty","fipscounty","y2005","y2017"`
	ratingHeader = "state,county_fips,county_name,zip3,rating_area,rating_area_2015,basis"
	zbpHeader    = `"zip","name","emp_nf","emp","qp1_nf","qp1","ap_nf","ap","est","city","stabbr","cty_name"`
	zbpHeader16  = `"zip","name","empflag","emp_nf","emp","qp1_nf","qp1","ap_nf","ap","est","city","stabbr","cty_name"`
)

func (w *world) other(name, member, header string, rows ...string) {
	w.others[name] = packed(name, member, header, rows)
}

// TestMedicare checks the rules for SSA codes and rating areas of ZIP Codes.
func TestMedicare(t *testing.T) {
	w := newWorld(t)
	w.zip("43903", "Twice", "OH", "903", 40.0, -82.0)
	w.county("NE", "31901", "Dune County", 41.5, -99)
	w.zip("69101", "Dune", "NE", "901", 41.5, -99)
	w.zip("69999", "Far Dune", "NE", "901", 41.5, -99.1)
	w.county("CA", "06037", "Los Angeles County", 34, -118)
	w.zip("90210", "Beverly Hills", "CA", "037", 34.1, -118.4)
	w.zip("91101", "Pasadena", "CA", "037", 34.1, -118.1)
	w.county("SD", "46102", "Oglala Lakota County", 43.3, -102.5)
	w.zip("57770", "Pine Ridge", "SD", "102", 43.0, -102.5)
	w.county("CT", "09110", "Capitol Planning Region", 41.8, -72.7)
	w.zip("06103", "Hartford", "CT", "110", 41.77, -72.67)
	w.zip("06105", "Next Door", "CT", "110", 41.78, -72.68)
	w.zip("06226", "Willimantic", "CT", "110", 41.71, -72.22)
	w.zip("06227", "Near Willimantic", "CT", "110", 41.72, -72.23)
	w.zip("06070", "Old", "CT", "005", 41.9, -72.8) // GeoNames still has some old counties
	w.other(ssaPath, "", ssaHeader,
		`"AMBER","OH","36000","39901",2005,2017`,
		`"BIRCH","OH","36010","39903",2005,2017`,
		`"BIRCH","OH","36011","39903",2005,2017`, // a second code
		`"GONE","OH","36990","39905",2005,`,      // before the newest year
		`"DUNE","NE","28000","31901",2005,2017`,
		`"LOS ANGELES","CA","05200","06037",2005,2017`,
		`"SHANNON","SD","43560","46113",2005,2017`,
		`"HARTFORD","CT","07010","09003",2005,2017`,
		`"LITCHFIELD","CT","07020","09005",2005,2017`,
		`"WINDHAM","CT","07070","09015",2005,2017`,
	)
	w.other(ratingPath, "", ratingHeader,
		"OH,39901,Amber County,,3,3,county",
		"OH,39903,Birch County,,12,12,county",
		`NE,31901,Dune County,,1,,"county, approximate: the state is defined by zip3"`,
		"NE,,,691,4,4,zip3",
		"CA,06037,Los Angeles County,902,16,16,zip3",
		"CT,09003,Hartford County,,2,2,county",
		"CT,09005,Litchfield County,,3,3,county",
		"CT,09015,Windham County,,8,8,county",
		"SD,46113,Shannon County,,4,4,county",
	)
	w.other(zbpPath, "zbp20totals.txt", zbpHeader,
		`"06103","HARTFORD, CT","G",10,"G",20,"G",80,4,"HARTFORD","CT","HARTFORD"`,
		`"06226","WILLIMANTIC, CT","G",10,"G",20,"G",80,4,"WILLIMANTIC","CT","WINDHAM"`,
	)
	b := w.build("medicare")
	for code, want := range map[string]*store.Medicare{
		"43901": {SSA: "36000", RatingArea: 3},
		"43903": {SSA: "36010", RatingArea: 12},
		"69101": {SSA: "28000", RatingArea: 4}, // by ZIP digits
		"69999": {SSA: "28000"},                // digits that no area has; the county's is an approximation
		"90210": {SSA: "05200", RatingArea: 16},
		"91101": {SSA: "05200"},
		"57770": {SSA: "43560", RatingArea: 4}, // of the county's former code
		"06103": {SSA: "07010", RatingArea: 2},
		"06105": {SSA: "07010", RatingArea: 2},
		"06226": {SSA: "07070", RatingArea: 8},
		"06227": {SSA: "07070", RatingArea: 8},
		"06070": {SSA: "07020", RatingArea: 3},
	} {
		_, d := b.zip(code)
		if diff := cmp.Diff(want, d.Medicare); diff != "" {
			t.Errorf("%s (-want +got):\n%s", code, diff)
		}
		if d.Business != nil {
			t.Errorf("%s has business figures without the layer", code)
		}
	}
	if n := b.count(b.report.Rules, "former county in Connecticut"); n != 2 {
		t.Errorf("the rule of former counties applied to %d ZIPs of Connecticut, want 2", n)
	}
	if n := b.count(b.report.Refused, "second SSA code"); n != 1 {
		t.Errorf("%d second SSA codes, want 1", n)
	}
	if _, d := w.build().zip("43901"); d.Medicare != nil {
		t.Errorf("a dataset without the layer has %+v", d.Medicare)
	}
}

// TestBusiness checks that a ZIP Code has its figures from the newest table.
func TestBusiness(t *testing.T) {
	w := newWorld(t)
	w.zip("43902", "Small", "OH", "901", 40.0, -83.0)
	w.zip("43903", "None", "OH", "903", 40.0, -82.0)
	w.other(zbpPath, "zbp20totals.txt", zbpHeader,
		`"43901","AMBERTON, OH","G",120,"J",900,"H",4100,9,"AMBERTON","OH","AMBER"`,
		`"43999","GONE, OH","G",120,"J",900,"H",4100,9,"GONE","OH","AMBER"`)
	w.other(zbpPath2016, "zbp16totals.txt", zbpHeader16,
		`"43901","AMBERTON, OH","","G",99,"J",99,"H",99,99,"AMBERTON","OH","AMBER"`,
		`"43902","SMALL, OH","A","D",0,"D",0,"D",0,2,"SMALL","OH","AMBER"`)
	b := w.build("business")
	for code, want := range map[string]*store.Business{
		"43901": {Year: 2020, Establishments: 9, Employees: ptr[int32](120), PayrollQ1: ptr[int64](900_000), PayrollAnnual: ptr[int64](4_100_000)},
		"43902": {Year: 2016, Establishments: 2, EmploymentFlag: "A"},
		"43903": nil,
	} {
		_, d := b.zip(code)
		if diff := cmp.Diff(want, d.Business); diff != "" {
			t.Errorf("%s (-want +got):\n%s", code, diff)
		}
		if d.Medicare != nil {
			t.Errorf("%s has Medicare without the layer", code)
		}
	}
	if n := b.count(b.report.Refused, "zbp: unknown ZIP Code"); n != 1 {
		t.Errorf("%d unknown ZIP Codes, want 1", n)
	}
}

func ptr[T any](v T) *T { return &v }
