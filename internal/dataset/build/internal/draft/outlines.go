package draft

import (
	"github.com/paulmach/orb"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/shape"
)

// CountyAreas finds counties by point. Areas is nil without the outlines.
type CountyAreas struct{ Areas *shape.Areas }

// Municipal finds municipalities by point. The sets are nil without the
// outlines; CSDs is nil too if those are too coarse.
type Municipal struct {
	Places, Cousubs, CSDs *shape.Areas
	Names                 map[string]string // by GEOID
}

// Subdivisions are the census subdivisions of Canada, in any detail.
type Subdivisions struct {
	Areas  *shape.Areas          // nil without the outlines
	Inside map[string]geo.LatLng // a point within each
}

// FSAAreas finds FSAs by point. Areas is nil without the outlines.
type FSAAreas struct {
	Areas  *shape.Areas
	Inside map[string]geo.LatLng // a point within each outline that is used for points
	Land   map[dataset.FSA]int64 // square meters
}

// ZoneAreas finds time zones by point. Areas is nil without the outlines.
type ZoneAreas struct{ Areas *shape.Areas }

// PlaceOutlines are the outlines of places by GEOID.
type PlaceOutlines struct{ ByID map[string]orb.MultiPolygon }

// ZIPOutlines are the outlines of ZIP Codes. Points has PO Box, unique and
// military ZIP Codes, which are compared with layers and not stored. The sets
// are nil without the boundaries layer, as in the other tables of outlines.
type ZIPOutlines struct {
	Areas, Points *shape.OutlineSet[dataset.ZIP]
}

// FSAOutlines are the outlines of FSAs.
type FSAOutlines struct {
	Areas *shape.OutlineSet[dataset.FSA]
}

// StateOutlines are the outlines of states and provinces.
type StateOutlines struct {
	Areas     *shape.OutlineSet[dataset.StateID]
	Uncovered float64 // square meters that no outline of a ZIP Code covers
}

// CountyOutlines are the outlines of counties.
type CountyOutlines struct {
	Areas *shape.OutlineSet[dataset.CountyID]
}

// ZoneOutlines are the outlines of time zones by name.
type ZoneOutlines struct{ Areas *shape.OutlineSet[string] }
