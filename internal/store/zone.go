package store

import (
	"fmt"
	"time"
)

// Location returns the zone with its clock rules. It reads no other file of the
// machine.
func (z *Zone) Location() (*time.Location, error) {
	loc, err := time.LoadLocationFromTZData(z.Name, []byte(z.Rules))
	if err != nil {
		return nil, fmt.Errorf("the rules of time zone %q: %w", z.Name, err)
	}
	return loc, nil
}

// ClockPeriod returns a span around t, in the time zone of t, during which
// clocks are not changed: begin included, end excluded. It may be a part of the
// longest such span. A zero begin or end means that there is none.
func ClockPeriod(t time.Time) (begin, end time.Time) {
	begin, end = t.ZoneBounds()
	if !end.IsZero() && !end.After(t) {
		// Package time ends the 366th day of a year as it begins.
		end = t.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	}
	return begin, end
}
