package store_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/store"
)

// FuzzACSRow codes rows of any figures: what is taken comes back.
func FuzzACSRow(f *testing.F) {
	f.Add(uint64(1), uint8(3))
	f.Add(uint64(99), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, wild uint8) {
		rng := rand.New(rand.NewPCG(seed, 7))
		table := smallSurveys()[0].Table
		figure := func() store.ACSFigure {
			if rng.IntN(256) < int(wild) {
				return mark(store.ACSNotApplicable + store.ACSMark(rng.IntN(7)))
			}
			return num(int32(rng.Uint32() >> (1 + rng.IntN(31))))
		}
		var rows [][]store.ACSCell
		for range 3 {
			cells := make([]store.ACSCell, len(table.Columns))
			for i := range cells {
				c := &cells[i]
				c.Estimate, c.MOE = figure(), figure()
				switch table.Columns[i].Class {
				case store.ACSShare:
					c.Percent, c.PercentMOE = figure(), figure()
				case store.ACSPercentOnly:
					c.Percent, c.PercentMOE = c.Estimate, c.MOE
					c.Estimate, c.MOE = notApplicable, notApplicable
				default:
				}
			}
			rows = append(rows, cells)
		}
		got, err := store.DecodeACSPage(&table, store.EncodeACSPage(&table, rows))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range rows {
			if diff := cmp.Diff(want, got[uint32(i)]); diff != "" {
				t.Fatalf("row %d (-want +got):\n%s", i, diff)
			}
		}
	})
}

// FuzzACSPage decodes any bytes: it refuses them or gives rows that can be
// coded again.
func FuzzACSPage(f *testing.F) {
	table := smallSurveys()[0].Table
	s := smallSurveys()[0]
	f.Add(store.EncodeACSPage(&table, s.cells()))
	f.Fuzz(func(t *testing.T, payload []byte) {
		rows, err := store.DecodeACSPage(&table, payload)
		if err != nil {
			return
		}
		for _, cells := range rows {
			again := store.EncodeACSPage(&table, [][]store.ACSCell{cells})
			if got, err := store.DecodeACSPage(&table, again); err != nil || !reflect.DeepEqual(got[0], cells) {
				t.Fatalf("%+v comes back as %+v, %v", cells, got, err)
			}
		}
	})
}
