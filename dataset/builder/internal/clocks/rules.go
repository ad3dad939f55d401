package clocks

import (
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// stateZones are the time zones of most of each state or territory.
var stateZones = map[string]string{
	"AL": "America/Chicago", "AK": "America/Anchorage", "AZ": "America/Phoenix", "AR": "America/Chicago", "CA": "America/Los_Angeles",
	"CO": "America/Denver", "CT": "America/New_York", "DE": "America/New_York", "DC": "America/New_York", "FL": "America/New_York",
	"GA": "America/New_York", "HI": "Pacific/Honolulu", "ID": "America/Boise", "IL": "America/Chicago", "IN": "America/Indiana/Indianapolis",
	"IA": "America/Chicago", "KS": "America/Chicago", "KY": "America/New_York", "LA": "America/Chicago", "ME": "America/New_York",
	"MD": "America/New_York", "MA": "America/New_York", "MI": "America/Detroit", "MN": "America/Chicago", "MS": "America/Chicago",
	"MO": "America/Chicago", "MT": "America/Denver", "NE": "America/Chicago", "NV": "America/Los_Angeles", "NH": "America/New_York",
	"NJ": "America/New_York", "NM": "America/Denver", "NY": "America/New_York", "NC": "America/New_York", "ND": "America/Chicago",
	"OH": "America/New_York", "OK": "America/Chicago", "OR": "America/Los_Angeles", "PA": "America/New_York", "RI": "America/New_York",
	"SC": "America/New_York", "SD": "America/Chicago", "TN": "America/Chicago", "TX": "America/Chicago", "UT": "America/Denver",
	"VT": "America/New_York", "VA": "America/New_York", "WA": "America/Los_Angeles", "WV": "America/New_York", "WI": "America/Chicago",
	"WY": "America/Denver", "PR": "America/Puerto_Rico", "VI": "America/St_Thomas", "GU": "Pacific/Guam", "MP": "Pacific/Saipan",
	"AS": "Pacific/Pago_Pago", "PW": "Pacific/Palau", "MH": "Pacific/Majuro",
}

// countyZones are the counties in another zone than most of their state, by the
// last three digits of their FIPS codes. They follow 49 CFR part 71 and the tz
// database.
var countyZones = []struct{ state, zone, counties string }{
	{"AK", "America/Juneau", "100 105 110 230"},
	{"AK", "America/Sitka", "130 195 198 220 275"},
	{"AK", "America/Yakutat", "282"},
	{"FL", "America/Chicago", "005 013 033 059 063 091 113 131 133"},
	{"ID", "America/Los_Angeles", "009 017 021 035 055 057 061 069 079"},
	{"IN", "America/Chicago", "051 073 089 091 111 127 129 147 163 173"},
	{"IN", "America/New_York", "029 115"},
	{"IN", "America/Kentucky/Louisville", "019 043 061"},
	{"IN", "America/Indiana/Knox", "149"},
	{"IN", "America/Indiana/Marengo", "025"},
	{"IN", "America/Indiana/Petersburg", "125"},
	{"IN", "America/Indiana/Tell_City", "123"},
	{"IN", "America/Indiana/Vevay", "155"},
	{"IN", "America/Indiana/Vincennes", "027 037 083 101"},
	{"IN", "America/Indiana/Winamac", "131"},
	{"KS", "America/Denver", "071 075 181 199"},
	{"KY", "America/Chicago", "001 003 007 009 027 031 033 035 039 047 053 055 057 059 061 075 083 085 087 091 099 101 105 107 139 141 143 145 149 157 169 171 177 183 207 213 219 221 225 227 233"},
	{"KY", "America/Kentucky/Louisville", "111"},
	{"KY", "America/Kentucky/Monticello", "231"},
	{"MI", "America/Menominee", "043 053 071 109"},
	{"ND", "America/Denver", "001 007 011 025 033 037 041 087 089"},
	{"ND", "America/North_Dakota/Beulah", "057"},
	{"ND", "America/North_Dakota/Center", "065"},
	{"ND", "America/North_Dakota/New_Salem", "059"},
	{"NE", "America/Denver", "005 007 013 029 033 045 049 057 069 075 091 101 105 123 135 157 161 165"},
	{"OR", "America/Boise", "045"},
	{"SD", "America/Denver", "007 019 031 033 041 047 055 063 071 081 093 102 103 105 117 137"},
	{"TN", "America/New_York", "001 009 011 013 019 025 029 057 059 063 065 067 073 089 091 093 105 107 121 123 129 139 143 145 151 155 163 171 173 179"},
	{"TX", "America/Denver", "141 229"},
}

// zipZones are ZIPs in another zone than their county. The boundary divides
// some counties, the Navajo Nation keeps daylight saving time, and towns on the
// Alabama side keep Georgia's time.
var zipZones = []struct{ zone, zips string }{
	{"America/New_York", "36854 36863 36867 36868 36869 36870 36877"},
	{"America/Denver", "86016 86020 86031 86033 86035 86044 86045 86053 86054 86502 86503 86504 86505 86506 86507 86508 86510 86511 86514 86515 86520 86535 86538 86540 86544 86545 86547 86556"},
	{"America/Chicago", "32465"},
	{"America/Boise", "83547 83549 83671"},
	{"America/Los_Angeles", "83522 83525 83526 83530 83531 83533 83539 83542 83552 83554"},
	{"America/Denver", "89883 58634 58838 69211 69216 69218 69219"},
	{"America/Metlakatla", "99926"},
	{"Pacific/Chuuk", "96942 96943"},
	{"Pacific/Pohnpei", "96941"},
	{"Pacific/Kosrae", "96944"},
	{"Pacific/Kwajalein", "96970"},
	{"Pacific/Wake", "96898"},
}

// provinceZone is a rule for a province: the first one that fits decides.
type provinceZone struct {
	province string
	zone     string
	fsas     string  // FSAs, with spaces between; "" any
	west     float64 // degrees of longitude: only points west of it; 0 any
	east     float64 // only points east of it; 0 any
	south    float64 // degrees of latitude: only points north of it; 0 any
	north    float64 // only points south of it; 0 any
}

// provinceZones follow the zones of the tz database.
var provinceZones = []provinceZone{
	{province: "NL", zone: "America/Goose_Bay", fsas: "A0P A0R A2V"},
	{province: "NL", zone: "America/Goose_Bay", fsas: "A0K", west: -57, south: 51.9},
	{province: "NL", zone: "America/St_Johns"},
	{province: "NS", zone: "America/Glace_Bay", fsas: "B0C B0E B0H B1A B1B B1C B1E B1G B1H B1J B1K B1L B1M B1N B1P B1R B1S B1T B1V B1W B1X B1Y B2A B2C B2E B2G B2J B9A"},
	{province: "NS", zone: "America/Halifax"},
	{province: "PE", zone: "America/Halifax"},
	{province: "NB", zone: "America/Moncton"},
	{province: "QC", zone: "America/Halifax", fsas: "G4T G0B", south: 47, north: 48.2, east: -62.5},
	{province: "QC", zone: "America/Blanc-Sablon", fsas: "G0G", east: -61.8, south: 50},
	{province: "QC", zone: "America/Toronto"},
	{province: "ON", zone: "America/Atikokan", west: -91.3, east: -91.9, south: 48.6, north: 48.9},
	{province: "ON", zone: "America/Atikokan", west: -90, east: -90.3, south: 51.1, north: 51.6},
	{province: "ON", zone: "America/Winnipeg", fsas: "P0V P0W P0X P0Y P8N P8T P9A P9N"},
	{province: "ON", zone: "America/Winnipeg", west: -90},
	{province: "ON", zone: "America/Toronto"},
	{province: "MB", zone: "America/Winnipeg"},
	{province: "SK", zone: "America/Edmonton", fsas: "S9V"},
	{province: "SK", zone: "America/Swift_Current", fsas: "S0K S0L S0M S0N S9A S9H S9X"},
	{province: "SK", zone: "America/Regina"},
	{province: "AB", zone: "America/Edmonton"},
	{province: "BC", zone: "America/Creston", fsas: "V0B", west: -116.4, east: -116.7, north: 49.4},
	{province: "BC", zone: "America/Edmonton", fsas: "V0A V0B V1A V1C"},
	{province: "BC", zone: "America/Fort_Nelson", fsas: "V0C", south: 57.5},
	{province: "BC", zone: "America/Dawson_Creek", fsas: "V1G V1J V0C"},
	{province: "BC", zone: "America/Vancouver"},
	{province: "YT", zone: "America/Whitehorse"},
	{province: "NT", zone: "America/Edmonton", fsas: "X1A"},
	{province: "NT", zone: "America/Inuvik"},
	{province: "NU", zone: "America/Iqaluit", fsas: "X0A"},
	{province: "NU", zone: "America/Cambridge_Bay", fsas: "X0B"},
	{province: "NU", zone: "America/Rankin_Inlet", fsas: "X0C"},
}

// zoneRules are the tables above by code.
type zoneRules struct {
	zips     map[string]string // by ZIP
	counties map[string]string // by state and three digits
}

func newZoneRules() *zoneRules {
	r := &zoneRules{zips: map[string]string{}, counties: map[string]string{}}
	for _, row := range zipZones {
		for zip := range strings.FieldsSeq(row.zips) {
			r.zips[zip] = row.zone
		}
	}
	for _, row := range countyZones {
		for county := range strings.FieldsSeq(row.counties) {
			r.counties[row.state+county] = row.zone
		}
	}
	return r
}

// zip returns the zone of a ZIP by its county (five digits, "" unknown) and, in
// Alaska, by longitude; "" if no rule applies.
func (r *zoneRules) zip(z dataset.ZIP, state, county string, at geo.LatLng) string {
	if zone := r.zips[z.String()]; zone != "" {
		return zone
	}
	if len(county) == 5 {
		if zone := r.counties[state+county[2:]]; zone != "" {
			return zone
		}
	}
	if state == "AK" && at.IsValid() {
		return alaskaZone(at)
	}
	return stateZones[state]
}

// alaskaZone divides the mainland, outside the southeast. The Aleutians lie
// west of 169.5° W; the Pribilof Islands, north of 55°, keep the time of the
// mainland. The tz database divides the rest at 162° W.
func alaskaZone(at geo.LatLng) string {
	switch lng := at.Lng(); {
	case (lng < -169.5 || lng > 0) && at.Lat() < 55:
		return "America/Adak"
	case lng < -162:
		return "America/Nome"
	default:
		return "America/Anchorage"
	}
}

// province returns the zone of an FSA, or of a postal code within it, by the
// point of the code.
func (r *zoneRules) province(province string, fsa dataset.FSA, at geo.LatLng) string {
	code := fsa.String()
	for _, rule := range provinceZones {
		if rule.province == province && rule.fits(code, at) {
			return rule.zone
		}
	}
	return ""
}

func (z provinceZone) fits(fsa string, at geo.LatLng) bool {
	if z.fsas != "" && !strings.Contains(z.fsas, fsa) {
		return false
	}
	lat, lng := at.Lat(), at.Lng()
	inLng := (z.west == 0 || lng < z.west) && (z.east == 0 || lng > z.east)
	inLat := (z.south == 0 || lat > z.south) && (z.north == 0 || lat < z.north)
	return inLng && inLat
}
