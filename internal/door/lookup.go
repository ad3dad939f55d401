package door

import (
	"context"

	"github.com/postgeo/postgeo/geo"
)

// A Selection lists the values that a caller reads from a record besides its identity,
// families and tables. Others may be missing, and so may the notices about coordinates.
type Selection struct {
	// Details are the members of a record that describe its code, such as its
	// elevation and its metro.
	Details bool
	// Aliases are the other names of its place.
	Aliases bool
	// Census lists members of a lookup.CensusPeriod with areas, by their names in JSON.
	Census []string
	// Outside indicates that a coordinate outside the areas of all codes has a record
	// too, if it has a time zone or a family with areas. The record has no identity, and a
	// notice with the code of the error.
	Outside bool
}

// An Identity lists the values that a caller reads from a quick record.
type Identity struct {
	Zone   bool // the time zone
	Region bool // the country, state and county
	Code   bool // others
}

// An AreaKey appends the key of a coordinate to dst: the areas around it, which decide its
// values. Coordinates with equal keys have equal records, but for the coordinate itself in
// errors. It is not known if the values may depend on more.
type AreaKey func(ctx context.Context, p geo.LatLng, dst []byte) (key []byte, known bool, err error)
