package build

import (
	"context"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/dataset/build/source"
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

// overlays are the groups of area codes of Canada that share an area, by the
// code that the area had first. Later codes are missing in older tables.
var overlays = map[uint16][]uint16{
	204: {204, 431, 584}, 306: {306, 474, 639}, 403: {368, 403, 587, 825}, 416: {416, 437, 647, 942}, 418: {367, 418, 581},
	450: {354, 450, 579}, 506: {428, 506}, 514: {263, 438, 514}, 519: {226, 382, 519, 548}, 613: {343, 613, 753},
	604: {236, 257, 604, 672, 778}, 250: {236, 250, 257, 672, 778}, 705: {249, 683, 705}, 709: {709}, 780: {368, 587, 780, 825},
	807: {807}, 819: {468, 819, 873}, 867: {867}, 902: {782, 902}, 905: {289, 365, 742, 905},
}

// deriveAreaCodes takes the area codes of the user's table for ZIPs, without
// those that the numbering plan gives to Canada or to no place, and gives FSAs
// theirs by deriveFSAAreaCodes. GeoNames has none.
func deriveAreaCodes(_ context.Context, b *builder) error {
	for _, z := range b.tables.zips {
		if z.supplied == nil {
			continue
		}
		for _, text := range z.supplied.AreaCodes {
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
				b.report.refuse(srcZIPDatabase, reason, z.row.ZIP.String()+" "+text)
				continue
			}
			z.detail.AreaCodes = append(z.detail.AreaCodes, uint16(code))
		}
		slices.Sort(z.detail.AreaCodes)
		z.detail.AreaCodes = slices.Compact(z.detail.AreaCodes)
	}
	return nil
}

// deriveFSAAreaCodes gives each FSA with a point the area codes of the nearest
// city of its province that the list has, with the overlays that the list does
// not know yet. Montréal and Toronto, whose area codes end at the city limits,
// follow the first letters of the code instead.
func deriveFSAAreaCodes(ctx context.Context, b *builder) error {
	byProvince := map[string]*nearest{}
	err := readText(ctx, b, srcAreaCodes, source.AreaCodes, func(r source.AreaCodeRow) error {
		province := provinceByName(r.Province)
		if province == "" {
			return refusal{"unknown province", r.Line, r.Province}
		}
		if _, base := overlays[r.AreaCode]; !base {
			return nil // an overlay: it comes with its area's first code
		}
		if byProvince[province] == nil {
			byProvince[province] = newNearest()
		}
		if r.Location.IsValid() {
			byProvince[province].add(r.Location, strconv.Itoa(int(r.AreaCode)))
		}
		return nil
	})
	if err != nil || !b.has(srcAreaCodes) {
		return err
	}
	for _, f := range b.tables.fsas {
		f.detail.AreaCodes = overlays[fsaAreaCode(f, byProvince[f.province])]
	}
	return nil
}

// provinceAreaCodes are the first area codes of provinces that have one area.
var provinceAreaCodes = map[string]uint16{
	"MB": 204, "SK": 306, "NB": 506, "NL": 709, "NS": 902, "PE": 902, "YT": 867, "NT": 867, "NU": 867,
}

func fsaAreaCode(f *fsaDraft, cities *nearest) uint16 {
	if code := provinceAreaCodes[f.province]; code != 0 {
		return code
	}
	switch code := f.row.FSA.String(); {
	case code[0] == 'M':
		return 416
	case code[0] == 'H' && code[1] == '7': // Laval
		return 450
	case code[0] == 'H':
		return 514
	}
	if cities == nil || !f.row.Location.IsValid() {
		return 0
	}
	label, _ := cities.find(f.row.Location, func(string) bool { return true })
	code, err := strconv.ParseUint(label, 10, 16)
	if err != nil {
		return 0
	}
	return uint16(code)
}

// provinceByName returns the abbreviation of a province by its name, "" where
// it is unknown.
func provinceByName(name string) string {
	folded := fold(name)
	switch folded {
	case "northwest territory":
		return "NT"
	case "nunavut territory":
		return "NU"
	case "yukon territory":
		return "YT"
	case "newfoundland":
		return "NL"
	}
	for _, p := range canadianProvinces {
		if fold(p.name) == folded {
			return p.abbr
		}
	}
	return ""
}
