package acs

import (
	"errors"
	"fmt"
	"strings"
)

// The years of the 5-year estimates that a tag can name: the first and the
// last year of the contract's series.
const (
	FirstYear = 2011
	LastYear  = 2024
)

// A Tag asks for one profile of one year. Tags are comparable; the zero Tag
// asks for nothing.
type Tag struct {
	Profile Profile
	Year    uint16 // 2011 to 2024; 0 means the newest year of the dataset
}

// ErrInvalidTag is matched by every error about text that is no tag.
var ErrInvalidTag = errors.New("acs: invalid tag")

// ParseTag reads "acs_{profile}" or "acs_{profile}_{year}" in lower case, e.g.
// "acs_social" or "acs_social_2019". Errors match [ErrInvalidTag].
func ParseTag(s string) (Tag, error) {
	rest, ok := strings.CutPrefix(s, "acs_")
	if !ok {
		return Tag{}, fmt.Errorf("%w: %q does not begin with acs_", ErrInvalidTag, s)
	}
	name, suffix, dated := strings.Cut(rest, "_")
	p, ok := ParseProfile(name)
	if !ok {
		return Tag{}, fmt.Errorf("%w: %q; expected acs_demographic, acs_social, acs_economic or acs_housing", ErrInvalidTag, s)
	}
	if !dated {
		return Tag{Profile: p}, nil
	}
	year, ok := parseYear(suffix)
	if !ok {
		return Tag{}, fmt.Errorf("%w: %q; expected a year from %d to %d", ErrInvalidTag, s, FirstYear, LastYear)
	}
	return Tag{Profile: p, Year: year}, nil
}

// parseYear reads exactly four digits that make a year of the series.
func parseYear(s string) (uint16, bool) {
	if len(s) != 4 {
		return 0, false
	}
	var y uint16
	for i := range 4 {
		d := s[i] - '0'
		if d > 9 {
			return 0, false
		}
		y = y*10 + uint16(d)
	}
	return y, y >= FirstYear && y <= LastYear
}

// String returns the flag, which [ParseTag] reads back; "" for the zero Tag.
func (t Tag) String() string {
	switch {
	case t.Profile.String() == "":
		return ""
	case t.Year == 0:
		return "acs_" + t.Profile.String()
	default:
		return fmt.Sprintf("acs_%s_%d", t.Profile, t.Year)
	}
}
