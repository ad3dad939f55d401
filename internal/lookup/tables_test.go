package lookup_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/lookup/lookuptest"
)

// extended returns a reader of a copy of a dataset with more in it.
func extended(t *testing.T, base *dataset.Dataset, more func(*dataset.Writer) error) *lookup.Reader {
	t.Helper()
	d, err := lookuptest.Extend(filepath.Join(t.TempDir(), "own.db"), base, more)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	r, err := lookup.NewReader(d)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A tract has invented values and the people of its block groups.
type tract struct {
	count, rate, mean, median, homes float64
	kind                             string
	missing                          bool // of the table
	people                           float64
}

// tractTable returns a reader of the sample with the table "t" of tracts.
func tractTable(t *testing.T) (*lookup.Reader, map[string]*tract) {
	t.Helper()
	base := sampleReader(t).Dataset()
	if err := base.Load(t.Context(), dataset.SectionCenters); err != nil {
		t.Fatal(err)
	}
	tracts := map[string]*tract{}
	for c := range base.Centers() {
		id := fmt.Sprintf("%012d", c.BlockGroup)[:11]
		a := tracts[id]
		if a == nil {
			n := float64(len(tracts))
			a = &tract{count: 3 * n, rate: math.Mod(7*n, 101), mean: n / 8, median: math.Mod(13*n, 97), homes: math.Mod(n, 11), kind: string('a' + rune(len(tracts)%3)), missing: len(tracts)%5 == 4}
			tracts[id] = a
		}
		a.people += float64(c.People)
	}
	d := dataset.OwnTableData{Info: dataset.OwnTableInfo{Name: "t", Key: "tract", Columns: []dataset.OwnColumn{
		{Name: "count", Meaning: dataset.MeaningCount},
		{Name: "rate", Meaning: dataset.MeaningRate, Weight: "homes"},
		{Name: "mean", Meaning: dataset.MeaningMean},
		{Name: "median", Meaning: dataset.MeaningMedian},
		{Name: "homes", Meaning: dataset.MeaningCount},
		{Name: "kind", Meaning: dataset.MeaningCategory},
	}}, Values: make([]dataset.OwnValues, 6)}
	for id, a := range tracts {
		if !a.missing {
			d.Keys = append(d.Keys, id)
		}
	}
	slices.Sort(d.Keys)
	for _, id := range d.Keys {
		a := tracts[id]
		for i, v := range []float64{a.count, a.rate, a.mean, a.median, a.homes} {
			d.Values[i].Numbers = append(d.Values[i].Numbers, v)
		}
		d.Values[5].Texts = append(d.Values[5].Texts, a.kind)
	}
	return extended(t, base, func(w *dataset.Writer) error { return w.AddOwnTable(d) }), tracts
}

// TestTablesByHand compares the values of circles, a ring and a polygon with those by
// the block groups whose centers lie inside.
func TestTablesByHand(t *testing.T) {
	r, tracts := tractTable(t)
	center := geo.MustLatLng(34.09, -118.4)
	square, err := geo.NewRegion(orb.MultiPolygon{{{{-118.505, 34.005}, {-118.305, 34.005}, {-118.305, 34.205}, {-118.505, 34.205}, {-118.505, 34.005}}}})
	if err != nil {
		t.Fatal(err)
	}
	ring := func(least, most geo.Meters) func(geo.LatLng) bool {
		return func(p geo.LatLng) bool { d := geo.Distance(center, p); return d >= least && d <= most }
	}
	for name, s := range map[string]struct {
		shape  lookup.Shape
		inside func(geo.LatLng) bool
	}{
		"circle": {lookup.Ring(center, 0, 6000), ring(0, 6000)},
		"ring":   {lookup.Ring(center, 3000, 9000), ring(3000, 9000)},
		"square": {lookup.Shape{Region: square}, func(p geo.LatLng) bool {
			return p.Lat() > 34.005 && p.Lat() < 34.205 && p.Lng() > -118.505 && p.Lng() < -118.305
		}},
	} {
		parts, whole, covered := map[*tract]float64{}, 0.0, 0.0
		for c := range r.Dataset().Centers() {
			if a := tracts[fmt.Sprintf("%012d", c.BlockGroup)[:11]]; s.inside(c.At) {
				whole += float64(c.People)
				if !a.missing {
					parts[a] += float64(c.People)
					covered += float64(c.People)
				}
			}
		}
		count, mean, rate, homes := 0.0, 0.0, 0.0, 0.0
		kinds := map[string]float64{}
		var order []*tract
		for a, people := range parts {
			if people == 0 {
				continue
			}
			count += a.count * people / a.people
			mean += a.mean * people
			rate += a.rate * a.homes * people / a.people
			homes += a.homes * people / a.people
			kinds[a.kind] += people
			order = append(order, a)
		}
		slices.SortFunc(order, func(x, y *tract) int { return cmp.Compare(x.median, y.median) })
		median, below := 0.0, 0.0
		for _, a := range order {
			if below += parts[a]; 2*below >= covered {
				median = a.median
				break
			}
		}
		found, err := r.TablesIn(t.Context(), []string{"t", "none"}, s.shape)
		if err != nil || len(found) != 1 || len(order) < 10 {
			t.Fatalf("%s: %d tables, %d tracts, error %v", name, len(found), len(order), err)
		}
		got := found["t"]
		if got.Basis != "block_groups" || got.Weight != lookup.WeightPeople || float64(*got.People) != whole || math.Abs(got.Values.CoveragePct-100*covered/whole) > 0.06 {
			t.Errorf("%s: %d people %v %%, want %v people %v %%", name, *got.People, got.Values.CoveragePct, whole, 100*covered/whole)
		}
		for column, want := range map[string]float64{"count": count, "mean": mean / covered, "rate": rate / homes, "median": median, "homes": homes} {
			if v := got.Values.Columns[column].Value; v == nil || math.Abs(*v-want) > 0.006 {
				t.Errorf("%s: %s is %+v, want %v", name, column, got.Values.Columns[column], want)
			}
		}
		kind := got.Values.Columns["kind"]
		for k, people := range kinds {
			if people > kinds[kind.Category] {
				t.Errorf("%s: category %s of %v people, %s has %v", name, kind.Category, kinds[kind.Category], k, people)
			}
		}
	}
}

// TestTablesBy checks that the values by county sum to those by state, and that codes
// of a list have the values of records.
func TestTablesBy(t *testing.T) {
	r, tracts := tractTable(t)
	want := 0.0
	for _, a := range tracts {
		if !a.missing && a.people > 0 {
			want += a.count
		}
	}
	for _, by := range []string{"county", "state"} {
		sum := 0.0
		for row, err := range r.Table(t.Context(), "t", by) {
			if err != nil {
				t.Fatal(err)
			}
			if row.Name == "" {
				t.Errorf("%s %s has no name", by, row.ID)
			}
			if v := row.Values.Columns["count"].Value; v != nil {
				sum += *v
			}
		}
		if math.Abs(sum-want) > 1 {
			t.Errorf("by %s: the counts sum to %v, want %v", by, sum, want)
		}
	}
	include, _ := lookup.ParseInclude([]string{"tables.t"})
	rec, err := r.Full(t.Context(), "90210", lookup.Options{Include: include})
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range r.Table(t.Context(), "t", "zip", "90210") {
		if of := rec.Tables["t"]; err != nil || *row.People != *of.People || *row.Values.Columns["count"].Value != *of.Values.Columns["count"].Value {
			t.Errorf("90210 in a list %+v, in its record %+v, error %v", row, of, err)
		}
	}
	for _, err := range r.Table(t.Context(), "t", "zip", "00000") {
		if !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("a ZIP Code without a value: %v", err)
		}
	}
}

