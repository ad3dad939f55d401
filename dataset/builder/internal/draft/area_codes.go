package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// Area codes of ZIPs come from the supplied table, which lists too many and too few. It
// gives some ZIPs the codes of neighboring areas, and lacks newer overlays. The steps:
//
//  1. Drop codes that no ZIP can have (suppliedCodes).
//  2. Find the state of each code, by the majority of its ZIPs (findHomes).
//  3. Drop codes of states and counties where the ZIP does not lie (reaches).
//  4. Add codes that share an area with one that is left (withOverlays).
//  5. Give a ZIP without codes those that nearly all ZIPs of its county have.
//
// 2 comes after 1 for all ZIPs, because one ZIP does not show where a code is at home.

// An otherCode is an area code that no ZIP has: a geographic one of Canada that is in
// service, or one of no place. Those are toll-free, premium, personal and carrier services
// of the North American Numbering Plan, and its service codes (N11).
type otherCode struct {
	Code   uint16 `col:"code"`
	Reason string `col:"reason"`
}

var otherCodes = reviewedBy("other_codes.csv", func(c otherCode) uint16 { return c.Code })

// An areaCode is an area code of the United States that shares an area. The table states
// facts of the North American Numbering Plan, from the planning letters of its administrator
// and the orders of state commissions.
type areaCode struct {
	Code     uint16   `col:"code"`
	Overlays []uint16 `col:"overlays"` // the codes that had the area before; none if the code has an area of its own
	Counties []string `col:"counties"` // FIPS codes of the counties that are the area; none if it does not follow counties
}

// SharedCodes returns the table.
var SharedCodes = reviewed[areaCode]("area_codes.csv")

// A canadianArea is an area of Canada with its area codes. The first row that fits an FSA
// decides. An FSA in two areas belongs to the one with most of its people.
type canadianArea struct {
	Codes []uint16 `col:"codes"`
	FSAs  []string `col:"fsas"` // beginnings of FSAs
}

var canadianAreas = reviewed[canadianArea]("canadian_areas.csv")

// areaCodes takes the area codes of ZIPs from the user's table. It leaves out those
// of Canada, those of no place and those of neighbors, and adds the codes that
// share an area with one of them and that the table lacks. A ZIP without any takes
// the codes that nearly all ZIPs of its county have. FSAs get theirs by rule;
// GeoNames has none.
type areaCodes struct {
	*Draft

	shared []areaCode
	home   map[uint16]store.StateID // state of most ZIPs of a code
}

// readAreaCodes reads the area codes of ZIP Codes and FSAs.
func (d *Draft) readAreaCodes() {
	b := &areaCodes{Draft: d, shared: SharedCodes()}
	for _, z := range b.ZIPs.List {
		z.Detail.AreaCodes = b.suppliedCodes(z)
	}
	b.findHomes()
	sets, zips := map[store.CountyID]map[string]int{}, map[store.CountyID]int{}
	for _, z := range b.ZIPs.List {
		codes := slices.DeleteFunc(z.Detail.AreaCodes, func(c uint16) bool { return !b.reaches(z, c) })
		z.Detail.AreaCodes = b.withOverlays(z, codes)
		if county := z.Row.County; len(codes) > 0 && county != 0 {
			if sets[county] == nil {
				sets[county] = map[string]int{}
			}
			sets[county][fmt.Sprint(z.Detail.AreaCodes)]++
			zips[county]++
		}
	}
	usual := map[store.CountyID][]uint16{}
	for _, z := range b.ZIPs.List {
		const nearly = 0.9 // a county in two areas has two sets, and neither can be given to others
		if county := z.Row.County; float64(sets[county][fmt.Sprint(z.Detail.AreaCodes)]) >= nearly*float64(max(1, zips[county])) {
			usual[county] = z.Detail.AreaCodes
		}
	}
	for _, z := range b.ZIPs.List {
		if codes := usual[z.Row.County]; len(z.Detail.AreaCodes) == 0 && len(codes) > 0 {
			z.Detail.AreaCodes = codes
			b.applied("area codes that nearly all other ZIPs of the county have", z.Row.ZIP.String())
		}
	}
	for _, f := range b.FSAs.List {
		f.Detail.AreaCodes = canadianCodes(f.Row.FSA)
	}
}

