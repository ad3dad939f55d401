package build

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// territoryCounties give the county of the islands' ZIPs, which no open table
// names, by the island that the Postal Service serves under the code, and the
// city where the crosswalk, which names a census district, is all there is.
var territoryCounties = []struct {
	low, high dataset.ZIP
	fips      string
	city      string
}{
	{801, 805, "78030", ""}, // Charlotte Amalie, St. Thomas
	{820, 824, "78010", ""}, // Christiansted, St. Croix
	{830, 831, "78020", ""}, // Cruz Bay, St. John
	{840, 841, "78010", ""}, // Frederiksted, St. Croix
	{850, 851, "78010", ""}, // Kingshill, St. Croix
	{96799, 96799, "60010", "Pago Pago"},
	{96910, 96932, "66010", ""},
	{96950, 96950, "69110", "Saipan"},
	{96951, 96951, "69100", "Rota"},
	{96952, 96952, "69120", "Tinian"},
}

// deriveZIPCounties decides the county of record of each ZIP. Military ZIPs
// have none. The City State product decides alone. Otherwise the county is the
// one that two of three sources name: zip_code_database.csv by name, GeoNames
// by code, abolished counties replaced by their successors, and the residents,
// which name the county where most of them live. Without two it is the one
// with most residents, else the only one that is named. For ZIPs without
// residents whose sources differ, where a name is that of an abolished county
// (Connecticut until 2022), or where there is none, the outline around the
// middle of the ZIP's area, or else around its post office, chooses among the
// named, and without outlines the county of the nearest ZIP of the state whose
// county is decided. The point is that of the post office.
func deriveZIPCounties(_ context.Context, b *builder) error {
	names := b.countyNames()
	var open []*zipDraft
	settled := map[string]*nearest{}
	proposals := map[dataset.ZIP][]string{}
	votes := map[dataset.ZIP][]countyVote{}
	for _, z := range b.tables.zips {
		if z.row.Class == dataset.Military {
			continue
		}
		fips := b.territoryCounty(z.row.ZIP)
		if fips == nil {
			votes[z.row.ZIP] = b.countyVotes(z, names)
			fips = elect(votes[z.row.ZIP])
		}
		if len(fips) == 0 {
			fips = b.guessCounties(z, names)
		}
		if len(fips) == 1 {
			b.setCounty(z, fips[0])
			if at := z.at(); at.IsValid() {
				near := settled[z.state]
				if near == nil {
					near = newNearest()
					settled[z.state] = near
				}
				near.add(at, fips[0])
			}
			continue
		}
		proposals[z.row.ZIP] = fips
		open = append(open, z)
	}
	for _, z := range b.tables.zips {
		z.row.MultiCounty = z.severalCounties()
	}
	for _, z := range open {
		b.chooseCounty(z, proposals[z.row.ZIP], settled[z.state])
	}
	for _, z := range b.tables.zips {
		b.noteCounties(z, votes[z.row.ZIP])
	}
	return nil
}

// severalCounties reports whether the City State product names a second county
// for the ZIP; without its records that is unknown.
func (z *zipDraft) severalCounties() dataset.Tri {
	if len(z.cityState) == 0 {
		return dataset.Unknown
	}
	p := z.preferred()
	for _, r := range z.cityState {
		if r.CountyFIPS != "" && p.CountyFIPS != "" && (r.CountyFIPS != p.CountyFIPS || r.State != p.State) {
			return dataset.Yes
		}
	}
	return dataset.No
}

// at returns the point of the post office, else the middle of the ZIP's area.
func (z *zipDraft) at() geo.LatLng {
	if z.post.IsValid() {
		return z.post
	}
	return z.middle.at
}

func (b *builder) setCounty(z *zipDraft, fips string) {
	z.row.County = b.tables.countyIDs[fips]
}

// countyNames maps state and folded name to FIPS codes.
func (b *builder) countyNames() map[[2]string]string {
	names := make(map[[2]string]string, len(b.tables.counties))
	for _, c := range b.tables.counties {
		names[[2]string{b.tables.states[c.State-1].Abbr, countyName(c.Name)}] = c.FIPS
	}
	return names
}