// TestTablesOfFewPeople looks for the values of shapes without a center of a block group.
func TestTablesOfFewPeople(t *testing.T) {
	r, _ := tractTable(t)
	center := geo.MustLatLng(34.0901, -118.4065)
	in := func(s lookup.Shape) (lookup.OwnTable, bool) {
		found, err := r.TablesIn(t.Context(), []string{"t"}, s)
		if err != nil {
			t.Fatal(err)
		}
		of, ok := found["t"]
		return of, ok
	}
	if of, ok := in(lookup.Ring(center, 0, 1)); !ok || of.Basis != "contains_point" || of.Areas != 1 || of.People != nil || of.Values.Columns["count"].Value != nil {
		t.Errorf("a circle: %+v", of)
	}
	if of, ok := in(lookup.Ring(center, 1, 2)); ok {
		t.Errorf("a ring: %+v", of)
	}
	region, err := geo.NewRegion(orb.MultiPolygon{{{{-118.4, 34.1}, {-118.39999, 34.1}, {-118.39999, 34.10001}, {-118.4, 34.1}}}})
	if err != nil {
		t.Fatal(err)
	}
	if of, ok := in(lookup.Shape{Region: region, Inside: center}); !ok || of.Basis != "contains_point" {
		t.Errorf("a polygon with a point inside: %+v", of)
	}
	if of, ok := in(lookup.Shape{Center: center, Region: region}); ok {
		t.Errorf("a polygon without a known point inside: %+v", of)
	}
}

