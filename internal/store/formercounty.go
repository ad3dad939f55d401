package store

import (
	"fmt"
	"strings"
)

// A FormerCounty is a county or county equivalent that ended.
type FormerCounty struct {
	FIPS       string
	Name       string   // with its kind, as in "Hartford County"
	State      string   // two letters
	Ended      int      // year
	Successors []string // FIPS codes of the counties that have its area, or most of it, now; ascending
}

// FormerCounties are those that files of the last decades still name, ascending. The
// source is "Substantial Changes to Counties and County Equivalent Entities:
// 1970-Present" of the Census Bureau. The successors in Connecticut are the planning
// regions of the towns of each county (87 FR 34235 of 2022-06-06).
var FormerCounties = []FormerCounty{
	{"02201", "Prince of Wales-Outer Ketchikan Census Area", "AK", 2008, []string{"02198"}},
	{"02231", "Skagway-Yakutat-Angoon Census Area", "AK", 1992, []string{"02105", "02230", "02282"}},
	{"02232", "Skagway-Hoonah-Angoon Census Area", "AK", 2007, []string{"02105", "02230"}},
	{"02261", "Valdez-Cordova Census Area", "AK", 2019, []string{"02063", "02066"}},
	{"02270", "Wade Hampton Census Area", "AK", 2015, []string{"02158"}},
	{"02280", "Wrangell-Petersburg Census Area", "AK", 2008, []string{"02195", "02275"}},
	{"09001", "Fairfield County", "CT", 2022, []string{"09120", "09140", "09190"}},
	{"09003", "Hartford County", "CT", 2022, []string{"09110", "09140", "09160"}},
	{"09005", "Litchfield County", "CT", 2022, []string{"09140", "09160", "09190"}},
	{"09007", "Middlesex County", "CT", 2022, []string{"09130"}},
	{"09009", "New Haven County", "CT", 2022, []string{"09140", "09170"}},
	{"09011", "New London County", "CT", 2022, []string{"09130", "09150", "09180"}},
	{"09013", "Tolland County", "CT", 2022, []string{"09110", "09150"}},
	{"09015", "Windham County", "CT", 2022, []string{"09150", "09180"}},
	{"12025", "Dade County", "FL", 1997, []string{"12086"}},
	{"30113", "Yellowstone National Park", "MT", 1997, []string{"30031", "30067"}},
	{"46113", "Shannon County", "SD", 2015, []string{"46102"}},
	{"51515", "Bedford city", "VA", 2013, []string{"51019"}},
	{"51560", "Clifton Forge city", "VA", 2001, []string{"51005"}},
	{"51780", "South Boston city", "VA", 1995, []string{"51083"}},
}

// FormerCountyOf returns the former county with a FIPS code.
func FormerCountyOf(fips string) (f FormerCounty, ok bool) {
	for _, f := range FormerCounties {
		if f.FIPS == fips {
			return f, true
		}
	}
	return FormerCounty{}, false
}

// Report describes the end of a county. Name returns the name of a successor, "" if the
// dataset lacks it.
func (f *FormerCounty) Report(name func(fips string) string) string {
	now := make([]string, len(f.Successors))
	for i, fips := range f.Successors {
		if now[i] = fips; name(fips) != "" {
			now[i] += " (" + name(fips) + ")"
		}
	}
	return fmt.Sprintf("%s, %s (%s) ended in %d; its area is now in %s", f.Name, f.State, f.FIPS, f.Ended, strings.Join(now, ", "))
}