// A countyVote is the county that a source names for a ZIP, or the successors
// of one that was abolished.
type countyVote struct {
	source string // identifier of the source, or residents
	fips   []string
	alone  bool // decides without the others
}

// residents is the source of the vote of the people of a ZIP.
const residents = "residents"

// countyVotes returns the counties that the sources name, all in the ZIP's
// state.
func (b *builder) countyVotes(z *zipDraft, names map[[2]string]string) []countyVote {
	var votes []countyVote
	stateFIPS := b.tables.states[z.row.State-1].FIPS
	add := func(source, code string, alone bool) {
		codes := []string{code}
		if s, ok := successors[code]; ok {
			codes = s
		}
		var known []string
		for _, c := range codes {
			if b.tables.countyIDs[c] != 0 {
				known = append(known, c)
			}
		}
		if len(known) > 0 {
			votes = append(votes, countyVote{source, known, alone && len(known) == 1})
		}
	}
	if p := z.preferred(); p != nil {
		add(srcUSPSCityState, stateFIPS+p.CountyFIPS, true)
	}
	if s := z.supplied; s != nil && s.County != "" && s.State == z.state {
		key := countyName(s.County)
		code := names[[2]string{z.state, key}]
		if code == "" { // a city that is not independent, or an independent one that is written as a county
			code = names[[2]string{z.state, toggleCity(key)}]
		}
		add(srcZIPDatabase, code, false)
	}
	if g := z.geoNames; g != nil && g.CountyCode != "" && g.State == z.state {
		add(srcGeoNamesUS, stateFIPS+g.CountyCode, false)
	}
	add(residents, b.residentsCounty(z, stateFIPS), false)
	return votes
}

// residentsCounty returns the county of a state where most residents of the
// ZIP live, or "".
func (b *builder) residentsCounty(z *zipDraft, stateFIPS string) string {
	people := map[string]int{}
	for _, c := range b.tables.residentsOf[z.row.ZIP] {
		if strings.HasPrefix(c.county, stateFIPS) {
			people[c.county] += c.people
		}
	}
	best := ""
	for _, fips := range slices.Sorted(maps.Keys(people)) {
		if people[fips] > people[best] {
			best = fips
		}
	}
	return best
}

// elect returns the county that the votes decide on, or those that remain
// possible, in the order of the votes.
func elect(votes []countyVote) []string {
	var named, twice, homes []string
	for _, v := range votes {
		if v.alone {
			return v.fips
		}
		if v.source == residents {
			homes = v.fips
		}
		for _, fips := range v.fips {
			switch {
			case !slices.Contains(named, fips):
				named = append(named, fips)
			case !slices.Contains(twice, fips):
				twice = append(twice, fips)
			}
		}
	}
	switch {
	case len(twice) == 1:
		return twice
	case len(homes) > 0 && (len(twice) == 0 || slices.Contains(twice, homes[0])):
		return homes
	case len(twice) > 1:
		return twice
	default:
		return named
	}
}

// noteCounties records the county that each source names if they disagree with
// the county of record.
func (b *builder) noteCounties(z *zipDraft, votes []countyVote) {
	if z.row.County == 0 {
		return
	}
	record := b.tables.counties[z.row.County-1].FIPS
	if !slices.ContainsFunc(votes, func(v countyVote) bool { return !slices.Contains(v.fips, record) }) {
		return
	}
	for _, v := range votes {
		for _, fips := range v.fips {
			z.quality.Counties = append(z.quality.Counties, dataset.CountySource{Source: v.source, FIPS: fips, Chosen: fips == record})
		}
	}
	b.report.applied("county of record that not all sources name", fmt.Sprintf("%s %s", z.row.ZIP, record))
}

// territoryCounty returns the county of a ZIP of the islands, or nil.
func (b *builder) territoryCounty(zip dataset.ZIP) []string {
	for _, t := range territoryCounties {
		if t.low <= zip && zip <= t.high && b.tables.countyIDs[t.fips] != 0 {
			return []string{t.fips}
		}
	}
	return nil
}

