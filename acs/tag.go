package acs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/envelope"
)

// The years of the contract's series: the first and the last that it names. A
// dataset may hold later ones.
const (
	FirstYear = 2011
	LastYear  = 2024
)

// A Tag selects one profile of one year. Tags are comparable; the zero Tag
// selects nothing.
type Tag struct {
	Profile Profile
	Year    int // 2011 or later; 0 means the newest year of the dataset
}

func invalidTag(s, format string, args ...any) error {
	return &envelope.Failure{Op: "survey", Kind: envelope.KindInvalidParam, Param: "tag", Input: s, Range: fmt.Sprintf(format, args...)}
}

// ParseTag parses the flag of a level in lower case. That of [ZCTA] is "acs_{profile}" or
// "acs_{profile}_{year}", e.g. "acs_social" or "acs_social_2019", with years from 2011 to
// the newest: [LastYear], or a later one of the years of a dataset. That of [Tract] begins
// with "acs_tract_", and its year is one of the newest three; the newest equals no year.
// Errors match [envelope.ErrInvalidParam].
func ParseTag(s string, l Level, years ...int) (Tag, error) {
	newest := LastYear
	for _, y := range years {
		newest = max(newest, y)
	}
	if l != Tract {
		return parseTag(s, zctaFlag, FirstYear, newest)
	}
	t, err := parseTag(s, tractFlag, newest-tractYears+1, newest)
	if t.Year == newest { // the contract counts both flags once
		t.Year = 0
	}
	return t, err
}

// The beginnings of flags.
const (
	zctaFlag  = "acs_"
	tractFlag = "acs_tract_"
)

// CheckTags returns an error if a tag has an unknown profile or year. Years range
// from [FirstYear] to [LastYear], or to the newest year of the level.
func (r *Reader) CheckTags(l Level, tags []Tag) error {
	for _, t := range tags {
		last := max(LastYear, r.newest(l))
		if t.Profile < Demographic || t.Profile > Housing || t.Year != 0 && (t.Year < FirstYear || t.Year > last) {
			return &envelope.Failure{
				Op: "survey", Kind: envelope.KindInvalidParam, Param: "acs", Input: fmt.Sprintf("{Profile: %d, Year: %d}", t.Profile, t.Year),
				Range: fmt.Sprintf("a profile from Demographic to Housing and a year from %d to %d, or 0 for the newest", FirstYear, last),
			}
		}
	}
	return nil
}

// tractYears is the number of years that tract flags accept: the contract has 2022 to 2024.
const tractYears = 3

func parseTag(s, prefix string, first, last int) (Tag, error) {
	rest, ok := strings.CutPrefix(s, prefix)
	if !ok {
		return Tag{}, invalidTag(s, "a flag that begins with %s", prefix)
	}
	name, suffix, dated := strings.Cut(rest, "_")
	p, ok := ParseProfile(name)
	if !ok {
		return Tag{}, invalidTag(s, "%[1]sdemographic, %[1]ssocial, %[1]seconomic or %[1]shousing", prefix)
	}
	if !dated {
		return Tag{Profile: p}, nil
	}
	year, ok := parseYear(suffix)
	if !ok || year < first || year > last {
		return Tag{}, invalidTag(s, "a year from %d to %d", first, last)
	}
	return Tag{Profile: p, Year: year}, nil
}

// parseYear reads exactly four digits.
func parseYear(s string) (int, bool) {
	y, err := strconv.ParseUint(s, 10, 16)
	return int(y), err == nil && len(s) == 4
}

// String returns the flag of [ZCTA].
func (t Tag) String() string { return t.Flag(ZCTA) }

// Flag returns the flag of a level that [ParseTag] accepts, or "" for the zero Tag.
func (t Tag) Flag(l Level) string {
	flag := zctaFlag
	if l == Tract {
		flag = tractFlag
	}
	switch {
	case t.Profile.String() == "":
		return ""
	case t.Year == 0:
		return flag + t.Profile.String()
	default:
		return fmt.Sprintf("%s%s_%d", flag, t.Profile, t.Year)
	}
}
