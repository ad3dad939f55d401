// Package tzif writes clock rules as TZif files (RFC 9636) from POSIX TZ
// strings. It covers the zones of the United States, Canada and their islands
// since 2007.
package tzif

import (
	"archive/tar"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/store"
)

// since is the first time of the rules.
var since = time.Date(2007, time.January, 1, 0, 0, 0, 0, time.UTC)

// An era is a POSIX TZ string and when it ends; the last era has no end.
type era struct {
	rule  string
	until time.Time
}

// Names returns the names of the zones in order.
func Names() []string {
	var names []string
	for _, z := range zones {
		names = append(names, strings.Fields(z.names)...)
	}
	slices.Sort(names)
	return names
}

// Zone returns the TZif file of a zone. It panics on an unknown name.
func Zone(name string) string {
	for _, z := range zones {
		if slices.Contains(strings.Fields(z.names), name) {
			return compile(z.eras)
		}
	}
	panic(fmt.Sprintf("tzif: unknown time zone %q", name))
}

// Row returns a row of a dataset's table of time zones.
func Row(name, source string) store.Zone {
	return store.Zone{Name: name, Source: source, Rules: Zone(name)}
}

// A clock is what clocks show.
type clock struct {
	offset int // seconds east of UTC
	dst    bool
	abbr   string
}

func clockAt(t time.Time) clock {
	abbr, offset := t.Zone()
	return clock{offset, t.IsDST(), abbr}
}

type transition struct {
	at time.Time
	to clock
}

// compile lists the transitions of all eras but the last, which only begins:
// its own follow from its rule.
func compile(eras []era) string {
	var list []transition
	var first, shown clock
	from := since
	for i, e := range eras {
		loc, err := time.LoadLocationFromTZData("", []byte(encode(clock{}, nil, e.rule)))
		if err != nil {
			panic(fmt.Sprintf("tzif: rule %q: %v", e.rule, err))
		}
		last := i == len(eras)-1
		for t := from.In(loc); last && t.Equal(from) || !last && t.Before(e.until); {
			if c := clockAt(t); i == 0 && t.Equal(from) {
				first, shown = c, c
			} else if c != shown {
				list = append(list, transition{t, c})
				shown = c
			}
			_, next := store.ClockPeriod(t)
			if next.IsZero() {
				break
			}
			t = next.In(loc)
		}
		from = e.until
	}
	return encode(first, list, eras[len(eras)-1].rule)
}

// encode writes a TZif file of version 2 whose block of 32-bit times is empty.
func encode(first clock, list []transition, rule string) string {
	clocks := []clock{first}
	for _, t := range list {
		if !slices.Contains(clocks, t.to) {
			clocks = append(clocks, t.to)
		}
	}
	var abbreviations string
	for _, c := range clocks {
		if !strings.Contains(abbreviations, c.abbr+"\x00") {
			abbreviations += c.abbr + "\x00"
		}
	}
	b := header(0, 1, 1)
	b = append(b, make([]byte, 6+1)...)
	b = append(b, header(len(list), len(clocks), len(abbreviations))...)
	for _, t := range list {
		b = binary.BigEndian.AppendUint64(b, uint64(t.at.Unix()))
	}
	for _, t := range list {
		b = append(b, byte(slices.Index(clocks, t.to)))
	}
	for _, c := range clocks {
		b = binary.BigEndian.AppendUint32(b, uint32(c.offset))
		dst := byte(0)
		if c.dst {
			dst = 1
		}
		b = append(b, dst, byte(strings.Index(abbreviations, c.abbr+"\x00")))
	}
	return string(b) + abbreviations + "\n" + rule + "\n"
}

func header(times, types, chars int) []byte {
	b := append([]byte("TZif2"), make([]byte, 15)...)
	for _, n := range []int{0, 0, 0, times, types, chars} { // none for UTC, standard time and leap seconds
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return b
}

// WriteArchive writes all zones in the layout of python/tzdata, as a tar
// archive that is not compressed.
func WriteArchive(w io.Writer, release string) error {
	const folder = "tzdata-2026.6/src/tzdata/zoneinfo/"
	t := tar.NewWriter(w)
	put := func(name, content string) error {
		err := t.WriteHeader(&tar.Header{Name: folder + name, Mode: 0o644, Size: int64(len(content)), ModTime: since, Format: tar.FormatUSTAR})
		if err == nil {
			_, err = io.WriteString(t, content)
		}
		return err
	}
	for _, name := range Names() {
		if err := put(name, Zone(name)); err != nil {
			return err
		}
	}
	if err := put("tzdata.zi", "# version "+release+"\n"); err != nil {
		return err
	}
	return t.Close()
}

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
