package codes

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/postgeo/postgeo/dataset/internal/store"
)

// SSA codes are stored as numbers; unknownSSA is none of them.
const unknownSSA = 100_000

var (
	errSSA      = errors.New("an SSA code is not five digits")
	errBusiness = errors.New("a figure of its businesses is out of range")
	errSize     = errors.New("a size class of employment is not a letter from A to M")
)

func encodeMedicare(e *store.Encoder, m *Medicare) error {
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
	e.Uint(ssa)
	e.Byte(m.RatingArea)
	return nil
}

func decodeMedicare(d *store.Decoder, known bool) *Medicare {
	if !known {
		return nil
	}
	ssa := d.Max(unknownSSA)
	m := &Medicare{RatingArea: d.Byte()}
	if ssa != unknownSSA {
		m.SSA = fmt.Sprintf("%05d", ssa)
	} else if m.RatingArea == 0 {
		d.Fail(store.ErrRange)
	}
	return m
}

func encodeBusiness(e *store.Encoder, b *Business) error {
	if b == nil {
		return nil
	}
	e.Uint(uint64(b.Year))
	e.Uint(store.FlagBits(b.Employees != nil, b.PayrollQ1 != nil, b.PayrollAnnual != nil))
	e.Int(int64(b.Establishments))
	store.OptionalInt(e, b.Employees)
	store.OptionalInt(e, b.PayrollQ1)
	store.OptionalInt(e, b.PayrollAnnual)
	size := byte(0)
	if b.EmploymentFlag != "" {
		if size = b.EmploymentFlag[0]; len(b.EmploymentFlag) > 1 {
			size = ' '
		}
	}
	e.Byte(size)
	return checkBusiness(b, size)
}

func decodeBusiness(d *store.Decoder, known bool) *Business {
	if !known {
		return nil
	}
	b := &Business{Year: uint16(d.Max(math.MaxUint16))}
	figures := d.Max(1<<3 - 1)
	b.Establishments = d.Int32()
	b.Employees = d.OptionalInt32(figures&1 != 0)
	b.PayrollQ1 = d.OptionalInt64(figures&2 != 0)
	b.PayrollAnnual = d.OptionalInt64(figures&4 != 0)
	size := d.Byte()
	if size != 0 {
		b.EmploymentFlag = string(rune(size))
	}
	if err := checkBusiness(b, size); err != nil {
		d.Fail(err)
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
