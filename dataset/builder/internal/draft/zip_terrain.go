package draft

import (
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// MeasureTerrain gives general ZIPs with a ZCTA its land and water area. PO Box,
// unique and military ZIPs are points even if a ZCTA has their code. The
// elevation of a ZIP is the mean of its ZCTA, else of the ZCTA that encloses
// it, else of its county. A mean below the sea counts only in counties with
// land so low.
func (d *Draft) MeasureTerrain(ctx context.Context) error {
	byZCTA, byCounty := map[string]float64{}, map[string]float64{}
	take := func(into map[string]float64) func(source.ElevationRow) error {
		return func(r source.ElevationRow) error {
			if _, have := into[r.Code]; have {
				return plan.Refused("duplicate code", r.Line, r.Code)
			}
			into[r.Code] = r.Meters
			return nil
		}
	}
	if err := plan.Read(ctx, d.Env, catalog.ZCTAElevation, source.Elevations, take(byZCTA)); err != nil {
		return err
	}
	if err := plan.Read(ctx, d.Env, catalog.CountyElevation, source.Elevations, take(byCounty)); err != nil {
		return err
	}
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
			d.Applied("elevation below the sea in a county without land so low gives way to the county's", fmt.Sprintf("%s, %.0f m", code, meters))
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
	return nil
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
