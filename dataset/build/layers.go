package build

import (
	"slices"

	"github.com/postgeo/postgeo/dataset/build/fetch"
	"github.com/postgeo/postgeo/dataset/build/internal/catalogue"
)

// The layers that a dataset can have.
const (
	// Identity identifies a place: ZIP Codes and FSAs with city, state, county,
	// metro, point and time zone by rule.
	Identity = catalogue.Identity
	// TimeZones decides the time zone of a code by outlines.
	TimeZones = catalogue.TimeZones
	// Places decides municipalities and doubtful counties by outlines, and checks
	// the points of FSAs.
	Places = catalogue.Places
	// Boundaries stores the outlines of ZIP Codes, FSAs, states, counties and time
	// zones, for searches by area and by coordinate, and the shares of each code in
	// time zones.
	Boundaries = catalogue.Boundaries
	// Census stores the areas of the census and what each code shares with them; in
	// Canada it adds the areas that full postal codes were assigned to. It includes
	// Boundaries.
	Census = catalogue.Census
	// Districts does so for congressional, state legislative and federal electoral
	// districts.
	Districts = catalogue.Districts
	// Schools does so for school districts.
	Schools = catalogue.Schools
	// PostalCodes adds full Canadian postal codes.
	PostalCodes = catalogue.PostalCodes
	// Medicare adds the SSA code and the rating area of ZIP Codes.
	Medicare = catalogue.Medicare
	// Business adds establishments, employees and payrolls of ZIP Codes.
	Business = catalogue.Business
)

// LayerInfo describes a layer.
type LayerInfo = catalogue.Choice

// Layers returns the layers that can be built.
func Layers() []LayerInfo { return slices.Clone(catalogue.All) }

// Catalogue returns every source that a build can read, in the order in which
// manifests list them. Sizes are approximate.
func Catalogue() []fetch.Source { return catalogue.Sources() }
