package codes

import (
	"context"
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
)

// deliveries takes facility code and city delivery from the preferred
// City State record and the counts of deliveries from the Delivery Statistics.
type deliveries struct {
	*plan.Env
	ZIPs *draft.ZIPs `writes:"deliveries"`
}

func (b *deliveries) Run(ctx context.Context) error {
	for _, z := range b.ZIPs.List {
		p := z.Preferred()
		if p == nil {
			continue
		}
		if p.Facility != 0 {
			z.Detail.FacilityCode = string(rune(p.Facility))
		}
		z.Detail.CityDelivery = "N"
		if p.CityDelivery {
			z.Detail.CityDelivery = "Y"
		}
	}
	if err := ctx.Err(); err != nil || !b.Has(catalog.USPSDeliveryStats) {
		return err
	}
	in, err := b.Open(catalog.USPSDeliveryStats)
	if err != nil {
		return fmt.Errorf("%s: %w", catalog.USPSDeliveryStats, err)
	}
	points, rows, err := source.SumDeliveryStats(in)
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("%s: %w", catalog.USPSDeliveryStats, err)
	}
	b.CountRows(catalog.USPSDeliveryStats, rows)
	for i := range points {
		z := b.ZIPs.At[points[i].ZIP]
		if z == nil {
			b.Refuse(catalog.USPSDeliveryStats, "unknown ZIP Code", points[i].ZIP.String())
			continue
		}
		z.Detail.DeliveryPoints = &points[i].DeliveryPoints
	}
	return nil
}
