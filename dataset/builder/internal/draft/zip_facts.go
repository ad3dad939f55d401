package draft

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// countPeople counts the people and homes of ZIP Codes, and the people of counties and
// places, in the United States. A ZIP Code has the counts of the ZCTA of the same code.
// The newest year that counts an area decides. The summary file (B01003 and B25001) needs
// no key and has all areas in one file. Data profiles are a choice of the user.
func (d *Draft) countPeople() {
	people, homes := SurveyCounts{}, SurveyCounts{}
	for _, t := range [...]struct {
		id, table string
		counts    SurveyCounts
	}{
		{catalog.OlderPeople, "B01003", people},
		{catalog.People, "B01003", people},
		{catalog.OlderHousing, "B25001", homes},
		{catalog.Housing, "B25001", homes},
	} {
		d.readSummary(t.id, t.table, t.counts)
	}
	d.People = people
	newest := 0
	for _, p := range people {
		newest = max(newest, p.Year)
	}
	if newest == 0 {
		d.applied("no population of the United States: an automatic radius takes a default density", "add "+catalog.People+" to the mirror")
	}
	for _, z := range d.ZIPs.List {
		area := SurveyArea{Level: source.ZCTALevel, GEOID: z.Row.ZIP.String()}
		if p, ok := people[area]; ok {
			z.Detail.Population, z.Detail.Quality.PopulationYear, z.Detail.Quality.PopulationSource = &p.N, p.Year, p.Source
			if p.Year < newest {
				d.applied("population of an older survey, for want of a newer one", area.GEOID+", "+strconv.Itoa(p.Year))
			}
		}
		if h, ok := homes[area]; ok {
			z.Detail.Housing, z.Detail.Quality.HousingSource = &h.N, h.Source
		}
	}
}

// readSummary reads the counts of a table of the summary file.
func (d *Draft) readSummary(id, table string, counts SurveyCounts) {
	if !d.has(id) {
		return
	}
	// The older table is read first and covers areas that the newer lacks. seen is of
	// this file only, and keeps the first row of an area.
	year, seen := d.source(id).Year(), map[SurveyArea]bool{}
	rows := func(f format.File) iter.Seq2[source.SummaryRow, error] { return source.SummaryFile(f, table) }
	read(d, id, rows, func(r source.SummaryRow) error {
		area := SurveyArea{Level: r.Level, GEOID: r.GEOID}
		switch {
		case seen[area]:
			return refused("duplicate area", r.Line, r.GEOID)
		case r.Count != nil && *r.Count <= math.MaxInt32:
			seen[area] = true
			if counts[area].Year <= year {
				counts[area] = SurveyCount{N: int32(*r.Count), Year: year, Source: id}
			}
		}
		return nil
	})
}

// businessTables are the totals of ZIP Code Business Patterns, the newest
// first. Since 2017 a ZIP Code with fewer than three establishments has no row.
// The table of 2016 has one, and a size class if employment is withheld.
var businessTables = []string{catalog.ZIPBusiness, catalog.ZIPFlags}

// readBusiness gives ZIP Codes their establishments, employees and payrolls, all
// figures of a ZIP from the newest table that has it.
func (d *Draft) readBusiness() {
	for _, id := range businessTables {
		seen := map[postcode.ZIP]bool{}
		read(d, id, source.ZIPBusiness, func(r source.ZIPBusinessRow) error {
			if seen[r.ZIP] {
				return refused("duplicate ZIP Code", r.Line, r.ZIP.String())
			}
			seen[r.ZIP] = true
			z := d.ZIPs.At[r.ZIP]
			if z == nil {
				return refused("unknown ZIP Code", r.Line, r.ZIP.String())
			}
			z.Business = append(z.Business, r)
			if z.Detail.Business != nil || !d.includes(catalog.Business) {
				return nil
			}
			z.Detail.Business = &store.Business{
				Year: uint16(d.source(id).Year()), Establishments: r.Establishments, Employees: r.Employees,
				PayrollQ1: r.PayrollQ1, PayrollAnnual: r.PayrollAnnual, EmploymentFlag: r.EmploymentFlag,
			}
			return nil
		})
	}
}

func establishments(z *ZIP) int32 {
	most := int32(0)
	for _, r := range z.Business {
		most = max(most, r.Establishments)
	}
	return most
}

// employees returns the employees of the newest table with a figure. A size class counts
// with its least number. It serves the guess of the class of a ZIP alone; answers have
// the figures as published.
func employees(z *ZIP) int32 {
	for _, r := range z.Business {
		if n := r.LeastEmployees(); n > 0 {
			return n
		}
	}
	return 0
}

// countyThen returns the county, in capitals, that the newest table names, or "". It is
// one of the time of that table, which is how it can name a former county of Connecticut.
func countyThen(z *ZIP) string {
	for _, r := range z.Business {
		if r.County != "" && r.State == z.State {
			return r.County
		}
	}
	return ""
}

