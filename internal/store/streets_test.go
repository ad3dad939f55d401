package store_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
)

// streetFile writes street records, in the given order, city names and aliases.
func streetFile(t testing.TB, records []store.StreetRecord, more func(*storewrite.Writer)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "streets.db")
	w := create(t, path)
	for _, r := range records {
		check(t, w.AddStreet(r))
	}
	if more != nil {
		more(w)
	}
	check(t, w.Finish(small().Manifest))
	return path
}

// inventStreets makes records of streets of all lengths in a few ZIPs, whose
// order is mixed up in some.
func inventStreets(seed uint64, n int) []store.StreetRecord {
	rng := rand.New(rand.NewPCG(seed, seed))
	var list []store.StreetRecord
	for i := range n {
		r := store.StreetRecord{ZIP4Record: store.ZIP4Record{
			ZIP: postcode.ZIP(10000 + rng.IntN(3)), RecordType: 'S', Suffix: "ST", State: "NY", Alternate: rng.IntN(9) == 0, OddEven: "OEB"[rng.IntN(3)],
			AddrLow: fmt.Sprintf("%010d", i), AddrHigh: fmt.Sprintf("%010d", i+rng.IntN(98)),
		}}
		switch rng.IntN(4) {
		case 0:
			r.Street = "BROADWAY" // longer than a page
		case 1:
			r.Street = streetNames[rng.IntN(len(streetNames))]
		default:
			r.Street = fmt.Sprintf("%dTH", 4+rng.IntN(n/8+1))
		}
		if r.NoPlus4 = rng.IntN(5) == 0; !r.NoPlus4 {
			r.Low = postcode.Plus4(rng.IntN(10000))
			r.High = min(9999, r.Low+postcode.Plus4(rng.IntN(2)*rng.IntN(1500)))
		}
		list = append(list, r)
	}
	return list
}

// zip4Oracle answers as the documentation of ZIP4 says, from a plain list.
func zip4Oracle(records []store.ZIP4Record, z postcode.ZIP, p postcode.Plus4) []store.ZIP4Record {
	var list []store.ZIP4Record
	for _, alternate := range []bool{false, true} {
		from := len(list)
		for _, r := range records {
			if r.ZIP == z && r.Alternate == alternate && r.Low <= p && p <= r.High {
				list = append(list, r)
			}
		}
		slices.SortStableFunc(list[from:], func(a, b store.ZIP4Record) int {
			return strings.Compare(pub28.Key(a.Street), pub28.Key(b.Street))
		})
	}
	return list
}

var streetNames = []string{"", "MAIN", "MT VERNON", "MOUNT VERNON", "5TH", "FIFTH", "CR 12", "COUNTY ROAD 12", "BROADWAY", "ÅSGATA", "PO BOX", "A", "B", "C", "D", "E"}

// TestStreets holds what a key gives against a plain list, and the list of keys
// against all keys, wherever pages begin and end.
func TestStreets(t *testing.T) {
	for _, sorted := range []bool{false, true} {
		t.Run(fmt.Sprintf("sorted=%t", sorted), func(t *testing.T) {
			records := inventStreets(7, 9000)
			if sorted {
				slices.SortStableFunc(records, func(a, b store.StreetRecord) int { return int(a.ZIP) - int(b.ZIP) })
			}
			d := open(t, streetFile(t, records, nil))
			want := map[postcode.ZIP]map[string][]store.StreetRecord{}
			for _, r := range records {
				if want[r.ZIP] == nil {
					want[r.ZIP] = map[string][]store.StreetRecord{}
				}
				key := pub28.Key(r.Street)
				want[r.ZIP][key] = append(want[r.ZIP][key], r)
			}
			for z, byKey := range want {
				for key, list := range byKey {
					got, err := d.Streets(t.Context(), z, key, nil)
					check(t, err)
					if !slices.Equal(list, got) {
						t.Fatalf("%s %q (-want +got):\n%s", z, key, cmp.Diff(list, got, equal))
					}
				}
				for _, key := range []string{"NOSUCH", "", "ZZZZ", "1000000TH"} {
					if _, known := byKey[key]; known {
						continue
					}
					if got, err := d.Streets(t.Context(), z, key, nil); err != nil || len(got) > 0 {
						t.Errorf("%s %q: %v, %v; want none", z, key, got, err)
					}
				}
				got, err := d.StreetKeys(t.Context(), z)
				check(t, err)
				if diff := cmp.Diff(slices.Sorted(maps.Keys(byKey)), got); diff != "" {
					t.Errorf("keys of %s (-want +got):\n%s", z, diff)
				}
				var of []store.ZIP4Record
				for _, r := range records {
					if !r.NoPlus4 && r.ZIP == z {
						of = append(of, r.ZIP4Record)
					}
				}
				for p := postcode.Plus4(0); p < 10_000; p += 101 {
					got, err := d.ZIP4(t.Context(), z, p)
					check(t, err)
					if want := zip4Oracle(of, z, p); !slices.Equal(want, got) {
						t.Errorf("%s-%s (-want +got):\n%s", z, p, cmp.Diff(want, got, equal))
					}
				}
			}
			if got, err := d.Streets(t.Context(), 99999, "BROADWAY", nil); err != nil || got != nil {
				t.Errorf("a ZIP without streets: %v, %v", got, err)
			}
			check(t, d.Verify(t.Context()))
		})
	}
}

