package lookup

import "github.com/postgeo/postgeo/dataset"

// A Demographics is the contract's legacy summary of a ZIP Code (decision
// D20): what the dataset tells of its people and of its businesses. Figures
// that no source tells are nil.
type Demographics struct {
	Population *Population `json:"population,omitzero"`
	Age        *Age        `json:"age,omitzero"`
	Households *Households `json:"households,omitzero"`
	Business   *Business   `json:"business,omitzero"`
}

// A Population counts residents.
type Population struct {
	Total    *int `json:"total,omitzero"`    // of the sexes together
	Estimate *int `json:"estimate,omitzero"` // newest estimate that the dataset holds
	Male     *int `json:"male,omitzero"`
	Female   *int `json:"female,omitzero"`
}

// An Age has medians in years, 1 decimal.
type Age struct {
	Median       *float64 `json:"median,omitzero"`
	MedianMale   *float64 `json:"median_male,omitzero"`
	MedianFemale *float64 `json:"median_female,omitzero"`
}

// Households count homes and the people in them. Amounts are US dollars.
type Households struct {
	Total             *int     `json:"total,omitzero"`
	PersonsPerHome    *float64 `json:"persons_per_household,omitzero"` // 2 decimals
	AverageFamilySize *float64 `json:"average_family_size,omitzero"`   // 2 decimals
	MedianIncome      *int     `json:"median_income,omitzero"`
	AverageHomeValue  *int     `json:"average_home_value,omitzero"`
}

// A Business sums up the establishments with paid employees. Amounts are US
// dollars.
type Business struct {
	Year           int    `json:"year"` // of the figures
	Establishments int    `json:"establishments"`
	Employees      *int   `json:"employees,omitzero"` // in mid-March; nil withheld
	PayrollQ1      *int64 `json:"payroll_q1,omitzero"`
	PayrollAnnual  *int64 `json:"payroll_annual,omitzero"`
	EmploymentFlag string `json:"employment_flag,omitzero"` // size class of withheld employment: A 0 to 19, B 20 to 99, C 100 to 249, E 250 to 499, F 500 to 999, G 1,000 to 2,499, H to 4,999, I to 9,999, J to 24,999, K to 49,999, L to 99,999, M more
}

// demographics returns nil where the dataset tells nothing.
func (r *Reader) demographics(d *dataset.ZIPDetail) *Demographics {
	s := Demographics{Business: business(d.Business)}
	if d.Population != nil {
		s.Population = &Population{Estimate: count(d.Population)}
	}
	if s == (Demographics{}) {
		return nil
	}
	return &s
}

func business(b *dataset.Business) *Business {
	if b == nil {
		return nil
	}
	return &Business{
		Year: int(b.Year), Establishments: int(b.Establishments), Employees: count(b.Employees),
		PayrollQ1: b.PayrollQ1, PayrollAnnual: b.PayrollAnnual, EmploymentFlag: b.EmploymentFlag,
	}
}
