package address

import (
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
)

// Include says which enrichments a match shall carry, all of them taken at the
// point of the matched record. The zero value asks for none.
type Include struct {
	Coordinates           bool
	Census                bool
	CongressionalDistrict bool
	StateLegislative      bool
	SchoolDistrict        bool
	Tract                 []acs.Tag // profiles of the tract around the point
}

// tractFlag begins the flags of tract profiles.
const tractFlag = "acs_tract_"

// The years of which tract profiles can be asked for: the newest of the
// contract's series, which is the same as no year, and the two before it.
const (
	newestTractYear = acs.LastYear
	oldestTractYear = acs.LastYear - 2
)

// ParseInclude reads the flags of the contract's include parameter:
// coordinates, census, cd, state_leg, school_district and
// acs_tract_{profile} with an optional year. Each string may hold several
// flags divided by commas. unknown holds the flags that mean nothing for
// addresses, in normal form, in their order, each once.
func ParseInclude(flags []string) (inc Include, unknown []string) {
	for _, flag := range envelope.ParseFlags(flags...) {
		if on := inc.member(flag); on != nil {
			*on = true
		} else if tag, ok := parseTract(flag); ok {
			if !slices.Contains(inc.Tract, tag) {
				inc.Tract = append(inc.Tract, tag)
			}
		} else {
			unknown = append(unknown, flag)
		}
	}
	return inc, unknown
}

// parseTract reads the flag of a tract profile. The newest year and none are
// one tag.
func parseTract(flag string) (acs.Tag, bool) {
	rest, ok := strings.CutPrefix(flag, tractFlag)
	if !ok {
		return acs.Tag{}, false
	}
	tag, err := acs.ParseTag("acs_" + rest)
	if err != nil || tag.Year != 0 && (tag.Year < oldestTractYear || tag.Year > newestTractYear) {
		return acs.Tag{}, false
	}
	if tag.Year == newestTractYear {
		tag.Year = 0
	}
	return tag, true
}

// member returns the field of a flag without a year, or nil.
func (inc *Include) member(flag string) *bool {
	switch flag {
	case "coordinates":
		return &inc.Coordinates
	case "census":
		return &inc.Census
	case "cd":
		return &inc.CongressionalDistrict
	case "state_leg":
		return &inc.StateLegislative
	case "school_district":
		return &inc.SchoolDistrict
	default:
		return nil
	}
}

// Flags returns the flags that [ParseInclude] reads back, in the contract's
// order; nil for the zero Include.
func (inc Include) Flags() []string {
	var flags []string
	if inc.Coordinates {
		flags = append(flags, "coordinates")
	}
	return append(flags, inc.Enrichments()...)
}

// Enrichments returns the flags of boundaries and tract profiles, which are
// charged when they are delivered.
func (inc Include) Enrichments() []string {
	var flags []string
	for _, f := range [...]string{"census", "cd", "state_leg", "school_district"} {
		if *inc.member(f) {
			flags = append(flags, f)
		}
	}
	for _, t := range inc.Tract {
		flags = append(flags, tractName(t))
	}
	return flags
}

// tractName returns the flag of a tract profile.
func tractName(t acs.Tag) string {
	if t.Year == 0 {
		return tractFlag + t.Profile.String()
	}
	return fmt.Sprintf("%s%s_%d", tractFlag, t.Profile, t.Year)
}
