package synth_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/synth"
)

// acrossARiver are the two ZIPs of twoZIPs and an FSA, parted by a border.
func acrossARiver() synth.Facts {
	f := twoZIPs()
	f.CensusDivisions = []synth.CensusDivision{{UID: "3537", Name: "Essex", Type: "CTY"}}
	n9a, _ := dataset.ParseFSA("N9A")
	r := &f.Regions[0]
	r.FSAs = []synth.FSAFact{{Code: n9a, City: "Windsor", Municipality: "Windsor", Division: "3537", Point: geo.MustLatLng(39.70, -105.01), HasArea: true}}
	r.Border = synth.BorderFact{America: "north", Line: []geo.LatLng{geo.MustLatLng(39.725, -105.1), geo.MustLatLng(39.705, -104.9)}}
	r.Reach = 40_000
	return f
}

func TestBorderPartsCells(t *testing.T) {
	c, err := synth.FromFacts(acrossARiver())
	if err != nil {
		t.Fatal(err)
	}
	american, canadian := 0, 0
	for _, k := range c.Cells {
		mid := k.Box.Center()
		line := 39.725 - 0.1*(mid.Lng()+105.1) // the border's latitude there
		half := float64(k.Box.Y1-k.Box.Y0) / 2e6
		switch {
		case k.ZIP != synth.None:
			if american++; mid.Lat()-half < line-0.005 {
				t.Errorf("a cell of a ZIP at %v reaches over the border at %.4f", k.Box, line)
			}
		default:
			if canadian++; mid.Lat()+half > line+0.005 {
				t.Errorf("a cell of the FSA at %v reaches over the border at %.4f", k.Box, line)
			}
		}
		for _, o := range c.Cells {
			if o != k && o.Box.X0 < k.Box.X1 && k.Box.X0 < o.Box.X1 && o.Box.Y0 < k.Box.Y1 && k.Box.Y0 < o.Box.Y1 {
				t.Errorf("cells %v and %v overlap", k.Box, o.Box)
			}
		}
	}
	if american < 3 || canadian < 2 {
		t.Errorf("%d cells in the north, %d in the south; a slanted border needs stairs", american, canadian)
	}
	for _, f := range c.FSAs {
		if km2 := float64(f.Area.Total()) / 1e6; km2 < 5 || km2 > 80 {
			t.Errorf("%v has %.1f km²; four hundredths of a degree around a point hold at most 80", f.Code, km2)
		}
	}
}

func TestBadBordersAreRefused(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*synth.BorderFact)
		want   string
	}{
		{"side", func(b *synth.BorderFact) { b.America = "left" }, "at least one point"},
		{"empty", func(b *synth.BorderFact) { b.Line = nil }, "0 points"},
		{"back", func(b *synth.BorderFact) { b.Line[1] = geo.MustLatLng(39.7, -105.2) }, "turns back"},
		{"unknown point", func(b *synth.BorderFact) { b.Line[0] = geo.LatLng{} }, "without coordinates"},
		{"beyond a point", func(b *synth.BorderFact) { b.Line = []geo.LatLng{geo.MustLatLng(39.8, -105)} }, "other side of the border"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := acrossARiver()
			test.change(&f.Regions[0].Border)
			if _, err := synth.FromFacts(f); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestPopulationCanBeRead(t *testing.T) {
	c, err := synth.FromFacts(acrossARiver())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := c.WriteMirror(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	in, err := format.Open(filepath.Join(dir, "www2.census.gov/programs-surveys/acs/summary_file/2024/table-based-SF/data/5YRData/acsdt5y2024-b01003.dat"), format.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	people := map[source.SummaryLevel]int64{}
	zctas := map[string]int64{}
	for r, err := range source.SummaryFile(in, "B01003") {
		if err != nil {
			t.Fatal(err)
		}
		if r.Count == nil {
			continue
		}
		people[r.Level] += *r.Count
		if r.Level == source.ZCTALevel {
			zctas[r.GEOID] = *r.Count
		}
	}
	want := map[string]int64{}
	for i := range c.ZIPs {
		want[c.ZIPs[i].Code.String()] = int64(c.ZIPs[i].Population)
	}
	if diff := cmp.Diff(want, zctas); diff != "" {
		t.Errorf("people (-invented +read):\n%s", diff)
	}
	if n := people[source.ZCTALevel]; n < 1000 || people[source.CountyLevel] != n || people[source.SubdivisionLevel] != n {
		t.Errorf("people by level: %v; want as many in counties and their subdivisions as in ZCTAs", people)
	}
}
