package draft

import (
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// ZIPs are the ZIP Codes.
type ZIPs struct {
	List []*ZIP // ascending
	At   map[postcode.ZIP]*ZIP
}

// A ZIP is a ZIP Code and the rows of its sources.
type ZIP struct {
	Row     store.ZIPRow
	Detail  store.ZIPDetail
	Quality store.Quality
	State   string     // two letters
	Post    geo.LatLng // of the post office, as the sources have it; not valid for military ZIPs

	Offices []Located // points of the post office, the best first
	Middle  Located   // of the area of the ZIP, or of the one that encloses it

	GeoNames  *source.GeoNamesRow
	Supplied  *source.ZIPDatabaseRow
	UDS       *UDSRow
	CityState []source.CityStateRow
	Business  []source.ZIPBusinessRow // the newest first
	Aliases   []store.StreetAlias
}

// UDSRow is a row of the UDS Mapper's crosswalk.
type UDSRow struct {
	source.UDSRow
	Edition string // identifier of the source
}

// A Located is a point with its source.
type Located struct {
	At     geo.LatLng
	Source string
}

// Spot returns the point of the post office, else the middle of the ZIP's area.
func (z *ZIP) Spot() geo.LatLng {
	if z.Post.IsValid() {
		return z.Post
	}
	return z.Middle.At
}

// RawName returns the city's name in the best source.
func (z *ZIP) RawName() string {
	switch p := z.Preferred(); {
	case p != nil && p.LastLineName != "":
		return p.LastLineName
	case p != nil:
		return p.Name
	case z.Supplied != nil:
		return z.Supplied.City
	case z.GeoNames != nil:
		return z.GeoNames.Place
	case z.UDS != nil:
		return z.UDS.City
	default:
		return ""
	}
}

// Preferred returns the City State record of the ZIP's preferred name, or nil.
func (z *ZIP) Preferred() *source.CityStateRow {
	for i := range z.CityState {
		if z.CityState[i].Preferred {
			return &z.CityState[i]
		}
	}
	if len(z.CityState) > 0 {
		return &z.CityState[0]
	}
	return nil
}

// FSAs are the forward sortation areas.
type FSAs struct {
	List []*FSA // ascending
	At   map[postcode.FSA]*FSA

	Homes *shape.Homes[postcode.FSA] // areas of those of GeoNames' list
}

// An FSA is a forward sortation area and the row of its source.
type FSA struct {
	Row      store.FSARow
	Detail   store.FSADetail
	Quality  store.Quality
	Province string // two letters
	GeoNames source.GeoNamesRow
}

// Postal are the full postal codes of Canada.
type Postal struct {
	Rows   []store.PostalRow     // ascending
	Listed map[postcode.FSA]bool // FSAs whose list of postal codes is complete
}

// Count32 converts a count of people or dwellings, which fits 31 bits.
func Count32(n *int64) *int32 {
	if n == nil || *n > 1<<31-1 {
		return nil
	}
	v := int32(*n)
	return &v
}
