package dataset

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// SSA codes are stored as numbers; unknownSSA is none of them.
const unknownSSA = 100_000

var (
	errSSA      = errors.New("an SSA code is not five digits")
	errBusiness = errors.New("a figure of its businesses is out of range")
	errSize     = errors.New("a size class of employment is not a letter from A to M")
)

func (e *encoder) medicare(m *Medicare) error {
	if m == nil {
		return nil
	}
	ssa := uint64(unknownSSA)
	if m.SSA != "" {
		n, err := strconv.ParseUint(m.SSA, 10, 32)
		if err != nil || len(m.SSA) != 5 {
			return fmt.Errorf("%w: %q", errSSA, m.SSA)
		}
		ssa = n
	}
	if ssa == unknownSSA && m.RatingArea == 0 {
		return fmt.Errorf("neither SSA code nor rating area is known; expected no Medicare then")
	}
	e.uint(ssa)
	e.byte(m.RatingArea)
	return nil
}

func (d *decoder) medicare(known bool) *Medicare {
	if !known {
		return nil
	}
	ssa := d.max(unknownSSA)
	m := &Medicare{RatingArea: d.byte()}
	if ssa != unknownSSA {
		m.SSA = fmt.Sprintf("%05d", ssa)
	} else if m.RatingArea == 0 {
		d.fail(errRange)
	}
	return m
}

func (e *encoder) business(b *Business) error {
	if b == nil {
		return nil
	}
	e.uint(uint64(b.Year))
	e.uint(flagBits(b.Employees != nil, b.PayrollQ1 != nil, b.PayrollAnnual != nil))
	e.int(int64(b.Establishments))
	optionalInt(e, b.Employees)
	optionalInt(e, b.PayrollQ1)
	optionalInt(e, b.PayrollAnnual)
	size := byte(0)
	if b.EmploymentFlag != "" {
		if size = b.EmploymentFlag[0]; len(b.EmploymentFlag) > 1 {
			size = ' '
		}
	}
	e.byte(size)
	return checkBusiness(b, size)
}

func (d *decoder) business(known bool) *Business {
	if !known {
		return nil
	}
	b := &Business{Year: uint16(d.max(math.MaxUint16))}
	figures := d.max(1<<3 - 1)
	b.Establishments = d.int32()
	b.Employees = d.optionalInt32(figures&1 != 0)
	b.PayrollQ1 = d.optionalInt64(figures&2 != 0)
	b.PayrollAnnual = d.optionalInt64(figures&4 != 0)
	size := d.byte()
	if size != 0 {
		b.EmploymentFlag = string(rune(size))
	}
	if err := checkBusiness(b, size); err != nil {
		d.fail(err)
	}
	return b
}

func checkBusiness(b *Business, size byte) error {
	if b.Establishments < 0 || b.Employees != nil && *b.Employees < 0 ||
		b.PayrollQ1 != nil && *b.PayrollQ1 < 0 || b.PayrollAnnual != nil && *b.PayrollAnnual < 0 {
		return errBusiness
	}
	if size != 0 && (size < 'A' || size > 'M') {
		return errSize
	}
	return nil
}
