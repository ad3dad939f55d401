package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/diff"
	"github.com/postgeo/postgeo/internal/store/internal/file"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// roadsOf writes a file with roads and opens it.
func roadsOf(t *testing.T, list ...store.Road) *store.Dataset {
	t.Helper()
	path := filepath.Join(t.TempDir(), "roads.db")
	w := create(t, path)
	c := small()
	c.tables(t, w)
	c.addZIPs(t, w)
	for _, r := range list {
		check(t, w.AddRoad(r))
	}
	check(t, w.Finish(c.Manifest))
	return open(t, path)
}

func number(t *testing.T, text string) store.HouseNumber {
	t.Helper()
	n, ok := store.ParseHouseNumber(text)
	if !ok {
		t.Fatalf("%q is not a house number", text)
	}
	return n
}

func road(z postcode.ZIP, name string, points ...store.AddressPoint) store.Road {
	return store.Road{Area: store.CodeOfZIP(z), RoadName: store.RoadName{Name: name, Suffix: "ST"}, Points: points}
}

// whole decodes roads.
func whole(rows []store.RoadRow) (list []store.Road) {
	for _, r := range rows {
		list = append(list, store.Road{Area: r.Area, RoadName: r.RoadName, Points: r.Points.Append(nil), Segments: r.Segments.Append(nil)})
	}
	return list
}

// grid returns an invented town of parallel streets with houses 20 m apart, points
// on odd streets and segments on even ones.
func grid(z postcode.ZIP, streets, houses int, south, west float64) []store.Road {
	var list []store.Road
	for s := range streets {
		r := road(z, fmt.Sprintf("ROAD %d", s))
		lat := south + float64(s)*0.001
		for h := range houses {
			at := geo.MustLatLng(lat, west+float64(h)*0.0002)
			if s%2 == 1 {
				n := store.HouseNumber{Value: uint32(100 + h)}
				r.Points = append(r.Points, store.AddressPoint{Number: n, Location: at, Origin: store.RoadOrigin{Source: "points"}})
			} else if h%10 == 0 {
				from := uint32(100 + 2*h)
				r.Segments = append(r.Segments, store.RoadSegment{
					Line: []geo.LatLng{at, geo.MustLatLng(lat, west+float64(h+10)*0.0002)},
					Left: store.NumberRange{From: from, To: from + 18, Parity: 'E'}, Right: store.NumberRange{From: from + 19, To: from + 1, Parity: 'O'},
					Origin: store.RoadOrigin{Source: "segments", Placement: store.PlacementBlock},
				})
			}
		}
		list = append(list, r)
	}
	return list
}

// TestRoads writes an invented town and reads every street of it back, by its key
// and from the pages.
func TestRoads(t *testing.T) {
	want := grid(90210, 120, 60, 34, -118)
	given := slices.Clone(want)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(given), func(i, j int) { given[i], given[j] = given[j], given[i] })
	d := roadsOf(t, given...)
	check(t, d.Verify(t.Context()))
	area := store.CodeOfZIP(90210)
	if got := d.RoadCoverage(area); got.Roads != 120 || got.Points != 60*60 || got.Ranges != 60*12 {
		t.Errorf("coverage %+v", got)
	}
	if got := d.RoadCoverage(store.CodeOfZIP(90211)); got.Roads != 0 {
		t.Errorf("coverage of a ZIP without roads: %+v", got)
	}
	near := cmp.Comparer(func(a, b geo.LatLng) bool { return geo.Distance(a, b) < 0.8 })
	n := 0
	for r, err := range d.AllRoads(t.Context(), area) {
		check(t, err)
		n += len(r.Points) + len(r.Segments)
	}
	if n != 60*60+60*6 {
		t.Errorf("the pages hold %d records", n)
	}
	for _, w := range want {
		got, err := d.Roads(t.Context(), area, pub28.Key(w.Name), nil)
		check(t, err)
		if diff := cmp.Diff([]store.Road{w}, whole(got), near, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", w.RoadName, diff)
		}
	}
	if got, err := d.Roads(t.Context(), area, "NOWHERE", nil); err != nil || len(got) > 0 {
		t.Errorf("a street that is not there: %v, %v", got, err)
	}
}

