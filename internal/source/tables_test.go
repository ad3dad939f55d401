package source_test

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// read collects the rows of a sequence, the errors about single rows, and the
// error that ended it.
func read[R any](rows iter.Seq2[R, error]) (good []R, refused []string, err error) {
	for r, e := range rows {
		switch bad := (*format.Error)(nil); {
		case e == nil:
			good = append(good, r)
		case errors.Is(e, format.ErrValue) && errors.As(e, &bad):
			refused = append(refused, fmt.Sprintf("%d:%s", bad.Line, bad.Column))
		default:
			err = e
		}
	}
	return good, refused, err
}

func text(lines ...string) format.File {
	return format.File{Path: "test.txt", Content: []byte(strings.Join(lines, "\n") + "\n")}
}

// check compares the read rows with the expected ones.
func check[R any](t *testing.T, rows iter.Seq2[R, error], want []R, wantRefused ...string) {
	t.Helper()
	good, refused, err := read(rows)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, good, cmp.Comparer(func(a, b geo.LatLng) bool { return a == b })); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantRefused, refused); diff != "" {
		t.Errorf("refused rows (-want +got):\n%s", diff)
	}
}

// ends checks that a file is refused whole.
func ends[R any](t *testing.T, rows iter.Seq2[R, error], want error) {
	t.Helper()
	if _, _, err := read(rows); !errors.Is(err, want) {
		t.Errorf("the error is %v, want one that matches %v", err, want)
	}
}

func TestGeoNames(t *testing.T) {
	check(t, source.GeoNames(text(
		"US\t99901\tElm\tOhio\tOH\tAmber\t001\t\t\t40.5\t-83.25\t4",
		"CA\tK9Q\tMaple\tOntario\tON\t\t\t\t\t44\t-77\t",
		"CA\tK9Q 1A1\tMaple\tOntario\tON\t\t\t\t\t0\t0\t",
		"US\tK9Q\tWrong\tOhio\tOH\t\t\t\t\t40\t-83\t",
		"CA\t99901\tWrong\tOntario\tON\t\t\t\t\t40\t-83\t",
		"\t99901\tWrong\tOhio\tOH\t\t\t\t\t40\t-83\t",
		"US\t99902\t\tOhio\tOH\t\t\t\t\t40\t-83\t",
		"US\t99903\tWrong\tOhio\tOH\t\t\t\t\tnorth\t-83\t",
		"US\t99904\tWrong\tOhio\tOH\t\t\t\t\t40\t\t",
		"US\t99905\tWrong\tOhio\tOH\t\t\t\t\t40\t-200\t",
		"US\t99906\tWrong\tOhio\tOH\t\t\t\t\tNaN\t-83\t",
	)), []source.GeoNamesRow{
		{Country: "US", Code: "99901", Place: "Elm", StateName: "Ohio", State: "OH", County: "Amber", CountyCode: "001", Location: geo.MustLatLng(40.5, -83.25), Line: 1},
		{Country: "CA", Code: "K9Q", Place: "Maple", StateName: "Ontario", State: "ON", Location: geo.MustLatLng(44, -77), Line: 2},
		{Country: "CA", Code: "K9Q 1A1", Place: "Maple", StateName: "Ontario", State: "ON", Line: 3},
	}, "4:code", "5:code", "6:country", "7:place", "8:latitude", "9:longitude", "10:latitude", "11:latitude")
	ends(t, source.GeoNames(text("US\t99901\tElm")), format.ErrRagged)
}

