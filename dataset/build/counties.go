package build

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/geo"
)

// islandCounties are the county equivalents of the territories that the
// Gazetteer's county file leaves out (INCITS 31), with a point on each.
var islandCounties = []struct {
	fips, state, name string
	lat, lng          float64
}{
	{"60010", "AS", "Eastern District", -14.27, -170.66},
	{"60020", "AS", "Manu'a District", -14.22, -169.51},
	{"60050", "AS", "Western District", -14.33, -170.78},
	{"66010", "GU", "Guam", 13.44, 144.77},
	{"69085", "MP", "Northern Islands Municipality", 18.12, 145.77},
	{"69100", "MP", "Rota Municipality", 14.16, 145.21},
	{"69110", "MP", "Saipan Municipality", 15.19, 145.75},
	{"69120", "MP", "Tinian Municipality", 15.00, 145.63},
	{"78010", "VI", "St. Croix Island", 17.73, -64.73},
	{"78020", "VI", "St. John Island", 18.33, -64.73},
	{"78030", "VI", "St. Thomas Island", 18.34, -64.93},
}

// successors say which counties took the place of one that older files still
// name.
var successors = map[string][]string{
	"46113": {"46102"},          // Shannon County became Oglala Lakota County in 2015
	"02270": {"02158"},          // Wade Hampton Census Area became Kusilvak Census Area in 2015
	"02261": {"02063", "02066"}, // Valdez-Cordova Census Area was split into Chugach and Copper River in 2019
	"02232": {"02105", "02230"}, // Skagway-Hoonah-Angoon Census Area was split in 2007
	"02280": {"02195", "02275"}, // Wrangell-Petersburg Census Area was split in 2008
	"02201": {"02198"},          // Prince of Wales-Outer Ketchikan Census Area was renamed in 2008
	"51515": {"51019"},          // Bedford City became part of Bedford County in 2013
	"51560": {"51005"},          // Clifton Forge became part of Alleghany County in 2001
}

// deriveCounties makes the table of counties, in the order of their codes, of
// the Gazetteer's counties and those of the islands.
func deriveCounties(ctx context.Context, b *builder) error {
	t := &b.tables
	t.countyAt = map[string]geo.LatLng{}
	take := func(fips, state, name string, at geo.LatLng) {
		m := t.metroOf[fips]
		t.counties = append(t.counties, dataset.County{
			FIPS: fips, Name: name, State: b.state(dataset.US, state), CBSA: m.cbsa, Division: m.division,
		})
		t.countyAt[fips] = at
	}
	err := readText(ctx, b, srcGazetteerCounties, gazetteer(5), func(r source.GazetteerRow) error {
		switch {
		case b.state(dataset.US, r.State) == 0:
			return refusal{"unknown state", r.Line, r.State}
		case t.countyAt[r.GEOID].IsValid():
			return refusal{"duplicate county", r.Line, r.GEOID}
		}
		take(r.GEOID, r.State, r.Name, r.Location)
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range islandCounties {
		if _, have := t.countyAt[c.fips]; !have {
			take(c.fips, c.state, c.name, geo.MustLatLng(c.lat, c.lng))
		}
	}
	slices.SortFunc(t.counties, func(a, b dataset.County) int { return strings.Compare(a.FIPS, b.FIPS) })
	t.countyIDs = make(map[string]dataset.CountyID, len(t.counties))
	for i, c := range t.counties {
		t.countyIDs[c.FIPS] = dataset.CountyID(i + 1)
	}
	for _, fips := range slices.Sorted(maps.Keys(t.metroOf)) {
		if t.countyIDs[fips] == 0 {
			b.report.refuse(srcDelineation, "county that the Gazetteer lacks", b.at(srcDelineation, t.metroOf[fips].line)+fips)
		}
	}
	return nil
}

// countyName returns the name of a county without its legal description and
// without anything but letters and digits, so that "Saint Louis city",
// "St. Louis City" and "City of St. Louis" meet. Independent cities keep a
// mark that tells them from counties of the same name.
func countyName(name string) string {
	s := " " + fold(name) + " "
	city := strings.HasSuffix(s, " city ") || strings.HasPrefix(s, " city of ")
	for _, cut := range []string{" city and borough of ", " municipality of ", " city of "} {
		if rest, ok := strings.CutPrefix(s, cut); ok {
			s = " " + rest
		}
	}
	for _, cut := range countySuffixes {
		if rest := strings.TrimSuffix(s, cut); rest != s && strings.TrimSpace(rest) != "" {
			s = rest + " "
			break
		}
	}
	s = strings.ReplaceAll(s, " saint ", " st ")
	s = strings.ReplaceAll(s, " sainte ", " ste ")
	s = strings.ReplaceAll(s, " ", "")
	if city {
		s += "/city"
	}
	return s
}

// countySuffixes are legal descriptions as fold leaves them, longest first.
var countySuffixes = []string{
	" city and borough ", " planning region ", " census area ", " municipality ", " municipio ",
	" borough ", " district ", " county ", " parish ", " island ", " city ",
}
