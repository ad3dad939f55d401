package draft

import (
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// Residents are the centers of population within the outlines of ZIP Codes.
type Residents struct {
	Of map[postcode.ZIP][]Center   // in the order of their GEOIDs
	At map[postcode.ZIP]geo.LatLng // the point among them

	Centers []store.Center // all, ascending
}

// A Center is the center of population of a block group.
type Center struct {
	At     geo.LatLng
	People int
	GEOID  string // twelve digits, of the census of 2020
	County string // FIPS code of the present county; "" unknown
}
