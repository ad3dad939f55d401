package build

import (
	"context"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// deriveAreas gives general ZIPs with a ZCTA its land and water area; PO Box,
// unique and military ZIPs are points even where a ZCTA has their code. The
// elevation of a ZIP is the mean of its ZCTA, else of the ZCTA that encloses
// it, else of its county.
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
		if !ok && z.row.County != 0 {
			metres, ok = byCounty[b.tables.counties[z.row.County-1].FIPS]
		}
		if ok {
			z.detail.Elevation = &metres
		}
	}
	return nil
}
