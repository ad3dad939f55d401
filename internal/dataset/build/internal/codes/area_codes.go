package codes

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
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

// areaCodes takes the area codes of ZIPs from the user's table, without those
// of Canada and those of no place. FSAs get theirs by rule; GeoNames has none.
type areaCodes struct {
	*plan.Env
	ZIPs *draft.ZIPs `writes:"area-codes"`
	FSAs *draft.FSAs `writes:"area-codes"`
}

func (b *areaCodes) Run(context.Context) error {
	for _, z := range b.ZIPs.List {
		if z.Supplied == nil {
			continue
		}
		for _, text := range z.Supplied.AreaCodes {
			code, err := strconv.ParseUint(text, 10, 16)
			reason := ""
			switch {
			case err != nil || code < 200 || code > 999:
				reason = "area code that is none"
			case slices.Contains(canadianAreaCodes, uint16(code)):
				reason = "area code of Canada"
			case nonGeographic(uint16(code)):
				reason = "area code of no place"
			}
			if reason != "" {
				b.Drop(catalog.ZIPDatabase, reason, b.At(catalog.ZIPDatabase, z.Supplied.Line)+z.Row.ZIP.String()+" "+text)
				continue
			}
			z.Detail.AreaCodes = append(z.Detail.AreaCodes, uint16(code))
		}
		slices.Sort(z.Detail.AreaCodes)
		z.Detail.AreaCodes = slices.Compact(z.Detail.AreaCodes)
	}
	for _, f := range b.FSAs.List {
		f.Detail.AreaCodes = overlays[fsaAreaCode(f.Row.FSA)]
	}
	return nil
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
func fsaAreaCode(f dataset.FSA) uint16 {
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
