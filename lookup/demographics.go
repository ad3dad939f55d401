package lookup

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// A Demographics is the contract's summary of the people and businesses of a
// ZIP Code (decision D20). Unknown figures are nil.
type Demographics struct {
	Population *Population `json:"population,omitzero"`
	Age        *Age        `json:"age,omitzero"`
	Households *Households `json:"households,omitzero"`
	Business   *Business   `json:"business,omitzero"`
}

// A Population counts residents.
type Population struct {
	Total    *int `json:"total,omitzero"`    // people of both sexes together
	Estimate *int `json:"estimate,omitzero"` // newest estimate that the dataset holds
	Male     *int `json:"male,omitzero"`     // number of people
	Female   *int `json:"female,omitzero"`   // number of people
}

// An Age has medians in years, 1 decimal.
type Age struct {
	Median       *float64 `json:"median,omitzero"`        // years, of both sexes
	MedianMale   *float64 `json:"median_male,omitzero"`   // years
	MedianFemale *float64 `json:"median_female,omitzero"` // years
}

// Households count homes and the people in them. Amounts are US dollars.
type Households struct {
	Total             *int     `json:"total,omitzero"`                 // number of households
	PersonsPerHome    *float64 `json:"persons_per_household,omitzero"` // 2 decimals
	AverageFamilySize *float64 `json:"average_family_size,omitzero"`   // 2 decimals
	MedianIncome      *int     `json:"median_income,omitzero"`         // income of the median household, dollars of a year
	AverageHomeValue  *int     `json:"average_home_value,omitzero"`    // dollars
}

// A Business sums up the establishments with paid employees. Amounts are US
// dollars.
type Business struct {
	Establishments int    `json:"establishments"`           // number of them
	Employees      *int   `json:"employees,omitzero"`       // in mid-March; nil if withheld
	PayrollQ1      *int64 `json:"payroll_q1,omitzero"`      // payrolls of the first quarter, US dollars; nil if withheld
	PayrollAnnual  *int64 `json:"payroll_annual,omitzero"`  // payrolls of the year, US dollars; nil if withheld
	EmploymentFlag string `json:"employment_flag,omitzero"` // size class of withheld employment: A 0 to 19; B 20 to 99; C 100 to 249; E 250 to 499; F 500 to 999; G 1,000 to 2,499; H to 4,999; I to 9,999; J to 24,999; K to 49,999; L to 99,999; M more
}

// surveyed are the profiles that the summary takes figures of.
var surveyed = []acs.Tag{{Profile: acs.Demographic}, {Profile: acs.Social}, {Profile: acs.Economic}}

// summed holds the fields of the summary.
var summed = sync.OnceValue(func() (f struct {
	population, male, female, medianAge, households, householdSize, familySize, medianIncome *acs.Field
},
) {
	f.population = acs.MustField("demographic.sex_and_age.total_population")
	f.male = acs.MustField("demographic.sex_and_age.male")
	f.female = acs.MustField("demographic.sex_and_age.female")
	f.medianAge = acs.MustField("demographic.sex_and_age.median_age")
	f.households = acs.MustField("social.households.total_households")
	f.householdSize = acs.MustField("social.households.average_household_size")
	f.familySize = acs.MustField("social.households.average_family_size")
	f.medianIncome = acs.MustField("economic.income.median_household_income")
	return f
})

// demographics returns nil if the dataset has no figures. People, age and
// households come from the newest year of the American Community Survey for the
// ZIP Code Tabulation Area of the same code. The survey publishes no median age
// by sex and no average home value.
func (r *Reader) demographics(ctx context.Context, zip postcode.ZIP, d *store.ZIPDetail) (*Demographics, error) {
	s := Demographics{Business: business(d.Business)}
	if d.Population != nil {
		s.Population = &Population{Total: count(d.Population), Estimate: count(d.Population)}
	}
	if len(r.data.ACSYears(acs.ZCTA)) > 0 {
		res, err := r.acs.Area(ctx, acs.ZCTA, zip.String(), surveyed, acs.Options{Bridged: true})
		if err != nil {
			return nil, fmt.Errorf("lookup: ZIP code %s: %w", zip, err)
		}
		if len(res.Years) > 0 {
			s.survey(&res.Years[0].Profiles)
		}
	}
	if s == (Demographics{}) {
		return nil, nil
	}
	return &s, nil
}

func (s *Demographics) survey(p *acs.Profiles) {
	f := summed()
	if p.Has(acs.Demographic) {
		of := Population{Total: whole(p.Metric(f.population)), Male: whole(p.Metric(f.male)), Female: whole(p.Metric(f.female))}
		if s.Population != nil {
			of.Estimate = s.Population.Estimate
			if of.Total == nil {
				of.Total = s.Population.Total
			}
		} else {
			of.Estimate = of.Total
		}
		if of != (Population{}) {
			s.Population = &of
		}
		if median := fraction(p.Metric(f.medianAge), 1); median != nil {
			s.Age = &Age{Median: median}
		}
	}
	h := Households{
		Total:             whole(p.Metric(f.households)),
		PersonsPerHome:    fraction(p.Metric(f.householdSize), 2),
		AverageFamilySize: fraction(p.Metric(f.familySize), 2),
		MedianIncome:      whole(p.Metric(f.medianIncome)),
	}
	if h != (Households{}) {
		s.Households = &h
	}
}

// whole returns a metric's estimate as a whole number, nil without one.
func whole(m acs.Metric) *int {
	v, ok := m.Estimate.Float64()
	if !ok {
		return nil
	}
	n := int(math.Round(v))
	return &n
}

// fraction returns a metric's estimate with so many decimals, nil without one.
func fraction(m acs.Metric, decimals int) *float64 {
	v, ok := m.Estimate.Float64()
	if !ok {
		return nil
	}
	v = geo.Round(v, decimals)
	return &v
}

func business(b *store.Business) *Business {
	if b == nil {
		return nil
	}
	return &Business{
		Establishments: int(b.Establishments), Employees: count(b.Employees),
		PayrollQ1: copied(b.PayrollQ1), PayrollAnnual: copied(b.PayrollAnnual), EmploymentFlag: b.EmploymentFlag,
	}
}

// copied returns a pointer of the caller's own, because details are shared.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
