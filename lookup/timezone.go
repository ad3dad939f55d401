package lookup

import (
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/postgeo/postgeo/internal/store"
)

// A Zone is a time zone with its rules of twelve months.
type Zone struct {
	IANAName        string  `json:"iana_name"`        // e.g. "America/Los_Angeles"
	Name            string  `json:"name"`             // CLDR's English generic name, e.g. "Pacific Time"
	Abbreviation    string  `json:"abbreviation"`     // e.g. "PST"
	AbbreviationDST string  `json:"abbreviation_dst"` // e.g. "PDT"; the standard one without DST
	UTCOffset       float64 `json:"utc_offset"`       // hours east of UTC, e.g. -8 or -3.5
	UTCOffsetDST    float64 `json:"utc_offset_dst"`   // the standard one without DST
	ObservesDST     bool    `json:"observes_dst"`     // whether both times occur in the twelve months
}

// A TimeZone is the time zone of one place, with the releases of its boundaries
// and of its clock rules.
type TimeZone struct {
	Source string `json:"source"` // releases of the data
	Zone
}

// TimeZones are the time zones of an area, the largest first.
type TimeZones struct {
	Source string      `json:"source"` // releases of the data
	Zones  []ZoneShare `json:"zones"`  // the zones that the code reaches into, the largest share first
}

// A ZoneShare is a time zone with its share of an area.
type ZoneShare struct {
	Zone
	PctOfZIP *float64 `json:"pct_of_zip,omitzero"` // 0 to 100, 1 decimal; nil if the dataset has no shares
}

// A zoneClock returns the rules of one time zone of a dataset. It keeps the latest answer
// with the span of times for which it is right, since nearly all requests are about the
// present. A request about another time replaces it, which costs the next one a computation
// and no more.
type zoneClock struct {
	source string
	loc    *time.Location
	latest atomic.Pointer[zoneAnswer]
}

// A zoneAnswer holds for every time from from, included, until until, excluded.
// A zero until is endless.
type zoneAnswer struct {
	TimeZone
	from, until time.Time
}

// newClocks returns the clocks of a dataset's time zones, in the order of their
// ids, and those of the nautical zones from west to east.
func newClocks(zones []store.Zone) ([]zoneClock, error) {
	out := make([]zoneClock, len(zones)+2*nauticalHours+1)
	for i := range zones {
		loc, err := zones[i].Location()
		if err != nil {
			return nil, err
		}
		out[i].source, out[i].loc = zones[i].Source, loc
	}
	for i := range out[len(zones):] {
		out[len(zones)+i].source, out[len(zones)+i].loc = "nautical time zones", nauticalZone(i-nauticalHours)
	}
	return out, nil
}

// at returns the zone with its rules of the twelve months from t. The result
// must not be changed.
func (c *zoneClock) at(t time.Time) *TimeZone {
	a := c.latest.Load()
	if a == nil || t.Before(a.from) || !a.until.IsZero() && !t.Before(a.until) {
		a = &zoneAnswer{TimeZone: TimeZone{Source: c.source}}
		a.Zone, a.from, a.until = zoneAt(c.loc, t)
		c.latest.Store(a)
	}
	return &a.TimeZone
}

// orNow returns t, or the present time for the zero time.
func orNow(t time.Time) time.Time {
	if t.IsZero() {
		return time.Now()
	}
	return t
}

// zoneAt returns the zone with the first standard time and the first daylight saving time
// in the twelve months from at (decision D60). Without one of them both are the same. Every
// time in [from, until) gives the same zone; a zero time means no limit.
//
// It goes from one change of the clocks to the next. The answer ends where the first time in
// the twelve months becomes another one, at the next change, or where the end of the twelve
// months reaches another period, a year before a change.
func zoneAt(loc *time.Location, at time.Time) (z Zone, from, until time.Time) {
	name := loc.String()
	z = Zone{IANAName: name, Name: zoneName(name)}
	var standard, daylight bool
	at = at.UTC()
	end := at.AddDate(1, 0, 0)
	from, until = store.ClockPeriod(at.In(loc))
	for t := at; ; {
		period := t.In(loc)
		abbr, seconds := period.Zone()
		switch {
		case period.IsDST() && !daylight:
			daylight = true
			z.AbbreviationDST, z.UTCOffsetDST = letters(name, abbr, seconds), float64(seconds)/3600
		case !period.IsDST() && !standard:
			standard = true
			z.Abbreviation, z.UTCOffset = letters(name, abbr, seconds), float64(seconds)/3600
		}
		begin, next := store.ClockPeriod(period)
		if !next.IsZero() && next.Before(end) {
			t = next
			continue
		}
		// The result changes when the end of the twelve months leaves this
		// period, too.
		if last := yearBefore(begin); !begin.IsZero() && !last.Before(from) {
			from = last.Add(1)
		}
		if first := yearBefore(next); !next.IsZero() && first.Before(until) {
			until = first
		}
		break
	}
	switch {
	case !daylight:
		z.AbbreviationDST, z.UTCOffsetDST = z.Abbreviation, z.UTCOffset
	case !standard:
		z.Abbreviation, z.UTCOffset = z.AbbreviationDST, z.UTCOffsetDST
	default:
		z.ObservesDST = true
	}
	return z, from, until
}

// yearBefore returns the last time whose twelve months end no later than t. The year before
// 29 February has no such day: AddDate returns a time of 1 March, and the bound is the
// beginning of that day.
func yearBefore(t time.Time) time.Time {
	t = t.UTC()
	if before := t.AddDate(-1, 0, 0); before.Day() == t.Day() {
		return before
	}
	return t.AddDate(-1, 0, 0).Truncate(24 * time.Hour) // t is on 29 February
}

// letters returns an abbreviation that begins with letters. The tz database has
// a number if no abbreviation is in common English use.
func letters(zone, abbr string, seconds int) string {
	if abbr != "" && abbr[0] != '+' && abbr[0] != '-' {
		return nauticalName(abbr)
	}
	if s, ok := zoneAbbreviations[zone]; ok {
		return s
	}
	sign := "+"
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	s := "GMT" + sign + strconv.Itoa(seconds/3600)
	if m := seconds / 60 % 60; m != 0 {
		s += fmt.Sprintf(":%02d", m)
	}
	return s
}
