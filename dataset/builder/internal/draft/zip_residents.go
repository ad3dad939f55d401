package draft

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// FindResidents reads the outlines of ZIP Codes and finds the people within each.
//
// The area of a general ZIP Code is that in the user's file, else the
// ZCTA of the same code. Post office box, unique and military ZIP Codes are
// points and have no area; their outline, which has residents, is compared with
// layers alone.
func (d *Draft) FindResidents(ctx context.Context) error {
	if !d.Includes(catalog.Boundaries) {
		return nil
	}
	s := &d.ZIPOutlines
	s.Areas, s.Points = shape.NewOutlineSet[postcode.ZIP]("ZIPs"), shape.NewOutlineSet[postcode.ZIP]("PO Box, unique and military ZIPs")
	supplied := map[postcode.ZIP]bool{}
	for _, file := range []struct {
		id   string
		rows func(format.File) iter.Seq2[source.AreaRow, error]
	}{{catalog.ZIPPolygons, source.ZIPPolygons}, {catalog.ZCTAAreas, source.Census2020Columns.Areas}} {
		if !d.Has(file.id) {
			continue
		}
		s.Areas.From(d.Env, file.id)
		s.Points.From(d.Env, file.id)
		err := plan.Read(ctx, d.Env, file.id, file.rows, func(r source.AreaRow) error {
			zip, ok := postcode.ParseZIP(r.ID)
			z := d.ZIPs.At[zip]
			switch {
			case !ok || z == nil:
				d.Refuse(file.id, "outline of a code that is not a ZIP of the dataset", r.ID)
			case file.id == catalog.ZIPPolygons:
				supplied[zip] = true
			case supplied[zip]:
				return nil
			}
			switch {
			case z == nil:
			case z.Row.Class == store.General:
				s.Areas.Add(zip, r)
			default:
				d.Applied("outline of a PO Box, unique or military ZIP, compared with layers and not stored", r.ID)
				s.Points.Add(zip, r)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	s.Areas.Repair()
	s.Points.Repair()
	return d.findResidents(ctx, s.Areas, s.Points)
}

// findResidents reads the centers of population and notes for each ZIP those
// that lie within its outline, and the point among their people.
func (d *Draft) findResidents(ctx context.Context, outlines ...*shape.OutlineSet[postcode.ZIP]) error {
	var all []Center
	err := plan.Read(ctx, d.Env, catalog.Centers, source.BlockGroupCenters, func(r source.CenterRow) error {
		all = append(all, Center{At: r.Location, People: int(r.People), GEOID: r.GEOID, County: d.countyToday(r.GEOID[:5], r.Location)})
		return nil
	})
	if err != nil || len(all) == 0 {
		return err
	}
	byID := func(x, y Center) int { return strings.Compare(x.GEOID, y.GEOID) }
	slices.SortStableFunc(all, byID)
	all = slices.CompactFunc(all, func(x, y Center) bool { return byID(x, y) == 0 })
	d.Residents.Of, d.Residents.At = map[postcode.ZIP][]Center{}, map[postcode.ZIP]geo.LatLng{}
	for _, c := range all {
		if n, err := strconv.ParseUint(c.GEOID, 10, 64); err == nil {
			d.Residents.Centers = append(d.Residents.Centers, store.Center{BlockGroup: n, At: c.At, People: c.People})
		}
	}
	for _, set := range outlines {
		homes, err := set.Homes(nil)
		if err != nil {
			return err
		}
		for _, c := range all {
			for _, zip := range homes.Around(c.At) {
				d.Residents.Of[zip] = append(d.Residents.Of[zip], c)
			}
		}
		for _, zip := range set.Keys() {
			if centers := d.Residents.Of[zip]; len(centers) > 0 {
				d.Residents.At[zip] = amongCenters(centers, func(p geo.LatLng) bool { return slices.Contains(homes.Around(p), zip) })
			}
		}
	}
	return ctx.Err()
}

// countyToday returns the county of today of a point in a county of the census
// of 2020, or "".
func (d *Draft) countyToday(fips string, at geo.LatLng) string {
	if d.Counties.IDs[fips] != 0 {
		return fips
	}
	if now := successors[fips]; len(now) == 1 {
		return now[0]
	}
	if d.CountyAreas == nil {
		return ""
	}
	return d.CountyAreas.First(at)
}

// amongCenters returns the mean of the centers, weighted by their people. If
// that lies outside the outline, it returns the nearest center. The point is
// not valid without people.
func amongCenters(centers []Center, inside func(geo.LatLng) bool) geo.LatLng {
	if len(centers) == 0 {
		return geo.LatLng{}
	}
	var lat, lng, people int64 // microdegrees times people
	from := micro(centers[0].At.Lng())
	for _, c := range centers {
		n := int64(c.People)
		people += n
		lat += n * micro(c.At.Lat())
		lng += n * turn(micro(c.At.Lng())-from)
	}
	if people == 0 {
		return geo.LatLng{}
	}
	mean := geo.LatLngFromMicrodegrees(int32(lat/people), int32(turn(from+lng/people)))
	if inside(mean) {
		return mean
	}
	return nearestCenter(centers, mean).At
}

// byDistance returns the centers with people, the nearest to a point first.
func byDistance(centers []Center, to geo.LatLng) []Center {
	type far struct {
		Center
		miles float64
	}
	list := make([]far, 0, len(centers))
	for _, c := range centers {
		if c.People > 0 {
			list = append(list, far{c, shape.Miles(c.At, to)})
		}
	}
	slices.SortStableFunc(list, func(x, y far) int { return cmp.Compare(x.miles, y.miles) })
	sorted := make([]Center, len(list))
	for i, f := range list {
		sorted[i] = f.Center
	}
	return sorted
}

// nearestCenter returns the center with people that is nearest to a point, the
// first of several; the zero center without any.
func nearestCenter(centers []Center, to geo.LatLng) (best Center) {
	if list := byDistance(centers, to); len(list) > 0 {
		best = list[0]
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
