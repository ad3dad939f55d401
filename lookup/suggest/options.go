package suggest

import (
	"context"
	"net/netip"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// A Type is the type of a match, named as in the contract.
type Type string

// The types of matches, the contract's in its order and electoral districts.
const (
	ZIP               Type = "zip"
	Place             Type = "place"
	County            Type = "county"
	CBSA              Type = "cbsa"
	FSA               Type = "fsa"
	State             Type = "state"
	SchoolDistrict    Type = "school_district"
	Postal            Type = "ca_postal"
	City              Type = "uspscity"
	ElectoralDistrict Type = "cd"      // congressional districts, federal electoral districts in Canada
	StreetAddress     Type = "address" // of the engine of addresses
)

var types = [...]Type{"", ZIP, Place, County, CBSA, FSA, State, SchoolDistrict, Postal, City, ElectoralDistrict, StreetAddress}

type kind uint8

const (
	kindZIP kind = iota + 1
	kindPlace
	kindCounty
	kindCBSA
	kindFSA
	kindState
	kindDistrict
	kindPostal
	kindCity
	kindElectoral
	kindAddress
)

// kinds is a set of kinds. The empty set means the nine types of the contract.
type kinds uint16

// kindsOf returns the set of the given kinds.
func kindsOf(list ...kind) kinds {
	var s kinds
	for _, k := range list {
		s |= 1 << k
	}
	return s
}

// setOf returns the set of types. The error matches [envelope.ErrInvalidParam].
func setOf(list []Type) (kinds, error) {
	var s kinds
	for _, t := range list {
		k := slices.Index(types[:], t)
		if k <= 0 {
			return 0, invalid("include", string(t), expectedTypes())
		}
		s |= 1 << k
	}
	return s, nil
}

func (s kinds) has(k kind) bool { return s == 0 && k <= kindCity || s>>k&1 == 1 }

func expectedTypes() string {
	var names []string
	for _, t := range types[1:] {
		names = append(names, string(t))
	}
	return "one of " + strings.Join(names, ", ")
}

// ParseTypes reads the contract's include parameter. Each string may hold
// several names separated by commas. Spaces and letter case are ignored, and
// hyphens mean underscores. The error matches [envelope.ErrInvalidParam].
func ParseTypes(flags []string) (list []Type, err error) {
	for _, f := range envelope.ParseFlags(flags...) {
		list = append(list, Type(f))
	}
	_, err = setOf(list)
	return list, err
}

// The bounds of queries and limits.
const (
	MaxQueryLength = 200 // characters
	DefaultLimit   = 10
	MaxLimit       = 500
)

// Options configures [Engine.Suggest].
type Options struct {
	// Limit is the maximum number of matches, 1 to [MaxLimit]. Zero means
	// [DefaultLimit].
	Limit int
	// Include restricts the types of matches. An empty list means the nine types of
	// the contract, and [ElectoralDistrict] for a query such as "CA-12".
	Include []Type
	// State restricts matches to a US state or Canadian province, by its
	// abbreviation in any case. Empty means no restriction.
	State string
	// Country is "US" or "CA" in any case. Empty means both.
	Country string
	// Proximity ranks nearby matches higher. It is "auto", "latitude,longitude", an
	// IP address, an FSA, a five-digit ZIP, or the abbreviation of a state or
	// province. Empty disables it.
	Proximity string
	// Locator locates IP addresses. If nil, addresses and "auto" are ignored with a
	// notice.
	Locator Locator
	// Client is the address for "auto". The zero value means unknown.
	Client netip.Addr
}

// A Locator locates IP addresses. The result only affects the ranking.
type Locator interface {
	// LocateIP returns the point of the address, or false if it is unknown.
	LocateIP(ctx context.Context, addr netip.Addr) (geo.LatLng, bool)
}

const limitRange = "a whole number from 1 to 500"

// invalid returns the error of an option out of range.
func invalid(param, given, expected string) error {
	return &envelope.Failure{Op: "suggest", Kind: envelope.KindInvalidParam, Param: param, Input: given, Range: expected}
}

var typeOf = [...]kind{
	store.EntityState: kindState, store.EntityPlace: kindPlace, store.EntityCity: kindCity,
	store.EntityCounty: kindCounty, store.EntityCBSA: kindCBSA, store.EntityDistrict: kindDistrict,
}
