package store

import (
	"sort"
	"strconv"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
)

// EntityKind is the kind of a named thing that suggestions contain in addition
// to codes.
type EntityKind uint8

// The kinds of entities, in the order of the table.
const (
	EntityState    EntityKind = iota + 1 // state, province or territory
	EntityPlace                          // municipality or census designated place
	EntityCity                           // city name of the United States Postal Service
	EntityCounty                         // county or county equivalent
	EntityCBSA                           // core based statistical area
	EntityDistrict                       // school district
	endOfEntityKinds
)

var entityKindNames = [endOfEntityKinds]string{
	EntityState: "state", EntityPlace: "place", EntityCity: "uspscity", EntityCounty: "county", EntityCBSA: "cbsa",
	EntityDistrict: "school_district",
}

// String returns the contract's name of the kind, e.g. "school_district", or
// "" for any other value.
func (k EntityKind) String() string {
	if k >= endOfEntityKinds {
		return ""
	}
	return entityKindNames[k]
}

// NoPopulation marks an unknown population.
const NoPopulation = -1

// An Entity is a place that people look for by its name.
type Entity struct {
	Kind       EntityKind
	Name       string   // as it is shown
	State      StateID  // of a CBSA the first of its title; 0 unknown
	County     CountyID // of a place or city; of a county itself; 0 unknown
	Ref        uint32   // of PlaceRef, or the number of a census subdivision, census division or LEAID; of states, CBSAs and counties of the United States their identifier; 0 for cities
	Population int32    `sql:"omitunknown"` // residents, or NoPopulation
	Prominence uint16   // fame, on a logarithmic scale
	Twin       int      `sql:"omitunknown"` // the city of the postal service that is this place, or the place that is this city; negative: none
	Location   geo.LatLng
	Box        geo.Box        // around the outline; empty without one
	ZIPs       []postcode.ZIP `sql:"-"` // of cities, and of places that are one; ascending
}

// Numbers of county subdivisions in [Entity.Ref], whose GEOIDs of ten digits exceed it: from
// state 43 on they do not fit 32 bits. The state is that of the entity and left out.
const (
	subdivisionRef   = 1_000_000_000
	subdivisionRange = 100_000_000 // of county and subdivision, without the state
)

// PlaceRef returns the [Entity.Ref] of the GEOID of a place or county subdivision, 0
// if it is not one.
func PlaceRef(geoid string) uint32 {
	const place, subdivision = 7, 10
	n, err := strconv.ParseUint(geoid, 10, 64)
	switch {
	case err == nil && len(geoid) == place:
		return uint32(n)
	case err == nil && len(geoid) == subdivision:
		return subdivisionRef + uint32(n%subdivisionRange)
	default:
		return 0
	}
}

// PlaceGEOID returns the GEOID of an [Entity.Ref] of a place, county subdivision or
// school district in the state with a FIPS code.
func PlaceGEOID(ref uint32, fips string) string {
	const place, subdivision = 7, 8 // digits
	var b [subdivision]byte
	n := ref % subdivisionRange
	for i := range b {
		b[subdivision-1-i] = byte('0' + n%10)
		n /= 10
	}
	if ref < subdivisionRef {
		return string(b[subdivision-place:])
	}
	return fips + string(b[:])
}

// EntityKeys are the keys of names in ascending order. Each has its entity and
// its position in [Entities.Text]. A key ends before the next line feed. Equal
// keys are sorted: names before other names of entities, then by falling
// prominence. They must not be changed.
type EntityKeys struct {
	Offset []uint32
	Entity []uint32 // with AliasKey if the key is not of the name itself
}

// AliasKey is set in EntityKeys.Entity for keys of other names.
const AliasKey = 1 << 31

// Entities are the named things of a dataset that suggestions find, with the
// keys of their names. All methods may be called on nil, which holds none.
type Entities struct {
	Text   string     // the keys of the names, a line feed after each
	Starts EntityKeys // from the first word of each name
	Inner  EntityKeys // from each later word of a name to its end
	Joined EntityKeys // of names of several words, as one word

	rows []Entity
}

// Entities returns the entities, or nil if the dataset has none.
func (d *Dataset) Entities() *Entities {
	d.Need(SectionEntities)
	return d.entities
}

// Len returns the number of entities.
func (t *Entities) Len() int {
	if t == nil {
		return 0
	}
	return len(t.rows)
}

// At returns the entity with the number. It must not be changed.
func (t *Entities) At(i int) *Entity { return &t.rows[i] }

// Named returns the entities that have a key in a list of keys, as in
// [EntityKeys.Entity]. The result must not be changed.
func (t *Entities) Named(list *EntityKeys, key string) []uint32 {
	lo := sort.Search(len(list.Offset), func(i int) bool { return t.Key(list.Offset[i]) >= key })
	hi := lo
	for hi < len(list.Offset) && t.Key(list.Offset[hi]) == key {
		hi++
	}
	return list.Entity[lo:hi:hi]
}
