package builder

import (
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/layers"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// gaps counts the missing values of the tables.
type gaps struct {
	*plan.Env
	*draft.Draft
	CodeLayers *layers.CodeLayers
}

// countGaps counts the missing values of the tables.
func countGaps(_ context.Context, e *plan.Env, d *draft.Draft, compared *layers.CodeLayers) error {
	b := &gaps{Env: e, Draft: d, CodeLayers: compared}
	var zip struct{ point, county, area, zone, areaCode, elevation, population, municipality int64 }
	military := int64(0)
	for _, z := range b.ZIPs.List {
		if z.Row.Class != store.Military {
			zip.point += plan.Missing(z.Row.Location.IsValid())
			zip.county += plan.Missing(z.Row.County != 0)
			zip.zone += plan.Missing(z.Row.Zone != 0)
			zip.areaCode += plan.Missing(len(z.Detail.AreaCodes) > 0)
			zip.elevation += plan.Missing(z.Detail.Elevation != nil)
		} else {
			military++
		}
		if z.Row.Class == store.General {
			zip.area += plan.Missing(z.Detail.LandArea != nil)
			zip.population += plan.Missing(z.Detail.Population != nil)
			zip.municipality += plan.Missing(z.Row.Municipality != "")
		}
	}
	b.Gap("military ZIPs, which have no point, county, time zone and area code", military)
	b.Gap("other ZIPs without a point", zip.point)
	b.Gap("other ZIPs without a county", zip.county)
	b.Gap("other ZIPs without a time zone", zip.zone)
	b.Gap("other ZIPs without an area code", zip.areaCode)
	b.Gap("other ZIPs without an elevation", zip.elevation)
	b.Gap("general ZIPs without a land area (no ZCTA)", zip.area)
	b.Gap("general ZIPs without a population", zip.population)
	b.Gap("general ZIPs outside every municipality, or without the place layer", zip.municipality)
	zctas := int64(0)
	for code := range b.ZCTAs {
		z, _ := dataset.ParseZIP(code)
		zctas += plan.Missing(b.ZIPs.At[z] != nil)
	}
	b.Gap("ZCTAs whose code is not a ZIP of the dataset", zctas)
	var fsa struct{ point, zone, population, areaCode, land int64 }
	for _, f := range b.FSAs.List {
		fsa.point += plan.Missing(f.Row.Location.IsValid())
		fsa.zone += plan.Missing(f.Row.Zone != 0)
		fsa.population += plan.Missing(f.Detail.Population != nil)
		fsa.areaCode += plan.Missing(len(f.Detail.AreaCodes) > 0)
		fsa.land += plan.Missing(f.Detail.LandArea != nil)
	}
	absent := int64(0)
	for code := range b.FSACensus {
		absent += plan.Missing(b.FSAs.At[code] != nil)
	}
	b.Gap("FSAs of the census that no list of places has", absent)
	b.Gap("FSAs without a point", fsa.point)
	b.Gap("FSAs without a time zone", fsa.zone)
	b.Gap("FSAs without population and dwellings", fsa.population)
	b.Gap("FSAs without an area code", fsa.areaCode)
	b.Gap("FSAs without a land area, or without the place layer", fsa.land)
	if b.Includes(catalog.Boundaries) {
		b.outlines()
	}
	if b.CodeLayers.ZIPs != nil {
		b.CodeLayers.Gaps(b.Env)
	}
	var postal struct{ point, zone int64 }
	for _, p := range b.Postal.Rows {
		postal.point += plan.Missing(p.Location.IsValid())
		postal.zone += plan.Missing(p.Zone != 0)
	}
	if names, fsas := b.provincesWithoutCodes(); b.Includes(catalog.PostalCodes) {
		b.Gap("FSAs in provinces and territories without any postal code ("+strings.Join(names, ", ")+")", fsas)
	}
	b.Gap("postal codes without a point", postal.point)
	b.Gap("postal codes without a time zone", postal.zone)
	return nil
}

// provincesWithoutCodes returns the letters of the provinces and territories
// with FSAs and without postal codes, ascending, and the number of these FSAs.
func (b *gaps) provincesWithoutCodes() (names []string, fsas int64) {
	have := map[store.StateID]bool{}
	for i := range b.Postal.Rows {
		have[b.Postal.Rows[i].Province] = true
	}
	for _, f := range b.FSAs.List {
		if f.Row.Province != 0 && !have[f.Row.Province] {
			fsas++
			names = append(names, b.States.Abbr(f.Row.Province))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), fsas
}

// outlines counts the codes and areas without outline.
func (b *gaps) outlines() {
	var zip, fsa, state, county, uncovered int64
	for _, z := range b.ZIPs.List {
		if z.Row.Class == store.General {
			zip += plan.Missing(b.ZIPOutlines.Areas.Polygons[z.Row.ZIP] != nil)
		}
	}
	for _, f := range b.FSAs.List {
		fsa += plan.Missing(b.FSAOutlines.Polygons[f.Row.FSA] != nil)
	}
	for i, st := range b.States.List {
		if st.FIPS != "" || st.Country == store.CA {
			state += plan.Missing(b.StateOutlines.Areas.Polygons[store.StateID(i+1)] != nil)
		}
	}
	for i := range b.Counties.List {
		county += plan.Missing(b.CountyOutlines.Polygons[store.CountyID(i+1)] != nil)
	}
	for _, shares := range slices.Concat(b.ZoneShares.ZIPs, b.ZoneShares.FSAs) {
		uncovered += plan.Missing(len(shares) > 0)
	}
	b.Gap("general ZIPs without an outline, points in a search by area", zip)
	b.Gap("FSAs without an outline", fsa)
	b.Gap("states, provinces and territories without an outline", state)
	b.Gap("counties without an outline", county)
	b.Gap("square miles of states that no outline of a ZIP covers", int64(geo.SquareMeters(max(0, b.StateOutlines.Uncovered)).SquareMiles()))
	b.Gap("outlines of ZIPs and FSAs without shares of time zones", uncovered)
}