func TestGazetteer(t *testing.T) {
	gazetteer := source.Gazetteer(5)
	want := []source.GazetteerRow{{State: "OH", GEOID: "39901", Name: "Amber County", Land: 10, Water: 2, Location: geo.MustLatLng(40, -83), Line: 2}}
	refused := []string{"3:GEOID", "4:ALAND", "5:AWATER", "6:INTPTLAT"}
	check(t, gazetteer(text(
		"USPS|GEOID|GEOIDFQ|ANSICODE|NAME|ALAND|AWATER|ALAND_SQMI|AWATER_SQMI|INTPTLAT|INTPTLONG",
		"OH|39901|x|x|Amber County|10|2|0|0|40|-83",
		"OH|3990|x|x|Amber County|10|2|0|0|40|-83",
		"OH|39902|x|x|Amber County|-10|2|0|0|40|-83",
		"OH|39903|x|x|Amber County|10||0|0|40|-83",
		"OH|39904|x|x|Amber County|10|2|0|0|91|-83",
	)), want, refused...)
	check(t, gazetteer(text( // until 2024: tabs, the last column padded
		"USPS\tGEOID\tANSICODE\tNAME\tALAND\tAWATER\tALAND_SQMI\tAWATER_SQMI\tINTPTLAT\tINTPTLONG     ",
		"OH\t39901\tx\tAmber County\t10\t2\t0\t0\t40\t-83     ",
	)), want)
	check(t, gazetteer(text("GEOID|ALAND|AWATER|INTPTLAT|INTPTLONG", "99901|10|2|40|-83")),
		[]source.GazetteerRow{{GEOID: "99901", Land: 10, Water: 2, Location: geo.MustLatLng(40, -83), Line: 2}})
	ends(t, gazetteer(text("GEOID|ALAND|AWATER|LAT|LONG", "99901|10|2|40|-83")), format.ErrColumns)
	ends(t, gazetteer(format.File{Path: "test.txt", Content: []byte("")}), format.ErrColumns)
}

// sheet writes rows as an Excel file.
func sheet(t *testing.T, rows ...[]string) format.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.xlsx")
	if err := os.WriteFile(path, mirrortest.Workbook(rows...), 0o600); err != nil {
		t.Fatal(err)
	}
	return format.File{Path: path}
}

func TestDelineation(t *testing.T) {
	header := []string{"CBSA Code", "Metropolitan Division Code", "CSA Code", "CBSA Title", "Metropolitan/Micropolitan Statistical Area", "Metropolitan Division Title", "CSA Title", "FIPS State Code", "FIPS County Code"}
	const metro, micro = "Metropolitan Statistical Area", "Micropolitan Statistical Area"
	check(t, source.Delineation(sheet(t,
		[]string{"Title"}, header,
		[]string{"99001", "99002", "901", "Amber, OH", metro, "Amber Division", "Amber-Birch, OH", "39", "901"},
		[]string{"99003", "", "", "Birch, OH", micro, "", "", "39", "903"},
		[]string{"9900", "", "", "Short", micro, "", "", "39", "903"},
		[]string{"99003", "", "", "State", micro, "", "", "9", "903"},
		[]string{"99003", "", "", "County", micro, "", "", "39", "3"},
		[]string{"99003", "x", "", "Division", micro, "", "", "39", "903"},
		[]string{"99003", "", "12", "CSA", micro, "", "", "39", "903"},
		[]string{"99003", "", "", "Kind", "Statistical Area", "", "", "39", "903"},
		[]string{"Note: the end"},
	)), []source.DelineationRow{
		{CountyFIPS: "39901", CBSA: "99001", CBSATitle: "Amber, OH", Metropolitan: true, Division: "99002", DivisionTitle: "Amber Division", CSA: "901", CSATitle: "Amber-Birch, OH", Line: 3},
		{CountyFIPS: "39903", CBSA: "99003", CBSATitle: "Birch, OH", Line: 4},
	}, "5:CBSA Code", "6:FIPS State Code", "7:FIPS County Code", "8:Metropolitan Division Code", "9:CSA Code", "10:Metropolitan/Micropolitan Statistical Area")
	ends(t, source.Delineation(sheet(t, header[1:], []string{"x"})), format.ErrColumns)
}

