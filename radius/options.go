package radius

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// The limits of a search.
const (
	// MaxCentroidMiles is the largest radius in centroid mode.
	MaxCentroidMiles geo.Miles = 500
	// MaxSpatialMiles is the largest radius in spatial mode.
	MaxSpatialMiles geo.Miles = 250
	// MaxMatches is the most matches that a search in centroid mode returns.
	MaxMatches = 10_000
)

// Mode selects codes by their points or by their areas. The zero Mode is [Centroid].
type Mode string

// The modes.
const (
	// Centroid finds the US ZIPs and full Canadian postal codes whose points
	// lie inside.
	Centroid Mode = "centroid"
	// Spatial finds the US ZIPs and FSAs whose areas lie inside to any part.
	Spatial Mode = "spatial"
)

func (m Mode) maxMiles() geo.Miles {
	if m == Spatial {
		return MaxSpatialMiles
	}
	return MaxCentroidMiles
}

// Auto is a rule that finds the radius. The zero Auto is none.
type Auto string

// The automatic rules.
const (
	// Density takes the radius that would hold 250,000 people at the density
	// around the center, 3 to 150 miles.
	Density Auto = "density"
	// Commute takes how far the people at the center travel to work, 3 to 100
	// miles, or Density if that is unknown.
	Commute Auto = "commute"
)

// ParseMax reads the contract's parameter max: a number of miles, "auto" or
// "auto-commute"; one of the results is zero. Whether the number suits the
// mode is left to the search. The error matches [envelope.ErrInvalidParam].
func ParseMax(s string) (geo.Miles, Auto, error) {
	switch s = strings.TrimSpace(s); s {
	case "auto":
		return 0, Density, nil
	case "auto-commute":
		return 0, Commute, nil
	}
	v, ok := parseNumber(s)
	if !ok || v <= 0 {
		return 0, "", invalid(op, "max", s, expectedMax(Centroid))
	}
	return geo.Miles(v), "", nil
}

// parseNumber reads a finite decimal number.
func parseNumber(s string) (float64, bool) {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0)
}

// An Include selects the additions to a search. The zero value adds nothing.
type Include struct {
	Timezone bool      // the time zone of each match
	ACS      []acs.Tag // aggregates of the matches
	Layers   []string  // layers of the user of each match, without "layers."
	// Dropped are flags that are known but have no meaning for a search:
	// census, cd, state_leg, school_district and geography. [ParseInclude] sets
	// them. They are named in the notice ENRICHMENT_UNAVAILABLE and cost nothing.
	Dropped []string
}

// droppedFlags are known flags that a search never serves.
var droppedFlags = [...]string{"census", "cd", "state_leg", "school_district", "geography"}

// ParseInclude reads the flags of the contract's include parameter for a
// search: timezone, acs_{profile} with an optional year, and layers.NAME.
// Those that a search drops are in Dropped. Each string may have several flags,
// separated by commas. Spaces, letter case, repetitions, and hyphens for underscores have no effect.
// unknown lists the other flags in normal form, each once. The years of a dataset, as
// postgeo.DB.ACSYears returns them, allow later years than [acs.LastYear].
func ParseInclude(flags []string, years ...int) (inc Include, unknown []string) {
next:
	for _, flag := range envelope.ParseFlags(flags...) {
		if flag == "timezone" {
			inc.Timezone = true
			continue
		}
		for _, d := range droppedFlags {
			if flag == d {
				inc.Dropped = append(inc.Dropped, flag)
				continue next
			}
		}
		if name, ok := store.LayerFlag(flag); ok {
			inc.Layers = append(inc.Layers, name)
		} else if tag, err := acs.ParseTag(flag, acs.ZCTA, years...); err == nil {
			inc.ACS = append(inc.ACS, tag)
		} else {
			unknown = append(unknown, flag)
		}
	}
	return inc, unknown
}

// Flags returns the flags that a search may be charged for.
func (inc *Include) Flags() (flags []string) {
	if inc.Timezone {
		flags = append(flags, "timezone")
	}
	for _, tag := range inc.ACS {
		flags = append(flags, tag.Flag(acs.ZCTA))
	}
	for _, name := range inc.Layers {
		flags = append(flags, "layers."+name)
	}
	return flags
}

// A Query is one search of a batch.
type Query struct {
	Center  string // code or coordinate
	Options Options
}

// Options configures a search. Max or Auto is needed; the other zero values are
// the contract's defaults.
type Options struct {
	Max     geo.Miles // above 0, at most 500 in centroid mode and 250 in spatial mode; ignored with Auto
	Auto    Auto      // a rule that finds the radius; zero takes Max
	Min     geo.Miles // 0 to below the radius; zero leaves nothing out
	Mode    Mode      // zero is centroid
	Include Include
	Limit   int         // the most matches, at least 1; zero is all, or 10,000 in centroid mode; aggregates are of all
	ACS     acs.Options // which fields aggregates of the survey have
	At      time.Time   // start of the twelve months of time zone rules; zero means now
	EchoMin bool        // the result repeats Min even if it is 0
}

const (
	expectedMin   = "at least 0 miles and below max"
	expectedAuto  = "Density or Commute"
	expectedLimit = "a whole number of at least 1"
)

func expectedMax(m Mode) string {
	return fmt.Sprintf("above 0 and at most %v miles in %s mode", float64(m.maxMiles()), cmp.Or(m, Centroid))
}

// Check returns an error that matches [envelope.ErrInvalidParam] if an option is out
// of range. The search itself compares Min with an automatic radius.
func (o *Options) Check() error {
	if err := checkMode(op, o.Mode); err != nil {
		return err
	}
	if o.Auto != "" && o.Auto != Density && o.Auto != Commute {
		return invalid(op, "auto", string(o.Auto), expectedAuto)
	}
	if o.Auto == "" && o.Max == 0 {
		return &envelope.Failure{
			Op: op, Kind: envelope.KindInvalidParam, Param: "max", Range: expectedMax(o.Mode),
			Detail: "neither Max nor Auto is set; Max must be " + expectedMax(o.Mode),
		}
	}
	if o.Auto == "" && !(o.Max > 0 && o.Max <= o.Mode.maxMiles()) {
		return invalid(op, "max", number(float64(o.Max)), expectedMax(o.Mode))
	}
	if !(o.Min >= 0) || math.IsInf(float64(o.Min), 0) || o.Auto == "" && o.Min >= o.Max {
		return invalid(op, "min", number(float64(o.Min)), expectedMin)
	}
	if o.Limit < 0 {
		return invalid(op, "limit", strconv.Itoa(o.Limit), expectedLimit)
	}
	return nil
}