// TestTablesOfPlans adds a plan of districts that replaces that of the dataset in
// California. Tables have the districts in force.
func TestTablesOfPlans(t *testing.T) {
	base := newReader(t).Dataset()
	ca := dataset.StateID(0)
	for i, s := range base.States() {
		if s.Abbr == "CA" {
			ca = dataset.StateID(i + 1)
		}
	}
	box := orb.MultiPolygon{{{{-119, 33}, {-118, 33}, {-118, 35}, {-119, 35}, {-119, 33}}}}
	area, err := geo.MultiPolygonArea(box)
	if err != nil {
		t.Fatal(err)
	}
	var b geo.PolygonIndexBuilder
	if err := b.Add(box); err != nil {
		t.Fatal(err)
	}
	packed, err := b.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	overlaps, err := base.ZIPOverlaps(t.Context(), 90210)
	if err != nil {
		t.Fatal(err)
	}
	r := extended(t, base, func(w *dataset.Writer) error {
		kinds := dataset.OwnTableData{
			Info: dataset.OwnTableInfo{Name: "kinds", Key: "congressional_district", Weight: "area", Columns: []dataset.OwnColumn{{Name: "kind", Meaning: dataset.MeaningCategory}}},
			Keys: []string{"0630", "0636", "0699", "3610"}, Values: []dataset.OwnValues{{Texts: []string{"old", "old", "new", "other"}}},
		}
		homes := dataset.OwnTableData{
			Info: dataset.OwnTableInfo{Name: "homes", Key: "zip", Weight: "area", Columns: []dataset.OwnColumn{{Name: "homes", Meaning: dataset.MeaningCount}}},
			Keys: []string{"90210"}, Values: []dataset.OwnValues{{Numbers: []float64{12}}},
		}
		return errors.Join(w.AddOwnTable(kinds), w.AddOwnTable(homes), w.SetLayer(dataset.LayerData{
			Info: dataset.LayerInfo{
				ID: dataset.PlanLayer(dataset.LayerCongressionalDistrict, dataset.FirstAddedPlan), Source: "test", FitForShares: true,
				Plan: dataset.Plan{ID: "new", Name: "New", From: "2000-01-01", States: []dataset.StateID{ca}},
			},
			Areas: []dataset.LayerArea{{GEOID: "0699", Name: "District 99", State: ca, Land: dataset.UnknownArea, Water: dataset.UnknownArea, Outline: area}}, Packed: packed,
			Shared: []dataset.SharedPart{{Code: dataset.NumberOfCode(dataset.ZIP(90210)), Area: 0, Intersection: overlaps.Outline}},
		}))
	})
	include, _ := lookup.ParseInclude([]string{"tables.kinds"})
	for _, code := range []string{"90210", "34.1,-118.41"} {
		rec, err := r.Full(t.Context(), code, lookup.Options{Include: include})
		if err != nil {
			t.Fatal(err)
		}
		if kind := rec.Tables["kinds"].Values.Columns["kind"]; kind.Category != "new" || len(kind.Parts) > 0 {
			t.Errorf("%s: %+v", code, rec.Tables)
		}
	}
	found, err := r.TablesIn(t.Context(), []string{"kinds"}, lookup.Ring(geo.MustLatLng(34.1, -118.41), 0, 3000))
	if kind := found["kinds"].Values.Columns["kind"]; err != nil || kind.Category != "new" || found["kinds"].Areas != 1 {
		t.Errorf("a circle: %+v, error %v", found, err)
	}
	var rows []string
	for row, err := range r.Table(t.Context(), "homes", "congressional_district") {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, fmt.Sprintf("%s %s %v", row.ID, row.Name, *row.Values.Columns["homes"].Value))
	}
	if got := strings.Join(rows, ", "); got != "0699 District 99 12" {
		t.Errorf("districts: %s", got)
	}
}

