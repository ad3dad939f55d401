package radius

import "github.com/paulmach/orb"

// Areas selects the areas of an aggregate of the survey: a list of codes, a polygon or a
// circle.
type Areas struct {
	// Codes are ZIP Codes, or census tracts, each counted once and in full.
	Codes []string
	// Polygon is an [orb.Polygon] or [orb.MultiPolygon].
	Polygon orb.Geometry
	// Center and Radius are a search. Only options that select codes have an effect.
	Center string
	Radius Options
	// Mode is the weight of ZIP Codes in a polygon: Spatial is the share of their
	// area, Centroid is in full if their point is inside.
	Mode Mode
}
