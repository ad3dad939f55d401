package draft

import (
	"context"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
)

// FindMunicipalities gives each code the municipality around its point. In the
// United States that is the incorporated place or, in town states, else the
// town. In Puerto Rico it is the municipio, in Canada the census subdivision. A
// ZIP whose point or post office lies in the place of the ZIP's city is in that
// place. The internal point of the ZCTA of 90210 lies in Los Angeles, the post
// office in Beverly Hills. The step needs the place layer. ZIPs without a point
// have no municipality, and the other territories have no incorporated places.
func (d *Draft) FindMunicipalities(ctx context.Context) error {
	if d.Municipal.Places != nil {
		for _, z := range d.ZIPs.List {
			z.Row.Municipality = d.municipality(z)
		}
	}
	if d.Municipal.CSDs == nil {
		return ctx.Err()
	}
	for _, f := range d.FSAs.List {
		f.Row.Municipality = d.Municipal.Names[d.Municipal.CSDs.First(f.Row.Location)]
	}
	for i := range d.Postal.Rows {
		d.Postal.Rows[i].Municipality = d.Municipal.Names[d.Municipal.CSDs.First(d.Postal.Rows[i].Location)]
	}
	return ctx.Err()
}

// municipality returns the name of the place or town of the ZIP's state that
// contains its point or post office.
func (d *Draft) municipality(z *ZIP) string {
	if z.State == "PR" && z.Row.County != 0 {
		return strings.TrimSuffix(d.Counties.List[z.Row.County-1].Name, " Municipio")
	}
	fips := d.States.FIPS(z.Row.State)
	city := Fold(SaintInFull(z.Row.City))
	for _, at := range []geo.LatLng{z.Row.Location, z.Post} {
		for _, name := range d.municipalitiesAt(fips, at) {
			if Fold(SaintInFull(name)) == city {
				return name
			}
		}
	}
	if names := d.municipalitiesAt(fips, z.Row.Location); len(names) > 0 {
		return names[0]
	}
	return ""
}

// municipalitiesAt returns the names of the places, then of the towns, of the
// state that contain the point.
func (d *Draft) municipalitiesAt(stateFIPS string, at geo.LatLng) []string {
	const firstTerritory = "60"
	if stateFIPS == "" || stateFIPS >= firstTerritory {
		return nil
	}
	var names []string
	for _, set := range []*shape.Areas{d.Municipal.Places, d.Municipal.Cousubs} {
		if set == nil {
			continue
		}
		for _, id := range set.At(at) {
			if strings.HasPrefix(id, stateFIPS) {
				names = append(names, PlainName(d.Municipal.Names[id]))
			}
		}
	}
	return names
}

// ReadPlaceNames reads the places and county subdivisions of the Gazetteer and
// learns their spelling; places come first.
func (d *Draft) ReadPlaceNames(ctx context.Context) error {
	seen := map[string]bool{}
	learn := func(r source.GazetteerRow) error {
		if seen[r.GEOID] {
			return plan.Refused("duplicate place", r.Line, r.GEOID)
		}
		seen[r.GEOID] = true
		d.Gazetteer.Spelling.Learn(r.State, PlainName(r.Name))
		d.Gazetteer.AddCity(r)
		d.Gazetteer.Add(r)
		return nil
	}
	if err := plan.Read(ctx, d.Env, catalog.GazetteerPlaces, source.Gazetteer(7), learn); err != nil {
		return err
	}
	return plan.Read(ctx, d.Env, catalog.GazetteerCousubs, source.Gazetteer(10), learn)
}