// TestYearsOfTables lists a table with an unknown year.
func TestYearsOfTables(t *testing.T) {
	table := func(year int) dataset.OwnTableData {
		return dataset.OwnTableData{
			Info: dataset.OwnTableInfo{Name: "homes", Year: year, Key: "zip", Columns: []dataset.OwnColumn{{Name: "homes", Meaning: dataset.MeaningCount}}},
			Keys: []string{"90210"}, Values: []dataset.OwnValues{{Numbers: []float64{12}}},
		}
	}
	r := extended(t, newReader(t).Dataset(), func(w *dataset.Writer) error {
		return errors.Join(w.AddOwnTable(table(2020)), w.AddOwnTable(table(0)), w.AddOwnTable(table(2022)))
	})
	list, err := r.Tables(t.Context())
	if err != nil || len(list) != 1 || !slices.Equal(list[0].Years, []int{2022, 2020}) {
		t.Errorf("%+v, error %v", list, err)
	}
}

// TestTablesTogether makes the first requests of a reader together. Some give up.
func TestTablesTogether(t *testing.T) {
	r, _ := tractTable(t)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%2 == 0 {
				cancel()
			}
			found, err := r.TablesIn(ctx, []string{"t"}, lookup.Ring(geo.MustLatLng(34.09, -118.4), 0, 6000))
			if i%2 == 1 && (err != nil || len(found) != 1) || i%2 == 0 && err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%d tables, error %v", len(found), err)
			}
		})
	}
	wait.Wait()
}

