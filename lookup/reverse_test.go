package lookup_test

import (
	stdcmp "cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

func sampleReader(t testing.TB) *lookup.Reader {
	t.Helper()
	d := lookuptest.Sample(t)
	return lookuptest.Reader(t, d)
}

func TestParseLayer(t *testing.T) {
	for name, want := range map[string]lookup.Layer{
		" County ": lookup.LayerCounty, "state-upper": lookup.LayerStateUpper, "SLDU": lookup.LayerStateUpper, "cousub": lookup.LayerCountySubdivision,
		"fed": lookup.LayerFederalDistrict, "weather": "",
	} {
		if got, ok := lookup.ParseLayer(name); ok != (want != "") || got != want {
			t.Errorf("%q is %v, %v; want %v", name, got, ok, want)
		}
	}
	for _, id := range lookup.Layers() {
		if got, ok := lookup.ParseLayer(string(id)); !ok || got != id {
			t.Errorf("%v read back is %v, %v", id, got, ok)
		}
	}
}

func TestCodesIn(t *testing.T) {
	r := newReader(t)
	lookuptest.Table(t, "codesin.txt", *update, func(text string) string {
		w := append(strings.Split(text, " "), "")
		layer, ok := lookup.ParseLayer(w[0])
		if !ok {
			t.Fatalf("%s is not a layer", w[0])
		}
		in, err := r.CodesIn(t.Context(), layer, w[1], lookup.CodesInOptions{Slivers: w[2] == "slivers"})
		if err != nil {
			_, _, outline := r.AreaOutline(t.Context(), layer, w[1])
			for name, refusal := range map[string]error{"not found": envelope.ErrNotFound, "unavailable": envelope.ErrUnavailable} {
				if errors.Is(err, refusal) && errors.Is(outline, refusal) {
					return name
				}
			}
			t.Fatalf("%s: %v, outline %v", text, err, outline)
		}
		if in.Area.GEOID != w[1] || in.Area.Layer != layer || in.Area.Source == "" {
			t.Errorf("%s is described as %+v", text, in.Area)
		}
		var list []string
		for _, s := range in.Codes {
			out := s.Code
			for _, v := range []*float64{s.PctOfZIP, s.PctOfFSA, s.PctOfArea} {
				if v != nil {
					out += " " + strconv.FormatFloat(*v, 'f', -1, 64)
				}
			}
			if s.Basis != lookup.LargestArea {
				out += " " + string(s.Basis)
			}
			list = append(list, out)
		}
		return stdcmp.Or(strings.Join(list, ", "), "nothing")
	})
	if _, err := r.CodesIn(t.Context(), "", "1", lookup.CodesInOptions{}); !errors.Is(err, envelope.ErrInvalidParam) {
		t.Errorf("no layer: %v", err)
	}
}

// The codes of an area are those whose records show the area, by the same rule and with the
// same shares of area and people; by points too, which have none.
func TestCodesInIsTheReverseOfRecords(t *testing.T) {
	r := sampleReader(t)
	type pair struct{ code, area string }
	type found struct {
		Basis lookup.Basis
		lookup.Share
		People float64
		Split  lookup.Flag
	}
	counties := func(rec *lookup.Record, add func(area string, of found)) {
		if rec.Census == nil || rec.Census.Current == nil {
			return
		}
		for _, a := range rec.Census.Current.County {
			add(a.FIPS, found{Basis: rec.Census.Current.Basis, Share: a.Share})
		}
	}
	districts := func(rec *lookup.Record, add func(area string, of found)) {
		if rec.CongressionalDistrict == nil || rec.CongressionalDistrict.Current == nil {
			return
		}
		for _, d := range rec.CongressionalDistrict.Current.Districts {
			if d.PctOfPeople != nil {
				add(d.GEOID, found{People: *d.PctOfPeople, Split: rec.CongressionalDistrict.Current.IsSplit})
			}
		}
	}
	for _, tt := range []struct {
		id     store.LayerID
		layer  lookup.Layer
		shown  func(*lookup.Record, func(string, found))
		least  int
		people bool // what is compared
	}{{store.LayerCounty, lookup.LayerCounty, counties, 100, false}, {store.LayerCongressionalDistrict, lookup.LayerCongressionalDistrict, districts, 400, true}} {
		forward, backward := map[pair]found{}, map[pair]found{}
		points := 0
		l := r.Dataset().Layer(tt.id)
		for z := range r.Dataset().ZIPs() {
			rec := full(t, r, z.ZIP.String(), lookup.Include{Census: true, CongressionalDistrict: true})
			tt.shown(rec, func(area string, of found) {
				if _, ok := l.Find(area); !ok {
					return // of a territory, which the file of outlines lacks
				}
				if shared := of.PctOfZIP != nil; !tt.people && shared == (of.Basis == lookup.ContainsPoint) {
					t.Errorf("%s in %s is found by %s, with shares: %v", rec.Code, area, of.Basis, shared)
				}
				if forward[pair{rec.Code, area}] = of; of.Basis == lookup.ContainsPoint {
					points++
				}
			})
		}
		for i := range l.Len() {
			in, err := r.CodesIn(t.Context(), tt.layer, l.GEOID(i), lookup.CodesInOptions{})
			check(t, err)
			for _, s := range in.Codes {
				if !tt.people {
					backward[pair{s.Code, in.Area.GEOID}] = found{Basis: s.Basis, Share: s.Share}
				} else if s.PctOfPeople != nil {
					backward[pair{s.Code, in.Area.GEOID}] = found{People: *s.PctOfPeople, Split: s.IsSplit}
				}
			}
		}
		if diff := cmp.Diff(forward, backward); diff != "" || len(forward) < tt.least || points < 10 && !tt.people {
			t.Errorf("%s: %d pairs, %d by points; by code and by area (-code +area):\n%s", tt.layer, len(forward), points, diff)
		}
	}
}

func TestCrosswalk(t *testing.T) {
	r := sampleReader(t)
	collect := func(from, to string, opt lookup.CrosswalkOptions) map[[2]string]lookup.CrosswalkRow {
		t.Helper()
		rows := map[[2]string]lookup.CrosswalkRow{}
		previous := ""
		for row, err := range r.Crosswalk(t.Context(), lookup.Layer(from), lookup.Layer(to), opt) {
			check(t, err)
			if previous > row.From {
				t.Fatalf("%s comes after %s", row.From, previous)
			}
			rows[[2]string{row.From, row.To}] = row
			previous = row.From
		}
		return rows
	}
	for _, pair := range [][2]string{{"zip", "county"}, {"zip", "tract"}, {"fsa", "census_division"}} {
		code, layer := pair[0], pair[1]
		byCode, byArea := collect(code, layer, lookup.CrosswalkOptions{Slivers: true}), map[[2]string]lookup.CrosswalkRow{}
		for _, row := range collect(layer, code, lookup.CrosswalkOptions{Slivers: true}) {
			row.From, row.To, row.FromName, row.ToName, row.PctOfFrom, row.PctOfTo = row.To, row.From, row.ToName, row.FromName, row.PctOfTo, row.PctOfFrom
			row.IsSplit = byCode[[2]string{row.From, row.To}].IsSplit
			byArea[[2]string{row.From, row.To}] = row
		}
		if diff := cmp.Diff(byCode, byArea); diff != "" || len(byCode) == 0 {
			t.Errorf("%s: %d rows; in either order (-codes +areas):\n%s", layer, len(byCode), diff)
		}
		sums, pairs := map[string]float64{}, map[string]int{}
		for key, row := range byCode {
			if pairs[key[0]]++; row.Basis != string(lookup.ContainsPoint) {
				sums[key[0]] += *row.PctOfFrom
			}
		}
		short := 0 // codes that reach into water, or where the layer has gaps
		for code, sum := range sums {
			if sum > 101 {
				t.Errorf("%s: the areas of %s add up to %v %%", layer, code, sum)
			}
			if sum < 98 {
				short++
			}
		}
		if 10*short > len(sums) {
			t.Errorf("%s: the areas of %d of %d codes add up to less than 98 %%", layer, short, len(sums))
		}
		for key, row := range byCode {
			if row.IsSplit != (pairs[key[0]] > 1) {
				t.Errorf("%s: %s has %d pairs, is split %t", layer, key[0], pairs[key[0]], row.IsSplit)
			}
		}
		if some := collect(code, layer, lookup.CrosswalkOptions{}); len(some) == 0 || len(some) > len(byCode) {
			t.Errorf("%s: %d rows above the threshold of %d", layer, len(some), len(byCode))
		}
	}
	// A state limits the rows to its codes, in either order.
	for _, c := range [][3]string{{"zip", "county", "ca"}, {"fsa", "census_division", "ON"}} {
		want, back := collect(c[0], c[1], lookup.CrosswalkOptions{Slivers: true}), map[[2]string]bool{}
		for key := range want {
			rec, err := r.Quick(t.Context(), key[0], lookup.QuickOptions{})
			check(t, err)
			if !strings.EqualFold(rec.State, c[2]) {
				delete(want, key)
			} else {
				back[[2]string{key[1], key[0]}] = true
			}
		}
		got := collect(c[0], c[1], lookup.CrosswalkOptions{Slivers: true, State: c[2]})
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%v (-want +got):\n%s", c, diff)
		}
		byArea := map[[2]string]bool{}
		for key := range collect(c[1], c[0], lookup.CrosswalkOptions{Slivers: true, State: c[2]}) {
			byArea[key] = true
		}
		if diff := cmp.Diff(back, byArea); diff != "" {
			t.Errorf("%v by area (-want +got):\n%s", c, diff)
		}
	}
}