func TestUDS(t *testing.T) {
	header := "ZIP,ReportingYear,ZIPType,CityName,StateName,StateAbbr,ENC_ZIP,ZCTA_USE"
	want := []source.UDSRow{
		{ZIP: 99901, City: "Elm", State: "OH", PostBoxes: true, ZCTA: "99902", Line: 2},
		{ZIP: 99902, City: "Elm", State: "OH", ZCTA: "99902", Line: 3},
		{ZIP: 99903, City: "Elm", State: "OH", Line: 4},
	}
	check(t, source.UDS(text(header,
		"99901,2015,Post Office or large volume customer,Elm,,OH,99902,99902",
		`99902,2015,"ZIP Code Area","Elm",,OH,,99902`,
		"99903,2015,ZIP Code Area,Elm,,OH,,No ZCTA",
		"9990,2015,ZIP Code Area,Elm,,OH,,99902",
		"99904,2015,ZIP Code Area,Elm,,Ohio,,99902",
	)), want, "5:ZIP", "6:state")
	check(t, source.UDS(sheet(t, []string{"ZIP_CODE", "PO_NAME", "STATE", "ZIP_TYPE", "zcta", "zip_join_type"},
		[]string{"99901", "Elm", "OH", "Post Office or large volume customer", "99902", "Spatial join to ZCTA"},
		[]string{"99902", "Elm", "OH", "Zip Code Area", "99902", "Zip matches ZCTA"},
		[]string{"99903", "Elm", "OH", "Zip Code Area", "", ""},
	)), want)
	ends(t, source.UDS(text("ZIP,City", "99901,Elm")), format.ErrColumns)
}

func TestZIPDatabase(t *testing.T) {
	const header = "zip,type,decommissioned,primary_city,acceptable_cities,unacceptable_cities,state,county,timezone,area_codes,world_region,country,latitude,longitude,irs_estimated_population"
	check(t, source.ZIPDatabase(text(header,
		`99901,STANDARD,0,Elm,"Oak, Ash",,OH,Amber County,America/New_York,"614,380",NA,US,40.5,-83.25,`,
		"99902,PO BOX,1,Elm,,,OH,,,,NA,US,0.0000,0.0000,",
		"99903,UNIQUE,0,Elm,,,OH,,,,NA,US,40,-83,",
		"09001,MILITARY,0,Apo,,,AE,,,,EU,US,0,0,",
		"9990,STANDARD,0,Elm,,,OH,,,,NA,US,40,-83,",
		"99904,OTHER,0,Elm,,,OH,,,,NA,US,40,-83,",
		"99905,STANDARD,0,,,,OH,,,,NA,US,40,-83,",
		"99906,STANDARD,0,Elm,,,O,,,,NA,US,40,-83,",
		"99907,STANDARD,0,Elm,,,OH,,,,NA,US,100,-83,",
	)), []source.ZIPDatabaseRow{
		{ZIP: 99901, Class: store.General, City: "Elm", Acceptable: []string{"Oak", "Ash"}, State: "OH", County: "Amber County", AreaCodes: []string{"614", "380"}, Location: geo.MustLatLng(40.5, -83.25), Line: 2},
		{ZIP: 99902, Class: store.POBox, Decommissioned: true, City: "Elm", State: "OH", Line: 3},
		{ZIP: 99903, Class: store.Unique, City: "Elm", State: "OH", Location: geo.MustLatLng(40, -83), Line: 4},
		{ZIP: 9001, Class: store.Military, City: "Apo", State: "AE", Line: 5},
	}, "6:zip", "7:type", "8:primary_city", "9:state", "10:latitude")
	ends(t, source.ZIPDatabase(text("zip,city", "99901,Elm")), format.ErrColumns)
}

func TestBlockGroupCenters(t *testing.T) {
	check(t, source.BlockGroupCenters(text("\ufeffSTATEFP,COUNTYFP,TRACTCE,BLKGRPCE,POPULATION,LATITUDE,LONGITUDE",
		"99,001,020100,1,575,+32.464466,-086.486302",
		"99,001,020100,2,0,+51.880000,+179.600000",
		"99,1,020100,3,5,+32.4,-086.4",
		"99,001,020100,4,-5,+32.4,-086.4",
		"99,001,020100,5,5,+92.4,-086.4",
	)), []source.CenterRow{
		{GEOID: "990010201001", People: 575, Location: geo.MustLatLng(32.464466, -86.486302), Line: 2},
		{GEOID: "990010201002", Location: geo.MustLatLng(51.88, 179.6), Line: 3},
	}, "4:COUNTYFP", "5:POPULATION", "6:LATITUDE")
}

