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
	zones := map[string]*spatial.Outline{}
	if err := d.ZoneOutlines.OutlinesTo(zones); err != nil {
		return err
	}
	if fit(catalog.ZCTAAreas) {
		if err := measureSet(ctx, d.Env, zones, store.US, zips, d.ZoneShares.ZIPs); err != nil {
			return err
		}
	}
	if fit(catalog.FSAAreas) {
		return measureSet(ctx, d.Env, zones, store.CA, fsas, d.ZoneShares.FSAs)
	}
	return nil
}

// measureSet fills the shares of the areas of a country and reports those that its time
// zones do not cover.
func measureSet[K cmp.Ordered](ctx context.Context, e *plan.Env, zones map[string]*spatial.Outline, country store.Country, s *shape.OutlineSet[K], shares []ZoneParts) error {
	var names []string
	var areas []*spatial.Outline
	for _, name := range ZonesOf(country) {
		if o := zones[name]; o != nil {
			names, areas = append(names, name), append(areas, o)
		}
	}
	outlines, err := s.LayOut()
	if err != nil {
		return err
	}
	parts, err := shape.Parts(ctx, outlines, areas)
	if err != nil {
		return err
	}
	for i, key := range s.Keys() {
		var sizes []float64
		sum := 0.0
		for _, p := range parts[i] {
			sizes, sum = append(sizes, p.Shared), sum+p.Shared
		}
		for k, n := range tenths(sizes) {
			if n > 0 {
				shares[i] = append(shares[i], ZonePart{Zone: names[parts[i][k].Area], Tenths: n})
			}
		}
		if covered := sum / float64(outlines[i].Area()); covered < leastCovered {
			e.Applied("time zone shares of less than the whole area, which the zones do not cover", fmt.Sprintf("%s: %.1f %% covered", s.Label(key), 100*covered))
		}
	}
	return nil
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
