package clocks

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
)

// countryZones are the time zones of each country by the tz database
// (zone.tab). Those of the United States include its territories and the freely
// associated states.
var countryZones = map[dataset.Country]string{
	dataset.US: "America/Adak America/Anchorage America/Boise America/Chicago America/Denver America/Detroit " +
		"America/Indiana/Indianapolis America/Indiana/Knox America/Indiana/Marengo America/Indiana/Petersburg " +
		"America/Indiana/Tell_City America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac " +
		"America/Juneau America/Kentucky/Louisville America/Kentucky/Monticello America/Los_Angeles America/Menominee " +
		"America/Metlakatla America/New_York America/Nome America/North_Dakota/Beulah America/North_Dakota/Center " +
		"America/North_Dakota/New_Salem America/Phoenix America/Puerto_Rico America/Sitka America/St_Thomas " +
		"America/Yakutat Pacific/Chuuk Pacific/Guam Pacific/Honolulu Pacific/Kosrae Pacific/Kwajalein Pacific/Majuro " +
		"Pacific/Midway Pacific/Pago_Pago Pacific/Palau Pacific/Pohnpei Pacific/Saipan Pacific/Wake",
	dataset.CA: "America/Atikokan America/Blanc-Sablon America/Cambridge_Bay America/Creston America/Dawson " +
		"America/Dawson_Creek America/Edmonton America/Fort_Nelson America/Glace_Bay America/Goose_Bay America/Halifax " +
		"America/Inuvik America/Iqaluit America/Moncton America/Rankin_Inlet America/Regina America/Resolute " +
		"America/St_Johns America/Swift_Current America/Toronto America/Vancouver America/Whitehorse America/Winnipeg",
}

// ZonesOf returns the time zones of a country by name, ascending.
func ZonesOf(country dataset.Country) []string {
	names := strings.Fields(countryZones[country])
	slices.Sort(names)
	return names
}
