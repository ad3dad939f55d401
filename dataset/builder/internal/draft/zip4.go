package draft

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
)

// WriteZIP4 writes the records of the ZIP+4 product, with the user's points for them. It
// counts the ZIP+4 Codes of each ZIP: the add-ons of base records, a range as often as
// it is long. Records without a usable add-on and of ZIPs that the dataset lacks are
// refused.
func (d *Draft) WriteZIP4(ctx context.Context) error {
	points, err := d.readZIP4Points(ctx)
	if err != nil {
		return err
	}
	n := 0
	var zip *ZIP
	seen := map[postcode.Plus4]bool{}
	err = plan.Read(ctx, d.Env, catalog.USPSZIP4, source.ReadZIP4, func(r source.ZIP4Row) error {
		if zip == nil || zip.Row.ZIP != r.ZIP {
			if zip = d.ZIPs.At[r.ZIP]; zip == nil {
				return plan.Refused("unknown ZIP Code", r.Record, r.ZIP.String())
			}
			if zip.Detail.ZIP4Count == nil {
				zip.Detail.ZIP4Count = new(int32)
			}
			clear(seen)
		}
		if r.NoDelivery {
			return plan.Refused("no delivery, no usable add-on", r.Record, r.ZIP.String())
		}
		for p := r.Low; p <= r.High && !r.Alternate; p++ {
			if !seen[p] {
				seen[p] = true
				*zip.Detail.ZIP4Count++
			}
		}
		if at, ok := slices.BinarySearchFunc(points, zip4Point{zip: r.ZIP, plus4: r.Low}, zip4Point.compare); ok {
			r.Location = points[at].at
		}
		if err := d.Output.AddZIP4(r.ZIP4Record); err != nil {
			return fmt.Errorf("record %d: %w", r.Record, err)
		}
		n++
		return nil
	})
	d.Table("ZIP+4 records", n)
	return err
}

type zip4Point struct {
	zip   postcode.ZIP
	plus4 postcode.Plus4
	at    geo.LatLng
}

func (p zip4Point) compare(o zip4Point) int {
	return cmp.Or(cmp.Compare(p.zip, o.zip), cmp.Compare(p.plus4, o.plus4))
}

// readZIP4Points returns the user's points in ascending order.
func (d *Draft) readZIP4Points(ctx context.Context) (points []zip4Point, err error) {
	err = plan.Read(ctx, d.Env, catalog.ZIP4Points, source.ReadZIP4Points, func(p source.ZIP4Point) error {
		points = append(points, zip4Point{p.ZIP, p.Plus4, p.Location})
		return nil
	})
	slices.SortStableFunc(points, zip4Point.compare)
	return points, err
}
