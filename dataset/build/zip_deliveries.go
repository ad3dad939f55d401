package build

import (
	"context"
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/dataset/build/source"
)

// deriveDeliveries takes facility code and city delivery from the preferred
// City State record and the counts of deliveries from the Delivery Statistics.
func deriveDeliveries(ctx context.Context, b *builder) error {
	for _, z := range b.tables.zips {
		p := z.preferred()
		if p == nil {
			continue
		}
		if p.Facility != 0 {
			z.detail.FacilityCode = string(rune(p.Facility))
		}
		z.detail.CityDelivery = "N"
		if p.CityDelivery {
			z.detail.CityDelivery = "Y"
		}
	}
	if err := ctx.Err(); err != nil || !b.has(srcUSPSDeliveryStats) {
		return err
	}
	in, err := b.open(srcUSPSDeliveryStats)
	if err != nil {
		return fmt.Errorf("%s: %w", srcUSPSDeliveryStats, err)
	}
	points, rows, err := source.SumDeliveryStats(in)
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("%s: %w", srcUSPSDeliveryStats, err)
	}
	b.rows(srcUSPSDeliveryStats, rows)
	for i := range points {
		z := b.tables.zipAt[points[i].ZIP]
		if z == nil {
			b.report.refuse(srcUSPSDeliveryStats, "unknown ZIP Code", points[i].ZIP.String())
			continue
		}
		z.detail.DeliveryPoints = &points[i].DeliveryPoints
	}
	return nil
}
