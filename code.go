package postgeo

import (
	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/lookup/suggest"
	"github.com/postgeo/postgeo/internal/radius"
)

// Code is a parsed code or coordinate. Equal inputs in different spelling have equal
// Codes.
//
//	type Code struct {
//	}
//	func (c Code) Type() CodeType
//	func (c Code) IsValid() bool
//	func (c Code) ZIP() dataset.ZIP
//	func (c Code) Plus4() dataset.Plus4
//	func (c Code) FSA() dataset.FSA
//	func (c Code) PostalCode() dataset.PostalCode
//	func (c Code) LatLng() geo.LatLng
//	func (c Code) Parent() Code
//	func (c Code) String() string
//	func (c Code) Normalizes(input string) bool
//	func (c Code) Thing() fault.Thing
type Code = lookup.Code

// CodeType is the kind of a code.
//
//	type CodeType uint8
//	const ZIP, ZIP4, FSA, Postal, Coordinates
//	func (t CodeType) String() string
type CodeType = lookup.CodeType

// The kinds of codes.
const (
	ZIP         = lookup.ZIP
	ZIP4        = lookup.ZIP4
	FSA         = lookup.FSA
	Postal      = lookup.Postal
	Coordinates = lookup.Coordinates
)

// ParseCode reads a code or "latitude,longitude". Letter case, dashes and spaces may
// vary. The code need not exist. Errors match [ErrInvalidCode].
func ParseCode(s string) (Code, error) { return lookup.ParseCode(s) }

// ParseInclude reads the names of enrichments, such as "census" or
// "acs_social_2019", and returns those that it does not recognize.
func ParseInclude(names []string) (inc Include, unknown []string) {
	return lookup.ParseInclude(names)
}

// ParseRadiusInclude is [ParseInclude] for radius searches.
func ParseRadiusInclude(names []string) (inc RadiusInclude, unknown []string) {
	return radius.ParseInclude(names)
}

// ParseAddressInclude is [ParseInclude] for address matches.
func ParseAddressInclude(names []string) (inc AddressInclude, unknown []string) {
	return address.ParseInclude(names)
}

// SuggestTypes is a set of types of suggestions.
//
//	type Types uint16
//	func (s Types) Has(t Type) bool
//	func (s Types) String() string
type SuggestTypes = suggest.Types

// ParseSuggestTypes reads the names of types, such as "zip" or "county".
func ParseSuggestTypes(names []string) (SuggestTypes, error) { return suggest.ParseTypes(names) }
