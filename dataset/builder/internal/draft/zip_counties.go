package draft

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// The county of record decides much of a record: metropolitan area, Medicare, area codes,
// and which points are believed. Sources disagree about it. Before the vote of three
// sources, the county around the middle of the area was taken. That put 75287 (Denton
// County, Texas) into Dallas County, which holds none of it.
//
// chooseCounties makes three passes, because later decisions use earlier ones: all ZIP
// Codes that the votes decide, then the open ones, which may take the county of a decided
// neighbor, then the record of who disagreed.

// An island has facts about ZIP Codes of islands that sources lack or have wrong. The
// county is that of the island that the Postal Service serves under the code. The city is
// in place of a census district. The time zone is for a file of outlines that lacks it.
// The point is the post office in the place that the Postal Service names.
type island struct {
	Low   postcode.ZIP `col:"low"`
	High  postcode.ZIP `col:"high"`
	FIPS  string       `col:"county"`
	City  string       `col:"city"`
	Zone  string       `col:"zone"`
	Point geo.LatLng   `col:"lat;lng"`
}

var islands = reviewed[island]("island_zips.csv")

// islandOf returns the row of a ZIP, or a zero row.
func islandOf(zip postcode.ZIP) island {
	for _, i := range islands() {
		if i.Low <= zip && zip <= i.High {
			return i
		}
	}
	return island{}
}

// chooseCounties decides the county of record of each ZIP; military ZIPs have none. The
// first of these that names one county decides:
//
//  1. the reviewed table of islands,
//  2. the City State product,
//  3. two of three sources: zip_code_database.csv by name, GeoNames by code, and most
//     residents; an abolished county counts as its successors (decision D62),
//  4. most residents,
//  5. for a general ZIP, zip_code_database.csv, else GeoNames: compared with the ranges of
//     all streets, the table is right for 92 of 119 ZIPs without residents, and GeoNames for
//     27,
//  6. the only county that is named, or that the state has; in Puerto Rico, the municipio
//     of its name,
//  7. the outline around the middle of the area, else around the post office,
//  8. the nearest ZIP of the state within 60 miles whose county is decided,
//  9. the nearest of the counties that are named, or the one of all other ZIPs of the city.
//
// 7 and 8 choose among the counties that sources name, if there are any. They are for
// sources that differ, for a name of a county that was divided (Connecticut until 2022), and
// for ZIPs without a name.
func (d *Draft) chooseCounties() {
	names := d.countyNames()
	var open []*ZIP
	settled := map[string]*nearest[string]{}
	proposals := map[postcode.ZIP][]string{}
	votes := map[postcode.ZIP][]countyVote{}
	for _, z := range d.ZIPs.List {
		if z.Row.Class == store.Military {
			continue
		}
		var fips []string
		if county := islandOf(z.Row.ZIP).FIPS; d.Counties.IDs[county] != 0 {
			fips = []string{county}
		} else {
			votes[z.Row.ZIP] = d.countyVotes(z, names)
			fips = elect(votes[z.Row.ZIP], z.Row.Class == store.General)
		}
		if len(fips) == 0 {
			fips = d.guessCounties(z, names)
		}
		if len(fips) == 1 {
			d.setCounty(z, fips[0])
			if settled[z.State] == nil {
				settled[z.State] = &nearest[string]{}
			}
			settled[z.State].add(z.Spot(), fips[0])
			continue
		}
		proposals[z.Row.ZIP] = fips
		open = append(open, z)
	}
	for _, z := range d.ZIPs.List {
		z.Row.MultiCounty = severalCounties(z)
	}
	for _, z := range open {
		d.chooseCounty(z, proposals[z.Row.ZIP], settled[z.State])
	}
	for _, z := range d.ZIPs.List {
		d.noteCounties(z, votes[z.Row.ZIP])
	}
}

// severalCounties reports whether the City State product names a second county
// for the ZIP; without its records that is unknown.
func severalCounties(z *ZIP) store.Tri {
	if len(z.CityState) == 0 {
		return store.Unknown
	}
	p := z.Preferred()
	for _, r := range z.CityState {
		if r.CountyFIPS != "" && p.CountyFIPS != "" && (r.CountyFIPS != p.CountyFIPS || r.State != p.State) {
			return store.Yes
		}
	}
	return store.No
}

