package builder_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
)

// TestNationalBlockGroups writes the block groups of each district of the 119th
// Congress from its outlines and adds them as a plan without outlines. Both plans give
// the same district with most residents for 99.9 % of ZIP Codes.
func TestNationalBlockGroups(t *testing.T) {
	b := openNational(t)
	if err := b.Load(t.Context(), store.SectionCenters); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("GEOID,CDFP\n")
	districts := b.Layer(store.LayerCongressionalDistrict)
	for c := range b.Centers() {
		around, err := districts.Containing(t.Context(), c.At, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(around) > 0 {
			fmt.Fprintf(&text, "%012d,%s\n", c.BlockGroup, districts.GEOID(around[0]))
		}
	}
	out := filepath.Join(t.TempDir(), "groups.db")
	plan := "groups=" + named(t, "groups.csv", text.String()) + ",layer=cd,from=2027-01-03"
	if _, err := builder.Extend(t.Context(), b.path, builder.Options{Output: out, Cache: t.TempDir(), Plans: []string{plan}}); err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	id := store.PlanLayer(store.LayerCongressionalDistrict, store.FirstAddedPlan)
	most := func(c store.CodeOverlaps, id store.LayerID) (geoid string, people int) {
		people = -1
		for _, o := range c.Of(id) {
			if o.People > people {
				geoid, people = d.Layer(id).GEOID(o.Area), o.People
			}
		}
		return geoid, people
	}
	codes, same := 0, 0
	for z := range d.ZIPs() {
		c, err := d.ZIPOverlaps(t.Context(), z.ZIP)
		if err != nil {
			t.Fatal(err)
		}
		want, people := most(c, store.LayerCongressionalDistrict)
		if people <= 0 {
			continue
		}
		codes++
		if got, _ := most(c, id); got == want {
			same++
		}
	}
	t.Logf("%d of %d ZIP Codes with residents have the same district", same, codes)
	if codes < 20_000 || float64(same) < 0.999*float64(codes) {
		t.Errorf("%d of %d ZIP Codes have the same district, want 99.9 %%", same, codes)
	}
}

// TestNationalPeople reads the file of block groups. The people of the ZIP Codes of each
// state, and of the rest outside all of them, sum to the census.
func TestNationalPeople(t *testing.T) {
	b := openNational(t)
	db, err := postgeo.Open(b.path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows := gzippedRows(t, filepath.Join(nationalMirror, "www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt.gz"))
	want, got := map[string]int{}, map[string]int{}
	for _, row := range rows[1:] {
		people, err := strconv.Atoi(row[4])
		if err != nil {
			t.Fatal(err)
		}
		want[row[0]] += people
	}
	for pair, row := range crossed(t, db, "state", "zip", lookup.CrosswalkOptions{Weight: lookup.WeightPeople, Remainder: true}) {
		if pair[0] == "" { // a code that nothing places
			if row.Reason == "" || *row.People != 0 {
				t.Errorf("%v has %d people and the reason %q", pair, *row.People, row.Reason)
			}
			continue
		}
		got[pair[0]] += *row.People
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) != 52 {
		t.Errorf("people of %d states (-census +crosswalk):\n%s", len(want), diff)
	}
}
