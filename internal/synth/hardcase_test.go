package synth_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
	"github.com/postgeo/postgeo/internal/tzif"
)

// small is the smallest country that New makes by default.
func small(t *testing.T) *synth.Country {
	t.Helper()
	c, err := synth.New(synth.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryHardCaseIsThere(t *testing.T) {
	c := small(t)
	zip := func(want func(z synth.ZIP) bool) bool { return slices.ContainsFunc(c.ZIPs, want) }
	state := func(z synth.ZIP) string { return c.States[z.State].Abbr }
	cells := map[int][]synth.Cell{}
	for _, k := range c.Cells {
		if k.ZIP != synth.None {
			cells[int(k.ZIP)] = append(cells[int(k.ZIP)], k)
		}
	}
	twoOf := func(of func(synth.Cell) int32) bool {
		for _, k := range cells {
			for _, other := range k[1:] {
				if of(other) != of(k[0]) {
					return true
				}
			}
		}
		return false
	}
	name := func(has string) bool {
		return slices.ContainsFunc(c.Counties, func(k synth.County) bool { return strings.Contains(k.Name, has) })
	}
	fsa := func(want func(f synth.FSA) bool) bool { return slices.ContainsFunc(c.FSAs, want) }
	for _, test := range []struct {
		name string
		ok   bool
	}{
		{"general ZIP", zip(func(z synth.ZIP) bool { return z.Class == store.General && z.HasArea })},
		{"general ZIP without an area", zip(func(z synth.ZIP) bool { return z.Class == store.General && !z.HasArea && !z.Decommissioned })},
		{"PO Box ZIP", zip(func(z synth.ZIP) bool { return z.Class == store.POBox && !z.HasArea })},
		{"PO Box ZIP with an area of its code", zip(func(z synth.ZIP) bool { return z.Class == store.POBox && z.HasArea })},
		{"unique ZIP", zip(func(z synth.ZIP) bool { return z.Class == store.Unique })},
		{"military ZIP without a point", zip(func(z synth.ZIP) bool {
			return z.Class == store.Military && !z.Point.IsValid() && z.County == synth.None
		})},
		{"Puerto Rico", zip(func(z synth.ZIP) bool { return state(z) == "PR" })},
		{"Guam", zip(func(z synth.ZIP) bool { return state(z) == "GU" && z.Point.Lng() > 140 })},
		{"ZIP in two counties", twoOf(func(k synth.Cell) int32 { return k.County })},
		{"ZIP in two time zones", twoOf(func(k synth.Cell) int32 { return k.Zone })},
		{"an area on both sides of the antimeridian", func() bool {
			for _, k := range cells {
				var west, east bool
				for _, cell := range k {
					west, east = west || cell.Box.X0 == -180_000_000, east || cell.Box.X1 == 180_000_000
				}
				if west && east {
					return true
				}
			}
			return false
		}()},
		{"aliases", zip(func(z synth.ZIP) bool { return len(z.Aliases) == 2 })},
		{"accent", name("ñ")},
		{"apostrophe", name("'")},
		{"French name", slices.ContainsFunc(c.Municipalities, func(m synth.Municipality) bool { return strings.HasPrefix(m.Name, "Saint-") })},
		{"independent city", name(" city")},
		{"government FSA without an area", fsa(func(f synth.FSA) bool { return f.Code.String() == "K1A" && !f.HasArea })},
		{"rural FSA", fsa(func(f synth.FSA) bool { return f.Code.String()[1] == '0' })},
		{"Nunavut", fsa(func(f synth.FSA) bool { return f.Code.String() == "X0A" })},
		{"metropolitan division", len(c.Divisions) > 0},
		{"micropolitan area", slices.ContainsFunc(c.CBSAs, func(m synth.CBSA) bool { return !m.Metropolitan })},
		{"combined area", slices.ContainsFunc(c.CBSAs, func(m synth.CBSA) bool { return m.CSA != "" })},
		{"incorporated place", slices.ContainsFunc(c.Places, func(p synth.Place) bool { return p.Active })},
		{"census designated place", slices.ContainsFunc(c.Places, func(p synth.Place) bool { return !p.Active })},
	} {
		if !test.ok {
			t.Errorf("no %s", test.name)
		}
	}
}

func TestDecommissionedZIPsAtScale(t *testing.T) {
	c, err := invented()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(c.ZIPs, func(z synth.ZIP) bool { return z.Decommissioned }) {
		t.Error("no ZIP was given up")
	}
}

func TestPlanningRegions(t *testing.T) {
	c := small(t)
	var got []string
	for _, k := range c.Counties {
		if c.States[k.State].Abbr == "CT" {
			got = append(got, k.FIPS)
			if !strings.HasSuffix(k.Name, " Planning Region") {
				t.Errorf("%s is called %s", k.FIPS, k.Name)
			}
		}
	}
	want := []string{"09110", "09120", "09130", "09140", "09150", "09160", "09170", "09180", "09190"}
	if !slices.Equal(got, want) {
		t.Errorf("Connecticut has %v, want %v", got, want)
	}
}

func TestTimeZones(t *testing.T) {
	c := small(t)
	of := func(abbr string) (names []string) {
		for _, k := range c.Cells {
			if name := c.Zones[k.Zone]; c.States[k.State].Abbr == abbr && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return names
	}
	for _, test := range []struct {
		state   string
		observe bool // daylight saving time
		minutes int  // of the standard offset, past the hour
	}{{"AZ", false, 0}, {"SK", false, 0}, {"NL", true, 30}, {"HI", false, 0}, {"PR", false, 0}, {"GU", false, 0}, {"MI", true, 0}} {
		names := of(test.state)
		if len(names) == 0 {
			t.Fatalf("%s has no time zone", test.state)
		}
		row := tzif.Row(names[0], "")
		zone, err := row.Location()
		if err != nil {
			t.Fatal(err)
		}
		_, winter := time.Date(2026, 1, 15, 12, 0, 0, 0, zone).Zone()
		_, summer := time.Date(2026, 7, 15, 12, 0, 0, 0, zone).Zone()
		if (winter != summer) != test.observe || (winter%3600+3600)%3600/60 != test.minutes {
			t.Errorf("%s: %s is %d seconds off UTC in winter, %d in summer", test.state, names[0], winter, summer)
		}
	}
}

// TestBorderPairs looks for ZIPs of Michigan and New York that share a border
// with FSAs of Ontario.
func TestBorderPairs(t *testing.T) {
	c := small(t)
	pairs := map[string]int{}
	for _, a := range c.Cells {
		for _, b := range c.Cells {
			if a.ZIP != synth.None && b.FSA != synth.None && a.Box.Y1 == b.Box.Y0 && a.Box.X0 < b.Box.X1 && b.Box.X0 < a.Box.X1 {
				pairs[c.States[a.State].Abbr+"-"+c.States[b.State].Abbr]++
			}
		}
	}
	if pairs["MI-ON"] == 0 || pairs["NY-ON"] == 0 {
		t.Errorf("border pairs: %v, want MI-ON and NY-ON", pairs)
	}
}
