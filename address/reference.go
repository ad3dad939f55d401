package address

import (
	"context"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/pub28"
)

// A Record is a range of a street: a record of the ZIP+4 product, or a public
// range of street numbers, which has no add-on.
type Record = dataset.StreetRecord

// A City is a name of a ZIP Code's place.
type City struct {
	Name        string // capitals
	Key         string // city state key; "" if unknown
	LastLineKey string
	Facility    byte // B C N P S U; 0 unknown
	Mailing     bool // accepted on the last line
	Preferred   bool // used there unless another one is given
	State       string
	// Abbreviation is the accepted short name of at most 13 characters; "" if
	// none exists.
	Abbreviation string

	key, shortKey string // of Name and Abbreviation, where the reference has made them
}

// keyed makes the keys of the names.
func (c *City) keyed() {
	c.key = pub28.Key(c.Name)
	if c.Abbreviation != "" {
		c.shortKey = pub28.Key(c.Abbreviation)
	}
}

// called reports whether the key belongs to the name or its abbreviation.
func (c *City) called(key string) bool {
	if c.key == "" {
		c := *c
		c.keyed()
		return key != "" && (c.key == key || c.shortKey == key)
	}
	return c.key == key || c.shortKey == key && key != ""
}

// An Alias is another name of a street, or of a range of it.
type Alias = dataset.StreetAlias

// A Reference is what addresses are matched to. Keys of streets are those of
// pub28.Key. An area is the name of a group of ZIP Codes within which a wrong
// one may be corrected: a finance area of the Postal Service.
//
// A Matcher calls it from several goroutines at once.
type Reference interface {
	// Streets appends the records of a ZIP whose street has the key: of all
	// types, base records and alternates, in an order that stays.
	Streets(ctx context.Context, zip dataset.ZIP, key string, into []Record) ([]Record, error)
	// StreetKeys returns the keys of a ZIP's streets in ascending order. The
	// caller only reads them.
	StreetKeys(ctx context.Context, zip dataset.ZIP) ([]string, error)
	// Area returns the area of a ZIP, or "".
	Area(ctx context.Context, zip dataset.ZIP) (string, error)
	// StreetZIPs appends the ZIPs of an area that have a street with the key, in
	// ascending order.
	StreetZIPs(ctx context.Context, area, key string, into []dataset.ZIP) ([]dataset.ZIP, error)
	// AreaKeys returns the keys of an area's streets in ascending order. The
	// caller only reads them.
	AreaKeys(ctx context.Context, area string) ([]string, error)
	// Aliases appends the other names of a ZIP's streets with the key.
	Aliases(ctx context.Context, zip dataset.ZIP, key string, into []Alias) ([]Alias, error)
	// AddOn appends the records that hold the add-on.
	AddOn(ctx context.Context, zip dataset.ZIP, p dataset.Plus4, into []Record) ([]Record, error)
	// Cities returns the names of a ZIP's place, the preferred one first; none
	// for a ZIP that does not exist. The caller only reads them.
	Cities(ctx context.Context, zip dataset.ZIP) ([]City, error)
	// CityZIPs appends the ZIPs of a city name in a state, whether mailing name or
	// not, in ascending order. The key is that of pub28.Key.
	CityZIPs(ctx context.Context, state, key string, into []dataset.ZIP) ([]dataset.ZIP, error)
	// CityKeys returns the keys of the names of a state's places. The caller
	// only reads them.
	CityKeys(ctx context.Context, state string) ([]string, error)
	// County returns the code and name of a county by its number in the state;
	// "" if unknown.
	County(state, number string) (fips, name string)
	// Class returns what kind of ZIP it is.
	Class(ctx context.Context, zip dataset.ZIP) (dataset.Class, error)
}
