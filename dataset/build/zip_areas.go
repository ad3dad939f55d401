package build

import (
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// deriveAreas gives general ZIPs with a ZCTA its land and water area; PO Box,
// unique and military ZIPs are points even where a ZCTA has their code. The
// elevation of a ZIP is the mean of its ZCTA, else of the ZCTA that encloses
// it, else of its county. A mean below the sea is believed where there is land
// so low.
func deriveAreas(ctx context.Context, b *builder) error {
	byZCTA, byCounty := map[string]float64{}, map[string]float64{}
	take := func(into map[string]float64) func(source.ElevationRow) error {
		return func(r source.ElevationRow) error {
			if _, have := into[r.Code]; have {
				return refusal{"duplicate code", r.Line, r.Code}
			}
			into[r.Code] = r.Metres
			return nil
		}
	}
	if err := readText(ctx, b, srcZCTAElevation, source.ZCTAElevations, take(byZCTA)); err != nil {
		return err
	}
	if err := readText(ctx, b, srcCountyElevation, source.CountyElevations, take(byCounty)); err != nil {
		return err
	}
	for _, z := range b.tables.zips {
		code := z.row.ZIP.String()
		zcta, hasZCTA := b.tables.zctas[code]
		if hasZCTA && z.row.Class == dataset.General {
			z.detail.LandArea, z.detail.WaterArea = &zcta.Land, &zcta.Water
		}
		if z.row.Class == dataset.Military {
			continue
		}
		metres, ok := byZCTA[code]
		if !ok && z.uds != nil {
			metres, ok = byZCTA[z.uds.ZCTA]
		}
		county := ""
		if z.row.County != 0 {
			county = b.tables.counties[z.row.County-1].FIPS
		}
		if ok && tooLow(county, metres) {
			b.report.applied("elevation below the sea where no land is so low gives way to the county's", fmt.Sprintf("%s, %.0f m", code, metres))
			ok = false
		}
		if !ok && county != "" {
			metres, ok = byCounty[county]
			ok = ok && !tooLow(county, metres)
		}
		if ok {
			z.detail.Elevation = &metres
		}
	}
	return nil
}

// sunken are the counties that hold the Salton Sea's basin and Death Valley.
var sunken = []string{"06025", "06027", "06065", "06071"}

// tooLow reports a mean elevation that the county cannot have: the polders of
// New Orleans lie down to 5 m below the sea, only two basins of California
// lower.
func tooLow(county string, metres float64) bool {
	const polders = -5
	return metres < polders && !slices.Contains(sunken, county)
}
