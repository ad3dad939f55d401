package build

import (
	"context"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// businessTables are the totals of ZIP Code Business Patterns, the newest
// first. Since 2017 a ZIP Code with fewer than three establishments has no row;
// the table of 2016 has one, and a size class where employment is withheld.
var businessTables = []struct {
	id   string
	year uint16
}{
	{srcBusiness, 2020},
	{srcBusiness2016, 2016},
}

// deriveBusiness gives ZIP Codes their establishments, employees and payrolls,
// all figures of a ZIP from the newest table that has it.
func deriveBusiness(ctx context.Context, b *builder) error {
	for _, t := range businessTables {
		seen := map[dataset.ZIP]bool{}
		err := readText(ctx, b, t.id, source.ZIPBusiness, func(r source.ZIPBusinessRow) error {
			if seen[r.ZIP] {
				return refusal{"duplicate ZIP Code", r.Line, r.ZIP.String()}
			}
			seen[r.ZIP] = true
			z := b.tables.zipAt[r.ZIP]
			if z == nil {
				return refusal{"unknown ZIP Code", r.Line, r.ZIP.String()}
			}
			z.business = append(z.business, r)
			if z.detail.Business != nil || !b.wants(Business) {
				return nil
			}
			z.detail.Business = &dataset.Business{
				Year: t.year, Establishments: r.Establishments, Employees: r.Employees,
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

// establishments returns the most establishments that a table has of the ZIP.
func (z *zipDraft) establishments() int32 {
	most := int32(0)
	for _, r := range z.business {
		most = max(most, r.Establishments)
	}
	return most
}

// employees returns the employees of the newest table with a figure, the least
// of the size class where that is all it has.
func (z *zipDraft) employees() int32 {
	for _, r := range z.business {
		if n := r.LeastEmployees(); n > 0 {
			return n
		}
	}
	return 0
}

// countyThen returns the county, in capitals, that the newest table names, or
// "". It is one of the time of that table.
func (z *zipDraft) countyThen() string {
	for _, r := range z.business {
		if r.County != "" && r.State == z.state {
			return r.County
		}
	}
	return ""
}
