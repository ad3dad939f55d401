package synth_test

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
)

// zip4Rows writes ZIP+4 records and reads them back.
func zip4Rows(t *testing.T, c *synth.Country, o synth.ZIP4Options) []source.ZIP4Row {
	t.Helper()
	var b bytes.Buffer
	n, err := c.WriteZIP4(context.Background(), &b, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := 182 * (n + 1); int64(b.Len()) != want {
		t.Errorf("%d records take %d bytes, want %d", n, b.Len(), want)
	}
	var rows []source.ZIP4Row
	for r, err := range source.ReadZIP4(format.NewInput("zip4.txt", &b)) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if int64(len(rows)) != n {
		t.Errorf("%d records were written, %d read", n, len(rows))
	}
	return rows
}

func TestZIP4Records(t *testing.T) {
	c, err := invented()
	if err != nil {
		t.Fatal(err)
	}
	rows := zip4Rows(t, c, synth.ZIP4Options{Records: 120_000})
	if len(rows) != 120_000 {
		t.Errorf("%d records, want 120,000", len(rows))
	}
	if !slices.IsSortedFunc(rows, func(a, b source.ZIP4Row) int { return cmp.Compare(a.ZIP, b.ZIP) }) {
		t.Error("records are not ascending by ZIP")
	}
	kinds := map[byte]int{}
	used := map[dataset.ZIP]map[dataset.Plus4]bool{}
	var alternates, noDelivery, converted, ranges, urbanizations int
	for _, r := range rows {
		kinds[r.RecordType]++
		if used[r.ZIP] == nil {
			used[r.ZIP] = map[dataset.Plus4]bool{}
		}
		if r.NoDelivery {
			noDelivery++
			continue
		}
		for p := r.Low; ; p++ {
			if !r.Alternate && used[r.ZIP][p] {
				t.Fatalf("%v-%v has two base records", r.ZIP, p)
			}
			if r.Alternate && !used[r.ZIP][p] {
				t.Fatalf("%v-%v is an alternate of no base record", r.ZIP, p)
			}
			used[r.ZIP][p] = true
			if p >= r.High {
				break
			}
		}
		if r.Alternate {
			alternates++
		}
		if r.Urbanization != "" {
			urbanizations++
		}
		if r.LACS {
			converted++
		}
		if r.High > r.Low {
			ranges++
		}
	}
	for _, k := range []byte("SHFPGR") {
		if kinds[k] == 0 {
			t.Errorf("no record of type %c", k)
		}
	}
	if alternates == 0 || noDelivery == 0 || converted == 0 || ranges == 0 || urbanizations == 0 {
		t.Errorf("%d alternates, %d without delivery, %d converted, %d ranges, %d with an urbanization; want some of each",
			alternates, noDelivery, converted, ranges, urbanizations)
	}
	for z, u := range used {
		if u[9990] {
			t.Errorf("%v: add-on 9990 is used; some must not be", z)
		}
	}
	streets := map[string]dataset.Plus4{}
	for _, r := range rows {
		if r.RecordType == 'S' && !r.Alternate && !r.NoDelivery {
			key := r.ZIP.String() + r.PreDir + r.Street + r.Suffix + r.AddrLow
			if p, ok := streets[key]; ok {
				t.Fatalf("%v-%v and %v are the same side of %s %s %s from %s", r.ZIP, p, r.Low, r.PreDir, r.Street, r.Suffix, r.AddrLow)
			}
			streets[key] = r.Low
		}
	}
}

func TestZIP4PointsLieInTheirZIP(t *testing.T) {
	w := newWorld(t)
	o := synth.ZIP4Options{Records: 20_000}
	zctas := byID(w.shapes(t, zctaFile, "GEOID20", "", ""))
	codes := map[dataset.ZIP]map[dataset.Plus4]bool{}
	for _, r := range zip4Rows(t, w.Country, o) {
		if codes[r.ZIP] == nil {
			codes[r.ZIP] = map[dataset.Plus4]bool{}
		}
		codes[r.ZIP][r.Low] = true
	}
	var b bytes.Buffer
	n, err := w.WriteZIP4Points(context.Background(), &b, o)
	if err != nil {
		t.Fatal(err)
	}
	var read int64
	for p, err := range source.ReadZIP4Points(format.NewInput("zip4_points.csv", &b)) {
		if err != nil {
			t.Fatal(err)
		}
		read++
		if !codes[p.ZIP][p.Plus4] {
			t.Errorf("%v-%v has a point and no record", p.ZIP, p.Plus4)
		}
		if mp := zctas[p.ZIP.String()]; mp != nil && !holds(mp, p.Location) {
			t.Errorf("%v-%v at %v lies outside its ZIP", p.ZIP, p.Plus4, p.Location)
		}
	}
	if read != n || n < 5000 {
		t.Errorf("%d points were written, %d read", n, read)
	}
}

func TestCityState(t *testing.T) {
	c, err := invented()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := c.WriteCityState(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	preferred := map[dataset.ZIP]source.CityStateRow{}
	names := map[dataset.ZIP]int{}
	for r, err := range source.ReadCityState(format.NewInput("ctystate.txt", &b)) {
		if err != nil {
			t.Fatal(err)
		}
		names[r.ZIP]++
		if r.Preferred {
			preferred[r.ZIP] = r
		}
	}
	for _, z := range c.ZIPs {
		r, ok := preferred[z.Code]
		if ok == z.Decommissioned {
			t.Errorf("%v: has a preferred name %v, given up %v", z.Code, ok, z.Decommissioned)
			continue
		}
		if z.Decommissioned {
			continue
		}
		want := 1 + len(z.Aliases)
		if r.State == "PR" && z.Class == store.General && z.HasArea {
			want++ // an urbanization
		}
		if r.Class != z.Class || r.State != c.States[z.State].Abbr || names[z.Code] != want {
			t.Errorf("%v: class %c, state %s, %d names; want %c, %s, %d", z.Code, r.Class, r.State, names[z.Code], z.Class, c.States[z.State].Abbr, want)
		}
	}
}

func TestDeliveryStatisticsHaveEveryZIP(t *testing.T) {
	c, err := invented()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	n, err := c.WriteDeliveryStatistics(context.Background(), &b)
	if err != nil {
		t.Fatal(err)
	}
	points, rows, err := source.SumDeliveryStats(format.NewInput("delstat.txt", &b))
	if err != nil {
		t.Fatal(err)
	}
	if rows != n {
		t.Errorf("%d records were written, %d read", n, rows)
	}
	have := map[dataset.ZIP]bool{}
	for _, p := range points {
		have[p.ZIP] = true
		if p.TotalActive <= 0 || p.TotalActive < p.Business+p.Residential || p.POBox > p.TotalActive {
			t.Errorf("%v: %+v does not add up", p.ZIP, p.DeliveryPoints)
		}
	}
	for _, z := range c.ZIPs {
		if have[z.Code] == z.Decommissioned {
			t.Errorf("%v: has delivery points %v, given up %v", z.Code, have[z.Code], z.Decommissioned)
		}
	}
}

func TestWritingStopsWithTheContext(t *testing.T) {
	c, err := invented()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.WriteMirror(ctx, t.TempDir()); err == nil {
		t.Error("WriteMirror went on")
	}
	if _, err := c.WriteZIP4(ctx, &bytes.Buffer{}, synth.ZIP4Options{}); err == nil {
		t.Error("WriteZIP4 went on")
	}
}
