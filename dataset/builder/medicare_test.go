package builder_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/store"
)

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
		t.Errorf("%d ZIPs of Connecticut have the former county of a neighbour, want 2", n)
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
