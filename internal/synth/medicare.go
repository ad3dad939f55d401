package synth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// medicareTables are the crosswalk of SSA codes and the rating areas. Only the
// states' numbers and Connecticut's counties of before 2022 are real; both
// tables still have those counties.
func (c *Country) medicareTables() []mirrorFile {
	return []mirrorFile{
		quotedCSV.list("data.nber.org/cbsa-msa-fips-ssa-county-crosswalk/cbsatocountycrosswalk.csv",
			"countyname,state,ssacounty,fipscounty,msa,l,msaname,cbsa,cbsaname,ssast,fipst,y2016,y2017", c.ssaTable),
		csv.list(auxDir+"rating_areas/rating_areas.csv", "state,county_fips,county_name,zip3,rating_area,rating_area_2015,basis", c.ratingAreas),
	}
}

// ssaStates are the states of the crosswalk in the order of their numbers, which
// the Social Security Administration gives by name.
var ssaStates = strings.Fields("AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY " +
	"NC ND OH OK OR PA PR RI SC SD TN TX UT VT VI VA WA WV WI WY")

// formerCounty is a county of Connecticut until 2022.
type formerCounty struct{ fips, name, ssa string }

var formerCounties = []formerCounty{
	{"09001", "FAIRFIELD", "07000"},
	{"09003", "HARTFORD", "07010"},
	{"09005", "LITCHFIELD", "07020"},
	{"09007", "MIDDLESEX", "07030"},
	{"09009", "NEW HAVEN", "07040"},
	{"09011", "NEW LONDON", "07050"},
	{"09013", "TOLLAND", "07060"},
	{"09015", "WINDHAM", "07070"},
}

// formerCountyOf returns the former county with the largest part of a planning
// region of Connecticut.
var formerCountyOf = map[string]formerCounty{
	"09110": formerCounties[1], "09120": formerCounties[0], "09130": formerCounties[3], "09140": formerCounties[4], "09150": formerCounties[7],
	"09160": formerCounties[2], "09170": formerCounties[4], "09180": formerCounties[5], "09190": formerCounties[0],
}

// ssaTable writes the counties of the states with a number, in alphabetical
// order as the Administration numbers them. A last row has a county that was
// dissolved before the newest year.
func (c *Country) ssaTable(t *table) {
	type county struct{ state, name, fips string }
	var list []county
	for _, k := range all(c.Counties) {
		if abbr := c.States[k.State].Abbr; slices.Contains(ssaStates, abbr) && abbr != "VI" && abbr != "CT" {
			list = append(list, county{abbr, strings.ToUpper(k.Base), k.FIPS})
		}
	}
	slices.SortFunc(list, func(a, b county) int {
		return cmp.Or(cmp.Compare(a.state, b.state), cmp.Compare(a.name, b.name), cmp.Compare(a.fips, b.fips))
	})
	add := func(write func(...string), k county, ssa, y2017 string) {
		write(k.name, k.state, ssa, k.fips, "", "", "", "", "", ssa[:2], k.fips[:2], "2016", y2017)
	}
	n := 0
	for i, k := range list {
		if n++; i == 0 || list[i-1].state != k.state {
			n = 0
		}
		add(t.row, k, fmt.Sprintf("%02d%03d", slices.Index(ssaStates, k.state)+1, min(10*n, 999)), "2017")
	}
	for _, f := range formerCounties {
		add(t.row, county{"CT", f.name, f.fips}, f.ssa, "2017")
	}
	add(t.line, county{"SD", "WASHABAUGH", "46131"}, "43650", "")
}

// In these states and in one county the rating area follows from the first
// digits of the ZIP.
var (
	digitStates = []string{"AK", "ID", "MA", "NE"}
	digitCounty = "06037"
)

// maxRatingAreas is the maximum number of rating areas of a state.
const maxRatingAreas = 9

func (c *Country) ratingAreas(t *table) {
	numbers := map[string]int{} // of counties, then of ZIP digits, by state
	next := func(key string) string {
		numbers[key]++
		return itoa((numbers[key]-1)%maxRatingAreas + 1)
	}
	for _, k := range all(c.Counties) {
		switch abbr := c.States[k.State].Abbr; {
		case abbr == "CT" || abbr == "AS" || abbr == "MP" || k.FIPS == digitCounty:
		case slices.Contains(digitStates, abbr):
			t.row(abbr, k.FIPS, k.Name, "", next(abbr), "", "county, approximate: the state is defined by zip3")
		default:
			n := next(abbr)
			t.row(abbr, k.FIPS, k.Name, "", n, n, "county")
		}
	}
	for i, f := range formerCounties {
		n := itoa(i + 1)
		t.row("CT", f.fips, f.name, "", n, n, "county")
	}
	seen := map[string]bool{}
	for _, z := range all(c.ZIPs) {
		if z.County == None {
			continue
		}
		zip3, county, abbr := z.Code.String()[:3], c.Counties[z.County].FIPS, c.States[z.State].Abbr
		switch {
		case county == digitCounty:
		case slices.Contains(digitStates, abbr):
			county = ""
		default:
			continue
		}
		if key := abbr + county + zip3; !seen[key] {
			seen[key] = true
			n := next(abbr + county + "digits")
			t.row(abbr, county, "", zip3, n, n, "zip3")
		}
	}
}
