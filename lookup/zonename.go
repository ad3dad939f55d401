package lookup

import "strings"

// zoneNames holds the English long names of the time zones of the United
// States, Canada and the islands that the US postal service serves. They come
// from the Unicode Common Locale Data Repository (CLDR). Each is the generic
// name of the zone's metazone, or its standard name if CLDR has no generic one.
// Retired names are included.
var zoneNames = zonesNamed(map[string]string{
	"Hawaii-Aleutian Time": "America/Adak Pacific/Honolulu Pacific/Johnston",
	"Alaska Time":          "America/Anchorage America/Juneau America/Metlakatla America/Nome America/Sitka America/Yakutat",
	"Eastern Time": `America/Atikokan America/Coral_Harbour America/Detroit America/Indiana/Indianapolis America/Indiana/Marengo
		America/Indiana/Petersburg America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac
		America/Indianapolis America/Iqaluit America/Kentucky/Louisville America/Kentucky/Monticello America/Louisville
		America/Montreal America/New_York America/Nipigon America/Pangnirtung America/Thunder_Bay America/Toronto`,
	"Atlantic Time": `America/Blanc-Sablon America/Glace_Bay America/Goose_Bay America/Halifax America/Moncton America/Puerto_Rico
		America/St_Thomas`,
	"Mountain Time": `America/Boise America/Cambridge_Bay America/Creston America/Dawson_Creek America/Denver America/Edmonton
		America/Fort_Nelson America/Inuvik America/Phoenix America/Shiprock America/Yellowknife`,
	"Central Time": `America/Chicago America/Indiana/Knox America/Indiana/Tell_City America/Menominee America/North_Dakota/Beulah
		America/North_Dakota/Center America/North_Dakota/New_Salem America/Rainy_River America/Rankin_Inlet America/Regina
		America/Resolute America/Swift_Current America/Winnipeg`,
	"Yukon Time":             "America/Dawson America/Whitehorse",
	"Pacific Time":           "America/Los_Angeles America/Vancouver",
	"Newfoundland Time":      "America/St_Johns",
	"Chuuk Time":             "Pacific/Chuuk Pacific/Truk",
	"Chamorro Standard Time": "Pacific/Guam Pacific/Saipan",
	"Kosrae Time":            "Pacific/Kosrae",
	"Marshall Islands Time":  "Pacific/Kwajalein Pacific/Majuro",
	"American Samoa Time":    "Pacific/Midway Pacific/Pago_Pago",
	"Palau Time":             "Pacific/Palau",
	"Pohnpei Time":           "Pacific/Pohnpei Pacific/Ponape",
	"Wake Island Time":       "Pacific/Wake",
})

// zonesNamed returns the name of each zone from the zones of each name.
func zonesNamed(zones map[string]string) map[string]string {
	names := map[string]string{}
	for name, list := range zones {
		for zone := range strings.FieldsSeq(list) {
			names[zone] = name
		}
	}
	return names
}

// zoneName returns the English name of a zone, or the IANA name for zones
// outside the table. Nautical zones have the name of their offset, such as GMT-10.
func zoneName(iana string) string {
	if s, ok := zoneNames[iana]; ok {
		return s
	}
	return nauticalName(iana)
}

// nauticalName returns the name of a nautical zone by its IANA name, whose sign is the
// opposite. It returns any other name unchanged.
func nauticalName(iana string) string {
	hours, ok := strings.CutPrefix(iana, nauticalPrefix)
	switch {
	case !ok:
		return iana
	case strings.HasPrefix(hours, "+"):
		return "GMT-" + hours[1:]
	case strings.HasPrefix(hours, "-"):
		return "GMT+" + hours[1:]
	default:
		return "GMT"
	}
}

// zoneAbbreviations are the abbreviations in local use if the tz database has
// only a number.
var zoneAbbreviations = map[string]string{
	"Pacific/Chuuk":     "CHUT",
	"Pacific/Kosrae":    "KOST",
	"Pacific/Kwajalein": "MHT",
	"Pacific/Majuro":    "MHT",
	"Pacific/Palau":     "PWT",
	"Pacific/Pohnpei":   "PONT",
	"Pacific/Ponape":    "PONT",
	"Pacific/Truk":      "CHUT",
	"Pacific/Wake":      "WAKT",
}
