package store_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

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

// TestZIP4 asks for every add-on of ZIPs whose ranges overlap within and
// across pages, whose records came in pieces, or share one add-on.
func TestZIP4(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var records []store.ZIP4Record
	add := func(z postcode.ZIP, low, high int, alternate bool) {
		records = append(records, store.ZIP4Record{
			ZIP: z, Low: postcode.Plus4(low), High: postcode.Plus4(min(high, 9999)), Alternate: alternate,
			AddrLow: postcode.ZIP(len(records)).String(), RecordType: 'S', // distinguishes the records
			Street: streetNames[rng.IntN(len(streetNames))],
		})
	}
	for range 2500 { // overlaps, long and short, from all pages
		low := rng.IntN(10000)
		add(11111, low, low+rng.IntN(1<<rng.IntN(12)), rng.IntN(5) == 0)
	}
	for range 600 { // far more records at one add-on than a page takes
		add(22222, 5, 5, rng.IntN(2) == 0)
	}
	add(22222, 4, 6, false)
	for i := range 900 { // no overlaps
		add(33333, i*11, i*11+10, false)
	}
	for range 1500 { // pieces: other ZIPs between
		add(postcode.ZIP(44444+rng.IntN(2)), rng.IntN(400), 400+rng.IntN(3), rng.IntN(3) == 0)
	}
	d := open(t, (&country{ZIP4: records}).file(t))
	for _, z := range []postcode.ZIP{11111, 22222, 33333, 44444, 44445, 55555} {
		if got, want := d.HasZIP4(z), z != 55555; got != want {
			t.Errorf("HasZIP4(%s) = %t, want %t", z, got, want)
		}
		of := slices.DeleteFunc(slices.Clone(records), func(r store.ZIP4Record) bool { return r.ZIP != z })
		for p := range postcode.Plus4(10000) {
			if p > 450 && p%41 != 0 {
				continue
			}
			got, err := d.ZIP4(t.Context(), z, p)
			check(t, err)
			if want := zip4Oracle(of, z, p); !slices.Equal(want, got) {
				t.Fatalf("%s-%s (-want +got):\n%s", z, p, cmp.Diff(want, got, equal))
			}
		}
	}
	for _, z := range []postcode.ZIP{0, 11111, postcode.NumZIPs, 1 << 31} {
		for _, p := range []postcode.Plus4{10000, 65535} {
			if got, err := d.ZIP4(t.Context(), z, p); err != nil || len(got) > 0 {
				t.Errorf("ZIP4(%d, %d) = %v, %v; want none", z, p, got, err)
			}
		}
	}
	check(t, d.Verify(t.Context()))
}