func TestElevations(t *testing.T) {
	check(t, source.Elevations(text("ZIP Code,Average Elevation", "99901,219.7", "99902,-86", "9990,5", "99903,high", "99904,-89146", "99905,NaN")),
		[]source.ElevationRow{{Code: "99901", Meters: 219.7, Line: 2}, {Code: "99902", Meters: -86, Line: 3}},
		"4:ZIP Code", "5:Average Elevation", "6:Average Elevation", "7:Average Elevation")
	check(t, source.Elevations(text("County_FIPS,Weighted_Avg_Elevation,NAME", "39901,100,Amber")), []source.ElevationRow{{Code: "39901", Meters: 100, Line: 2}})
}

const wide = "\ufeff" + `"REF_DATE","GEO","DGUID","Coordinate","Population and dwelling counts (3):Population, 2021[1]","Symbols","Population and dwelling counts (3):Total private dwellings, 2021[2]","Symbols","Population and dwelling counts (3):Private dwellings occupied by usual residents, 2021[3]","Symbols"`

func TestFSAPopulation(t *testing.T) {
	fsa, _ := postcode.ParseFSA("K9Q")
	n := func(v int64) *int64 { return &v }
	want := []source.FSAPopulationRow{{FSA: fsa, Area: "K9Q", Population: n(120), Dwellings: n(60), DwellingsOccupied: n(55), Line: 3}, {FSA: fsa + 1, Area: "K9R", Population: n(5), Line: 4}}
	check(t, source.FSAPopulation(text(wide,
		`"2021","Canada","x","1","36991981","","16284235","","14978941",""`,
		`"2021","K9Q","x","2","120","","60","","55",""`,
		`"2021","K9R","x","3","5","","..","","",""`,
		`"2021","Nowhere","x","4","5","","5","","5",""`,
		`"2021","K9S","x","5","-5","","5","","5",""`,
	)), want, "5:GEO", "6:population, 2021")
	ends(t, source.FSAPopulation(text("GEO,other", "K9Q,1")), format.ErrColumns)
}

func TestCorrespondence(t *testing.T) {
	code, _ := postcode.ParsePostalCode("K9Q 1A1")
	check(t, source.Correspondence(text("postal_code,DBUID,DAUID,best_link,allocation_weight", "K9Q 1A1,35060001001,35060001,TRUE,", "K9Q 1A1,,35060002,FALSE,", "K9Q,,35060002,TRUE,", "K9Q 1A1,,3506,TRUE,")),
		[]source.CorrespondenceRow{{Code: code, DA: "35060001", Block: "35060001001", Best: true, Line: 2}, {Code: code, DA: "35060002", Line: 3}}, "4:postal_code", "5:DAUID")
	check(t, source.DAPoints(text("da2016,lat,lon", "35060001,44,-77", "3506,44,-77", "35060002,x,-77")),
		[]source.DAPointRow{{DA: "35060001", Location: geo.MustLatLng(44, -77), Line: 2}}, "3:da2016", "4:lat")
	check(t, source.DALinks(text("da2021,da2016", "35060001,35060001|35060002", "35060003,", "3506,35060001")),
		[]source.DALinkRow{{DA: "35060001", Touches: []string{"35060001", "35060002"}, Line: 2}}, "3:da2016", "4:da2021")
}

