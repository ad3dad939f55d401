// Package tzif writes clock rules as TZif files (RFC 9636) from POSIX TZ
// strings. It covers the zones of the United States, Canada and their islands
// since 2007.
package tzif

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/dataset"
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
func Row(name, source string) dataset.Zone {
	return dataset.Zone{Name: name, Source: source, Rules: Zone(name)}
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
			_, next := dataset.ClockPeriod(t)
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
