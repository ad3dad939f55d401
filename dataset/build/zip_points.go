package build

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// farMiles is how far a point may lie from the point of the ZCTA of the same
// code, or the points of two sources from each other, before one is taken for
// an error. The largest ZCTAs, in Alaska and Nevada, reach about as far.
const farMiles = 60

// derivePoints gives each ZIP its point.
//
//   - Military ZIPs have none: their mail leaves the country, and the points
//     that GeoNames has for them are bases of decades ago.
//   - A general ZIP with a ZCTA takes the Gazetteer's internal point, which is
//     within the area; GeoNames has a city's point for many of them.
//   - Any other ZIP keeps the point of its post office, as the user's table or
//     else GeoNames has it, unless it lies farther than 60 miles from the ZCTA
//     of the same code; then it gives way to the ZCTA's.
//   - The point of a PO Box ZIP that lies far from the city of its name is that
//     of the city; one that lies there stays, wherever the ZCTA is.
//   - A ZIP whose sources have no point, or 0, 0, takes that of the ZCTA of the
//     same code, else of the one that encloses it.
func derivePoints(_ context.Context, b *builder) error {
	b.gatherCityAreas()
	for _, z := range b.tables.zips {
		if z.row.Class == dataset.Military {
			continue
		}
		z.post = b.postOffice(z)
		b.bringHome(z)
		z.row.Location = b.choosePoint(z)
	}
	return nil
}

// postOffice returns the point of the user's table, else of GeoNames, which is
// also taken where the two are farther apart than 60 miles: the table then
// mostly has another place of the name, or a longitude of the wrong sign.
func (b *builder) postOffice(z *zipDraft) geo.LatLng {
	var supplied, open geo.LatLng
	if z.supplied != nil {
		supplied = z.supplied.Location
	}
	if z.geoNames != nil {
		open = z.geoNames.Location
	}
	switch {
	case !supplied.IsValid():
		return open
	case !open.IsValid():
		return supplied
	}
	if _, hasZCTA := b.tables.zctas[z.row.ZIP.String()]; !hasZCTA {
		if d := miles(supplied, open); d > farMiles {
			b.report.applied("sources disagree about the point, GeoNames' is taken", fmt.Sprintf("%s, %.0f miles", z.row.ZIP, d))
			return open
		}
	}
	return supplied
}

func (b *builder) choosePoint(z *zipDraft) geo.LatLng {
	code := z.row.ZIP.String()
	own, hasOwn := b.tables.zctas[code]
	switch {
	case hasOwn && z.row.Class == dataset.General:
		if z.post.IsValid() && miles(z.post, own.Location) > farMiles {
			b.report.applied("far-off point gives way to the ZCTA's", fmt.Sprintf("%s, %.0f miles", code, miles(z.post, own.Location)))
		}
		return own.Location
	case hasOwn && z.post.IsValid():
		if d := miles(z.post, own.Location); d > farMiles && !(z.row.Class == dataset.POBox && b.inCity(z)) {
			b.report.applied("far-off point gives way to the ZCTA's", fmt.Sprintf("%s, %.0f miles", code, d))
			return own.Location
		}
		return z.post
	case z.post.IsValid():
		return z.post
	case hasOwn:
		b.report.applied("missing point is the ZCTA's", code)
		return own.Location
	case z.uds != nil && b.tables.zctas[z.uds.ZCTA].Location.IsValid():
		b.report.applied("missing point is the enclosing ZCTA's", code)
		return b.tables.zctas[z.uds.ZCTA].Location
	default:
		return geo.LatLng{}
	}
}