func TestCodesInEnds(t *testing.T) {
	r := newReader(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := r.CodesIn(ctx, lookup.LayerPlace, "0606308", lookup.CodesInOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled question: %v", err)
	}
	for range r.Crosswalk(t.Context(), "zip", "county", lookup.CrosswalkOptions{}) {
		break // a caller may stop
	}
}

func FuzzParseLayer(f *testing.F) {
	for _, s := range []string{"county", " State-Upper ", "cd", "", "population_centre", "ſldu"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, ok := lookup.ParseLayer(s)
		if !ok {
			return
		}
		if again, ok := lookup.ParseLayer(string(id)); !ok || again != id {
			t.Errorf("%q is %v, whose name %q is %v, %v", s, id, string(id), again, ok)
		}
	})
}

// TestSplitsOfSample and TestSplitsOfNation compare residents and areas of the
// congressional districts of records: is_split is false only if no second district has 1 % of either.
func TestSplitsOfSample(t *testing.T) { testSplits(t, sampleReader(t), 1) }

func TestSplitsOfNation(t *testing.T) {
	path := lookuptest.NationalPath(t)
	d := lookuptest.OpenFile(t, path)
	r := lookuptest.Reader(t, d)
	testSplits(t, r, 7)
	for code, want := range map[string]struct {
		split  lookup.Flag
		people string
	}{"93550": {0, "0627"}, "94619": {0, ""}, "50229": {0, ""}, "13132": {lookup.True, ""}} {
		rec, err := r.Full(t.Context(), code, lookup.Options{Include: lookup.Include{CongressionalDistrict: true}})
		check(t, err)
		c := rec.CongressionalDistrict.Current
		if c.IsSplit != want.split || want.people != "" && c.PrimaryByPeople.GEOID != want.people {
			t.Errorf("%s: split %v, most people in %+v", code, c.IsSplit, c.PrimaryByPeople)
		}
	}
}

