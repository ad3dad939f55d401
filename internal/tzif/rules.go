package tzif

import "time"

// Daylight saving time of the United States and Canada since 2007.
const (
	summer    = ",M3.2.0,M11.1.0"
	minuteOne = ",M3.2.0/0:01,M11.1.0/0:01" // in Newfoundland and Labrador until 2011
)

func always(rule string) []era { return []era{{rule: rule}} }

// until is a rule that another one follows.
func until(year int, month time.Month, day, hour int, rule string, then ...era) []era {
	return append([]era{{rule, time.Date(year, month, day, hour, 0, 0, 0, time.UTC)}}, then...)
}

func last(rule string) era { return era{rule: rule} }

var zones = []struct {
	names string
	eras  []era
}{
	{"America/Adak", always("HST10HDT" + summer)},
	{"America/Anchorage America/Juneau America/Nome America/Sitka America/Yakutat", always("AKST9AKDT" + summer)},
	{"America/Los_Angeles", always("PST8PDT" + summer)},
	{"America/Boise America/Cambridge_Bay America/Denver", always("MST7MDT" + summer)},
	{"America/Creston America/Dawson_Creek America/Phoenix", always("MST7")},
	{"America/Chicago America/Indiana/Knox America/Indiana/Tell_City America/Menominee America/North_Dakota/Center " +
		"America/North_Dakota/New_Salem America/Rankin_Inlet", always("CST6CDT" + summer)},
	{"America/Regina America/Swift_Current", always("CST6")},
	{"America/Detroit America/Indiana/Indianapolis America/Indiana/Marengo America/Indiana/Vevay America/Iqaluit " +
		"America/Kentucky/Louisville America/Kentucky/Monticello America/New_York America/Toronto", always("EST5EDT" + summer)},
	{"America/Atikokan", always("EST5")},
	{"America/Glace_Bay America/Halifax America/Moncton", always("AST4ADT" + summer)},
	{"America/Blanc-Sablon America/Puerto_Rico America/St_Thomas", always("AST4")},
	{"Pacific/Honolulu", always("HST10")},
	{"Pacific/Midway Pacific/Pago_Pago", always("SST11")},
	{"Pacific/Guam Pacific/Saipan", always("ChST-10")},
	{"Pacific/Palau", always("<+09>-9")},
	{"Pacific/Chuuk", always("<+10>-10")},
	{"Pacific/Kosrae Pacific/Pohnpei", always("<+11>-11")},
	{"Pacific/Kwajalein Pacific/Majuro Pacific/Wake", always("<+12>-12")},

	{"America/Goose_Bay", until(2011, time.November, 1, 4, "AST4ADT"+minuteOne, last("AST4ADT"+summer))},
	{"America/St_Johns", until(2011, time.November, 1, 4, "NST3:30NDT"+minuteOne, last("NST3:30NDT"+summer))},
	{"America/Fort_Nelson", until(2015, time.March, 8, 10, "PST8PDT"+summer, last("MST7"))},
	{"America/Dawson America/Whitehorse", until(2020, time.November, 1, 7, "PST8PDT"+summer, last("MST7"))},
	{"America/North_Dakota/Beulah", until(2010, time.November, 7, 8, "MST7MDT"+summer, last("CST6CDT"+summer))},
	{"America/Indiana/Petersburg America/Indiana/Vincennes", until(2007, time.November, 4, 7, "CST6CDT"+summer, last("EST5EDT"+summer))},
	{"America/Indiana/Winamac", until(2007, time.March, 11, 8, "CST6CDT"+summer, last("EST5EDT"+summer))},
	{"America/Resolute", until(2007, time.March, 11, 8, "EST5", last("CST6CDT"+summer))},
	{"America/Metlakatla", until(2015, time.November, 1, 10, "PST8", until(2018, time.November, 4, 10, "AKST9AKDT"+summer,
		until(2019, time.January, 20, 10, "PST8", last("AKST9AKDT"+summer))...)...)},

	// No winter time from November 2026 on.
	{"America/Vancouver", until(2026, time.November, 1, 9, "PST8PDT"+summer, last("MST7"))},
	{"America/Edmonton America/Inuvik", until(2026, time.November, 1, 8, "MST7MDT"+summer, last("CST6"))},
	{"America/Winnipeg", until(2026, time.November, 1, 7, "CST6CDT"+summer, last("EST5"))},
}
