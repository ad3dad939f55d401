package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/tzif"
)

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
