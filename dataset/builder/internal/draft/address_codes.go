package draft

import (
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// AddressCodes are the codes that addresses may have, with their outlines and points.
type AddressCodes struct {
	// Around returns the code whose outline contains a point. nil means that no
	// outlines are known.
	Around func(geo.LatLng) (store.RoadArea, bool)

	known  map[store.RoadArea]bool
	points [2]codePoints // of the United States and of Canada
}

// codePoints are the codes of a country that have an area.
type codePoints struct {
	areas  []store.RoadArea
	points []geo.LatLng
	index  *spatial.PointIndex
}

// AddZIP adds a ZIP Code. Only those with an area locate addresses without a code.
func (c *AddressCodes) AddZIP(r *store.ZIPRow) {
	c.add(0, store.RoadAreaOfZIP(r.ZIP), r.Location, r.Class == store.General)
}

// AddFSA adds a forward sortation area.
func (c *AddressCodes) AddFSA(r *store.FSARow) {
	c.add(1, store.RoadAreaOfFSA(r.FSA), r.Location, true)
}

func (c *AddressCodes) add(country int, a store.RoadArea, p geo.LatLng, locates bool) {
	if c.known == nil {
		c.known = map[store.RoadArea]bool{}
	}
	c.known[a] = true
	if of := &c.points[country]; locates && p.IsValid() {
		of.areas, of.points = append(of.areas, a), append(of.points, p)
	}
}

// nearest returns the code whose point is nearest, and its distance in meters.
func (c *codePoints) nearest(p geo.LatLng) (a store.RoadArea, away float64) {
	const most = 100_000 // meters
	if c.index == nil {
		c.index = spatial.NewPointIndex(c.points)
	}
	found := c.index.AppendNearest(nil, p, 1)
	if len(found) == 0 {
		return 0, most
	}
	return c.areas[found[0].Index], min(float64(found[0].Distance), most)
}

// codeRules describe the bases of codes other than an address's own.
var codeRules = map[store.CodeBasis]string{
	store.CodeOfOutline: "addresses without a known code have the one whose outline contains them",
	store.CodeOfNearest: "addresses without a known code and outline have the nearest one",
}

// locate returns the code of a position: that of the outline that contains it, else
// the nearest one of the country. It reports false if no code is near.
func (c *AddressCodes) locate(p geo.LatLng, inUS, inCanada bool) (a store.RoadArea, basis store.CodeBasis, ok bool) {
	if c.Around != nil {
		a, ok := c.Around(p)
		if _, canadian := a.FSA(); ok && c.known[a] && (canadian && inCanada || !canadian && inUS) {
			return a, store.CodeOfOutline, true
		}
	}
	best := 1e5
	for i, in := range [...]bool{inUS, inCanada} {
		if !in {
			continue
		}
		if near, away := c.points[i].nearest(p); away < best {
			a, best, ok = near, away, true
		}
	}
	return a, store.CodeOfNearest, ok
}

// At returns the code whose area has a point, or the nearest one, of a country.
func (c *AddressCodes) At(p geo.LatLng, country store.Country) (a store.RoadArea, basis store.CodeBasis, ok bool) {
	return c.locate(p, country == store.US, country == store.CA)
}

// areaOf returns the code of an address: its own, else that of its position.
func (c *AddressCodes) areaOf(p *source.AddressPoint) (a store.RoadArea, basis store.CodeBasis, ok bool) {
	if p.HasZIP {
		if a = store.RoadAreaOfZIP(p.ZIP); c.known[a] {
			return a, store.CodeGiven, true
		}
	}
	if len(p.Postal) >= 3 {
		if f, ok := postcode.ParseFSA(p.Postal[:3]); ok && c.known[store.RoadAreaOfFSA(f)] {
			return store.RoadAreaOfFSA(f), store.CodeGiven, true
		}
	}
	canadian := source.IsProvince(p.State)
	return c.locate(p.Location, p.State == "" || !canadian, p.State == "" || canadian)
}

// outlinesOf returns the function that finds the outline around a point; nil without
// outlines.
func outlinesOf(zips *shape.OutlineSet[postcode.ZIP], fsas *shape.OutlineSet[postcode.FSA]) func(geo.LatLng) (store.RoadArea, bool) {
	if zips == nil && fsas == nil {
		return nil
	}
	var areas *shape.Areas
	return func(p geo.LatLng) (store.RoadArea, bool) {
		if areas == nil { // made for the first address without a code
			areas = shape.NewAreas()
			if zips != nil {
				for _, z := range zips.Keys() {
					areas.Add(z.String(), zips.Polygons[z])
				}
			}
			if fsas != nil {
				for _, f := range fsas.Keys() {
					areas.Add(f.String(), fsas.Polygons[f])
				}
			}
		}
		id := areas.First(p)
		if z, ok := postcode.ParseZIP(id); ok {
			return store.RoadAreaOfZIP(z), true
		}
		f, ok := postcode.ParseFSA(id)
		return store.RoadAreaOfFSA(f), ok
	}
}
