package build

import (
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// What tests look at from outside.
var (
	PlainName   = plainName
	CountyName  = countyName
	Fold        = fold
	PointWithin = pointWithin

	DistrictNames = districtNames
	DivisionNames = districtOfDivision
	BareCounty    = bareCounty
)

// Spell spells a name as a state does that has the known names.
func Spell(name string, known ...string) string {
	s := speller{known: map[[2]string]string{}}
	for _, k := range known {
		s.learn("OH", k)
	}
	return s.spell("OH", name)
}

// Repair makes polygons valid and returns how many rings were dropped and cut,
// and how many vertices dropped.
func Repair(m orb.MultiPolygon) (out orb.MultiPolygon, dropped, cut, repeated int64) {
	var n repairs
	out = n.repair(m)
	return out, n.dropped, n.crossing, n.repeated
}

// Dissolve makes one area of neighbours.
var Dissolve = dissolve

// Tenths rounds parts of a whole.
var Tenths = tenths

// Areas is a set of outlines.
type Areas struct{ set *areas }

// NewAreas returns a set of the outlines, in the order given.
func NewAreas(names []string, outlines []orb.MultiPolygon) Areas {
	set := newAreas()
	for i, name := range names {
		set.add(name, outlines[i])
	}
	return Areas{set}
}

// At returns the names of the outlines around the point.
func (a Areas) At(p geo.LatLng) []string { return a.set.at(p) }

// Near returns the name of the nearest outline within the limit in metres.
func (a Areas) Near(p geo.LatLng, limit float64) string { return a.set.near(p, limit) }

// ZoneByRule returns the zone of a code by rule: a ZIP with its county, or an
// FSA with "" for its county.
func ZoneByRule(code, state, county string, at geo.LatLng) string {
	if zip, ok := dataset.ParseZIP(code); ok {
		return newZoneRules().zip(zip, state, county, at)
	}
	fsa, _ := dataset.ParseFSA(code)
	return newZoneRules().province(state, fsa, at)
}
