package lookup_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// TestPeopleAddUp relates geographies of the sample by people, both ways. The people of
// all pairs and of the remainder sum to the census, in every state.
func TestPeopleAddUp(t *testing.T) {
	r := sampleReader(t)
	if err := r.Dataset().Load(t.Context(), store.SectionCenters); err != nil {
		t.Fatal(err)
	}
	census, states := 0, map[string]int{}
	for c := range r.Dataset().Centers() {
		census += c.People
		states[fmt.Sprintf("%012d", c.BlockGroup)[:2]] += c.People
	}
	if census == 0 {
		t.Fatal("the sample has no people")
	}
	for _, pair := range [][2]string{
		{"zip", "county"}, {"zip", "state"}, {"tract", "cd"}, {"county", "zip"}, {"cd", "sldu"}, {"cbsa", "zip"}, {"csa", "cd"}, {"place", "bg"}, {"zip", "place"},
	} {
		name := pair[0] + "-" + pair[1]
		opt := lookup.CrosswalkOptions{Weight: lookup.WeightPeople, Remainder: true}
		sum, some := 0, 0
		inState := map[string]int{}
		ofFrom := map[string]float64{}
		both := map[[2]string]int{}
		for row, err := range r.Crosswalk(t.Context(), lookup.Layer(pair[0]), lookup.Layer(pair[1]), opt) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if row.Reason != "" { // a ZIP Code without people
				continue
			}
			if row.People == nil || row.Basis != "block_groups" && (row.Basis != "contains_point" || *row.People > 0) || row.Weight != lookup.WeightPeople {
				t.Fatalf("%s: %+v", name, row)
			}
			sum += *row.People
			ofFrom[row.From] += *row.PctOfFrom
			both[[2]string{row.From, row.To}] = *row.People
			if pair[1] == "state" {
				inState[row.To] += *row.People
			}
			if row.From != "" && row.To != "" {
				some++
			}
			if row.IsSplit && *row.PctOfFrom == 100 {
				t.Errorf("%s: %s is split, and has 100 %% in %s", name, row.From, row.To)
			}
		}
		if sum != census || some == 0 {
			t.Errorf("%s: %d people in %d pairs; the census has %d", name, sum, some, census)
		}
		for from, pct := range ofFrom {
			if math.Abs(pct-100) > 0.01 {
				t.Errorf("%s: the parts of %q add up to %v %%", name, from, pct)
			}
		}
		if pair[1] == "state" {
			if diff := cmp.Diff(states, inState); diff != "" {
				t.Errorf("people by state (-census +pairs):\n%s", diff)
			}
		}
		for row, err := range r.Crosswalk(t.Context(), lookup.Layer(pair[1]), lookup.Layer(pair[0]), opt) {
			if err != nil {
				t.Fatal(err)
			}
			if both[[2]string{row.To, row.From}] != *row.People {
				t.Errorf("%s backwards: %+v, forwards %d people", name, row, both[[2]string{row.To, row.From}])
			}
			delete(both, [2]string{row.To, row.From})
		}
		if len(both) > 0 {
			t.Errorf("%s backwards lacks %v", name, both)
		}
	}
}