// TestStreetsWithoutAddOns has ranges of which no add-on is known.
func TestStreetsWithoutAddOns(t *testing.T) {
	r := store.StreetRecord{NoPlus4: true, ZIP4Record: store.ZIP4Record{ZIP: 59645, Street: "MAIN", AddrLow: "0000000001", AddrHigh: "0000000099", RecordType: 'S'}}
	d := open(t, streetFile(t, []store.StreetRecord{r}, nil))
	if d.HasZIP4(59645) || !d.HasStreetsIn(59645) || !d.HasStreets() || d.HasStreetsIn(59646) {
		t.Errorf("HasZIP4 %t, HasStreetsIn %t; want no add-ons, but streets", d.HasZIP4(59645), d.HasStreetsIn(59645))
	}
	if got, err := d.ZIP4(t.Context(), 59645, 0); err != nil || got != nil {
		t.Errorf("ZIP4 = %v, %v; want none", got, err)
	}
}

func TestCityNames(t *testing.T) {
	names := []store.CityName{
		{Name: "OLD PLACE", Key: "V00002", LastLineKey: "V00001", Facility: 'N', State: "VA", CountyFIPS: "510"},
		{Name: "ALEXANDRIA", Key: "V00001", LastLineKey: "V00001", Facility: 'P', Mailing: true, Preferred: true, State: "VA", CountyFIPS: "510"},
	}
	aliases := []store.StreetAlias{
		{Street: "JEFF DAVIS", Suffix: "HWY", BaseStreet: "RICHMOND", BaseSuffix: "HWY", Type: 'C'},
		{Street: "OLD", Suffix: "RD", BaseStreet: "NEW", BaseSuffix: "RD", Type: 'O', Low: "100", High: "198", OddEven: 'E'},
	}
	record := store.StreetRecord{ZIP4Record: store.ZIP4Record{ZIP: 22301, Low: 1, High: 1, Finance: "510001", Street: "MAIN"}}
	second := record
	second.ZIP = 22302
	d := open(t, streetFile(t, []store.StreetRecord{record, second}, func(w *storewrite.Writer) {
		check(t, w.AddCityNames(22301, "510123", names))
		check(t, w.AddStreetAliases(22301, aliases))
	}))
	if diff := cmp.Diff([]store.CityName{names[1], names[0]}, d.CityNames(22301, nil)); diff != "" {
		t.Errorf("CityNames (-want +got):\n%s", diff)
	}
	if got := d.CityNames(22302, nil); got != nil {
		t.Errorf("CityNames of another ZIP = %v, want none", got)
	}
	for z, want := range map[postcode.ZIP]string{22301: "510123", 22302: "510001", 22303: ""} {
		if got := d.Finance(z); got != want {
			t.Errorf("Finance(%s) = %q, want %q", z, got, want)
		}
	}
	got, err := d.StreetAliases(t.Context(), 22301, "OLD", nil)
	check(t, err)
	if diff := cmp.Diff(aliases[1:], got); diff != "" {
		t.Errorf("StreetAliases (-want +got):\n%s", diff)
	}
	if got, err := d.StreetAliases(t.Context(), 22302, "OLD", nil); err != nil || got != nil {
		t.Errorf("StreetAliases of another ZIP = %v, %v; want none", got, err)
	}
	check(t, d.Verify(t.Context()))
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
