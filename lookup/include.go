package lookup

import (
	"slices"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
)

// Include selects the enrichments of a full record. The zero value selects
// none.
type Include struct {
	Timezone              bool // time zone of the code
	Census                bool // census areas
	CongressionalDistrict bool // in Canada the federal electoral district
	StateLegislative      bool // districts of the state's chambers
	SchoolDistrict        bool // school districts
	Demographics          bool // people, households and businesses
	Medicare              bool // Medicare areas
	Quality               bool // sources and reliability of the record's data
	CongressNext          bool // districts of the plan after that of CongressionalDistrict
	StateLegislativeNext  bool // districts of the plan after that of StateLegislative
	Likely                bool // probabilities of the areas of the requested families (decision D81)
	ACS                   []acs.Tag
	Layers                []string // layers of the user, without "layers.", and those of the catalog without a family, such as "urban_area"

	// Plans selects the plans of districts. Lookups take it from their options.
	Plans PlanOptions
}

// ParseInclude reads the flags of the contract's include parameter: timezone,
// census, cd, state_leg, school_district, demographics, medicare and
// acs_{profile} with an optional year. It also reads quality, cd_next and
// state_leg_next (decisions D63 and D64), likely (D81), and layers.NAME for layers of the user. The
// layers puma, urban_area, tribal_area and voting_district need no prefix. Each string
// may hold several flags separated by commas. Spaces, letter case, hyphens for underscores and
// repetitions do not matter. unknown holds the unknown flags in normal form and
// input order, each once. A last year replaces
// [acs.LastYear], for datasets that hold later ones than the contract names.
func ParseInclude(flags []string, last ...int) (inc Include, unknown []string) {
	newest := acs.LastYear
	for _, year := range last {
		newest = year
	}
	for _, flag := range envelope.ParseFlags(flags...) {
		if i := slices.Index(plainFlags[:], flag); i >= 0 {
			*inc.plain()[i] = true
		} else if inc.ownLayer(flag) {
			continue
		} else if tag, err := acs.ParseTag(flag, newest); err == nil {
			inc.ACS = append(inc.ACS, tag)
		} else {
			unknown = append(unknown, flag)
		}
	}
	return inc, unknown
}

// plainFlags are the flags without a year, in the contract's order, those that
// it lacks last.
var plainFlags = [...]string{"timezone", "census", "cd", "state_leg", "school_district", "demographics", "medicare", "quality", "cd_next", "state_leg_next", "likely"}

// plain returns the fields of plainFlags.
func (inc *Include) plain() [len(plainFlags)]*bool {
	return [...]*bool{
		&inc.Timezone, &inc.Census, &inc.CongressionalDistrict, &inc.StateLegislative, &inc.SchoolDistrict,
		&inc.Demographics, &inc.Medicare, &inc.Quality, &inc.CongressNext, &inc.StateLegislativeNext, &inc.Likely,
	}
}

// Flags returns the flags that [ParseInclude] reads back, in the contract's
// order; layers of the user and ACS tags keep theirs. It is nil for the zero
// Include.
func (inc Include) Flags() []string {
	var flags []string
	for i, on := range inc.plain() {
		if *on {
			flags = append(flags, plainFlags[i])
		}
	}
	for _, name := range inc.Layers {
		flags = append(flags, ownFlag+name)
	}
	for _, t := range inc.ACS {
		flags = append(flags, t.String())
	}
	return flags
}

// Families separates the boundary families, which exist for any point, from the
// rest.
func (inc Include) Families() (families, rest Include) {
	families = Include{
		Census: inc.Census, CongressionalDistrict: inc.CongressionalDistrict, CongressNext: inc.CongressNext,
		StateLegislative: inc.StateLegislative, StateLegislativeNext: inc.StateLegislativeNext, SchoolDistrict: inc.SchoolDistrict, Layers: inc.Layers, Likely: inc.Likely, Plans: inc.Plans,
	}
	rest = inc
	rest.Census, rest.CongressionalDistrict, rest.CongressNext = false, false, false
	rest.StateLegislative, rest.StateLegislativeNext, rest.SchoolDistrict, rest.Layers, rest.Likely = false, false, false, nil, false
	return families, rest
}

// IsZero reports whether no enrichment is selected.
func (inc Include) IsZero() bool {
	return !inc.Timezone && !inc.Census && !inc.CongressionalDistrict && !inc.StateLegislative && !inc.SchoolDistrict &&
		!inc.Demographics && !inc.Medicare && !inc.Quality && !inc.CongressNext && !inc.StateLegislativeNext && !inc.Likely &&
		len(inc.ACS) == 0 && len(inc.Layers) == 0
}

// Delivered returns the enrichments of the record, including families without
// an area.
func (r *Record) Delivered() Include {
	inc := Include{
		Timezone:     r.Timezone != nil,
		Demographics: r.Demographics != nil,
		Medicare:     r.Medicare != nil,
		Quality:      r.Quality != nil,
		ACS:          r.ACS.Tags(),
	}
	r.delivered(&inc)
	return inc
}