// suppliedCodes returns the codes of the user's table, ascending.
func (b *areaCodes) suppliedCodes(z *ZIP) (codes []uint16) {
	if z.Supplied == nil {
		return nil
	}
	for _, text := range z.Supplied.AreaCodes {
		code, err := strconv.ParseUint(text, 10, 16)
		var reason string
		switch {
		case err != nil || code < 200 || code > 999:
			reason = "area code that is none"
		default:
			reason = otherCodes()[uint16(code)].Reason
		}
		if reason != "" {
			b.drop(catalog.ZIPDatabase, reason, b.line(catalog.ZIPDatabase, z.Supplied.Line)+z.Row.ZIP.String()+" "+text)
			continue
		}
		codes = append(codes, uint16(code))
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// findHomes finds the state of each code: no area crosses a border. A table that also
// gives a ZIP the codes of its neighbors names another state for a few. A tie goes to the
// state with the lower number, so that the order of the map does not decide.
func (b *areaCodes) findHomes() {
	counts := map[uint16]map[store.StateID]int{}
	for _, z := range b.ZIPs.List {
		for _, c := range z.Detail.AreaCodes {
			if counts[c] == nil {
				counts[c] = map[store.StateID]int{}
			}
			counts[c][z.Row.State]++
		}
	}
	b.home = map[uint16]store.StateID{}
	for c, of := range counts {
		for state, n := range of {
			if best := b.home[c]; n > of[best] || n == of[best] && state < best {
				b.home[c] = state
			}
		}
	}
}

// reaches reports whether a ZIP can have numbers of a code. A ZIP has none of a state
// where it lies in no county, nor of an area that consists of other counties. It
// lies in the county of the record and where its people live; a ZIP of several
// counties without people may lie anywhere.
func (b *areaCodes) reaches(z *ZIP, code uint16) bool {
	counties := []string{b.Counties.FIPS(z.Row.County)}
	centers := b.Residents.Of[z.Row.ZIP]
	if counties[0] == "" || len(centers) == 0 && z.Row.MultiCounty == store.Yes {
		return true
	}
	for _, c := range centers {
		if fips := b.Counties.FIPS(c.County); c.People > 0 && fips != "" && !slices.Contains(counties, fips) {
			counties = append(counties, fips)
		}
	}
	inState := func(fips string) bool { return b.Counties.List[b.Counties.IDs[fips]-1].State == b.home[code] }
	var reason string
	switch {
	case !slices.ContainsFunc(counties, inState):
		reason = "area code of another state"
	case !slices.ContainsFunc(counties, func(fips string) bool { return b.inArea(code, fips) }):
		reason = "area code of other counties"
	default:
		return true
	}
	b.drop(catalog.ZIPDatabase, reason, b.line(catalog.ZIPDatabase, z.Supplied.Line)+fmt.Sprintf("%s %d", z.Row.ZIP, code))
	return false
}

// inArea reports whether a county lies in the area of a code, or in that of a code
// that it overlays. Areas that do not follow counties may reach everywhere.
func (b *areaCodes) inArea(code uint16, county string) bool {
	// The list grows while it is walked: it is the code, those that it overlays, and
	// those that these overlay. A code that the table lacks has an area of its own, of
	// unknown extent.
	codes, bounded := []uint16{code}, false
	for i := 0; i < len(codes); i++ {
		listed := false
		for _, c := range b.shared {
			if c.Code != codes[i] {
				continue
			}
			if slices.Contains(c.Counties, county) {
				return true
			}
			listed, bounded = true, bounded || len(c.Counties) > 0
			for _, o := range c.Overlays {
				if !slices.Contains(codes, o) {
					codes = append(codes, o)
				}
			}
		}
		if !listed {
			return true
		}
	}
	return !bounded
}

// withOverlays adds the codes that share the area of one of the ZIP's: those that
// overlay it, and the one that it overlays if that is certain. It returns them in
// ascending order.
func (b *areaCodes) withOverlays(z *ZIP, codes []uint16) []uint16 {
	add := func(code uint16) (added bool) {
		at, have := slices.BinarySearch(codes, code)
		if !have {
			codes = slices.Insert(codes, at, code)
			b.applied("area code that shares an area with another of the ZIP", fmt.Sprintf("%s %d", z.Row.ZIP, code))
		}
		return !have
	}
	// An added code can bring another one, so that the table is walked until nothing
	// changes.
	for again := len(codes) > 0; again; {
		again = false
		for _, c := range b.shared {
			_, have := slices.BinarySearch(codes, c.Code)
			switch {
			case have && b.only(c):
				again = add(c.Overlays[0]) || again
			case !have && slices.ContainsFunc(c.Overlays, func(o uint16) bool { return slices.Contains(codes, o) }):
				again = add(c.Code) || again
			}
		}
	}
	return codes
}

// only reports whether a row is the only one of a code and has one overlaid code. Then
// all of the code's area is that of the other. 689 only overlays 407, and a ZIP with it
// has 407 too. 321 overlays 407 but also has Brevard County alone, so that 321 shows
// nothing.
func (b *areaCodes) only(c areaCode) bool {
	rows := 0
	for _, o := range b.shared {
		if o.Code == c.Code {
			rows++
		}
	}
	return rows == 1 && len(c.Overlays) == 1
}

// canadianCodes returns the area codes of the area that an FSA belongs to, none for letters
// that Canada Post does not use.
func canadianCodes(f postcode.FSA) []uint16 {
	for _, area := range canadianAreas() {
		if slices.ContainsFunc(area.FSAs, func(start string) bool { return strings.HasPrefix(f.String(), start) }) {
			return area.Codes
		}
	}
	return nil
}
