package source_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
)

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