// TestRoadsNear compares the streets around points with all of them.
func TestRoadsNear(t *testing.T) {
	list := append(grid(90210, 60, 60, 34, -118), grid(90211, 60, 60, 34.03, -118)...)
	d := roadsOf(t, list...)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		at, within := geo.MustLatLng(33.99+rng.Float64()*0.12, -118.01+rng.Float64()*0.04), geo.Meters(300)
		want := map[string]bool{}
		for _, r := range list {
			for _, p := range r.Points {
				if geo.Distance(p.Location, at) < within-2 {
					want[r.Area.String()+r.Name] = true
				}
			}
		}
		last := geo.Meters(0)
		search, err := d.SearchRoads(t.Context(), at, within)
		check(t, err)
		for {
			r, ok, err := search.Next(t.Context())
			check(t, err)
			if !ok {
				break
			}
			road, err := search.Road(t.Context(), r)
			check(t, err)
			if r.Away < last {
				t.Fatalf("%s at %v after %v", road.RoadName, r.Away, last)
			}
			last = r.Away
			delete(want, r.Area.String()+road.Name)
		}
		search.Close()
		if len(want) > 0 {
			t.Fatalf("near %v: %v are missing", at, want)
		}
	}
}

// TestRoadsAgain searches a road after another, in a search that was used before.
func TestRoadsAgain(t *testing.T) {
	list := []store.Road{
		road(90210, "ELDER", store.AddressPoint{Number: number(t, "1"), Location: geo.MustLatLng(34, -118)}),
		road(90210, "POMONA", store.AddressPoint{Number: number(t, "1"), Location: geo.MustLatLng(34.1, -118)}),
	}
	for range 10 {
		d := roadsOf(t, list...) // nothing is decoded
		for _, want := range []store.Road{list[1], list[0], list[1], list[0]} {
			search, err := d.SearchRoads(t.Context(), want.Points[0].Location, 100)
			check(t, err)
			n, ok, err := search.Next(t.Context())
			if check(t, err); !ok {
				t.Fatal("no road")
			}
			r, err := search.Road(t.Context(), n)
			if check(t, err); r.Name != want.Name || n.Points[0].Lat != int32(want.Points[0].Location.Lat()*store.CellsOfDegree+0.5) {
				t.Fatalf("at %s: %s, and the outline begins at %d", want.Name, r.Name, n.Points[0].Lat)
			}
			search.Close()
		}
	}
}

// TestRoadsMerge checks which of several records of one address remains.
func TestRoadsMerge(t *testing.T) {
	at := func(lat float64) geo.LatLng { return geo.MustLatLng(lat, -118) }
	point := func(n string, lat float64, source string, p store.Placement) store.AddressPoint {
		return store.AddressPoint{Number: number(t, n), Location: at(lat), Origin: store.RoadOrigin{Source: source, Placement: p}}
	}
	line := []geo.LatLng{at(34), at(34.0005), at(34.001)}
	segment := func(from, to uint32, line []geo.LatLng) store.RoadSegment {
		return store.RoadSegment{Line: line, Left: store.NumberRange{From: from, To: to, Parity: 'O'}, Origin: store.RoadOrigin{Source: "a"}}
	}
	back := segment(99, 1, []geo.LatLng{line[2], line[1], line[0]})
	back.Left, back.Right = store.NumberRange{}, back.Left
	d := roadsOf(t,
		road(90210, "MT ELM", point("12", 34.1, "a", store.PlacementParcel), point("12A", 34.2, "a", store.PlacementSite)),
		road(90210, "MOUNT ELM", point("12", 34.3, "b", store.PlacementStructure), point("61-15", 34.4, "b", store.PlacementSite), point("7 1/2", 34.5, "b", store.PlacementSite)),
		road(90210, "MT ELM", point("12A", 34.6, "b", store.PlacementSite)),
		store.Road{Area: store.CodeOfZIP(90210), RoadName: store.RoadName{Name: "MT ELM", Suffix: "ST"}, Segments: []store.RoadSegment{segment(1, 99, line), back}},
	)
	got, err := d.Roads(t.Context(), store.CodeOfZIP(90210), "MOUNTELM", nil)
	check(t, err)
	want := []store.Road{{
		Area: store.CodeOfZIP(90210), RoadName: store.RoadName{Name: "MT ELM", Suffix: "ST"},
		Points: []store.AddressPoint{
			point("7 1/2", 34.5, "b", store.PlacementSite), point("12", 34.3, "b", store.PlacementStructure),
			point("12A", 34.2, "a", store.PlacementSite), point("61-15", 34.4, "b", store.PlacementSite),
		},
		Segments: []store.RoadSegment{segment(1, 99, []geo.LatLng{line[0], line[2]})},
	}}
	if diff := cmp.Diff(want, whole(got), cmp.Comparer(func(a, b geo.LatLng) bool { return a == b })); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
}