func (d *Draft) setCounty(z *ZIP, fips string) {
	z.Row.County = d.Counties.IDs[fips]
}

// countyNames maps state and folded name to FIPS codes.
func (d *Draft) countyNames() map[[2]string]string {
	names := make(map[[2]string]string, len(d.Counties.List))
	for _, c := range d.Counties.List {
		names[[2]string{d.States.Abbr(c.State), CountyName(c.Name)}] = c.FIPS
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

// byResidents is the source of the vote of the people of a ZIP.
const byResidents = "residents"

// countyVotes returns the counties that the sources name, all in the ZIP's state. Votes
// come in the order of reliability: City State, the table, GeoNames, residents. Residents
// are the last although they can outvote one source, because elect looks for them by
// name. Only the City State product decides alone, and only with one county: its code for
// an abolished county that was divided leaves several.
func (d *Draft) countyVotes(z *ZIP, names map[[2]string]string) []countyVote {
	var votes []countyVote
	stateFIPS := d.States.FIPS(z.Row.State)
	add := func(source, code string, alone bool) {
		codes := []string{code}
		if s, ok := successors[code]; ok {
			codes = s
		}
		var known []string
		for _, c := range codes {
			if d.Counties.IDs[c] != 0 {
				known = append(known, c)
			}
		}
		if len(known) > 0 {
			votes = append(votes, countyVote{source, known, alone && len(known) == 1})
		}
	}
	if p := z.Preferred(); p != nil {
		add(catalog.USPSCityState, stateFIPS+p.CountyFIPS, true)
	}
	if s := z.Supplied; s != nil && s.County != "" && s.State == z.State {
		key := CountyName(s.County)
		code := names[[2]string{z.State, key}]
		// The name may be of a city that is not independent, or of an independent city
		// that is written as a county.
		if code == "" {
			code = names[[2]string{z.State, toggleCity(key)}]
		}
		add(catalog.ZIPDatabase, code, false)
	}
	if g := z.GeoNames; g != nil && g.CountyCode != "" && g.State == z.State {
		add(catalog.GeoNamesUS, stateFIPS+g.CountyCode, false)
	}
	add(byResidents, d.residentsCounty(z, stateFIPS), false)
	return votes
}

// residentsCounty returns the county of a state where most residents of the
// ZIP live, or "".
func (d *Draft) residentsCounty(z *ZIP, stateFIPS string) string {
	people := map[string]int{}
	for _, c := range d.Residents.Of[z.Row.ZIP] {
		if fips := d.Counties.FIPS(c.County); c.People > 0 && strings.HasPrefix(fips, stateFIPS) {
			people[fips] += c.People
		}
	}
	return heaviest(people)
}

// elect returns the county that the votes decide on, or those that remain possible.
// Sources vote in the order of their reliability, which was measured for ZIPs with
// streets alone. A county that was divided votes for all of its successors, so that two
// counties may be named twice; then the residents choose between them.
func elect(votes []countyVote, general bool) []string {
	if len(votes) == 0 {
		return nil
	}
	var named, twice, homes []string
	for _, v := range votes {
		if v.alone {
			return v.fips
		}
		if v.source == byResidents {
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
	case general:
		return votes[0].fips
	default:
		return named
	}
}

// noteCounties records the county that each source names if they disagree with
// the county of record.
func (d *Draft) noteCounties(z *ZIP, votes []countyVote) {
	if z.Row.County == 0 {
		return
	}
	record := d.Counties.FIPS(z.Row.County)
	if !slices.ContainsFunc(votes, func(v countyVote) bool { return !slices.Contains(v.fips, record) }) {
		return
	}
	for _, v := range votes {
		for _, fips := range v.fips {
			z.Detail.Quality.Counties = append(z.Detail.Quality.Counties, store.CountySource{Source: v.source, FIPS: fips, Chosen: fips == record})
		}
	}
	d.applied("county of record that not all sources name", fmt.Sprintf("%s %s", z.Row.ZIP, record))
}

// guessCounties returns the county of a ZIP that no source names a county for, or nil. In
// Puerto Rico GeoNames has the municipio as a state, and most cities are named after
// theirs. The District of Columbia and Guam have one county equivalent each.
func (d *Draft) guessCounties(z *ZIP, names map[[2]string]string) []string {
	if z.State == "PR" {
		for _, name := range []string{municipio(z), z.RawName()} {
			if fips := names[[2]string{z.State, CountyName(name)}]; fips != "" {
				return []string{fips}
			}
		}
	}
	if only := d.onlyCounty(z.Row.State); only != "" {
		return []string{only}
	}
	return nil
}

// municipio returns what GeoNames' file of Puerto Rico has for a state.
func municipio(z *ZIP) string {
	if z.GeoNames == nil {
		return ""
	}
	return z.GeoNames.StateName
}

// toggleCity adds the mark of an independent city to a key of [CountyName], or removes
// it.
func toggleCity(name string) string {
	const mark = "/city"
	if n := len(name) - len(mark); n > 0 && name[n:] == mark {
		return name[:n]
	}
	return name + mark
}

// onlyCounty returns the county of a state that has a single one.
func (d *Draft) onlyCounty(state store.StateID) string {
	only := ""
	for _, c := range d.Counties.List {
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

// chooseCounty settles a ZIP whose sources name several counties or none. The evidence
// gets weaker step by step: an outline around the point, a decided ZIP nearby, the
// nearest proposal, the county that the rest of the city shares.
func (d *Draft) chooseCounty(z *ZIP, proposed []string, settled *nearest[string]) {
	at := z.Spot()
	name := z.Row.ZIP.String()
	if fips := d.surroundingCounty(z, proposed); fips != "" {
		d.setCounty(z, fips)
		d.applied("county by the outline around the point", name)
		return
	}
	if settled != nil && at.IsValid() {
		among := func(fips string) bool { return len(proposed) == 0 || slices.Contains(proposed, fips) }
		const reach = 60 // miles
		if fips, away := settled.find(at, among); fips != "" && away <= reach {
			d.setCounty(z, fips)
			d.applied("county of the nearest ZIP of the state whose county is undisputed", name)
			return
		}
	}
	if len(proposed) > 0 {
		d.setCounty(z, d.nearestCounty(at, proposed))
		d.applied("county by the first or nearest proposal", name)
		return
	}
	if shared := d.cityCounty(z); shared != 0 {
		z.Row.County = shared
		d.applied("county that all other ZIPs of the city share", name)
	}
}

// surroundingCounty returns the county whose outline holds the middle of the
// ZIP's area, else its post office, or "". It is one of the proposed counties
// if there are any.
func (d *Draft) surroundingCounty(z *ZIP, proposed []string) string {
	// The middle comes first only for a general ZIP with a ZCTA of its own. Any other ZIP
	// is at its post office, and an enclosing ZCTA may have its middle in another county.
	places := []geo.LatLng{z.Spot(), z.Middle.At}
	if z.Row.Class == store.General && z.Middle.Source == pointGazetteer {
		slices.Reverse(places)
	}
	for _, at := range places {
		for _, id := range d.CountyOutlines.index().at(at) {
			c := &d.Counties.List[id-1]
			if len(proposed) == 0 && c.State == z.Row.State || slices.Contains(proposed, c.FIPS) {
				return c.FIPS
			}
		}
	}
	return ""
}

// cityCounty returns the county of the other ZIPs of the same city and state if
// they share one.
func (d *Draft) cityCounty(z *ZIP) store.CountyID {
	var shared store.CountyID
	for _, other := range d.ZIPs.List {
		switch {
		case other == z || other.State != z.State || other.Row.County == 0 || Fold(other.RawName()) != Fold(z.RawName()):
		case shared == 0:
			shared = other.Row.County
		case shared != other.Row.County:
			return 0
		}
	}
	return shared
}

// nearestCounty returns the county whose Gazetteer point is nearest, or the
// first one without a point.
func (d *Draft) nearestCounty(at geo.LatLng, fips []string) string {
	placed := slices.DeleteFunc(slices.Clone(fips), func(f string) bool { return !d.Counties.At[f].IsValid() })
	if !at.IsValid() || len(placed) == 0 {
		return fips[0]
	}
	return slices.MinFunc(placed, func(a, b string) int {
		return cmp.Compare(shape.Miles(at, d.Counties.At[a]), shape.Miles(at, d.Counties.At[b]))
	})
}
