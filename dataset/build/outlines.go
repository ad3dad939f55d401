package build

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/geo"
)

// readOutlines reads the outlines of the chosen layers.
func readOutlines(ctx context.Context, b *builder) error {
	t := &b.tables
	t.areaNames = map[string]string{}
	t.placeOutlines = map[string]orb.MultiPolygon{}
	t.fsaInside = map[string]geo.LatLng{}
	t.countyExtents = map[string]extent{}
	t.fsaLand = map[dataset.FSA]int64{}
	t.bounds = newBoundaries(b)
	s := t.bounds
	if s != nil {
		s.fromFiles(b)
	}
	if b.has(srcTimeZones) {
		t.zoneAreas = newAreas()
		err := readText(ctx, b, srcTimeZones, source.TimeZones, func(r source.AreaRow) error {
			t.zoneAreas.add(r.ID, r.Polygon)
			if s != nil {
				s.zones.add(r.ID, r)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if b.has(srcFSAAreas) {
		t.fsaAreas = newAreas()
		err := readPath(ctx, b, srcFSAAreas, source.FSALand, func(r source.FSALandRow) error {
			t.fsaAreas.add(r.Area.ID, r.Area.Polygon)
			if urban := r.Area.ID[1] != '0'; urban && tooLarge(r) {
				b.report.applied("outline of an urban FSA of more than 1.5 times the land area, not asked for a point", r.Area.ID)
			} else {
				t.fsaInside[r.Area.ID] = pointWithin(r.Area.Polygon)
			}
			t.fsaLand[r.FSA] = r.Land
			if s != nil {
				r.Area.Land = &r.Land
				s.fsas.add(r.FSA, r.Area)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, layer := range []struct {
		id   string
		into **areas
		want func(source.AreaRow) bool
	}{
		{srcCountyAreas, &t.countyAreas, func(source.AreaRow) bool { return true }},
		{srcPlaceAreas, &t.placeAreas, incorporated},
		{srcCousubAreas, &t.cousubAreas, town},
	} {
		if !b.has(layer.id) {
			continue
		}
		*layer.into = newAreas()
		again := layer.id != srcCountyAreas && b.chose(Census) // by [builder.readLayer]
		err := readRows(ctx, b, layer.id, b.areaRows(layer.id, source.CensusColumns, again), func(r source.LayerAreaRow) error {
			if layer.want(r.AreaRow) {
				(*layer.into).add(r.ID, r.Polygon)
				t.areaNames[r.ID] = r.Name
			}
			if layer.id == srcPlaceAreas {
				t.placeOutlines[r.ID] = r.Polygon
			}
			if id := t.countyIDs[r.ID]; s != nil && layer.id == srcCountyAreas && id != 0 {
				s.counties.add(id, r.AreaRow)
				t.countyExtents[r.ID] = extent{known(r.Land), known(r.Water)}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if s != nil {
		s.zones.repair()
		s.fsas.repair()
		s.counties.repair()
	}
	return readCensusSubdivisions(ctx, b)
}

// areaRows returns the rows of a boundary file. Those that a later step goes by
// again are parsed once: that step gets the rows that the first one had.
func (b *builder) areaRows(id string, columns source.LayerColumns, again bool) iter.Seq2[source.LayerAreaRow, error] {
	t := &b.tables
	if rows, parsed := t.areaRows[id]; parsed {
		delete(t.areaRows, id)
		return func(yield func(source.LayerAreaRow, error) bool) {
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
	rows := ahead(source.LayerAreas(b.files[id].Path, columns))
	if !again {
		return rows
	}
	return func(yield func(source.LayerAreaRow, error) bool) {
		var kept []source.LayerAreaRow
		for r, err := range rows {
			if err == nil {
				kept = append(kept, r)
			}
			if !yield(r, err) {
				return
			}
		}
		if t.areaRows == nil {
			t.areaRows = map[string][]source.LayerAreaRow{}
		}
		t.areaRows[id] = kept
	}
}

// tooLarge reports whether the outline cannot be that of the FSA: many were
// drawn for 2016 and have shrunk since, as the land area of 2021 shows. Rural
// ones lose towns by it and stay where they are.
func tooLarge(r source.FSALandRow) bool {
	const most = 1.5 // times the land area; outlines hold some water
	o, err := geo.NewOutline(r.Area.Polygon)
	return err != nil || float64(o.Area()) > most*float64(r.Land)
}

// readCensusSubdivisions reads the municipalities of Canada. Those of a file
// that is known to be too coarse to tell on which side of an edge a point lies
// only serve to find the people of an FSA.
func readCensusSubdivisions(ctx context.Context, b *builder) error {
	if !b.has(srcCSDAreas) {
		return nil
	}
	t := &b.tables
	t.csdRough = newAreas()
	t.csdInside = map[string]geo.LatLng{}
	fit := b.files[srcCSDAreas].FitForShares
	err := readPath(ctx, b, srcCSDAreas, source.CensusSubdivisions, func(r source.AreaRow) error {
		t.csdRough.add(r.ID, r.Polygon)
		t.csdInside[r.ID] = pointWithin(r.Polygon)
		if fit {
			t.areaNames[r.ID] = r.Name
		}
		return nil
	})
	if fit {
		t.csdAreas = t.csdRough
	} else {
		b.report.applied("outlines too coarse for municipalities", srcCSDAreas)
	}
	return err
}

// incorporated reports whether a place has a government. Census designated
// places (LSAD 57), communities and urban zones of Puerto Rico (55, 62) have
// none.
func incorporated(r source.AreaRow) bool {
	return r.LSAD != "57" && r.LSAD != "55" && r.LSAD != "62"
}

// townStates are the FIPS codes of the states whose county subdivisions are
// governments with the powers of a municipality: New England, New York, New
// Jersey, Pennsylvania, Michigan, Wisconsin and Minnesota.
var townStates = []string{"09", "23", "25", "26", "27", "33", "34", "36", "42", "44", "50", "55"}

// town reports whether a county subdivision is a town or township of a town
// state, not unorganised territory (46) or one that the census drew (22, 00).
func town(r source.AreaRow) bool {
	return len(r.ID) > 2 && slices.Contains(townStates, r.ID[:2]) && r.LSAD != "46" && r.LSAD != "22" && r.LSAD != "00"
}

// pointWithin returns a point within the largest of the polygons: its centroid
// where that lies within, else the middle of the longest stretch of the
// parallel through the middle of its box.
func pointWithin(polygons orb.MultiPolygon) geo.LatLng {
	best, bestArea := -1, 0.0
	for i, p := range polygons {
		if _, area := centroid(p[0]); area > bestArea {
			best, bestArea = i, area
		}
	}
	if best < 0 {
		return geo.LatLng{}
	}
	set := newAreas()
	set.addPolygon("", polygons[best])
	c, _ := centroid(polygons[best][0])
	if len(set.parts) == 0 {
		return geo.LatLng{}
	}
	part := &set.parts[0]
	if !part.contains(c[0], c[1]) {
		y := (part.minY + part.maxY) / 2
		c = orb.Point{widest(part.crossings(y)), y}
	}
	p, err := geo.LatLngFromDegrees(c[1], c[0])
	if err != nil {
		return geo.LatLng{}
	}
	return p.Rounded()
}

// centroid returns the centroid of a ring and its area in square degrees,
// without sign.
func centroid(ring orb.Ring) (orb.Point, float64) {
	if len(ring) < 3 {
		return orb.Point{}, 0
	}
	o := ring[0]
	var x, y, twice float64
	for i := range ring {
		a, b := ring[i], ring[(i+1)%len(ring)]
		ax, ay, bx, by := a[0]-o[0], a[1]-o[1], b[0]-o[0], b[1]-o[1]
		cross := ax*by - bx*ay
		twice += cross
		x += (ax + bx) * cross
		y += (ay + by) * cross
	}
	if twice == 0 {
		return o, 0
	}
	return orb.Point{o[0] + x/(3*twice), o[1] + y/(3*twice)}, math.Abs(twice) / 2
}

// crossings returns where the parallel crosses the outline, ascending.
func (p *part) crossings(y float64) []float64 {
	var xs []float64
	for _, e := range p.bands[p.band(y)] {
		if y >= e.a[1] && y < e.b[1] {
			xs = append(xs, e.a[0]+(y-e.a[1])/(e.b[1]-e.a[1])*(e.b[0]-e.a[0]))
		}
	}
	slices.Sort(xs)
	return xs
}

// widest returns the middle of the longest of the stretches that lie within,
// from an odd crossing to the next.
func widest(xs []float64) float64 {
	best, mid := -1.0, 0.0
	for i := 0; i+1 < len(xs); i += 2 {
		if w := xs[i+1] - xs[i]; w > best {
			best, mid = w, (xs[i]+xs[i+1])/2
		}
	}
	return mid
}
