package build

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/geo"
)

// A center is the center of population of a block group.
type center struct {
	at     geo.LatLng
	people int
	geoid  string // twelve digits, of the census of 2020
	county string // FIPS code of the county of today; "" unknown
}

// centerGrid finds centers by tenths of a degree.
type centerGrid map[[2]int32][]center

func tenth(v float64) int32 { return int32(math.Floor(v * 10)) }

// findResidents reads the centers of population and notes for each ZIP those
// that lie within its outline, and the point among their people.
func (b *builder) findResidents(ctx context.Context, outlines ...map[dataset.ZIP]orb.MultiPolygon) error {
	grid := centerGrid{}
	err := readText(ctx, b, srcCenters, source.BlockGroupCenters, func(r source.CenterRow) error {
		c := center{at: r.Location, people: int(r.People), geoid: r.GEOID}
		c.county = b.countyToday(r.GEOID[:5], r.Location)
		key := [2]int32{tenth(c.at.Lng()), tenth(c.at.Lat())}
		grid[key] = append(grid[key], c)
		return nil
	})
	if err != nil || len(grid) == 0 {
		return err
	}
	b.tables.residentsOf = map[dataset.ZIP][]center{}
	b.tables.peopleAt = map[dataset.ZIP]geo.LatLng{}
	for _, set := range outlines {
		zips := slices.Sorted(maps.Keys(set))
		found := make([][]center, len(zips))
		points := make([]geo.LatLng, len(zips))
		err := parallel(len(zips), func(i int) error {
			outline := newAreas()
			outline.add("", set[zips[i]])
			found[i] = grid.within(outline)
			points[i] = amongCenters(found[i], func(p geo.LatLng) bool { return len(outline.at(p)) > 0 })
			return ctx.Err()
		})
		if err != nil {
			return err
		}
		for i, zip := range zips {
			if len(found[i]) > 0 {
				b.tables.residentsOf[zip], b.tables.peopleAt[zip] = found[i], points[i]
			}
		}
	}
	return nil
}

// countyToday returns the county of today of a point in a county of the census
// of 2020, or "".
func (b *builder) countyToday(fips string, at geo.LatLng) string {
	t := &b.tables
	if t.countyIDs[fips] != 0 {
		return fips
	}
	if now := successors[fips]; len(now) == 1 {
		return now[0]
	}
	if t.countyAreas == nil {
		return ""
	}
	return t.countyAreas.first(at)
}

// within returns the centers inside an outline, in the order of their GEOIDs.
func (g centerGrid) within(outline *areas) []center {
	var found []center
	for i := range outline.parts {
		p := &outline.parts[i]
		for x := tenth(p.minX); x <= tenth(p.maxX); x++ {
			for y := tenth(p.minY); y <= tenth(p.maxY); y++ {
				for _, c := range g[[2]int32{x, y}] {
					if p.contains(c.at.Lng(), c.at.Lat()) {
						found = append(found, c)
					}
				}
			}
		}
	}
	byID := func(x, y center) int { return strings.Compare(x.geoid, y.geoid) }
	slices.SortFunc(found, byID)
	return slices.CompactFunc(found, func(x, y center) bool { return x.geoid == y.geoid })
}

// amongCenters returns the mean of the centers, weighted by their people, or
// the center nearest to it if the mean does not lie inside the outline. It is
// not valid without people.
func amongCenters(centers []center, inside func(geo.LatLng) bool) geo.LatLng {
	if len(centers) == 0 {
		return geo.LatLng{}
	}
	var lat, lng, people int64 // microdegrees times people
	from := micro(centers[0].at.Lng())
	for _, c := range centers {
		n := int64(c.people)
		people += n
		lat += n * micro(c.at.Lat())
		lng += n * turn(micro(c.at.Lng())-from)
	}
	if people == 0 {
		return geo.LatLng{}
	}
	mean := geo.LatLngFromMicrodegrees(int32(lat/people), int32(turn(from+lng/people)))
	if inside(mean) {
		return mean
	}
	return nearestCenter(centers, mean).at
}

// nearestCenter returns the center with people that is nearest to a point, the
// first of several; the zero center without any.
func nearestCenter(centers []center, to geo.LatLng) center {
	var best center
	bestMiles := math.Inf(1)
	for _, c := range centers {
		if c.people == 0 {
			continue
		}
		if d := miles(c.at, to); d < bestMiles {
			best, bestMiles = c, d
		}
	}
	return best
}

func micro(degrees float64) int64 { return int64(math.Round(degrees * 1e6)) }

// turn brings microdegrees of longitude into a half turn on either side of 0.
func turn(v int64) int64 {
	const half = 180_000_000
	switch {
	case v > half:
		return v - 2*half
	case v < -half:
		return v + 2*half
	}
	return v
}
