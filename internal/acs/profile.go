package acs

import "github.com/postgeo/postgeo/internal/enum"

// A Profile is one of the four data profiles of the American Community Survey.
// The zero Profile is not valid.
type Profile uint8

// The data profiles.
const (
	Demographic Profile = iota + 1 // table DP05
	Social                         // table DP02
	Economic                       // table DP03
	Housing                        // table DP04
)

// AllProfiles returns the four profiles in the contract's order.
func AllProfiles() [4]Profile { return [...]Profile{Demographic, Social, Economic, Housing} }

var profileNames = enum.Names[Profile]{Demographic: "demographic", Social: "social", Economic: "economic", Housing: "housing"}

// String returns the profile's name in flags and keys, e.g. "social", or "" for
// an invalid profile.
func (p Profile) String() string { return profileNames.Of(p) }

var profileTables = enum.Names[Profile]{Demographic: "DP05", Social: "DP02", Economic: "DP03", Housing: "DP04"}

// Table returns the profile's table, e.g. "DP02", or "" for an invalid profile.
func (p Profile) Table() string { return profileTables.Of(p) }

// ParseProfile parses the result of [Profile.String].
func ParseProfile(s string) (Profile, bool) {
	return profileNames.Find(s)
}

// ProfileOfTable returns the profile of a table such as "DP02".
func ProfileOfTable(table string) (Profile, bool) {
	return profileTables.Find(table)
}