func TestTimeZones(t *testing.T) {
	good, refused, err := read(source.LayerColumns{ID: "tzid"}.Areas(text(`{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"tzid":"Test/Elm"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}},
{"type":"Feature","properties":{"tzid":""},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}}]}`)))
	if err != nil || len(good) != 1 || good[0].ID != "Test/Elm" || len(good[0].Polygon) != 1 || len(refused) != 1 {
		t.Errorf("read %v, refused %v, %v", good, refused, err)
	}
	ends(t, source.LayerColumns{ID: "tzid"}.Areas(text(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":null}]}`)), format.ErrColumns)
}

// FuzzTables checks that no bytes make a reader panic or run forever.
func FuzzTables(f *testing.F) {
	for _, seed := range []string{
		"US\t99901\tElm\tOhio\tOH\tAmber\t001\t\t\t40.5\t-83.25\t4\n", "GEOID|ALAND|AWATER|INTPTLAT|INTPTLONG\n99901|10|2|40|-83\n", wide + "\n",
		"zip,type,decommissioned,primary_city,acceptable_cities,state,county,area_codes,latitude,longitude\n", "da2021,da2016\n35060001,35060001|\n",
		"DBUID_IDIDU,DAUID_ADIDU,CSDUID_SDRIDU\n35990001002,35990001,3599001\n", "CSDUID,CMAUID,CSDNAME,CSDTYPE,PR,POP2021\n3599001,35999,,,,\n", "type,code,name\nCMAPR,35505,A (B part)\n",
		"3999901|a|39|b|c|OH|43901|39|39901|d|41|40|-83|N|N|0|N|N|3901|39001|39001|2024-2025\n", "LEAID,ST_LEAID,LEA_TYPE,GSLO,GSHI\n3999901,1,1,PK,12\n",
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"tzid":"x"},"geometry":{"type":"Polygon","coordinates":[[[0,0]]]}}]}`,
		uspsCopyright(182) + uspsZIP4(), uspsCopyright(129) + uspsCityState(), uspsCopyright(309) + uspsRoute("90210", "A"), "zip,plus4,lat,lon\n22206,1101,38.8,-77.1\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		in := func() format.File { return format.File{Path: "fuzz", Content: []byte(content)} }
		drain(t, source.ReadZIP4(in()), content)
		drain(t, source.ReadCityState(in()), content)
		drain(t, source.ReadZIP4Points(in()), content)
		_, _, _ = source.SumDeliveryStats(in())
		drain(t, source.GeoNames(in()), content)
		drain(t, source.Gazetteer(5)(in()), content)
		drain(t, source.UDS(in()), content)
		drain(t, source.ZIPDatabase(in()), content)
		drain(t, source.Elevations(in()), content)
		drain(t, source.FSAPopulation(in()), content)
		drain(t, source.Correspondence(in()), content)
		drain(t, source.DAPoints(in()), content)
		drain(t, source.DALinks(in()), content)
		drain(t, source.LayerColumns{ID: "tzid"}.Areas(in()), content)
		drain(t, source.CodeBlocks(in()), content)
		drain(t, source.Subdivisions(in()), content)
		drain(t, source.MetroAreas(in()), content)
		drain(t, source.EconomicRegions(in()), content)
		drain(t, source.LayerColumns{ID: "eruid", Name: "ername", Kind: "cduid", Dash: "–", Digits: 4}.Areas(in()), content)
		drain(t, source.GeographicAttributes(in()), content)
		drain(t, source.SchoolOffices(in()), content)
		drain(t, source.SchoolAgencies(in()), content)
		drain(t, source.SchoolIDs(in()), content)
	})
}

func drain[R any](t *testing.T, rows iter.Seq2[R, error], content string) {
	t.Helper()
	good, refused, err := read(rows)
	if e := (*format.Error)(nil); err != nil && (!errors.As(err, &e) || e.File != "fuzz") {
		t.Errorf("error %T %v does not name the file", err, err)
	}
	if n := len(good) + len(refused); n > len(content) {
		t.Errorf("%d rows out of %d bytes", n, len(content))
	}
}

// TestTable holds the faults of a reviewed table: a bad number in a list, and a missing column.
func TestTable(t *testing.T) {
	type row struct {
		Codes []uint16 `col:"codes"`
	}
	for text, want := range map[string]string{
		"codes\n\"2x1,310\"\n":   `"2x1" is not a whole number`,
		"codes\n\"310,70000\"\n": "70000, expected at most 65535",
		"code\n310\n":            `column "codes": not in the header`,
	} {
		var err error
		for _, err = range source.Table[row](format.File{Path: "t.csv", Content: []byte(text)}) {
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}
