package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/tzif"
)

// TestZoneRulesRefused spoils a TZif file in ways that package time would
// overlook or read in part.
func TestZoneRulesRefused(t *testing.T) {
	good := tzif.Zone("America/Vancouver")
	const second = 44 + 7 // the block of 64-bit times
	for name, tt := range map[string]struct{ rules, want string }{
		"empty":             {"", "does not begin"},
		"version 1":         {strings.Replace(good, "TZif2", "TZif\x00", 1), "does not begin"},
		"one block":         {good[:second], "no block"},
		"cut":               {good[:len(good)-12], "ends inside"},
		"no rule":           {strings.TrimSuffix(good, "\nMST7\n") + "\n\n", "one rule"},
		"two rules":         {good + "MST7\n", "one rule"},
		"unknown rule":      {strings.Replace(good, "\nMST7\n", "\nMST7MDT,M99\n", 1), "not a POSIX TZ string"},
		"leap seconds":      {good[:second+31] + "\x01" + good[second+32:], "ends inside"},
		"transitions swap":  {good[:second+44] + good[second+52:second+60] + good[second+44:second+52] + good[second+60:], "not in order"},
		"far too large":     {good + strings.Repeat("\n", 1<<15), "expected at most"},
		"countless entries": {good[:second+32] + "\x7f" + good[second+33:], "no block"},
	} {
		z := store.Zone{Name: "America/Vancouver", Rules: tt.rules}
		if _, err := z.Location(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, tt.want)
		}
	}
}

func FuzzZoneRules(f *testing.F) {
	for _, name := range []string{"America/Vancouver", "America/St_Johns", "Pacific/Guam"} {
		f.Add(tzif.Zone(name), int64(1793520000))
	}
	f.Fuzz(func(t *testing.T, rules string, unix int64) {
		loc, err := (&store.Zone{Name: "Test/Zone", Rules: rules}).Location()
		if err != nil {
			return
		}
		const years = 10_000 * 365 * 86_400
		at := time.Unix(unix%years, 0).In(loc)
		if _, end := store.ClockPeriod(at); !end.IsZero() && !end.After(at) {
			t.Errorf("a period around %v ends at %v", at, end)
		}
	})
}

func ExampleClockPeriod() {
	z := tzif.Row("America/Vancouver", "")
	loc, err := z.Location()
	if err != nil {
		fmt.Println(err)
		return
	}
	_, end := store.ClockPeriod(time.Date(2026, time.October, 31, 0, 0, 0, 0, loc))
	fmt.Println(end.UTC().Format(time.RFC3339))
	// Output: 2026-11-01T09:00:00Z
}
