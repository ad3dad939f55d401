package source_test

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

func code(t *testing.T, s string) postcode.PostalCode {
	t.Helper()
	p, ok := postcode.ParsePostalCode(s)
	if !ok {
		t.Fatalf("%q is no postal code", s)
	}
	return p
}

func TestCorrespondenceBlocks(t *testing.T) {
	check(t, source.Correspondence(text(
		"postal_code,DBUID,DAUID,CTUID,address_weight,best_link",
		"K9Q 1A1,35990001002,35990001,9990001.00,0.75,TRUE",
		"K9Q 1A1,35990001003,35990001,9935.00,0.25,FALSE",
		"K9Q 1A2,3599000100,35990001,,0.25,FALSE",
		"K9Q 1A2,35990001003,35990001,,2,FALSE",
		"K9Q 1A2,35990001003,3599000,,1,FALSE",
	)), []source.CorrespondenceRow{
		{Code: code(t, "K9Q 1A1"), DA: "35990001", Block: "35990001002", Tract: "9990001.00", Weight: 0.75, Best: true, Line: 2},
		{Code: code(t, "K9Q 1A1"), DA: "35990001", Block: "35990001003", Weight: 0.25, Line: 3},
	}, "4:DBUID", "5:weight", "6:DAUID")
	check(t, source.CodeBlocks(text(
		`"postal_code","latitude","DBUID","DAUID_ADIDU"`,
		`"K9Q 1A1",44,"35990001002","35990001"`,
		`"K9Q 1A2",44,,`,
		`"K9Q 1A3",44,"35990001002","3599000"`,
		`"K9Q",44,"35990001002","35990001"`,
	)), []source.CodeBlockRow{
		{Code: code(t, "K9Q 1A1"), DA: "35990001", Block: "35990001002", Line: 2},
		{Code: code(t, "K9Q 1A2"), Line: 3},
	}, "4:DAUID_ADIDU", "5:postal_code")
}

func TestCanadianAttributes(t *testing.T) {
	check(t, source.Subdivisions(text(
		"CSDUID,CSDNAME,CMAUID,CSDTYPE,PR,POP2021",
		"3599001,Maple,35999,,,",
		"2499001,Orme,505,,,",
		"3599002,Pine--Dale,,,,",
		"359900,Short,35999,,,",
		"3599003,Wrong,9999,,,",
	)), []source.SubdivisionRow{
		{CSD: "3599001", Name: "Maple", Metro: "999", Line: 2},
		{CSD: "2499001", Name: "Orme", Metro: "505", Line: 3},
		{CSD: "3599002", Name: "Pine–Dale", Line: 4},
	}, "5:CSDUID", "6:CMAUID")
	check(t, source.MetroAreas(text(
		"dguid,type,code,name",
		"x,CMA,999,Maple",
		"x,CMAPR,35505,Maple - Orme (Ontario part)",
		"x,CA,99,Short",
		"x,XX,998,Wrong",
	)), []source.MetroAreaRow{
		{Code: "999", Kind: "CMA", Name: "Maple", Line: 2},
		{Code: "505", Kind: "CMA", Name: "Maple - Orme", Part: true, Line: 3},
	}, "4:code", "5:type")
	check(t, source.EconomicRegions(text(
		"cduid,eruid,ername",
		"3599,3590,Northeast--Lakes / Nord-est--Lacs",
		"3598,3595,Plain",
		"35,3595,Short",
	)), []source.EconomicRegionRow{
		{CD: "3599", Region: "3590", Name: "Northeast–Lakes", French: "Nord-est–Lacs", Line: 2},
		{CD: "3598", Region: "3595", Name: "Plain", Line: 3},
	}, "4:cduid")
}

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

