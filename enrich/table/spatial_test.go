package table_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
)

// TestCoordinates compares the rows of a file of coordinates, which are looked up in the
// order of their places, with single lookups.
func TestCoordinates(t *testing.T) {
	db := sampletest.Shared(t)
	random := rand.New(rand.NewPCG(7, 8))
	keys := []string{",", "x,", "91,0", "0,0", "90,180", "-90,-180", "43.65,-79.38", "21.3,-157.85", "+34.1,-.1184e3"}
	for code, err := range db.Codes(t.Context(), lookup.ZIP) {
		if err != nil {
			t.Fatal(err)
		}
		rec, err := db.QuickLookup(t.Context(), code, lookup.QuickOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if at := rec.Location; at.IsValid() {
			for range 8 {
				keys = append(keys, fmt.Sprintf("%.5f,%.5f", at.Lat()+random.NormFloat64()/20, at.Lng()+random.NormFloat64()/20))
			}
		}
	}
	const most = 40_000 // more than a block
	for len(keys) < most {
		keys = append(keys, keys[random.IntN(len(keys))])
	}
	random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	add := []string{"city", "census.tract.geoid", "timezone.name"}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Coordinates, Add: add})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("id,lat,lon\n")
	for i, k := range keys {
		fmt.Fprintf(&text, "%d,%s\n", i, k)
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
	write1(t, in, text.String())
	if _, err := (job{add: add}).file(t, in, out); err != nil {
		t.Fatal(err)
	}
	rows := read(t, out, table.CSV)
	if len(rows) != len(keys)+1 {
		t.Fatalf("%d rows of %d", len(rows)-1, len(keys))
	}
	for i, k := range keys {
		lat, lon, _ := strings.Cut(k, ",")
		values, res, err := e.Row(t.Context(), enrich.JoinCoordinates(lat, lon), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{fmt.Sprint(i), lat, lon}
		for _, v := range values {
			want = append(want, v.String())
		}
		want = append(want, string(res.Status), res.Reason)
		if got := strings.Join(rows[i+1], "|"); got != strings.Join(want, "|") {
			t.Fatalf("row %d:\n got %s\nwant %s", i, got, strings.Join(want, "|"))
		}
	}
}
