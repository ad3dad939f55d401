package builder_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/store"
)

const (
	summary2024 = "www2.census.gov/programs-surveys/acs/summary_file/2024/table-based-SF/data/5YRData/acsdt5y2024-"
	summary2023 = "www2.census.gov/programs-surveys/acs/summary_file/2023/table-based-SF/data/5YRData/acsdt5y2023-"
)

// peopled is the world of bounded with the summary files of two years.
func peopled(t *testing.T) *world {
	w := bounded(t)
	const head = "GEO_ID|B01003_E001|B01003_M001\n"
	w.others[summary2024+"b01003.dat"] = []byte(head + "0400000US39|9999|5\n860Z200US43901|1000|\n860Z200US43903|30|12\n860Z200US43902||\n860Z200US43901|1|\n860Z200US439|1|\n")
	w.others[summary2023+"b01003.dat"] = []byte(head + "0500000US39901|5100|\n0600000US3990112345|77|\n1600000US3901234|88|\n860Z200US43901|900|\n860Z200US43902|2000|\n")
	const homes = "GEO_ID|B25001_E001|B25001_M001\n"
	w.others[summary2024+"b25001.dat"] = []byte(homes + "0400000US39|999|5\n860Z200US43901|410|\n860Z200US43902||\n")
	w.others[summary2023+"b25001.dat"] = []byte(homes + "860Z200US43901|400|\n860Z200US43902|800|\n")
	return w
}

// populations returns the people of the world's ZIP Codes.
func populations(t *testing.T, b *built) map[string]int32 {
	got := map[string]int32{}
	for _, code := range []string{"43901", "43902", "43903", "43905", "43906"} {
		if n, ok := b.Population(store.CodeOfZIP(zipOf(t, code))); ok {
			got[code] = n
		}
	}
	return got
}

func TestPopulation(t *testing.T) {
	w := peopled(t)
	w.place("OH", "3901234", "Bigburg city")
	b := w.buildWith(builder.Options{})
	if diff := cmp.Diff(map[string]int32{"43901": 1000, "43902": 2000, "43903": 30}, populations(t, b)); diff != "" {
		t.Errorf("population (-want +got):\n%s", diff)
	}
	type homes struct {
		Units              int32
		People, Year, Unit string
	}
	got := map[string]homes{}
	for _, code := range []string{"43901", "43902", "43903"} {
		_, d := b.zip(code)
		q := d.Quality
		h := homes{People: q.PopulationSource, Year: strconv.Itoa(q.PopulationYear), Unit: q.HousingSource}
		if d.Housing != nil {
			h.Units = *d.Housing
		}
		got[code] = h
	}
	want := map[string]homes{
		"43901": {410, "acs-b01003", "2024", "acs-b25001"},
		"43902": {800, "acs-b01003-older", "2023", "acs-b25001-older"},
		"43903": {0, "acs-b01003", "2024", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("homes and sources (-want +got):\n%s", diff)
	}
	for name, want := range map[string]int64{"passed over": 2, "an older survey": 1, "default density": 0} {
		if n := b.count(b.report.Rules, name); n != want {
			t.Errorf("%d %s, want %d", n, name, want)
		}
	}
	if n := b.count(b.report.Refused, "acs-b01003"); n != 2 {
		t.Errorf("%d rows refused, want a duplicate and one with too few digits", n)
	}
	people := map[string]int32{}
	for i := range b.Entities().Len() {
		e := b.Entities().At(i)
		if e.Population != store.NoPopulation && (e.Kind == store.EntityPlace || e.Kind == store.EntityCounty) {
			people[e.Name] = e.Population
		}
	}
	if diff := cmp.Diff(map[string]int32{"Amber County": 5100, "Bigburg": 88}, people); diff != "" {
		t.Errorf("people of counties and places (-want +got):\n%s", diff)
	}
}

// TestNationalPopulation checks a build from the mirror against figures of the
// Census Bureau.
func TestNationalPopulation(t *testing.T) {
	b := openNational(t)
	var zips, counties, places int64
	for z := range b.ZIPs() {
		n, _ := b.Population(store.CodeOfZIP(z.ZIP))
		zips += int64(n)
	}
	people := map[string]int32{}
	for i := range b.Entities().Len() {
		e := b.Entities().At(i)
		switch e.Kind {
		case store.EntityCounty:
			if b.State(e.State).Country == store.US {
				counties += int64(max(e.Population, 0))
			}
		case store.EntityPlace:
			if b.State(e.State).Country == store.US && e.Population != store.NoPopulation {
				places++
				people[e.Name+" "+b.State(e.State).Abbr] = e.Population
			}
		}
	}
	// 332,387,540 people of the states and 3,254,885 of Puerto Rico in counties.
	if counties != 335_642_425 {
		t.Errorf("%d people in counties, want 335,642,425", counties)
	}
	if zips < 330_000_000 || zips > 340_000_000 {
		t.Errorf("%d people in ZIPs, want 330 to 340 million", zips)
	}
	if places < 32_300 {
		t.Errorf("%d places with people, want 32,300 or more", places)
	}
	for name, want := range map[string]int32{"Los Angeles CA": 3_857_897, "Beverly Hills CA": 31_955} {
		if people[name] != want {
			t.Errorf("%s has %d people, want %d", name, people[name], want)
		}
	}
}
