package acs

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

// String returns the profile's name in flags and keys, e.g. "social", or "" for
// an invalid profile.
func (p Profile) String() string {
	switch p {
	case Demographic:
		return "demographic"
	case Social:
		return "social"
	case Economic:
		return "economic"
	case Housing:
		return "housing"
	default:
		return ""
	}
}

// Table returns the profile's table, e.g. "DP02", or "" for an invalid profile.
func (p Profile) Table() string {
	switch p {
	case Demographic:
		return "DP05"
	case Social:
		return "DP02"
	case Economic:
		return "DP03"
	case Housing:
		return "DP04"
	default:
		return ""
	}
}

// ParseProfile parses the result of [Profile.String].
func ParseProfile(s string) (Profile, bool) {
	for _, p := range AllProfiles() {
		if p.String() == s {
			return p, true
		}
	}
	return 0, false
}

// ProfileOfTable returns the profile of a table such as "DP02".
func ProfileOfTable(table string) (Profile, bool) {
	for _, p := range AllProfiles() {
		if p.Table() == table {
			return p, true
		}
	}
	return 0, false
}
