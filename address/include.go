package address

import (
	"slices"
	"time"

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
	Tract                 []acs.Tag // profiles of the tract around the point
}

// Options configures a match. The zero value adds nothing.
type Options struct {
	// Include selects the enrichments. Those that the dataset lacks at the
	// point of the record are listed in a notice ENRICHMENT_UNAVAILABLE.
	Include Include
	// Likely adds the probabilities of the areas of the requested families, or of all
	// without one.
	Likely bool
	// At is the time of the call. Zero means now.
	At time.Time
	// AsOf selects the plans of districts in force on the day in UTC. Zero means the day
	// of At.
	AsOf time.Time
	// Plan is the ID of a plan of districts, such as "cd120", which replaces the plan of
	// the day in its states. The error for an unknown one matches
	// [envelope.ErrInvalidParam].
	Plan string
}

// ParseOptions reads the flags of the contract's include parameter:
// coordinates, census, cd, state_leg, school_district, cd_next, state_leg_next, likely,
// layers.NAME, and acs_tract_{profile} with an optional year. Each string may hold several
// flags separated by commas. unknown holds the unknown flags in normal form and
// input order, each once. The years of a dataset, as
// postgeo.DB.ACSYears returns them, allow later years than [acs.LastYear].
func ParseOptions(flags []string, years ...int) (opt Options, unknown []string) {
	inc := &opt.Include
	for _, flag := range envelope.ParseFlags(flags...) {
		if flag == "coordinates" {
			inc.Coordinates = true
		} else if tag, err := acs.ParseTag(flag, acs.Tract, years...); err == nil {
			if !slices.Contains(inc.Tract, tag) {
				inc.Tract = append(inc.Tract, tag)
			}
		} else if !opt.family(flag) {
			unknown = append(unknown, flag)
		}
	}
	return opt, unknown
}

// family takes the flag of a boundary family, and reports whether it is one.
func (o *Options) family(flag string) bool {
	have := o.families()
	parsed, unknown := lookup.ParseOptions(append(have.Flags(), flag))
	inc, family := &o.Include, &parsed.Include
	if len(unknown) > 0 || family.Timezone || family.Demographics || family.Medicare || family.Quality || len(family.ACS) > 0 {
		return false
	}
	inc.Census, inc.CongressionalDistrict, inc.CongressNext = family.Census, family.CongressionalDistrict, family.CongressNext
	inc.StateLegislative, inc.StateLegislativeNext = family.StateLegislative, family.StateLegislativeNext
	inc.SchoolDistrict, inc.Layers, o.Likely = family.SchoolDistrict, family.Layers, parsed.Likely
	return true
}

func (o *Options) families() lookup.Options {
	inc := &o.Include
	return lookup.Options{
		Include: lookup.Include{
			Census: inc.Census, CongressionalDistrict: inc.CongressionalDistrict,
			StateLegislative: inc.StateLegislative, SchoolDistrict: inc.SchoolDistrict, Layers: inc.Layers,
			CongressNext: inc.CongressNext, StateLegislativeNext: inc.StateLegislativeNext,
		},
		Likely: o.Likely, At: o.At, AsOf: o.AsOf, Plan: o.Plan,
	}
}

// Flags returns the flags that [ParseOptions] reads back, in the contract's
// order; nil if nothing is selected.
func (o Options) Flags() []string {
	var flags []string
	if o.Include.Coordinates {
		flags = append(flags, "coordinates")
	}
	return append(flags, o.Enrichments()...)
}

// Enrichments returns the flags of boundaries and tract profiles, which are
// charged when they are delivered.
func (o Options) Enrichments() []string {
	flags := o.families().Flags()
	for _, t := range o.Include.Tract {
		flags = append(flags, t.Flag(acs.Tract))
	}
	return flags
}
