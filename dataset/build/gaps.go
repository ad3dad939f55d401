package build

import (
	"context"
	"slices"

	"github.com/postgeo/postgeo/dataset"
)

// deriveGaps counts what the tables lack.
func deriveGaps(_ context.Context, b *builder) error {
	var zip struct{ point, county, area, zone, areaCode, elevation, population, municipality int64 }
	military := int64(0)
	for _, z := range b.tables.zips {
		if z.row.Class != dataset.Military {
			zip.point += missing(z.row.Location.IsValid())
			zip.county += missing(z.row.County != 0)
			zip.zone += missing(z.row.Zone != 0)
			zip.areaCode += missing(len(z.detail.AreaCodes) > 0)
			zip.elevation += missing(z.detail.Elevation != nil)
		} else {
			military++
		}
		if z.row.Class == dataset.General {
			zip.area += missing(z.detail.LandArea != nil)
			zip.population += missing(z.detail.Population != nil)
			zip.municipality += missing(z.row.Municipality != "")
		}
	}
	r := b.report
	r.gap("military ZIPs, which have no point, county, time zone and area code", military)
	r.gap("other ZIPs without a point", zip.point)
	r.gap("other ZIPs without a county", zip.county)
	r.gap("other ZIPs without a time zone", zip.zone)
	r.gap("other ZIPs without an area code", zip.areaCode)
	r.gap("other ZIPs without an elevation", zip.elevation)
	r.gap("general ZIPs without a land area (no ZCTA)", zip.area)
	r.gap("general ZIPs without a population", zip.population)
	r.gap("general ZIPs outside every municipality, or without the place layer", zip.municipality)
	zctas := int64(0)
	for code := range b.tables.zctas {
		z, _ := dataset.ParseZIP(code)
		zctas += missing(b.tables.zipAt[z] != nil)
	}
	r.gap("ZCTAs whose code is not a ZIP of the dataset", zctas)
	var fsa struct{ point, zone, population, areaCode, land int64 }
	for _, f := range b.tables.fsas {
		fsa.point += missing(f.row.Location.IsValid())
		fsa.zone += missing(f.row.Zone != 0)
		fsa.population += missing(f.detail.Population != nil)
		fsa.areaCode += missing(len(f.detail.AreaCodes) > 0)
		fsa.land += missing(f.detail.LandArea != nil)
	}
	absent := int64(0)
	for code := range b.tables.census {
		absent += missing(b.tables.fsaAt[code] != nil)
	}
	r.gap("FSAs of the census that no list of places has", absent)
	r.gap("FSAs without a point", fsa.point)
	r.gap("FSAs without a time zone", fsa.zone)
	r.gap("FSAs without population and dwellings", fsa.population)
	r.gap("FSAs without an area code", fsa.areaCode)
	r.gap("FSAs without a land area, or without the place layer", fsa.land)
	b.tables.bounds.gaps(b)
	b.tables.layered.gaps(r)
	var postal struct{ point, zone int64 }
	for _, p := range b.tables.postal {
		postal.point += missing(p.Location.IsValid())
		postal.zone += missing(p.Zone != 0)
	}
	if names, fsas := b.provincesWithoutCodes(); b.chose(PostalCodes) {
		r.gap("FSAs in provinces and territories without any postal code ("+join(names)+")", fsas)
	}
	r.gap("postal codes without a point", postal.point)
	r.gap("postal codes without a time zone", postal.zone)
	return nil
}

// provincesWithoutCodes returns the letters of the provinces and territories
// with FSAs and without postal codes, ascending, and the number of these FSAs.
func (b *builder) provincesWithoutCodes() (names []string, fsas int64) {
	have := map[dataset.StateID]bool{}
	for i := range b.tables.postal {
		have[b.tables.postal[i].Province] = true
	}
	for _, f := range b.tables.fsas {
		if f.row.Province != 0 && !have[f.row.Province] {
			fsas++
			names = append(names, b.tables.states[f.row.Province-1].Abbr)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), fsas
}

// gaps counts what has no outline.
func (s *boundaries) gaps(b *builder) {
	if s == nil {
		return
	}
	var zip, fsa, state, county, uncovered int64
	for _, z := range b.tables.zips {
		if z.row.Class == dataset.General {
			zip += missing(s.zips.polygons[z.row.ZIP] != nil)
		}
	}
	for _, f := range b.tables.fsas {
		fsa += missing(s.fsas.polygons[f.row.FSA] != nil)
	}
	for i, st := range b.tables.states {
		if st.FIPS != "" || st.Country == dataset.CA {
			state += missing(s.states.polygons[dataset.StateID(i+1)] != nil)
		}
	}
	for i := range b.tables.counties {
		county += missing(s.counties.polygons[dataset.CountyID(i+1)] != nil)
	}
	for _, all := range [][]zoneShares{s.zipZones, s.fsaZones} {
		for _, shares := range all {
			uncovered += missing(len(shares) > 0)
		}
	}
	r := b.report
	r.gap("general ZIPs without an outline, points in a search by area", zip)
	r.gap("FSAs without an outline", fsa)
	r.gap("states, provinces and territories without an outline", state)
	r.gap("counties without an outline", county)
	r.gap("square miles of states that no outline of a ZIP covers", s.uncoveredMiles())
	r.gap("outlines of ZIPs and FSAs without shares of time zones", uncovered)
}

func missing(have bool) int64 {
	if have {
		return 0
	}
	return 1
}
