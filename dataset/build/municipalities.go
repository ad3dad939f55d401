package build

import (
	"context"
	"strings"

	"github.com/postgeo/postgeo/geo"
)

// deriveMunicipalities gives each code the municipality around its point: in
// the United States the incorporated place or, in town states, else the town;
// in Puerto Rico the municipio; in Canada the census subdivision. Where the
// ZIP's point or its post office lies in the place that the ZIP's city is named
// after, it is that place: the internal point of the ZCTA of 90210 lies in Los
// Angeles, the post office in Beverly Hills. It needs the place layer; ZIPs
// without a point have none, and neither have the other territories, which have
// no incorporated places.
func deriveMunicipalities(ctx context.Context, b *builder) error {
	t := &b.tables
	defer func() { t.placeAreas, t.cousubAreas, t.csdAreas = nil, nil, nil }() // the layers to come need the memory
	if t.placeAreas != nil {
		for _, z := range t.zips {
			z.row.Municipality = b.municipality(z)
		}
	}
	if t.csdAreas == nil {
		return ctx.Err()
	}
	for _, f := range t.fsas {
		f.row.Municipality = t.areaNames[t.csdAreas.first(f.row.Location)]
	}
	for i := range t.postal {
		t.postal[i].Municipality = t.areaNames[t.csdAreas.first(t.postal[i].Location)]
	}
	return ctx.Err()
}

// municipality returns the name of the place or town of the ZIP's state that
// contains its point or post office.
func (b *builder) municipality(z *zipDraft) string {
	if z.state == "PR" && z.row.County != 0 {
		return strings.TrimSuffix(b.tables.counties[z.row.County-1].Name, " Municipio")
	}
	fips := b.tables.states[z.row.State-1].FIPS
	city := fold(saintInFull(z.row.City))
	for _, at := range []geo.LatLng{z.row.Location, z.post} {
		for _, name := range b.municipalitiesAt(fips, at) {
			if fold(saintInFull(name)) == city {
				return name
			}
		}
	}
	if names := b.municipalitiesAt(fips, z.row.Location); len(names) > 0 {
		return names[0]
	}
	return ""
}

// municipalitiesAt returns the names of the places, then of the towns, of the
// state that contain the point.
func (b *builder) municipalitiesAt(stateFIPS string, at geo.LatLng) []string {
	const firstTerritory = "60"
	if stateFIPS == "" || stateFIPS >= firstTerritory {
		return nil
	}
	var names []string
	for _, set := range []*areas{b.tables.placeAreas, b.tables.cousubAreas} {
		if set == nil {
			continue
		}
		for _, id := range set.at(at) {
			if strings.HasPrefix(id, stateFIPS) {
				names = append(names, plainName(b.tables.areaNames[id]))
			}
		}
	}
	return names
}