// readDeliveries takes facility code and city delivery from the preferred
// City State record and the counts of deliveries from the Delivery Statistics.
func (d *Draft) readDeliveries() {
	for _, z := range d.ZIPs.List {
		p := z.Preferred()
		if p == nil {
			continue
		}
		if p.Facility != 0 {
			z.Detail.FacilityCode = string(rune(p.Facility))
		}
		z.Detail.CityDelivery = "N"
		if p.CityDelivery {
			z.Detail.CityDelivery = "Y"
		}
	}
	if !d.has(catalog.USPSDeliveryStats) {
		return
	}
	points, rows, err := source.SumDeliveryStats(d.text(catalog.USPSDeliveryStats))
	failed(catalog.USPSDeliveryStats, err)
	s := d.source(catalog.USPSDeliveryStats)
	s.Read, s.Rows = true, rows
	for i := range points {
		z := d.ZIPs.At[points[i].ZIP]
		if z == nil {
			d.refuse(catalog.USPSDeliveryStats, "unknown ZIP Code", points[i].ZIP.String())
			continue
		}
		z.Detail.DeliveryPoints = &points[i].DeliveryPoints
	}
}

// measureTerrain gives general ZIPs with a ZCTA its land and water area. PO Box,
// unique and military ZIPs are points even if a ZCTA has their code. The
// elevation of a ZIP is the mean of its ZCTA, else of the ZCTA that encloses
// it, else of its county. A mean below the sea counts only in counties with
// land so low.
func (d *Draft) measureTerrain() {
	byZCTA, byCounty := map[string]float64{}, map[string]float64{}
	take := func(into map[string]float64) func(source.ElevationRow) error {
		return func(r source.ElevationRow) error { return once(into, r.Code, r.Meters, "duplicate code", r.Line) }
	}
	read(d, catalog.ZCTAElevation, source.Elevations, take(byZCTA))
	read(d, catalog.CountyElevation, source.Elevations, take(byCounty))
	for _, z := range d.ZIPs.List {
		code := z.Row.ZIP.String()
		zcta, hasZCTA := d.ZCTAs[code]
		if hasZCTA && z.Row.Class == store.General {
			z.Detail.LandArea, z.Detail.WaterArea = &zcta.Land, &zcta.Water
		}
		if z.Row.Class == store.Military {
			continue
		}
		meters, ok := byZCTA[code]
		if !ok && z.UDS != nil {
			meters, ok = byZCTA[z.UDS.ZCTA]
		}
		county := d.Counties.FIPS(z.Row.County)
		if ok && tooLow(county, meters) {
			d.applied("elevation below the sea in a county without land so low gives way to the county's", fmt.Sprintf("%s, %.0f m", code, meters))
			ok = false
		}
		if !ok && county != "" {
			meters, ok = byCounty[county]
			ok = ok && !tooLow(county, meters)
		}
		if ok {
			z.Detail.Elevation = &meters
		}
	}
}

// sunken are the counties that hold the Salton Sea's basin and Death Valley.
var sunken = []string{"06025", "06027", "06065", "06071"}

// tooLow reports a mean elevation that the county cannot have. The polders of
// New Orleans lie down to 5 m below the sea, and only two basins of California
// are lower.
func tooLow(county string, meters float64) bool {
	const polders = -5
	return meters < polders && !slices.Contains(sunken, county)
}

// medicareTables are the crosswalk of SSA codes and the rating areas.
type medicareTables struct {
	ssa     map[string]string   // by county FIPS code, abolished counties included
	county  map[string]uint8    // rating area by county FIPS code
	zip3    map[[2]string]uint8 // by state or county FIPS code, and first three digits
	byState map[string]bool     // state FIPS codes whose rating areas are sets of ZIP Codes
}

// readMedicare gives ZIP Codes the SSA code and the rating area of their postal
// county. A county that replaced an abolished one alone has its values. Tables may
// have Connecticut's counties of before 2022. Then a ZIP Code there has the
// one that a source names, else that of the nearest ZIP Code with a name. Some
// states, and Los Angeles County, define their rating areas by the first three
// digits of the ZIP Code.
func (d *Draft) readMedicare() {
	if !d.includes(catalog.Medicare) {
		return
	}
	t := d.readMedicareTables()
	former := d.formerCounties(t)
	var unknown struct{ ssa, area int64 }
	for _, z := range d.ZIPs.List {
		if z.Row.County == 0 {
			continue
		}
		county := d.Counties.FIPS(z.Row.County)
		old := county
		if f := former[z.Row.ZIP]; f != "" {
			old = f
		}
		// The code of the county of today comes first, in case a newer table has it. In
		// all states but Connecticut, old is the same county.
		m := store.Medicare{SSA: cmp.Or(t.ssa[county], t.ssa[old]), RatingArea: t.ratingArea(county, old, z.Row.ZIP)}
		if m.SSA == "" {
			unknown.ssa++
		}
		if m.RatingArea == 0 {
			unknown.area++
		}
		if m != (store.Medicare{}) {
			z.Detail.Medicare = &m
		}
	}
	d.gap("ZIPs with a county but without an SSA code", unknown.ssa)
	d.gap("ZIPs with a county but without a rating area", unknown.area)
}

