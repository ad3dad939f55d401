package lookup

import (
	"fmt"
	"strconv"
	"time"
	_ "time/tzdata" // zone rules for machines that have none

	"github.com/postgeo/postgeo/dataset"
)

// A Zone is a time zone with its current rules.
type Zone struct {
	IANAName        string  `json:"iana_name"`        // e.g. "America/Los_Angeles"
	Name            string  `json:"name"`             // CLDR's English generic name, e.g. "Pacific Time"
	Abbreviation    string  `json:"abbreviation"`     // e.g. "PST"
	AbbreviationDST string  `json:"abbreviation_dst"` // e.g. "PDT"; the standard one without DST
	UTCOffset       float64 `json:"utc_offset"`       // hours east of UTC, e.g. -8 or -3.5
	UTCOffsetDST    float64 `json:"utc_offset_dst"`   // the standard one without DST
	ObservesDST     bool    `json:"observes_dst"`     // whether clocks change in summer
}

// A TimeZone is the time zone of one place, with the release of the
// boundaries that said so.
type TimeZone struct {
	Source string `json:"source"` // where the data come from
	Zone
}

// TimeZones are the time zones of an area, the largest first.
type TimeZones struct {
	Source string      `json:"source"` // where the data come from
	Zones  []ZoneShare `json:"zones"`  // the zones that the code reaches into, the largest share first
}

// A ZoneShare is a time zone with its share of an area.
type ZoneShare struct {
	Zone
	PctOfZIP *float64 `json:"pct_of_zip,omitzero"` // 0 to 100, 1 decimal; nil where the dataset has no shares
}

// rulesFrom is the earliest date whose rules are served: a dataset that tells
// an older date, or none, still says what clocks do now.
var rulesFrom = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// timeZones resolves the zones of a dataset, in the order of their ids. The
// rules are those of the twelve months after the dataset was built and not of
// the day of the call, so that one file always gives one answer.
func timeZones(zones []dataset.Zone, built time.Time) ([]TimeZone, error) {
	if built.Before(rulesFrom) {
		built = rulesFrom
	}
	out := make([]TimeZone, len(zones))
	for i, z := range zones {
		zone, err := NewZone(z.Name, built)
		if err != nil {
			return nil, err
		}
		out[i] = TimeZone{Source: z.Source, Zone: zone}
	}
	return out, nil
}

// NewZone returns the zone of the IANA name with the rules of the twelve
// months after now. An unknown name is an error that says so.
func NewZone(name string, now time.Time) (Zone, error) {
	if name == "" || name == "Local" {
		return Zone{}, fmt.Errorf("lookup: %q is not an IANA time zone", name)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return Zone{}, fmt.Errorf("lookup: time zone %q: %w", name, err)
	}
	z := Zone{IANAName: name, Name: zoneName(name)}
	var standard, dst bool
	end := now.AddDate(1, 0, 0)
	for t := now.In(loc); t.Before(end); {
		abbr, seconds := t.Zone()
		switch {
		case t.IsDST() && !dst:
			dst = true
			z.AbbreviationDST, z.UTCOffsetDST = letters(name, abbr, seconds), float64(seconds)/3600
		case !t.IsDST() && !standard:
			standard = true
			z.Abbreviation, z.UTCOffset = letters(name, abbr, seconds), float64(seconds)/3600
		}
		_, next := t.ZoneBounds()
		if next.IsZero() {
			break
		}
		t = next
	}
	switch {
	case !dst:
		z.AbbreviationDST, z.UTCOffsetDST = z.Abbreviation, z.UTCOffset
	case !standard: // daylight saving time all the year round
		z.Abbreviation, z.UTCOffset = z.AbbreviationDST, z.UTCOffsetDST
	default:
		z.ObservesDST = true
	}
	return z, nil
}

// letters returns an abbreviation that begins with letters: the tz database
// has only numbers where no abbreviation is in common English use.
func letters(zone, abbr string, seconds int) string {
	if abbr != "" && abbr[0] != '+' && abbr[0] != '-' {
		return abbr
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