func TestSchools(t *testing.T) {
	check(t, source.SchoolOffices(text(
		"3999901|Elm Schools|39|1 Main St|Elm|OH|43901|39|39901|Amber County|41|40.5|-83.25|N|N|0|N|N|3901|39001|39001|2024-2025",
		"3999902|Oak Schools|39|M|Oak|OH|43902|39|N|M|N|0|0|N|N|0|N|N|3901|39001|39001|2024-2025",
		"39999|Short|39|M|Oak|OH|43902|39|39901|M|41|0|0|N|N|0|N|N|3901|39001|39001|2024-2025",
		"3999903|Wrong|39|M|Oak|OH|43902|39|39901|M|411|0|0|N|N|0|N|N|3901|39001|39001|2024-2025",
		"3999904|Far|39|M|Oak|OH|43902|39|39901|M|41|99|0|N|N|0|N|N|3901|39001|39001|2024-2025",
	)), []source.SchoolOfficeRow{
		{
			LEA: "3999901", Street: "1 Main St", City: "Elm", State: "OH", ZIP: "43901", CountyFIPS: "39901", County: "Amber County",
			Locale: "41", Location: geo.MustLatLng(40.5, -83.25), Line: 1,
		},
		{LEA: "3999902", City: "Oak", State: "OH", ZIP: "43902", Line: 2},
	}, "3:LEAID", "4:LOCALE", "5:LAT")
	check(t, source.SchoolAgencies(text(
		`"SCHOOL_YEAR","LEAID","ST_LEAID","LEA_TYPE","GSLO","GSHI"`,
		`"2024-2025","3999901","OH-1","1","PK","12"`,
		`"2024-2025","3999902","OH-2","7","N","M"`,
		`"2024-2025","x","OH-2","7","N","M"`,
	)), []source.SchoolAgencyRow{
		{LEA: "3999901", StateID: "OH-1", Kind: "1", GradeLow: "PK", GradeHigh: "12", Line: 2},
		{LEA: "3999902", StateID: "OH-2", Kind: "7", Line: 3},
	}, "4:LEAID")
	check(t, source.SchoolIDs(text(
		"id,sch_dist_stateid,census_geoid",
		"ocd,7,3999901",
		"ocd,8,39",
	)), []source.SchoolIDRow{{LEA: "3999901", StateID: "7", Division: "ocd", Line: 2}}, "3:census_geoid")
}