// TestTablesByHousing supplies blocks of one county. Counts of tracts are divided by
// their housing units. In a circle with people of another county, people divide them.
func TestTablesByHousing(t *testing.T) {
	base := sampleReader(t).Dataset()
	if err := base.Load(t.Context(), dataset.SectionCenters); err != nil {
		t.Fatal(err)
	}
	const county = "06037"
	var list []dataset.CensusBlock
	units, counts := map[string]float64{}, map[string]float64{}
	d := dataset.OwnTableData{Info: dataset.OwnTableInfo{Name: "t", Key: "tract", Weight: "housing", Columns: []dataset.OwnColumn{{Name: "count", Meaning: dataset.MeaningCount}}}, Values: make([]dataset.OwnValues, 1)}
	var elsewhere geo.LatLng
	var others []dataset.Center
	residents := map[string]float64{}
	for c := range base.Centers() {
		id := fmt.Sprintf("%012d", c.BlockGroup)
		if id[:5] != county {
			elsewhere = c.At
			others = append(others, c)
			continue
		}
		n := len(list)
		list = append(list, dataset.CensusBlock{GEOID: c.BlockGroup*dataset.BlocksOfGroup + 1, At: c.At, People: c.People, Housing: n % 7, Land: dataset.UnknownArea})
		units[id[:11]] += float64(n % 7)
		residents[id[:11]] += float64(c.People)
		if tract := id[:11]; counts[tract] == 0 {
			counts[tract] = float64(n + 1)
			d.Keys, d.Values[0].Numbers = append(d.Keys, tract), append(d.Values[0].Numbers, float64(n+1))
		}
	}
	r := extended(t, base, func(w *dataset.Writer) error { return errors.Join(w.SetCensusBlocks(list), w.AddOwnTable(d)) })
	center := geo.MustLatLng(34.09, -118.4)
	want, homes, people := 0.0, 0, 0
	for _, b := range list {
		if tract := fmt.Sprintf("%015d", b.GEOID)[:11]; geo.Distance(center, b.At) <= 6000 {
			homes, people = homes+b.Housing, people+b.People
			if b.Housing > 0 {
				want += counts[tract] * float64(b.Housing) / units[tract]
			}
		}
	}
	found, err := r.TablesIn(t.Context(), []string{"t"}, lookup.Ring(center, 0, 6000))
	of := found["t"]
	if err != nil || homes == 0 || of.Weight != lookup.WeightHousing || of.Basis != "blocks" || *of.HousingUnits != homes || *of.People != people || math.Abs(*of.Values.Columns["count"].Value-want) > 0.006 {
		t.Errorf("a circle: %+v, want %v with %d housing units of %d people; error %v", of, want, homes, people, err)
	}
	if found, err := r.TablesIn(t.Context(), []string{"t"}, lookup.Ring(elsewhere, 0, 6000)); err != nil || len(found) > 0 {
		t.Errorf("another county: %v, error %v", found, err)
	}
	const wide = 300_000 // meters
	want, people = 0, 0
	for _, b := range list {
		if geo.Distance(center, b.At) <= wide && b.People > 0 {
			tract := fmt.Sprintf("%015d", b.GEOID)[:11]
			people, want = people+b.People, want+counts[tract]*float64(b.People)/residents[tract]
		}
	}
	known := people
	for _, c := range others {
		if geo.Distance(center, c.At) <= wide {
			people += c.People
		}
	}
	square := orb.MultiPolygon{{{{-123, 33}, {-116, 33}, {-116, 38}, {-123, 38}, {-123, 33}}}}
	region, err := geo.NewRegion(square)
	if err != nil {
		t.Fatal(err)
	}
	for name, shape := range map[string]lookup.Shape{"circle": lookup.Ring(center, 0, wide), "polygon": {Region: region}} {
		found, err := r.TablesIn(t.Context(), []string{"t"}, shape)
		of := found["t"]
		if err != nil || of.Weight != lookup.WeightPeople || of.Basis != "blocks_and_block_groups" || of.HousingUnits != nil {
			t.Fatalf("a %s with people of unknown housing: %+v, error %v", name, of, err)
		}
		if got, share := *of.Values.Columns["count"].Value, 100*float64(known)/float64(people); name == "circle" &&
			(known == people || *of.People != people || math.Abs(got-want) > 0.006 || math.Abs(of.Values.CoveragePct-share) > 0.051) {
			t.Errorf("a %s: %+v, want %v for %d people, %v %% of them covered", name, of, want, people, share)
		}
	}
	all := 0.0
	for _, n := range counts {
		all += n
	}
	rows := 0
	for row, err := range r.Table(t.Context(), "t", "county") {
		if rows++; err != nil || row.ID != county || *row.Values.Columns["count"].Value > all {
			t.Errorf("%+v, error %v", row, err)
		}
	}
	if rows != 1 {
		t.Errorf("%d counties", rows)
	}
	for _, err := range r.Table(t.Context(), "t", "county", "36061") {
		if !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("a county without blocks: %v", err)
		}
	}
	for row, err := range r.Table(t.Context(), "t", "zip") {
		if err != nil || row.Weight == lookup.WeightPeople {
			t.Fatalf("%+v, error %v", row, err)
		}
	}
}
