package draft

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// leastCovered is the part of an area that time zones must cover for the area
// to count as covered.
const leastCovered = 0.99

// zoneSource names the releases of the outlines of time zones and of the clock
// rules.
func (d *Draft) zoneSource() string {
	f := d.File(catalog.ZoneOutlines)
	if f == nil {
		return ""
	}
	return strings.TrimSpace("timezone-boundary-builder "+f.Source.Vintage) + ", " + d.clocks.source()
}

// ShareZones measures the part of every ZIP and FSA in each time zone of its country. The
// outlines of codes and of zones, each simplified separately, reach over the border, but
// codes never do.
func (d *Draft) ShareZones(ctx context.Context) error {
	if !d.Includes(catalog.Boundaries) {
		return nil
	}
	zips, fsas := d.ZIPOutlines.Areas, d.FSAOutlines
	d.ZoneShares.ZIPs, d.ZoneShares.FSAs = make([]ZoneParts, len(zips.Polygons)), make([]ZoneParts, len(fsas.Polygons))
	fit := func(id string) bool {
		f := d.File(id)
		if f == nil || !f.FitForShares {
			d.Applied("no shares of time zones, for outlines that are absent or too coarse", id)
			return false
		}
		return true
	}
	if !fit(catalog.ZoneOutlines) {
		return nil
	}
	m := zoneMeter{names: d.ZoneOutlines.Keys()}
	var err error
	if m.outlines, err = d.ZoneOutlines.LayOut(); err != nil {
		return err
	}
	if fit(catalog.ZCTAAreas) {
		if err := measureSet(ctx, d.Env, m.of(store.US), zips, d.ZoneShares.ZIPs); err != nil {
			return err
		}
	}
	if fit(catalog.FSAAreas) {
		return measureSet(ctx, d.Env, m.of(store.CA), fsas, d.ZoneShares.FSAs)
	}
	return nil
}

// measureSet fills the shares of the areas of one kind and reports those that
// time zones do not cover.
func measureSet[K cmp.Ordered](ctx context.Context, e *plan.Env, m *zoneMeter, s *shape.OutlineSet[K], shares []ZoneParts) error {
	keys := s.Keys()
	outlines, err := s.LayOut()
	if err != nil {
		return err
	}
	covered, err := m.all(ctx, shares, outlines)
	if err != nil {
		return err
	}
	for i, c := range covered {
		if c < leastCovered {
			e.Applied("time zone shares of less than the whole area, which the zones do not cover", fmt.Sprintf("%s: %.1f %% covered", s.Label(keys[i]), 100*c))
		}
	}
	return nil
}

// zoneMeter measures areas against the outlines of time zones.
type zoneMeter struct {
	names    []string // ascending
	outlines []*spatial.Outline
}

func (m *zoneMeter) of(country store.Country) *zoneMeter {
	kept, out := ZonesOf(country), &zoneMeter{}
	for i, name := range m.names {
		if _, ok := slices.BinarySearch(kept, name); ok {
			out.names, out.outlines = append(out.names, name), append(out.outlines, m.outlines[i])
		}
	}
	return out
}

// all fills the shares of every area and returns what part of each is covered.
func (m *zoneMeter) all(ctx context.Context, shares []ZoneParts, outlines []*spatial.Outline) ([]float64, error) {
	covered := make([]float64, len(shares))
	err := shape.ParallelWith(len(shares), func() func(int) error {
		var meter spatial.OverlapMeter
		return func(i int) error {
			shares[i], covered[i] = m.shares(&meter, outlines[i])
			return ctx.Err()
		}
	})
	return covered, err
}

func (m *zoneMeter) shares(meter *spatial.OverlapMeter, o *spatial.Outline) (ZoneParts, float64) {
	const noise = 1e-9 // of the area: the rounding of an overlap of nothing
	var in []int
	var parts []float64
	sum := 0.0
	for z, zone := range m.outlines {
		if v := float64(meter.Area(o, zone)); v > noise*float64(o.Area()) {
			in, parts, sum = append(in, z), append(parts, v), sum+v
		}
	}
	var out ZoneParts
	for i, n := range tenths(parts) {
		if n > 0 {
			out = append(out, ZonePart{Zone: m.names[in[i]], Tenths: n})
		}
	}
	return out, sum / float64(o.Area())
}

// tenths rounds parts of a whole to tenths of a percent that add up to 1000, by
// largest remainder. Of equal remainders the first is rounded up.
func tenths(parts []float64) []int {
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	if !(sum > 0) {
		return nil
	}
	out, order := make([]int, len(parts)), make([]int, len(parts))
	left := 1000
	rest := make([]float64, len(parts))
	for i, p := range parts {
		exact := 1000 * p / sum
		whole := math.Floor(exact)
		out[i], rest[i], order[i] = int(whole), exact-whole, i
		left -= int(whole)
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case rest[i] > rest[j]:
			return -1
		case rest[i] < rest[j]:
			return 1
		}
		return 0
	})
	for k := range left {
		out[order[k%len(order)]]++
	}
	return out
}