func TestZIPPolygonsOfGeoJSON(t *testing.T) {
	feature := func(properties string) string {
		return `{"type":"Feature","properties":{` + properties + `},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}}`
	}
	path := filepath.Join(t.TempDir(), "zips.json")
	text := `{"type":"FeatureCollection","features":[` + strings.Join([]string{
		feature(`"GEOID":"x","ZIP":"90210"`), feature(`"zcta5ce10":"10001"`), feature(`"zip":"1001"`), feature(`"name":"10001"`), feature(`"POSTCODE":"00601"`),
	}, ",") + `]}`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
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

func TestSSACounties(t *testing.T) {
	check(t, source.SSACounties(text(
		`"countyname","state","ssacounty","fipscounty","y2005","y2017","y2011"`,
		`"AMBER","OH","36000","39901",2005,2017,2011`,
		`"GONE","OH","36010","39903",2005,,2011`,
		`"WRONG","OH","3600","39905",2005,2017,2011`,
		`"WRONG","OH","36000","",2005,2017,2011`,
		`"BIRCH","OH","36020","39907",,2017,`,
	)), []source.SSACountyRow{
		{CountyFIPS: "39901", SSA: "36000", Line: 2},
		{CountyFIPS: "39907", SSA: "36020", Line: 6},
	}, "4:ssacounty", "5:fipscounty")
	check(t, source.SSACounties(text( // a file of one year
		"countyname_fips,state,fipscounty,cbsa_code,ssa_code",
		"AMBER REGION,CT,09998,,07998",
		"WRONG,CT,09998,,0799",
	)), []source.SSACountyRow{{CountyFIPS: "09998", SSA: "07998", Line: 2}}, "3:ssacounty")
	ends(t, source.SSACounties(text(`"ssacounty","y2017"`)), format.ErrColumns)
}

func TestRatingAreas(t *testing.T) {
	check(t, source.RatingAreas(text(
		"state,county_fips,county_name,zip3,rating_area,rating_area_2015,basis",
		"OH,39901,Amber County,,3,3,county",
		"NE,,,691,4,4,zip3",
		"CA,06037,Los Angeles County,902,16,16,zip3",
		"O,39901,Wrong,,3,3,county",
		"OH,3990,Wrong,,3,3,county",
		"NE,,,69,4,4,zip3",
		"NE,,,,4,4,zip3",
		"OH,39901,Wrong,,0,3,county",
		"OH,39901,Wrong,,256,3,county",
		"OH,39901,Wrong,,x,3,county",
	)), []source.RatingAreaRow{
		{State: "OH", CountyFIPS: "39901", RatingArea: 3, Line: 2},
		{State: "NE", ZIP3: "691", RatingArea: 4, Line: 3},
		{State: "CA", CountyFIPS: "06037", ZIP3: "902", RatingArea: 16, Line: 4},
	}, "5:state", "6:county_fips", "7:zip3", "8:county_fips", "9:rating_area", "10:rating_area", "11:rating_area")
	ends(t, source.RatingAreas(text("state,county_fips,zip3")), format.ErrColumns)
}

func TestZIPBusiness(t *testing.T) {
	const head = `"zip","name","empflag","emp_nf","emp","qp1_nf","qp1","ap_nf","ap","est","city","stabbr","cty_name"`
	count, dollars := int32(12), int64(34_000)
	annual := int64(140_000)
	check(t, source.ZIPBusiness(text(head,
		`"43901","AMBERTON, OH",,"G",12,"J",34,"H",140,3,"AMBERTON","OH","AMBER"`,
		"\"88005\",\"LAS CRUCES, NM\",\"A\",\"D\",0,\"D\",0,\"S\",0,2,\"LAS CRUCES\",\"NM\",\"DO\xd1A ANA\"",
		`"4390","WRONG",,"G",12,"J",34,"H",140,3,"","",""`,
		`"43902","WRONG","N","G",12,"J",34,"H",140,3,"","",""`,
		`"43902","WRONG","D","G",12,"J",34,"H",140,3,"","",""`,
		`"43902","WRONG",,"G",-1,"J",34,"H",140,3,"","",""`,
		`"43902","WRONG",,"G",1,"J",x,"H",140,3,"","",""`,
		`"43902","WRONG",,"G",1,"J",1,"H",2147483648,3,"","",""`,
		`"43902","WRONG",,"G",1,"J",1,"H",1,,"","",""`,
	)), []source.ZIPBusinessRow{
		{
			ZIP: 43901, County: "AMBER", State: "OH", Establishments: 3, Employees: &count, PayrollQ1: &dollars, PayrollAnnual: &annual, Line: 2,
		},
		{ZIP: 88005, County: "DOÑA ANA", State: "NM", Establishments: 2, EmploymentFlag: "A", Line: 3},
	}, "4:zip", "5:empflag", "6:empflag", "7:emp", "8:qp1", "9:ap", "10:est")
	check(t, source.ZIPBusiness(text(
		`"zip","name","emp_nf","emp","qp1_nf","qp1","ap_nf","ap","est","city","stabbr","cty_name"`,
		`"43901","AMBERTON, OH","G",12,"J",34,"H",140,3,"AMBERTON","OH","AMBER"`,
	)), []source.ZIPBusinessRow{{
		ZIP: 43901, County: "AMBER", State: "OH", Establishments: 3, Employees: &count, PayrollQ1: &dollars, PayrollAnnual: &annual, Line: 2,
	}})
	ends(t, source.ZIPBusiness(text(`"zip","emp"`)), format.ErrColumns)
}
