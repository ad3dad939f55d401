package suggest

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// A Type is the type of a match.
type Type uint8

// The types of matches, the contract's in its order and electoral districts.
const (
	ZIP Type = iota + 1
	Place
	County
	CBSA
	FSA
	State
	SchoolDistrict
	Postal
	City
	ElectoralDistrict // congressional districts, federal electoral districts in Canada
	StreetAddress     // of the engine of addresses
	OwnArea           // area of a layer of the user, or of one without a type
	endOfTypes
)

// String returns the contract's name of the type, e.g. "school_district", or
// "" for any other value.
func (t Type) String() string {
	if t >= endOfTypes {
		return ""
	}
	return typeNames[t]
}

var typeNames = [endOfTypes]string{"", "zip", "place", "county", "cbsa", "fsa", "state", "school_district", "ca_postal", "uspscity", "cd", "address", "layer"}

// MarshalText returns the contract's name.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads the contract's name.
func (t *Type) UnmarshalText(text []byte) error {
	for i, name := range typeNames {
		if i > 0 && name == string(text) {
			*t = Type(i)
			return nil
		}
	}
	return fmt.Errorf("suggest: type %q, expected one of %s", text, strings.Join(typeNames[1:], ", "))
}

// Types is a set of types. The empty set means the nine types of the contract.
type Types uint16

// allTypes are all bits with a meaning.
const allTypes = Types(1<<endOfTypes - 2)

// TypesOf returns the set of the given types.
func TypesOf(types ...Type) Types {
	var s Types
	for _, t := range types {
		s |= 1 << t
	}
	return s
}

// Has reports whether the set contains the type.
func (s Types) Has(t Type) bool { return s == 0 && t <= City || s>>t&1 == 1 }

// String returns the names separated by commas, in the contract's order, or ""
// for the empty set.
func (s Types) String() string {
	var names []string
	for t := ZIP; t < endOfTypes; t++ {
		if s>>t&1 == 1 {
			names = append(names, t.String())
		}
	}
	return strings.Join(names, ",")
}

func expectedTypes() string { return "one of " + strings.Join(typeNames[1:], ", ") }

// ParseTypes reads the contract's include parameter. Each string may hold
// several names separated by commas. Spaces and letter case are ignored, and
// hyphens mean underscores. The error matches [fault.ErrInvalidParam].
func ParseTypes(flags []string) (Types, error) {
	var s Types
	for _, f := range envelope.ParseFlags(flags...) {
		var t Type
		if err := t.UnmarshalText([]byte(f)); err != nil {
			return 0, invalid("include", f, expectedTypes())
		}
		s |= 1 << t
	}
	return s, nil
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
	// Include restricts the types of matches. The zero value means the nine types of
	// the contract, and [ElectoralDistrict] for a query such as "CA-12".
	Include Types
	// Layers are layers of the user, without "layers.", whose areas are matches too, and
	// "puma", "urban_area" and "tribal_area". Without any, [OwnArea] means the areas of all.
	Layers []string
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
	return &fault.Error{Op: "suggest", Kind: fault.InvalidParam, Param: param, Input: given, Range: expected}
}

func typeOf(k store.EntityKind) Type {
	switch k {
	case store.EntityState:
		return State
	case store.EntityPlace:
		return Place
	case store.EntityCity:
		return City
	case store.EntityCounty:
		return County
	case store.EntityCBSA:
		return CBSA
	case store.EntityDistrict:
		return SchoolDistrict
	default:
		return 0
	}
}
