package store

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

// Location returns the zone with its clock rules. It reads no other file of the
// machine.
func (z *Zone) Location() (*time.Location, error) {
	return parseRules(z.Name, z.Rules)
}

// maxRules is the largest TZif file of a zone, in bytes. Those of the tz
// database have at most 4,000.
const maxRules = 1 << 15

// parseRules reads a TZif file of version 2 or later (RFC 9636, section 3). It
// refuses leap seconds, transitions out of order, and a missing or unknown rule
// for the years after the last transition. Package time would read such files
// partly or in another sense.
func parseRules(name, tzif string) (*time.Location, error) {
	if len(tzif) > maxRules {
		return nil, fmt.Errorf("the rules of time zone %q have %d bytes, expected at most %d", name, len(tzif), maxRules)
	}
	if reason := checkTZif(tzif); reason != "" {
		return nil, fmt.Errorf("the rules of time zone %q: %s", name, reason)
	}
	loc, err := time.LoadLocationFromTZData(name, []byte(tzif))
	if err != nil {
		return nil, fmt.Errorf("the rules of time zone %q: %w", name, err)
	}
	// Package time ignores a footer that it cannot read.
	if rule := footer(tzif); strings.Contains(rule, ",") {
		if _, next := time.Date(2200, time.January, 1, 0, 0, 0, 0, time.UTC).In(loc).ZoneBounds(); next.IsZero() {
			return nil, fmt.Errorf("the rules of time zone %q: the rule %q is not a POSIX TZ string", name, rule)
		}
	}
	return loc, nil
}

// A tzifBlock is the header of a data block: the numbers of its entries.
type tzifBlock struct {
	utc, std, leaps, times, types, chars int
}

const tzifHeader = 44 // bytes

// size returns the bytes of the data that follow the header, with times of so
// many bytes.
func (b *tzifBlock) size(timeBytes int) int {
	return b.times*(timeBytes+1) + b.types*6 + b.chars + b.leaps*(timeBytes+4) + b.std + b.utc
}

// checkTZif returns the fault of a file, or "" if it is valid.
func checkTZif(s string) string {
	first, ok := tzifBlockAt(s, 0)
	if !ok {
		return "it does not begin with the header of a TZif file of version 2 or later"
	}
	at := tzifHeader + first.size(4)
	b, ok := tzifBlockAt(s, at)
	if !ok {
		return "it has no block of 64-bit times"
	}
	at += tzifHeader
	end := at + b.size(8)
	switch {
	case end > len(s):
		return "it ends inside its 64-bit block"
	case b.types == 0 || b.types > 256 || b.chars == 0:
		return fmt.Sprintf("it has %d kinds of time and %d letters of abbreviations", b.types, b.chars)
	case b.leaps > 0:
		return "it counts leap seconds"
	case len(s)-end < 3 || s[end] != '\n' || strings.IndexByte(s[end+1:], '\n') != len(s)-end-2:
		return "it does not end with one rule for the years after its last transition"
	}
	for i := range b.times {
		if i > 0 && int64(tzifTime(s, at, i)) <= int64(tzifTime(s, at, i-1)) {
			return "its transitions are not in order"
		}
	}
	return ""
}

func tzifTime(s string, at, i int) uint64 {
	return binary.BigEndian.Uint64([]byte(s[at+8*i : at+8*i+8]))
}

// tzifBlockAt reads the header of a block whose counts fit the file.
func tzifBlockAt(s string, at int) (b tzifBlock, ok bool) {
	if len(s)-at < tzifHeader || s[at:at+4] != "TZif" || s[at+4] < '2' || s[at+4] > '4' {
		return b, false
	}
	for i, n := range []*int{&b.utc, &b.std, &b.leaps, &b.times, &b.types, &b.chars} {
		from := at + 20 + 4*i
		v := binary.BigEndian.Uint32([]byte(s[from : from+4]))
		if v > maxRules {
			return b, false
		}
		*n = int(v)
	}
	return b, true
}

// footer returns the POSIX TZ string of a file that checkTZif accepts.
func footer(s string) string {
	s = strings.TrimSuffix(s, "\n")
	return s[strings.LastIndexByte(s, '\n')+1:]
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
