package draft

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// businessTables are the totals of ZIP Code Business Patterns, the newest
// first. Since 2017 a ZIP Code with fewer than three establishments has no row.
// The table of 2016 has one, and a size class if employment is withheld.
var businessTables = []string{catalog.ZIPBusiness, catalog.ZIPFlags}

// ReadBusiness gives ZIP Codes their establishments, employees and payrolls, all
// figures of a ZIP from the newest table that has it.
func (d *Draft) ReadBusiness(ctx context.Context) error {
	for _, id := range businessTables {
		if !d.Has(id) {
			continue
		}
		year := uint16(d.File(id).Year())
		seen := map[postcode.ZIP]bool{}
		err := plan.Read(ctx, d.Env, id, source.ZIPBusiness, func(r source.ZIPBusinessRow) error {
			if seen[r.ZIP] {
				return plan.Refused("duplicate ZIP Code", r.Line, r.ZIP.String())
			}
			seen[r.ZIP] = true
			z := d.ZIPs.At[r.ZIP]
			if z == nil {
				return plan.Refused("unknown ZIP Code", r.Line, r.ZIP.String())
			}
			z.Business = append(z.Business, r)
			if z.Detail.Business != nil || !d.Includes(catalog.Business) {
				return nil
			}
			z.Detail.Business = &store.Business{
				Year: year, Establishments: r.Establishments, Employees: r.Employees,
				PayrollQ1: r.PayrollQ1, PayrollAnnual: r.PayrollAnnual, EmploymentFlag: r.EmploymentFlag,
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func establishments(z *ZIP) int32 {
	most := int32(0)
	for _, r := range z.Business {
		most = max(most, r.Establishments)
	}
	return most
}

// employees returns the employees of the newest table with a figure. A size
// class counts with its least number.
func employees(z *ZIP) int32 {
	for _, r := range z.Business {
		if n := r.LeastEmployees(); n > 0 {
			return n
		}
	}
	return 0
}

// countyThen returns the county, in capitals, that the newest table names, or
// "". It is one of the time of that table.
func countyThen(z *ZIP) string {
	for _, r := range z.Business {
		if r.County != "" && r.State == z.State {
			return r.County
		}
	}
	return ""
}

// ReadDeliveries takes facility code and city delivery from the preferred
// City State record and the counts of deliveries from the Delivery Statistics.
func (d *Draft) ReadDeliveries(ctx context.Context) error {
	for _, z := range d.ZIPs.List {
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
	if err := ctx.Err(); err != nil || !d.Has(catalog.USPSDeliveryStats) {
		return err
	}
	points, rows, err := source.SumDeliveryStats(d.Text(catalog.USPSDeliveryStats))
	if err != nil {
		return fmt.Errorf("%s: %w", catalog.USPSDeliveryStats, err)
	}
	d.CountRows(catalog.USPSDeliveryStats, rows)
	for i := range points {
		z := d.ZIPs.At[points[i].ZIP]
		if z == nil {
			d.Refuse(catalog.USPSDeliveryStats, "unknown ZIP Code", points[i].ZIP.String())
			continue
		}
		z.Detail.DeliveryPoints = &points[i].DeliveryPoints
	}
	return nil
}
