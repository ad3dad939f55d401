package build

import (
	"slices"

	"github.com/postgeo/postgeo/dataset/build/fetch"
	"github.com/postgeo/postgeo/dataset/build/internal/catalog"
)

// The layers that a dataset can have.
const (
	// Identity identifies a place: ZIP Codes and FSAs with city, state, county,
	// metro, point and time zone by rule.
	Identity = catalog.Identity
	// TimeZones decides the time zone of a code by outlines.
	TimeZones = catalog.TimeZones
	// Places decides municipalities and doubtful counties by outlines, and checks
	// the points of FSAs.
	Places = catalog.Places
	// Boundaries stores the outlines of ZIP Codes, FSAs, states, counties and
	// time zones, for searches by area and by coordinate. It also stores the
	// share of each code in each time zone.
	Boundaries = catalog.Boundaries
	// Census stores the areas of the census and what each code shares with
	// them. In Canada it adds the areas that full postal codes were assigned
	// to. It includes Boundaries.
	Census = catalog.Census
	// Districts does so for congressional, state legislative and federal electoral
	// districts.
	Districts = catalog.Districts
	// Schools does so for school districts.
	Schools = catalog.Schools
	// PostalCodes adds full Canadian postal codes.
	PostalCodes = catalog.PostalCodes
	// Medicare adds the SSA code and the rating area of ZIP Codes.
	Medicare = catalog.Medicare
	// Business adds establishments, employees and payrolls of ZIP Codes.
	Business = catalog.Business
)

// LayerInfo describes a layer.
type LayerInfo = catalog.Choice

// Layers returns the layers that can be built.
func Layers() []LayerInfo { return slices.Clone(catalog.All) }

// Catalogue returns the sources that a build can read, in the order of
// manifests. Sizes are approximate.
func Catalogue() []fetch.Source { return catalog.Sources() }