// testSplits checks every nth ZIP Code.
func testSplits(t *testing.T, r *lookup.Reader, nth int) {
	t.Helper()
	checked, n := 0, 0
	for z := range r.Dataset().ZIPs() {
		if n++; n%nth != 0 {
			continue
		}
		rec, err := r.Full(t.Context(), z.ZIP.String(), lookup.Options{Include: lookup.Include{CongressionalDistrict: true}})
		check(t, err)
		if rec.CongressionalDistrict == nil || rec.CongressionalDistrict.Current == nil {
			continue
		}
		c := rec.CongressionalDistrict.Current
		people, known, some, either := 0.0, true, 0, 0
		most := lookup.PeoplesDistrict{}
		for _, d := range c.Districts {
			if d.PctOfPeople == nil {
				known = false
				continue
			}
			people += *d.PctOfPeople
			if *d.PctOfPeople > most.PctOfPeople {
				most = lookup.PeoplesDistrict{GEOID: d.GEOID, PctOfPeople: *d.PctOfPeople}
			}
			if *d.PctOfPeople > 1.05 {
				some++
			}
			if *d.PctOfPeople > 1.05 || d.PctOfZIP != nil && *d.PctOfZIP > 1.05 {
				either++
			}
		}
		if !known {
			continue
		}
		checked++
		switch {
		case math.Abs(people-100) > 0.3:
			t.Errorf("%s: %v %% of the people are in the districts", z.ZIP, people)
		case c.IsSplit == lookup.False && either > 1, c.IsSplit != lookup.True && some > 1:
			t.Errorf("%s: split %v of %+v", z.ZIP, c.IsSplit, c.Districts)
		case c.PrimaryByPeople == nil || c.PrimaryByPeople.PctOfPeople != most.PctOfPeople:
			t.Errorf("%s: most people in %+v, want %+v", z.ZIP, c.PrimaryByPeople, most)
		}
	}
	if checked == 0 {
		t.Error("no ZIP Code has people by district")
	}
}

// TestNationalPostalCounty checks that every ZIP Code with counties lists its county
// of record. Its file is a national dataset.
func TestNationalPostalCounty(t *testing.T) {
	path := lookuptest.NationalPath(t)
	d := lookuptest.OpenFile(t, path)
	r := lookuptest.Reader(t, d)
	var omitted []string
	zips := 0
	for row := range d.ZIPs() {
		rec := full(t, r, row.ZIP.String(), lookup.Include{Census: true})
		if row.County == 0 || rec.Census == nil || rec.Census.Current == nil {
			continue
		}
		zips++
		if !slices.ContainsFunc(rec.Census.Current.County, func(a lookup.CensusArea) bool { return a.IsUSPSPrimary == lookup.True }) {
			omitted = append(omitted, row.ZIP.String())
		}
	}
	t.Logf("%d ZIP Codes", zips)
	if zips < 40_000 || len(omitted) > 0 {
		t.Errorf("%d of %d ZIP Codes omit their county of record: %v", len(omitted), zips, omitted[:min(len(omitted), 20)])
	}
}
