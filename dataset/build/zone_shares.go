package build

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// zoneShares are the parts of a code's area in each time zone, in tenths of a
// percent of what time zones cover of it. They add up to 1000; nil where none
// covers any.
type zoneShares []zoneShare

type zoneShare struct {
	zone   string
	tenths int
}

// leastCovered is the part of an area that time zones must cover for the area
// to count as covered.
const leastCovered = 0.99

// zoneSource names the releases of the outlines of time zones and of the clock
// rules.
func (b *builder) zoneSource() string {
	f := b.files[srcTimeZones]
	if f == nil {
		return ""
	}
	return strings.TrimSpace("timezone-boundary-builder "+f.Source.Vintage) + ", " + b.clockSource()
}

// measureZones measures how much of every ZIP and FSA lies in which time zone
// of its country: outlines of codes and of zones, each simplified by itself,
// reach over the border, which no code does.
func (s *boundaries) measureZones(ctx context.Context, b *builder) error {
	s.zipZones, s.fsaZones = make([]zoneShares, len(s.zips.polygons)), make([]zoneShares, len(s.fsas.polygons))
	fit := func(id string) bool {
		f := b.files[id]
		if f == nil || !f.FitForShares {
			b.report.applied("no shares of time zones, for outlines that are absent or too coarse", id)
			return false
		}
		return true
	}
	if !fit(srcTimeZones) {
		return nil
	}
	m := zoneMeter{names: s.zones.keys()}
	var err error
	if m.outlines, err = s.zones.layOut(); err != nil {
		return err
	}
	if fit(srcZCTAAreas) {
		if err := measureSet(ctx, b, m.of(dataset.US), s.zips, s.zipZones); err != nil {
			return err
		}
	}
	if fit(srcFSAAreas) {
		return measureSet(ctx, b, m.of(dataset.CA), s.fsas, s.fsaZones)
	}
	return nil
}

// measureSet fills the shares of the areas of one kind and reports those that
// time zones do not cover.
func measureSet[K cmp.Ordered](ctx context.Context, b *builder, m *zoneMeter, s *outlineSet[K], shares []zoneShares) error {
	keys := s.keys()
	outlines, err := s.layOut()
	if err != nil {
		return err
	}
	covered, err := m.all(ctx, shares, outlines)
	if err != nil {
		return err
	}
	for i, c := range covered {
		if c < leastCovered {
			b.report.applied("time zone shares of less than the whole area, which the zones do not cover", fmt.Sprintf("%s: %.1f %% covered", s.label(keys[i]), 100*c))
		}
	}
	return nil
}

// zoneMeter measures areas against the outlines of time zones.
type zoneMeter struct {
	names    []string // ascending
	outlines []*geo.Outline
}

// of returns the meter for the time zones of a country.
func (m *zoneMeter) of(country dataset.Country) *zoneMeter {
	kept, out := zonesOf(country), &zoneMeter{}
	for i, name := range m.names {
		if _, ok := slices.BinarySearch(kept, name); ok {
			out.names, out.outlines = append(out.names, name), append(out.outlines, m.outlines[i])
		}
	}
	return out
}

// all fills the shares of every area and returns what part of each is covered.
func (m *zoneMeter) all(ctx context.Context, shares []zoneShares, outlines []*geo.Outline) ([]float64, error) {
	covered := make([]float64, len(shares))
	err := parallelWith(len(shares), func() func(int) error {
		var meter geo.OverlapMeter
		return func(i int) error {
			shares[i], covered[i] = m.shares(&meter, outlines[i])
			return ctx.Err()
		}
	})
	return covered, err
}

// shares measures one area.
func (m *zoneMeter) shares(meter *geo.OverlapMeter, o *geo.Outline) (zoneShares, float64) {
	const noise = 1e-9 // of the area: the rounding of an overlap of nothing
	var in []int
	var parts []float64
	sum := 0.0
	for z, zone := range m.outlines {
		if v := float64(meter.Area(o, zone)); v > noise*float64(o.Area()) {
			in, parts, sum = append(in, z), append(parts, v), sum+v
		}
	}
	var out zoneShares
	for i, n := range tenths(parts) {
		if n > 0 {
			out = append(out, zoneShare{m.names[in[i]], n})
		}
	}
	return out, sum / float64(o.Area())
}

// tenths rounds parts of a whole to tenths of a percent that add up to 1000,
// by largest remainder; of equal remainders the first is rounded up.
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

// zonesInShares returns the zones that hold a share of any area.
func (s *boundaries) zonesInShares(source string) []dataset.Zone {
	if s == nil {
		return nil
	}
	var zones []dataset.Zone
	for _, all := range [][]zoneShares{s.zipZones, s.fsaZones} {
		for _, shares := range all {
			for _, p := range shares {
				zones = append(zones, dataset.Zone{Name: p.zone, Source: source})
			}
		}
	}
	return zones
}

// rows returns the shares as the file stores them.
func (s zoneShares) rows(b *builder) []dataset.ZoneShare {
	var out []dataset.ZoneShare
	for _, p := range s {
		out = append(out, dataset.ZoneShare{Zone: b.zoneID(p), Percent: float32(p.tenths) / 10})
	}
	return out
}
