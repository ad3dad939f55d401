package store_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// TestOverlapsInAnyOrder gives the layers of a ZIP in descending order. They are
// read in ascending order.
func TestOverlapsInAnyOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	w := create(t, path)
	check(t, w.AddZIP(store.ZIPRow{ZIP: 5, Class: store.General, Location: geo.MustLatLng(40, -100)}, store.ZIPDetail{}))
	layers := []store.LayerID{store.LayerStateLower, store.LayerTract, store.LayerPlace, store.LayerCounty}
	c := store.CodeOverlaps{Outline: 100}
	for i, id := range layers {
		check(t, w.SetLayer(store.LayerData{Info: store.LayerInfo{ID: id, Source: "test"}, Areas: []store.LayerArea{{GEOID: "01", Outline: 1000}}}))
		c.Layers = append(c.Layers, store.LayerOverlaps{Layer: id, Overlaps: []store.Overlap{{Intersection: geo.SquareMeters(i + 1)}}})
	}
	check(t, w.AddZIPOverlaps(5, c))
	check(t, w.Finish(dataset.Manifest{Version: "x"}))
	d := open(t, path)
	got, err := d.ZIPOverlaps(t.Context(), 5)
	check(t, err)
	var read []store.LayerID
	for _, l := range got.Layers {
		read = append(read, l.Layer)
		if i := slices.Index(layers, l.Layer); len(l.Overlaps) != 1 || l.Overlaps[0].Intersection != geo.SquareMeters(i+1) {
			t.Errorf("%s: %+v", l.Layer, l.Overlaps)
		}
	}
	want := slices.Clone(layers)
	slices.Sort(want)
	if !slices.Equal(read, want) {
		t.Errorf("layers %v, want %v", read, want)
	}
}