// TestPeopleByHand compares the people of pairs with the sum over the parts of block groups
// in ZIP Codes. Every ZIP Code with a point is in a pair, and others have a reason.
func TestPeopleByHand(t *testing.T) {
	r := sampleReader(t)
	d := r.Dataset()
	if err := d.Load(t.Context(), store.SectionCenters); err != nil {
		t.Fatal(err)
	}
	want := map[[2]string]int{}
	for c := range d.Centers() {
		county := fmt.Sprintf("%012d", c.BlockGroup)[:5]
		if _, known := d.CountyByFIPS(county); !known {
			continue // Connecticut of 2020
		}
		people := 0
		for _, s := range c.Shares(nil) {
			want[[2]string{s.ZIP.String(), county}] += s.People
			people += s.People
		}
		if people != c.People && c.ZIP != 0 {
			t.Errorf("%d people of %d in %d", people, c.People, c.BlockGroup)
		}
	}
	got := map[[2]string]int{}
	placed := map[string]bool{}
	for row, err := range r.Crosswalk(t.Context(), "zip", "county", lookup.CrosswalkOptions{Weight: lookup.WeightPeople}) {
		if err != nil {
			t.Fatal(err)
		}
		placed[row.From] = true
		if (row.To == "") != (row.Reason != "") {
			t.Errorf("%+v", row)
		}
		if _, ok := want[[2]string{row.From, row.To}]; ok {
			got[[2]string{row.From, row.To}] = *row.People
		}
	}
	for pair, n := range want {
		if n == 0 && got[pair] == 0 {
			delete(want, pair)
			delete(got, pair)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 100 {
		t.Errorf("%d pairs (-by hand +crosswalk):\n%s", len(want), diff)
	}
	for z := range d.ZIPs() {
		if !placed[z.ZIP.String()] {
			t.Errorf("%s is in no pair", z.ZIP)
		}
	}
}

// TestApportion divides whole numbers and fractions; nothing is lost.
func TestApportion(t *testing.T) {
	r := sampleReader(t)
	for _, pair := range [][2]string{{"tract", "zip"}, {"zip", "cd"}, {"county", "zip"}, {"school", "zip"}, {"zip", "school"}} {
		for _, weight := range []lookup.Weight{lookup.WeightPeople, lookup.WeightArea} {
			values, sum := map[string]float64{"none": 7}, 7.0
			for row, err := range r.Crosswalk(t.Context(), lookup.Layer(pair[0]), lookup.Layer(pair[1]), lookup.CrosswalkOptions{Weight: weight}) {
				if err != nil {
					t.Fatal(err)
				}
				if _, ok := values[row.From]; !ok && row.From != "" {
					v := float64(len(values) * 3)
					values[row.From] = v
					sum += v
				}
			}
			given := maps.Clone(values)
			got, err := r.Apportion(t.Context(), values, lookup.Layer(pair[0]), lookup.Layer(pair[1]), lookup.CrosswalkOptions{Weight: weight})
			if err != nil {
				t.Fatalf("%v by %v: %v", pair, weight, err)
			}
			total := got.Outside + got.Unplaced["none"]
			for id, v := range got.Values {
				if total += v; v != math.Trunc(v) {
					t.Errorf("%v by %v: %s has %v", pair, weight, id, v)
				}
			}
			if total != sum || len(got.Unplaced) != 1 || len(got.Values) < 5 || got.Weight != weight {
				t.Errorf("%v by %v: %v of %v in %d areas, unplaced %v", pair, weight, total, sum, len(got.Values), got.Unplaced)
			}
			if diff := cmp.Diff(given, values); diff != "" {
				t.Errorf("the given values changed:\n%s", diff)
			}
		}
	}
	got, err := r.Apportion(t.Context(), map[string]float64{"06": 0.5}, "state", "county", lookup.CrosswalkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	total := got.Outside
	for _, v := range got.Values {
		total += v
	}
	if math.Abs(total-0.5) > 1e-12 {
		t.Errorf("half a thing became %v", total)
	}
}

// TestWeightsRefused requires errors for geographies without people, and for areas that
// are not compared.
func TestWeightsRefused(t *testing.T) {
	r, bare := sampleReader(t), newReader(t)
	for _, c := range []struct {
		r        *lookup.Reader
		from, to string
		opt      lookup.CrosswalkOptions
		want     error
	}{
		{r, "fsa", "census_division", lookup.CrosswalkOptions{Weight: lookup.WeightPeople}, envelope.ErrUnavailable},
		{r, "census_division", "fed", lookup.CrosswalkOptions{}, envelope.ErrUnavailable},
		{bare, "zip", "county", lookup.CrosswalkOptions{Weight: lookup.WeightPeople}, envelope.ErrUnavailable},
		{r, "county", "cd", lookup.CrosswalkOptions{Weight: lookup.WeightHousing}, envelope.ErrUnavailable},
		{bare, "county", "cd", lookup.CrosswalkOptions{Weight: lookup.WeightArea}, envelope.ErrUnavailable},
		{r, "zip", "zop", lookup.CrosswalkOptions{}, envelope.ErrInvalidParam},
		{r, "zip", "csd", lookup.CrosswalkOptions{}, envelope.ErrInvalidParam},
		{r, "zip", "county", lookup.CrosswalkOptions{MinShare: 101}, envelope.ErrInvalidParam},
		{r, "zip", "county", lookup.CrosswalkOptions{MinShare: math.NaN()}, envelope.ErrInvalidParam},
		{r, "zip", "county", lookup.CrosswalkOptions{Plan: "cd999"}, envelope.ErrInvalidParam},
	} {
		var last error
		for row, err := range c.r.Crosswalk(t.Context(), lookup.Layer(c.from), lookup.Layer(c.to), c.opt) {
			if last = err; err == nil {
				t.Fatalf("%s to %s: %+v", c.from, c.to, row)
			}
		}
		if !errors.Is(last, c.want) {
			t.Errorf("%s to %s with %+v: %v, want %v", c.from, c.to, c.opt, last, c.want)
		}
	}
	whole := 0
	for row, err := range r.Crosswalk(t.Context(), "zip", "county", lookup.CrosswalkOptions{Weight: lookup.WeightPeople, MinShare: 60}) {
		if err != nil {
			t.Fatal(err)
		}
		if whole++; *row.PctOfFrom < 60 {
			t.Errorf("%s has %v %% in %s, below 60", row.From, *row.PctOfFrom, row.To)
		}
	}
	if whole == 0 {
		t.Error("no pair has 60 %")
	}
}
