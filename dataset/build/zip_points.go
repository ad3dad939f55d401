package build

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// farMiles is how far a point may lie from the point of the ZCTA of the same
// code, or of the one that encloses a PO Box ZIP, before it is taken for an
// error. The largest ZCTAs, in Alaska and Nevada, reach about as far.
const farMiles = 60

// derivePoints gives each ZIP its point.
//
//   - Military ZIPs have none: their mail leaves the country, and the points
//     that GeoNames has for them are bases of decades ago.
//   - A general ZIP with a ZCTA takes the Gazetteer's internal point, which is
//     within the area; GeoNames has a city's point for many of them.
//   - Any other ZIP keeps the point of the user's table, else of GeoNames: a
//     post office stands where it stands. A point that is missing (0, 0), or
//     farther than 60 miles from the ZCTA of the same code or from the one that
//     encloses the ZIP, gives way to the next source, in the end to the ZCTA's.
func derivePoints(_ context.Context, b *builder) error {
	for _, z := range b.tables.zips {
		if z.row.Class != dataset.Military {
			z.row.Location = b.choosePoint(z)
		}
	}
	return nil
}

func (b *builder) choosePoint(z *zipDraft) geo.LatLng {
	code := z.row.ZIP.String()
	own, hasOwn := b.tables.zctas[code]
	if hasOwn && z.row.Class == dataset.General {
		return own.Location
	}
	reference := own.Location
	if !hasOwn && z.uds != nil {
		reference = b.tables.zctas[z.uds.ZCTA].Location
	}
	var points []geo.LatLng
	if z.supplied != nil {
		points = append(points, z.supplied.Location)
	}
	if z.geoNames != nil {
		points = append(points, z.geoNames.Location)
	}
	far := ""
	for _, p := range points {
		if !p.IsValid() {
			continue
		}
		if !reference.IsValid() {
			return p
		}
		d := miles(p, reference)
		if d <= farMiles {
			return p
		}
		far = fmt.Sprintf("%s, %.0f miles", code, d)
	}
	switch {
	case !reference.IsValid():
		return geo.LatLng{}
	case far != "" && !hasOwn && remoteIsland(points):
		return points[len(points)-1]
	case far != "":
		b.report.applied("far-off point gives way to the ZCTA's", far)
	default:
		b.report.applied("missing point is the ZCTA's", code)
	}
	return reference
}

// remoteIsland reports whether the last point is mid-ocean, west of Hawaii:
// Wake Island's crosswalk row names a ZCTA of Honolulu.
func remoteIsland(points []geo.LatLng) bool {
	last := points[len(points)-1]
	return last.IsValid() && last.Lat() < 25 && last.Lng() > 150
}
