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

// canadianAreaCodes are the geographic area codes of Canada in service.
var canadianAreaCodes = []uint16{
	204, 226, 236, 249, 250, 257, 263, 289, 306, 343, 354, 365, 367, 368, 382, 403, 416, 418, 428, 431, 437, 438, 450, 468, 474,
	506, 514, 519, 548, 579, 581, 584, 587, 604, 613, 639, 647, 672, 683, 705, 709, 742, 753, 778, 780, 782, 807, 819, 825, 867,
	873, 879, 902, 905, 942,
}

// nonGeographic reports area codes that belong to no place: toll-free, premium,
// personal and carrier services of the North American Numbering Plan.
func nonGeographic(code uint16) bool {
	switch code {
	case 500, 521, 522, 523, 524, 525, 526, 527, 528, 529, 532, 533, 535, 538, 542, 543, 544, 545, 546, 547, 549,
		550, 552, 553, 554, 556, 566, 569, 577, 578, 588, 589, 600, 622, 633, 644, 655, 677, 688, 700, 710,
		800, 822, 833, 844, 855, 866, 877, 888, 900:
		return true
	}
	return code%100 == 11 // N11 service codes
}

// areaCodes takes the area codes of ZIPs from the user's table. It leaves out those
// of Canada, those of no place and those of neighbors, and adds the codes that
// share an area with one of them and that the table lacks. A ZIP without any takes
// the codes that nearly all ZIPs of its county have. FSAs get theirs by rule;
// GeoNames has none.
type areaCodes struct {
	*Draft

	shared []catalog.AreaCode
	home   map[uint16]store.StateID // state of most ZIPs of a code
}

// readAreaCodes reads the area codes of ZIP Codes and FSAs.
func (d *Draft) readAreaCodes() {
	b := &areaCodes{Draft: d, shared: must(catalog.AreaCodes())}
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
		const nearly = 0.9
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
		f.Detail.AreaCodes = overlays[fsaAreaCode(f.Row.FSA)]
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
		case slices.Contains(canadianAreaCodes, uint16(code)):
			reason = "area code of Canada"
		case nonGeographic(uint16(code)):
			reason = "area code of no place"
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

// findHomes finds the state of each code: no area crosses a border. A table that
// also gives a ZIP the codes of its neighbors names another state for a few.
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

// only reports whether a row is the only one of a code and has one overlaid code,
// so that all of the code's area is that of the other.
func (b *areaCodes) only(c catalog.AreaCode) bool {
	rows := 0
	for _, o := range b.shared {
		if o.Code == c.Code {
			rows++
		}
	}
	return rows == 1 && len(c.Overlays) == 1
}

// overlays are the groups of area codes of Canada that share an area, by the
// code that the area had first. Later codes are missing in older tables.
var overlays = map[uint16][]uint16{
	204: {204, 431, 584}, 306: {306, 474, 639}, 403: {368, 403, 587, 825}, 416: {416, 437, 647, 942}, 418: {367, 418, 581},
	450: {354, 450, 579}, 506: {428, 506}, 514: {263, 438, 514}, 519: {226, 382, 519, 548}, 613: {343, 613, 753},
	604: {236, 257, 604, 672, 778}, 250: {236, 250, 257, 672, 778}, 705: {249, 683, 705}, 709: {709}, 780: {368, 587, 780, 825},
	807: {807}, 819: {468, 819, 873}, 867: {867}, 902: {782, 902}, 905: {289, 365, 742, 905},
}

// fsaAreaCodes are the areas of FSAs by the area's first code. The first row
// that fits decides; a row lists beginnings of FSAs. An FSA in two areas
// belongs to the one with most of its people.
var fsaAreaCodes = []struct {
	code uint16
	fsas string
}{
	{709, "A"},
	{902, "B C"},
	{506, "E"},
	{204, "R"},
	{306, "S"},
	{867, "X Y"},
	{416, "M"},
	// Quebec: the east is 418, Mauricie, Bois-Francs, the Eastern Townships, the Outaouais and the north 819.
	{819, "G0P G0X G0Z G6L G6P G6R G6S G6T G8T G8V G8W G8Y G8Z G9"},
	{418, "G"},
	{450, "H7"},
	{613, "H0M"},
	{514, "H"},
	{819, "J0A J0B J0C J0M J0T J0V J0W J0X J0Y J0Z J1 J2A J2B J2C J2E J3T J5V J8C J8E"},
	{450, "J0 J2 J3 J4 J5 J6 J7 J8A J8B J8G J8H"},
	{819, "J"},
	// Ontario
	{905, "K9A"},
	{705, "K0L K0M K9"},
	{613, "K"},
	{705, "L0A L0K L0L L0M L3V L3W L4M L4N L4R L9J L9M L9R L9S L9X L9Y L9Z"},
	{519, "L0N L9V L9W"},
	{905, "L"},
	{519, "N"},
	{807, "P0T P0V P0W P0X P0Y P7 P8N P8T P9"},
	{705, "P"},
	// Alberta: Calgary, Red Deer and the south are 403, Edmonton and the north 780.
	{780, "T0A T0B T0E T0G T0H T0P T0V T4V T4X"},
	{403, "T0 T1 T2 T3 T4"},
	{780, "T"},
	// British Columbia: the Lower Mainland is 604, all else 250.
	{604, "V0M V0N V1M V2P V2R V2S V2T V2V V2W V2X V2Y V2Z V3 V4A V4B V4C V4E V4G V4K V4L V4M V4N V4P V4R V4S V4W V4X V4Z V5 V6 V7 V8A V8B V8E"},
	{250, "V"},
}

// fsaAreaCode returns the first area code of the area that an FSA belongs to,
// 0 for letters that Canada Post does not use.
func fsaAreaCode(f postcode.FSA) uint16 {
	code := f.String()
	for _, row := range fsaAreaCodes {
		for start := range strings.FieldsSeq(row.fsas) {
			if strings.HasPrefix(code, start) {
				return row.code
			}
		}
	}
	return 0
}
