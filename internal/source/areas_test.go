package source_test

import (
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
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
