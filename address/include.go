package address

import (
	"slices"

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

// ParseInclude reads the flags of the contract's include parameter:
// coordinates, census, cd, state_leg, school_district and
// acs_tract_{profile} with an optional year. Each string may hold several
// flags divided by commas. unknown holds the flags that mean nothing for
// addresses, in normal form, in their order, each once.
func ParseInclude(flags []string) (inc Include, unknown []string) {
	return ParseIncludeUntil(flags, acs.LastYear)
}

// ParseIncludeUntil reads what [ParseInclude] does, with newest as the newest
// year of tract profiles, for datasets that hold later ones than the contract
// names; see [lookup.Reader.LastTractYear].
func ParseIncludeUntil(flags []string, newest int) (inc Include, unknown []string) {
	for _, flag := range envelope.ParseFlags(flags...) {
		if on := inc.member(flag); on != nil {
			*on = true
		} else if tag, err := acs.ParseTractTag(flag, newest); err == nil {
			if !slices.Contains(inc.Tract, tag) {
				inc.Tract = append(inc.Tract, tag)
			}
		} else {
			unknown = append(unknown, flag)
		}
	}
	return inc, unknown
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
		flags = append(flags, t.TractFlag())
	}
	return flags
}
