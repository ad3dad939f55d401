package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/store"
)

// people returns whether overlaps with a layer have residents.
func people(d *store.Dataset) func(store.LayerID) bool {
	return func(id store.LayerID) bool { return d.Layer(id).Info().People }
}

// FuzzOverlaps decodes the overlaps of a code; what is taken stays the same
// when it is written again.
func FuzzOverlaps(f *testing.F) {
	d := open(f, small().file(f))
	for _, z := range smallLayers().ZIPOverlaps {
		f.Add(store.EncodeOverlaps(&z.Of, people(d)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		first, err := d.DecodeOverlaps(b)
		if err != nil {
			return
		}
		second, err := d.DecodeOverlaps(store.EncodeOverlaps(&first, people(d)))
		check(t, err)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("(-first +second):\n%s", diff)
		}
	})
}

func FuzzSchoolDistrict(f *testing.F) {
	for _, s := range smallLayers().Schools {
		b, err := store.EncodeSchoolDistrict(&s)
		check(f, err)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		first, err := store.DecodeSchoolDistrict(b)
		if err != nil {
			return
		}
		again, err := store.EncodeSchoolDistrict(&first)
		check(t, err)
		second, err := store.DecodeSchoolDistrict(again)
		check(t, err)
		if diff := cmp.Diff(first, second, equal); diff != "" {
			t.Errorf("(-first +second):\n%s", diff)
		}
	})
}

// FuzzLayerRows decodes the codes of a layer and the areas of postal codes; the
// point is that it ends.
func FuzzLayerRows(f *testing.F) {
	d := open(f, small().file(f))
	f.Add(uint8(store.LayerCounty), []byte{1, 1, 2, 0, 3})
	f.Add(uint8(store.LayerFederalDistrict), []byte{0, 4, 14, 0, 19, 1})
	f.Fuzz(func(_ *testing.T, id uint8, b []byte) {
		if l := store.LayerID(id); d.Layer(l) != nil {
			if n, err := d.DecodeLayerCodes(l, b); err == nil && n > len(b) {
				panic("more codes than bytes")
			}
		}
		_ = d.CheckPostalAreas(fsa("K1A"), b) // refused or not
	})
}