// TestRoadsAroundGlobe reads many areas whose roads lie at opposite ends of the Earth. A grid
// of all cells between them would take 1 MB for each area.
func TestRoadsAroundGlobe(t *testing.T) {
	ends := []geo.LatLng{geo.MustLatLng(-89.9, -179.9), geo.MustLatLng(89.9, 179.9)}
	var list []store.Road
	for i := range 100 {
		for k, at := range ends {
			p := store.AddressPoint{Number: number(t, "1"), Location: at}
			list = append(list, road(postcode.ZIP(10001+i), fmt.Sprint("END ", k), p))
		}
	}
	d := roadsOf(t, list...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	check(t, d.Load(t.Context(), store.SectionRoads))
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 20<<20 {
		t.Errorf("the section takes %d bytes", n)
	}
	for _, at := range ends {
		s, err := d.SearchRoads(t.Context(), at, geo.Meters(100))
		check(t, err)
		found := 0
		for {
			_, ok, err := s.Next(t.Context())
			check(t, err)
			if !ok {
				break
			}
			found++
		}
		if s.Close(); found != 100 {
			t.Errorf("%v: found %d roads, expected 100", at, found)
		}
	}
}

// TestRoadsRepeated refuses a crafted file with very many areas of the same code, before it
// makes a grid of them.
func TestRoadsRepeated(t *testing.T) {
	area := store.RoadArea{Area: store.CodeOfZIP(90210), Pages: 1}
	area.Box.High.Lat, area.Box.High.Lng = 3*store.CellsOfDegree, 3*store.CellsOfDegree
	data := file.EncodeRows(slices.Repeat([]store.RoadArea{area}, 1<<18))
	path := filepath.Join(t.TempDir(), "x.db")
	check(t, os.WriteFile(path, bytesOf(t, small().file(t)), 0o600))
	db := openSQL(t, path)
	_, err := db.Exec("INSERT OR REPLACE INTO cache (name, data) VALUES ('road_area', ?)", data)
	check(t, errors.Join(err, db.Close()))
	sealPages(t, path)
	d := open(t, path)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	wantError(t, d.Load(t.Context(), store.SectionRoads), store.ErrDamaged)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 60<<20 {
		t.Errorf("the section takes %d bytes, of a cache of %d", n, len(data))
	}
}

// TestRoadsExtend adds streets to a dataset that has others.
func TestRoadsExtend(t *testing.T) {
	base := roadsOf(t, grid(90210, 10, 20, 34, -118)...)
	path := filepath.Join(t.TempDir(), "more.db")
	w, err := storewrite.Extend(path, base)
	check(t, err)
	for _, r := range append(grid(90210, 12, 20, 34, -118), grid(10001, 4, 20, 40, -74)...) {
		check(t, w.AddRoad(r))
	}
	check(t, w.Finish(base.Manifest()))
	d := open(t, path)
	check(t, d.Verify(t.Context()))
	for z, want := range map[postcode.ZIP]int{90210: 12, 10001: 4} {
		if got := d.RoadCoverage(store.CodeOfZIP(z)); got.Roads != want || got.Points != want/2*20 {
			t.Errorf("%s: %+v, expected %d roads", z, got, want)
		}
	}
	var changes []string
	for c, err := range diff.Changes(t.Context(), base, d) {
		check(t, err)
		if c.Table == "road_area" {
			changes = append(changes, c.Key+" "+c.Op)
		}
	}
	if diff := cmp.Diff([]string{"10001 added", "90210 changed"}, changes); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
}

// TestHouseNumbers divides numbers and writes them as people do: the second part of 62-01 has
// two digits, that of 5-3 one.
func TestHouseNumbers(t *testing.T) {
	for text, want := range map[string]string{ // prefix, value and suffix, and the number as people write it
		"12": "{ 12 } 12", "0012": "{ 12 } 12", "12a": "{ 12 A} 12A", "61-15": "{61- 15 } 61-15", "62-1": "{62- 1 } 62-01", "5-03": "{5- 3 } 5-3",
		"N6W23001": "{N6W 23001 } N6W23001", "8 1/2": "{ 8 1/2} 8 1/2", "12-B": "{ 12 B} 12B",
		"": "none", "0": "none", "MAIN": "none", "1?": "none", "12345678901": "none", "1/2A1/2": "none", "123456789012345678901": "none",
	} {
		n, ok := store.ParseHouseNumber(text)
		got := fmt.Sprintf("{%s %d %s} %s", n.Prefix, n.Value, n.Suffix, n)
		if again, _ := store.ParseHouseNumber(n.String()); ok != (want != "none") || ok && (got != want || again != n) {
			t.Errorf("%q: %v %s, want %s", text, ok, got, want)
		}
	}
}

// TestExtendKeeps adds a road that the sample has to a copy of it. Every table stays the same,
// those of roads that are written anew among them.
func TestExtendKeeps(t *testing.T) {
	base := lookuptest.Sample(t)
	path := filepath.Join(t.TempDir(), "x.db")
	w, err := storewrite.Extend(path, base)
	check(t, err)
	added := 0
	for a := range base.RoadAreas() {
		for r, err := range base.AllRoads(t.Context(), a) {
			check(t, errors.Join(err, w.AddRoad(r)))
			added++
			break
		}
	}
	check(t, w.Finish(base.Manifest()))
	d := open(t, path)
	if diff := cmp.Diff(base.Manifest().Tables, d.Manifest().Tables); diff != "" || added == 0 {
		t.Errorf("%d roads, tables (-want +got):\n%s", added, diff)
	}
	check(t, d.Verify(t.Context()))
}

// TestCanadian divides names of both languages, and writes them in French.
func TestCanadian(t *testing.T) {
	names := 0
	for line := range strings.Lines(string(bytesOf(t, "testdata/roads.txt"))) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		names++
		text, want, _ := strings.Cut(line, " = ")
		got := store.CanadianRoadName(text)
		if found := strings.Join([]string{got.Name, got.Suffix, got.PostDir, got.French(true)}, " | "); found != want || got.PreDir != "" {
			t.Errorf("%s: %s, want %s", text, found, want)
		}
		if again := store.CanadianRoadName(got.String()); again != got {
			t.Errorf("%s: %+v, and of its own text %+v", text, got, again)
		}
	}
	if names == 0 {
		t.Error("testdata/roads.txt has no names")
	}
	if got := store.CanadianRoadName("Main St").French(false) + ", " + store.CanadianRoadName("rue Main").French(false) + ", " + store.CanadianRoadName("5th Ave W").French(false); got != "MAIN ST, RUE MAIN, 5TH AVE W" {
		t.Errorf("outside of Quebec: %s", got)
	}
	for _, pair := range [][2]string{{"", "ST"}, {"RUE", "RD"}, {"AVE", "ST"}} {
		if store.SameKind(pair[0], pair[1]) || store.SameKind(pair[1], pair[0]) {
			t.Errorf("%v mean the same", pair)
		}
	}
	if !store.SameKind("RUE", "ST") || !store.SameKind("RD", "CH") || !store.SameKind("AVE", "AVE") {
		t.Error("RUE and ST, RD and CH, AVE and AVE don't mean the same")
	}
}
