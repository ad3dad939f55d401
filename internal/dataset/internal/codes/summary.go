package codes

import (
	"errors"
	"fmt"
	"math"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// SSA codes are stored as numbers. unknownSSA is outside their range.
const unknownSSA = 100_000

var (
	errNoMedicare = errors.New("neither SSA code nor rating area is known; expected no Medicare then")
	errSSA        = errors.New("an SSA code is not five digits")
	errBusiness   = errors.New("a figure of its businesses is out of range")
	errSize       = errors.New("a size class of employment is not a letter from A to M")
)

func (m *Medicare) code(c *store.Coder) {
	ssa := uint64(unknownSSA)
	if m.SSA != "" {
		var ok bool
		if ssa, ok = store.DigitsValue(m.SSA, len("00000")); !ok {
			c.Fail(fmt.Errorf("%w: %q", errSSA, m.SSA))
		}
	}
	if store.Max(c, &ssa, unknownSSA); c.Reading() && ssa != unknownSSA {
		m.SSA = store.DigitsText(ssa, len("00000"))
	}
	if c.Byte(&m.RatingArea); ssa == unknownSSA && m.RatingArea == 0 {
		c.Fail(errNoMedicare)
	}
}

func (b *Business) code(c *store.Coder) {
	store.Max(c, &b.Year, math.MaxUint16)
	store.Int(c, &b.Establishments)
	store.Optional(c, &b.Employees)
	store.Optional(c, &b.PayrollQ1, &b.PayrollAnnual)
	c.Text(&b.EmploymentFlag)
	c.Fail(b.check())
}

func (b *Business) check() error {
	if b.Establishments < 0 || b.Employees != nil && *b.Employees < 0 ||
		b.PayrollQ1 != nil && *b.PayrollQ1 < 0 || b.PayrollAnnual != nil && *b.PayrollAnnual < 0 {
		return errBusiness
	}
	if f := b.EmploymentFlag; f != "" && (len(f) > 1 || f < "A" || f > "M") {
		return errSize
	}
	return nil
}