// guessCounties returns counties for a ZIP for which no source names one.
func (b *builder) guessCounties(z *zipDraft, names map[[2]string]string) []string {
	if z.state == "PR" { // GeoNames has the municipio as a state there; most cities are named after theirs
		for _, name := range []string{z.municipio(), z.rawName()} {
			if fips := names[[2]string{z.state, countyName(name)}]; fips != "" {
				return []string{fips}
			}
		}
	}
	if only := b.onlyCounty(z.row.State); only != "" {
		return []string{only}
	}
	return nil
}

// municipio returns what GeoNames' file of Puerto Rico has for a state.
func (z *zipDraft) municipio() string {
	if z.geoNames == nil {
		return ""
	}
	return z.geoNames.StateName
}

func toggleCity(name string) string {
	const mark = "/city"
	if n := len(name) - len(mark); n > 0 && name[n:] == mark {
		return name[:n]
	}
	return name + mark
}

// onlyCounty returns the county of a state that has a single one.
func (b *builder) onlyCounty(state dataset.StateID) string {
	only := ""
	for _, c := range b.tables.counties {
		if c.State != state {
			continue
		}
		if only != "" {
			return ""
		}
		only = c.FIPS
	}
	return only
}

// chooseCounty settles a ZIP whose sources name several counties or none.
func (b *builder) chooseCounty(z *zipDraft, proposed []string, settled *nearest) {
	at := z.at()
	name := z.row.ZIP.String()
	if fips := b.surroundingCounty(z, proposed); fips != "" {
		b.setCounty(z, fips)
		b.report.applied("county by the outline around the point", name)
		return
	}
	if settled != nil && at.IsValid() {
		among := func(fips string) bool { return len(proposed) == 0 || slices.Contains(proposed, fips) }
		const reach = 60 // miles
		if fips, d := settled.find(at, among); fips != "" && d <= reach {
			b.setCounty(z, fips)
			b.report.applied("county of the nearest ZIP of the state whose county is undisputed", name)
			return
		}
	}
	if len(proposed) > 0 {
		b.setCounty(z, b.nearestCounty(at, proposed))
		b.report.applied("county by the first or nearest proposal", name)
		return
	}
	if shared := b.cityCounty(z); shared != 0 {
		z.row.County = shared
		b.report.applied("county that all other ZIPs of the city share", name)
	}
}

// surroundingCounty returns the county, one of the proposed if there are any,
// whose outline holds the middle of the ZIP's area, else its post office, or "".
func (b *builder) surroundingCounty(z *zipDraft, proposed []string) string {
	if b.tables.countyAreas == nil {
		return ""
	}
	state := b.tables.states[z.row.State-1].FIPS
	places := []geo.LatLng{z.at(), z.middle.at}
	if z.row.Class == dataset.General && z.middle.source == pointGazetteer {
		slices.Reverse(places)
	}
	for _, at := range places {
		for _, fips := range b.tables.countyAreas.at(at) {
			if len(proposed) == 0 && fips[:2] == state || slices.Contains(proposed, fips) {
				return fips
			}
		}
	}
	return ""
}

// cityCounty returns the county of the other ZIPs of the same city and state,
// where they are all in one.
func (b *builder) cityCounty(z *zipDraft) dataset.CountyID {
	var shared dataset.CountyID
	for _, other := range b.tables.zips {
		switch {
		case other == z || other.state != z.state || other.row.County == 0 || fold(other.rawName()) != fold(z.rawName()):
		case shared == 0:
			shared = other.row.County
		case shared != other.row.County:
			return 0
		}
	}
	return shared
}

// nearestCounty returns the county whose Gazetteer point is nearest, or the
// first one where there is no point.
func (b *builder) nearestCounty(at geo.LatLng, fips []string) string {
	best, bestMiles := fips[0], -1.0
	if !at.IsValid() {
		return best
	}
	for _, f := range fips {
		if p := b.tables.countyAt[f]; p.IsValid() {
			if d := miles(at, p); bestMiles < 0 || d < bestMiles {
				best, bestMiles = f, d
			}
		}
	}
	return best
}
