package address

import (
	"slices"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// Include selects the enrichments of a match, taken at the point of the matched
// record. The zero value selects none.
type Include struct {
	Coordinates           bool      // the position of the address
	Census                bool      // census areas around it
	CongressionalDistrict bool      // the district, or in Canada the federal electoral district
	StateLegislative      bool      // districts of the state's chambers
	SchoolDistrict        bool      // school districts
	Layers                []string  // layers of the user, without "layers."
	CongressNext          bool      // districts of the following Congress
	StateLegislativeNext  bool      // districts of the following plan
	Likely                bool      // probabilities of the areas of the requested families (decision D81)
	Tract                 []acs.Tag // profiles of the tract around the point

	// Plans selects the plans of districts.
	Plans lookup.PlanOptions
}

// ParseInclude reads the flags of the contract's include parameter:
// coordinates, census, cd, state_leg, school_district, cd_next, state_leg_next, likely,
// layers.NAME, and acs_tract_{profile} with an optional year. Each string may hold several
// flags separated by commas. unknown holds the unknown flags in normal form and
// input order, each once. A last year replaces
// [acs.LastYear], for datasets that hold later ones than the contract names.
func ParseInclude(flags []string, last ...int) (inc Include, unknown []string) {
	newest := acs.LastYear
	for _, year := range last {
		newest = year
	}
	for _, flag := range envelope.ParseFlags(flags...) {
		if flag == "coordinates" {
			inc.Coordinates = true
		} else if tag, err := acs.ParseTractTag(flag, newest); err == nil {
			if !slices.Contains(inc.Tract, tag) {
				inc.Tract = append(inc.Tract, tag)
			}
		} else if !inc.family(flag) {
			unknown = append(unknown, flag)
		}
	}
	return inc, unknown
}

// family takes the flag of a boundary family, and reports whether it is one.
func (inc *Include) family(flag string) bool {
	parsed, unknown := lookup.ParseInclude(append(inc.families().Flags(), flag))
	family, rest := parsed.Families()
	if len(unknown) > 0 || !rest.IsZero() {
		return false
	}
	inc.Census, inc.CongressionalDistrict, inc.CongressNext = family.Census, family.CongressionalDistrict, family.CongressNext
	inc.StateLegislative, inc.StateLegislativeNext = family.StateLegislative, family.StateLegislativeNext
	inc.SchoolDistrict, inc.Layers = family.SchoolDistrict, family.Layers
	inc.Likely = family.Likely
	return true
}

func (inc *Include) families() lookup.Include {
	return lookup.Include{
		Census: inc.Census, CongressionalDistrict: inc.CongressionalDistrict,
		StateLegislative: inc.StateLegislative, SchoolDistrict: inc.SchoolDistrict, Layers: inc.Layers,
		CongressNext: inc.CongressNext, StateLegislativeNext: inc.StateLegislativeNext, Likely: inc.Likely, Plans: inc.Plans,
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
	flags := inc.families().Flags()
	for _, t := range inc.Tract {
		flags = append(flags, t.TractFlag())
	}
	return flags
}
