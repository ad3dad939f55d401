package draft

import (
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// listPostalCodes makes the full postal codes: those of GeoNames with their points,
// and those of the address register's correspondence. The latter have the
// population-weighted point of the dissemination area with most of their
// addresses. A newer FSA that GeoNames' list lacks is made of its codes.
//
// Rows ascend from here on, so that those of an FSA stand together; see eachFSA. FSAs are
// added, then moved, before codes take their points and cities from them.
func (d *Draft) listPostalCodes() {
	if !d.has(catalog.GeoNamesCAFull) && !d.has(catalog.Correspondence) {
		return
	}
	codes := map[postcode.PostalCode]store.PostalRow{}
	d.readGeoNamesOfCanada(codes)
	d.readCorrespondence(codes)
	d.Postal.Rows = make([]store.PostalRow, 0, len(codes))
	for _, p := range codes {
		d.Postal.Rows = append(d.Postal.Rows, p)
	}
	slices.SortFunc(d.Postal.Rows, func(a, b store.PostalRow) int { return int(a.Code) - int(b.Code) })
	d.adoptFSAs()
	d.moveFSAs()
	d.placePostalCodes()
	d.namePostalCodes()
	d.countPostalCodes()
}

func (d *Draft) readGeoNamesOfCanada(codes map[postcode.PostalCode]store.PostalRow) {
	read(d, catalog.GeoNamesCAFull, source.GeoNames, func(r source.GeoNamesRow) error {
		code, ok := postcode.ParsePostalCode(r.Code)
		if !ok {
			return refused("not a full postal code", r.Line, r.Code)
		}
		if _, have := codes[code]; have {
			return refused("duplicate postal code, the first is kept", r.Line, r.Code)
		}
		province := d.provinceOf(code.FSA())
		if province == 0 {
			return refused("postal code of no province", r.Line, r.Code)
		}
		at := r.Location
		if at.IsValid() && !inCanada(at) {
			return refused("point outside Canada", r.Line, r.Code+" "+at.String())
		}
		codes[code] = store.PostalRow{Code: code, City: spelledOutSaint(r.Place), Province: province, Location: at}
		return nil
	})
}

// spelledOutSaint spells out what GeoNames abbreviates: "St Catharines".
func spelledOutSaint(place string) string {
	if len(place) > 3 && place[:3] == "St " {
		return "St. " + place[3:]
	}
	return place
}

// readCorrespondence adds the codes of the address register that GeoNames
// lacks.
func (d *Draft) readCorrespondence(codes map[postcode.PostalCode]store.PostalRow) {
	if !d.has(catalog.Correspondence) {
		return
	}
	points := d.readDAPoints()
	d.Postal.Listed = map[postcode.FSA]bool{}
	linked := map[postcode.PostalCode]bool{}
	read(d, catalog.Correspondence, source.BlockCorrespondence, func(r source.CorrespondenceRow) error {
		province := d.provinceOf(r.Code.FSA())
		if province == 0 {
			return refused("postal code of no province", r.Line, r.Code.String())
		}
		d.Postal.Listed[r.Code.FSA()] = true
		if linked[r.Code] || !r.Best {
			return nil
		}
		linked[r.Code] = true
		if _, have := codes[r.Code]; !have {
			codes[r.Code] = store.PostalRow{Code: r.Code, Province: province, Location: points[r.DA]}
		}
		return nil
	})
}

// readDAPoints returns the points of the dissemination areas of 2021. Each has the point
// of the area of 2016 with the same number if the two still touch. Otherwise it has the
// mean point of the areas of 2016 that it touches. The correspondence has areas of 2021,
// and the open file of population-weighted points those of 2016.
func (d *Draft) readDAPoints() map[string]geo.LatLng {
	old := map[string]geo.LatLng{}
	read(d, catalog.DAPoints, source.DAPoints, func(r source.DAPointRow) error {
		return once(old, r.DA, r.Location, "duplicate dissemination area", r.Line)
	})
	points := make(map[string]geo.LatLng, len(old))
	read(d, catalog.DALinks, source.DALinks, func(r source.DALinkRow) error {
		if points[r.DA].IsValid() {
			return refused("duplicate dissemination area", r.Line, r.DA)
		}
		if slices.Contains(r.Touches, r.DA) && old[r.DA].IsValid() {
			points[r.DA] = old[r.DA]
			return nil
		}
		var mean middle
		for _, da := range r.Touches {
			mean.add(old[da], 1)
		}
		points[r.DA] = mean.point()
		return nil
	})
	return points
}

// placePostalCodes refuses points that cannot be within their FSA. Such a point
// is farther than 30 miles from its outline, or from the median of the FSA's
// points than 30 miles and than five times the median distance from it. The code,
// and one without a point, takes the FSA's point.
func (d *Draft) placePostalCodes() {
	// An FSA of the north is larger than that, which the spread of its codes shows.
	const limit = 30 // miles
	d.eachFSA(func(f *FSA, rows []store.PostalRow) {
		center, spread, _ := medianPoint(rows)
		for i := range rows {
			p := &rows[i]
			if !p.Location.IsValid() {
				p.Location = f.Row.Location
				d.applied("postal code without a point takes its FSA's", p.Code.String())
				continue
			}
			miles := 0.0
			if center.IsValid() {
				miles = shape.Miles(p.Location, center)
			}
			if miles > limit && miles > 5*spread || d.FSAs.Homes.milesTo(f.Row.FSA, p.Location) > limit {
				d.applied("postal code far from its FSA takes the FSA's point", p.Code.String()+" "+p.Location.String())
				p.Location = f.Row.Location
			}
		}
	})
}

// medianPoint returns the point of median latitude and longitude of those of the codes,
// the median distance from it in miles, and their number. Of an even number the upper
// median counts.
func medianPoint(rows []store.PostalRow) (center geo.LatLng, spread float64, n int) {
	var lats, lngs, distances []float64
	for _, r := range rows {
		if r.Location.IsValid() {
			lats, lngs, n = append(lats, r.Location.Lat()), append(lngs, r.Location.Lng()), n+1
		}
	}
	if n == 0 {
		return center, 0, 0
	}
	slices.Sort(lats)
	slices.Sort(lngs)
	center = geo.MustLatLng(lats[n/2], lngs[n/2])
	for _, r := range rows {
		if r.Location.IsValid() {
			distances = append(distances, shape.Miles(r.Location, center))
		}
	}
	slices.Sort(distances)
	return center, distances[n/2], n
}

// namePostalCodes gives codes without a city that of the nearest code with one
// in rural FSAs, which hold many places. Other codes take the city of the FSA.
func (d *Draft) namePostalCodes() {
	d.eachFSA(func(f *FSA, rows []store.PostalRow) {
		named := &nearest[string]{}
		rural := f.Row.FSA.String()[1] == '0'
		for _, p := range rows {
			if rural && p.City != "" {
				named.add(p.Location, p.City)
			}
		}
		for i := range rows {
			if rows[i].City != "" {
				continue
			}
			rows[i].City = f.Row.City
			if city, _ := named.find(rows[i].Location, nil); city != "" {
				rows[i].City = city
			}
		}
	})
}

// countPostalCodes sets the number of codes of FSAs that the address register
// covers. For them the list is as complete as an open list can be.
func (d *Draft) countPostalCodes() {
	d.eachFSA(func(f *FSA, rows []store.PostalRow) {
		if d.Postal.Listed[f.Row.FSA] {
			n := int32(len(rows))
			f.Detail.PostalCodes = &n
		}
	})
}

// eachFSA calls f with the postal codes of each FSA, as a part of d.Postal.Rows that f
// may change in place. The FSA is nil if no list has it, which is so only before
// adoptFSAs.
func (d *Draft) eachFSA(f func(*FSA, []store.PostalRow)) {
	rows := d.Postal.Rows
	for len(rows) > 0 {
		fsa, n := rows[0].Code.FSA(), 1
		for n < len(rows) && rows[n].Code.FSA() == fsa {
			n++
		}
		f(d.FSAs.At[fsa], rows[:n])
		rows = rows[n:]
	}
}
