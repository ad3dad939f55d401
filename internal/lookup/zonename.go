package lookup

// zoneNames holds the English long names of the time zones of the United
// States, Canada and the islands that the US postal service serves. They come
// from the Unicode Common Locale Data Repository (CLDR). Each is the generic
// name of the zone's metazone, or its standard name if CLDR has no generic one.
// Retired names are included.
var zoneNames = map[string]string{
	"America/Adak":                   "Hawaii-Aleutian Time",
	"America/Anchorage":              "Alaska Time",
	"America/Atikokan":               "Eastern Time",
	"America/Blanc-Sablon":           "Atlantic Time",
	"America/Boise":                  "Mountain Time",
	"America/Cambridge_Bay":          "Mountain Time",
	"America/Chicago":                "Central Time",
	"America/Coral_Harbour":          "Eastern Time",
	"America/Creston":                "Mountain Time",
	"America/Dawson":                 "Yukon Time",
	"America/Dawson_Creek":           "Mountain Time",
	"America/Denver":                 "Mountain Time",
	"America/Detroit":                "Eastern Time",
	"America/Edmonton":               "Mountain Time",
	"America/Fort_Nelson":            "Mountain Time",
	"America/Glace_Bay":              "Atlantic Time",
	"America/Goose_Bay":              "Atlantic Time",
	"America/Halifax":                "Atlantic Time",
	"America/Indiana/Indianapolis":   "Eastern Time",
	"America/Indiana/Knox":           "Central Time",
	"America/Indiana/Marengo":        "Eastern Time",
	"America/Indiana/Petersburg":     "Eastern Time",
	"America/Indiana/Tell_City":      "Central Time",
	"America/Indiana/Vevay":          "Eastern Time",
	"America/Indiana/Vincennes":      "Eastern Time",
	"America/Indiana/Winamac":        "Eastern Time",
	"America/Indianapolis":           "Eastern Time",
	"America/Inuvik":                 "Mountain Time",
	"America/Iqaluit":                "Eastern Time",
	"America/Juneau":                 "Alaska Time",
	"America/Kentucky/Louisville":    "Eastern Time",
	"America/Kentucky/Monticello":    "Eastern Time",
	"America/Los_Angeles":            "Pacific Time",
	"America/Louisville":             "Eastern Time",
	"America/Menominee":              "Central Time",
	"America/Metlakatla":             "Alaska Time",
	"America/Moncton":                "Atlantic Time",
	"America/Montreal":               "Eastern Time",
	"America/New_York":               "Eastern Time",
	"America/Nipigon":                "Eastern Time",
	"America/Nome":                   "Alaska Time",
	"America/North_Dakota/Beulah":    "Central Time",
	"America/North_Dakota/Center":    "Central Time",
	"America/North_Dakota/New_Salem": "Central Time",
	"America/Pangnirtung":            "Eastern Time",
	"America/Phoenix":                "Mountain Time",
	"America/Puerto_Rico":            "Atlantic Time",
	"America/Rainy_River":            "Central Time",
	"America/Rankin_Inlet":           "Central Time",
	"America/Regina":                 "Central Time",
	"America/Resolute":               "Central Time",
	"America/Shiprock":               "Mountain Time",
	"America/Sitka":                  "Alaska Time",
	"America/St_Johns":               "Newfoundland Time",
	"America/St_Thomas":              "Atlantic Time",
	"America/Swift_Current":          "Central Time",
	"America/Thunder_Bay":            "Eastern Time",
	"America/Toronto":                "Eastern Time",
	"America/Vancouver":              "Pacific Time",
	"America/Whitehorse":             "Yukon Time",
	"America/Winnipeg":               "Central Time",
	"America/Yakutat":                "Alaska Time",
	"America/Yellowknife":            "Mountain Time",
	"Pacific/Chuuk":                  "Chuuk Time",
	"Pacific/Guam":                   "Chamorro Standard Time",
	"Pacific/Honolulu":               "Hawaii-Aleutian Time",
	"Pacific/Johnston":               "Hawaii-Aleutian Time",
	"Pacific/Kosrae":                 "Kosrae Time",
	"Pacific/Kwajalein":              "Marshall Islands Time",
	"Pacific/Majuro":                 "Marshall Islands Time",
	"Pacific/Midway":                 "American Samoa Time",
	"Pacific/Pago_Pago":              "American Samoa Time",
	"Pacific/Palau":                  "Palau Time",
	"Pacific/Pohnpei":                "Pohnpei Time",
	"Pacific/Ponape":                 "Pohnpei Time",
	"Pacific/Saipan":                 "Chamorro Standard Time",
	"Pacific/Truk":                   "Chuuk Time",
	"Pacific/Wake":                   "Wake Island Time",
}

// zoneName returns the English name of a zone, or the IANA name for zones
// outside the table.
func zoneName(iana string) string {
	if s, ok := zoneNames[iana]; ok {
		return s
	}
	return iana
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
