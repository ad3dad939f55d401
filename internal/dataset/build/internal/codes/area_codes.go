package codes

import (
	"context"
	"slices"
	"strconv"

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