// ratingArea returns the rating area of a ZIP, 0 for unknown.
func (t *medicareTables) ratingArea(county, old string, zip postcode.ZIP) uint8 {
	digits := zip.String()[:3]
	if a := t.zip3[[2]string{county, digits}]; a != 0 {
		return a
	}
	if t.byState[county[:2]] {
		return t.zip3[[2]string{county[:2], digits}]
	}
	return t.county[old]
}

func (d *Draft) readMedicareTables() *medicareTables {
	t := &medicareTables{ssa: map[string]string{}, county: map[string]uint8{}, zip3: map[[2]string]uint8{}, byState: map[string]bool{}}
	read(d, catalog.SSACounties, source.SSACounties, func(r source.SSACountyRow) error {
		return once(t.ssa, r.CountyFIPS, r.SSA, "second SSA code of a county, the first is kept", r.Line)
	})
	read(d, catalog.RatingAreas, source.RatingAreas, func(r source.RatingAreaRow) error {
		if r.ZIP3 == "" {
			return once(t.county, r.CountyFIPS, r.RatingArea, "duplicate county", r.Line)
		}
		area := r.CountyFIPS
		if area == "" {
			id := d.States.ID(store.US, r.State)
			if id == 0 {
				return refused("unknown state", r.Line, r.State)
			}
			area = d.States.FIPS(id)
			t.byState[area] = true
		}
		return once(t.zip3, [2]string{area, r.ZIP3}, r.RatingArea, "duplicate ZIP digits", r.Line)
	})
	for _, old := range slices.Sorted(maps.Keys(successors)) {
		for _, county := range successors[old] {
			t.inherit(d, county, old)
		}
	}
	return t
}

// inherit gives a county the values that the tables have only for its predecessor. Rating
// areas of states that divide by ZIP digits are not those of counties: the tables list
// counties there as approximations.
func (t *medicareTables) inherit(b *Draft, county, old string) {
	if t.ssa[county] == "" && t.ssa[old] != "" {
		t.ssa[county] = t.ssa[old]
		b.applied("SSA code of an abolished county", county+" has that of "+old)
	}
	if t.county[county] == 0 && t.county[old] != 0 && !t.byState[county[:2]] {
		t.county[county] = t.county[old]
		b.applied("rating area of an abolished county", county+" has that of "+old)
	}
}

// formerCounties returns the county of before 2022 of each ZIP of Connecticut
// whose county the tables lack.
func (d *Draft) formerCounties(t *medicareTables) map[postcode.ZIP]string {
	former := map[postcode.ZIP]string{}
	near := &nearest[string]{}
	var open []*ZIP
	for _, z := range d.ZIPs.List {
		county := d.Counties.FIPS(z.Row.County)
		if z.State != "CT" || z.Row.County == 0 || t.ssa[county] != "" && t.county[county] != 0 {
			continue
		}
		if old := formerCounty(z); old != "" {
			former[z.Row.ZIP] = old
			near.add(z.Spot(), old)
			continue
		}
		open = append(open, z)
	}
	for _, z := range open { // after all that a source names, which are their neighbors
		if old, _ := near.find(z.Spot(), nil); old != "" {
			former[z.Row.ZIP] = old
			d.applied("former county in Connecticut of the nearest ZIP with one in a source", z.Row.ZIP.String()+" "+old)
		}
	}
	return former
}

// formerCounty returns the county of before 2022 that a source names for a ZIP
// of Connecticut, or "".
func formerCounty(z *ZIP) string {
	const state = "09"
	var codes []string
	if p := z.Preferred(); p != nil {
		codes = append(codes, state+p.CountyFIPS)
	}
	if z.GeoNames != nil {
		codes = append(codes, state+z.GeoNames.CountyCode)
	}
	names := []string{countyThen(z)}
	if z.Supplied != nil {
		names = append(names, z.Supplied.County)
	}
	for _, name := range names {
		codes = append(codes, connecticut[strings.TrimSuffix(strings.ToUpper(name), " COUNTY")])
	}
	for _, code := range codes {
		if slices.Contains(formerCodes, code) {
			return code
		}
	}
	return ""
}

var formerCodes = slices.Sorted(maps.Values(connecticut))
