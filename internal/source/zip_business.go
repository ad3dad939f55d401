package source

import (
	"iter"
	"math"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source/format"
)

// A ZIPBusinessRow is a row of the totals of ZIP Code Business Patterns.
type ZIPBusinessRow struct {
	ZIP            postcode.ZIP `col:"zip"`
	County         string       `col:"cty_name"` // name in capitals without its legal description, as it was when the table was made; "" unknown
	State          string       `col:"stabbr"`   // two letters; "" unknown
	Establishments int32        `col:"est"`
	Employees      *int32       // in the pay period of 12 March; nil withheld
	PayrollQ1      *int64       // US dollars; nil withheld
	PayrollAnnual  *int64       // US dollars; nil withheld
	EmploymentFlag string       `col:"empflag" miss:"file"` // A to M, the size class of withheld employment, until 2016; "" none
	Line           int
}

// ZIPBusiness reads the totals of ZIP Code Business Patterns of the U.S. Census
// Bureau, a quoted CSV in ISO 8859-1 whose payrolls are in thousands of
// dollars. The noise flags D and S mean that a figure is withheld; the file has
// 0 instead. A row is refused when its ZIP or a figure is malformed.
func ZIPBusiness(in *format.Input) iter.Seq2[ZIPBusinessRow, error] {
	o := format.TableOptions{Quoted: true, Encoding: format.Latin1, Columns: format.Columns("emp_nf", "emp", "qp1_nf", "qp1", "ap_nf", "ap")}
	return rowsOf(in, o, func(r format.Row, b *ZIPBusinessRow) (err error) {
		if f := b.EmploymentFlag; f != "" {
			if _, ok := sizeClasses[f]; !ok {
				return r.Errorf("empflag", "%q, expected a letter from A to M, not D", f)
			}
		}
		if !withheld(r, "emp_nf") {
			n, err := count32(r, "emp")
			if err != nil {
				return err
			}
			b.Employees = &n
		}
		if b.PayrollQ1, err = thousands(r, "qp1_nf", "qp1"); err != nil {
			return err
		}
		b.PayrollAnnual, err = thousands(r, "ap_nf", "ap")
		return err
	})
}

// sizeClasses are the least employees of each size class of withheld
// employment. There is no class D.
var sizeClasses = map[string]int32{
	"A": 0, "B": 20, "C": 100, "E": 250, "F": 500, "G": 1_000, "H": 2_500, "I": 5_000, "J": 10_000, "K": 25_000, "L": 50_000, "M": 100_000,
}

// LeastEmployees returns the employees, or the least of the size class if the
// figure is withheld; 0 without either.
func (r ZIPBusinessRow) LeastEmployees() int32 {
	if r.Employees != nil {
		return *r.Employees
	}
	return sizeClasses[r.EmploymentFlag]
}

// withheld reports whether the noise flag marks a confidential figure (D) or
// one below the standards of publication (S).
func withheld(r format.Row, flag string) bool {
	f := r.Get(flag)
	return f == "D" || f == "S"
}

func count32(r fields, name string) (int32, error) {
	n, err := count(r, name)
	if err == nil && n > math.MaxInt32 {
		err = r.Errorf(name, "%d, expected at most %d", n, math.MaxInt32)
	}
	return int32(n), err
}

// thousands reads an amount in thousands of dollars and returns dollars.
func thousands(r format.Row, flag, name string) (*int64, error) {
	if withheld(r, flag) {
		return nil, nil
	}
	n, err := count32(r, name)
	if err != nil {
		return nil, err
	}
	dollars := int64(n) * 1000
	return &dollars, nil
}
