package lookup

import (
	"slices"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/store"
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
	ACS                   []acs.Tag
	Layers                []string // layers of the user, without "layers.", and those of the catalog without a family, such as "urban_area"
}

// Options selects the additions to a full lookup.
type Options struct {
	// Include selects the enrichments. A notice ENRICHMENT_UNAVAILABLE names
	// those that the dataset lacks for the code.
	Include Include
	// Likely adds the probabilities of the areas of the requested families, or of all
	// without one.
	Likely bool
	// ACS selects the fields of blocks of the American Community Survey. The
	// zero value selects the contract's.
	ACS acs.Options
	// At is the start of the twelve months of time zone rules. Zero means now.
	At time.Time
	// AsOf selects the plans of districts in force on the day in UTC. It is unavailable
	// for a day before the first plan. Zero means the day of At.
	AsOf time.Time
	// Plan is the ID of a plan of districts, such as "cd120", which replaces the
	// plan of the day in its states. The error for an unknown one matches
	// [envelope.ErrInvalidParam].
	Plan string
}

// ParseOptions reads the flags of the contract's include parameter: timezone,
// census, cd, state_leg, school_district, demographics, medicare and
// acs_{profile} with an optional year. It also reads quality, cd_next and
// state_leg_next, likely, and layers.NAME for layers of the user. The
// layers puma, urban_area, tribal_area and voting_district need no prefix. Each string
// may hold several flags separated by commas. Spaces, letter case, hyphens for underscores and
// repetitions do not matter. unknown holds the unknown flags in normal form and
// input order, each once. The years of a dataset, as
// postgeo.DB.ACSYears returns them, allow later years than [acs.LastYear].
func ParseOptions(flags []string, years ...int) (opt Options, unknown []string) {
	inc := &opt.Include
	for _, flag := range envelope.ParseFlags(flags...) {
		if i := slices.Index(plainFlags[:], flag); i >= 0 {
			*opt.plain()[i] = true
		} else if name, ok := store.LayerFlag(flag); ok {
			if !slices.Contains(inc.Layers, name) {
				inc.Layers = append(inc.Layers, name)
			}
		} else if tag, err := acs.ParseTag(flag, acs.ZCTA, years...); err == nil {
			inc.ACS = append(inc.ACS, tag)
		} else {
			unknown = append(unknown, flag)
		}
	}
	return opt, unknown
}

// plainFlags are the flags without a year, in the contract's order, those that
// it lacks last.
var plainFlags = [...]string{"timezone", "census", "cd", "state_leg", "school_district", "demographics", "medicare", "quality", "cd_next", "state_leg_next", "likely"}

// plain returns the fields of plainFlags.
func (o *Options) plain() [len(plainFlags)]*bool {
	inc := &o.Include
	return [...]*bool{
		&inc.Timezone, &inc.Census, &inc.CongressionalDistrict, &inc.StateLegislative, &inc.SchoolDistrict,
		&inc.Demographics, &inc.Medicare, &inc.Quality, &inc.CongressNext, &inc.StateLegislativeNext, &o.Likely,
	}
}

// layerFlag begins the flags of layers of the user.
const layerFlag = "layers."

// Flags returns the flags that [ParseOptions] reads back, in the contract's
// order; layers of the user and ACS tags keep theirs. It is nil if no enrichment is
// selected.
func (o Options) Flags() []string {
	var flags []string
	for i, on := range o.plain() {
		if *on {
			flags = append(flags, plainFlags[i])
		}
	}
	for _, name := range o.Include.Layers {
		flags = append(flags, layerFlag+name)
	}
	for _, t := range o.Include.ACS {
		flags = append(flags, t.Flag(acs.ZCTA))
	}
	return flags
}

// families returns the boundary families, which exist for any point.
func (o *Options) families() Options {
	inc, f := &o.Include, *o
	f.Include = Include{
		Census: inc.Census, CongressionalDistrict: inc.CongressionalDistrict, CongressNext: inc.CongressNext,
		StateLegislative: inc.StateLegislative, StateLegislativeNext: inc.StateLegislativeNext, SchoolDistrict: inc.SchoolDistrict, Layers: inc.Layers,
	}
	return f
}

// boundaries reports whether a boundary family is requested.
func (o *Options) boundaries() bool {
	inc := &o.Include
	return inc.Census || inc.CongressionalDistrict || inc.CongressNext || inc.StateLegislative || inc.StateLegislativeNext ||
		inc.SchoolDistrict || o.Likely || len(inc.Layers) > 0
}

// Delivered returns the flags of the enrichments of the record, including families
// without an area.
func (r *Record) Delivered() []string {
	opt := Options{Include: Include{
		Timezone:     r.Timezone != nil,
		Demographics: r.Demographics != nil,
		Medicare:     r.Medicare != nil,
		Quality:      r.Quality != nil,
	}}
	for i := range r.ACS {
		for _, p := range acs.AllProfiles() {
			tag := acs.Tag{Profile: p, Year: r.ACS[i].Year}
			if r.ACS[i].Current {
				tag.Year = 0
			}
			if r.ACS[i].Has(p) {
				opt.Include.ACS = append(opt.Include.ACS, tag)
			}
		}
	}
	r.delivered(&opt)
	return opt.Flags()
}
