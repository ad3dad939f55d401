package codes

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

var zipDetailRows = &file.RowKind{Name: "zip_detail", Noun: func(id int64) string { return "the detail of ZIP " + dataset.ZIP(id).String() }}

var zipDetailTable = file.RowTable[*Reader]{
	RowKind: zipDetailRows,
	Ids:     func(d *Reader) iter.Seq[int64] { return Ids(&d.zipSet) },
	Check: func(d *Reader, _ int64, payload []byte) error {
		return DecodeDetail(&ZIPDetail{}, payload, d.zipTexts)
	},
}

var fsaDetailRows = &file.RowKind{Name: "fsa_detail", Noun: func(id int64) string { return "the detail of FSA " + dataset.FSA(id).String() }}

var fsaDetailTable = file.RowTable[*Reader]{
	RowKind: fsaDetailRows,
	Ids:     func(d *Reader) iter.Seq[int64] { return Ids(&d.fsaSet) },
	Check: func(d *Reader, _ int64, payload []byte) error {
		return DecodeDetail(&FSADetail{}, payload, d.fsaTexts)
	},
}

// Ids yields the codes of a set as numbers of rows.
func Ids(s *file.CodeSet) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for _, code := range s.All() {
			if !yield(int64(code)) {
				return
			}
		}
	}
}

// code codes the detail; its texts are shared by all details.
func (t *ZIPDetail) code(c *file.Coder, texts file.Shared) {
	c.Gaps(&t.AreaCodes, maxAreaCode)
	if file.Pointer(c, &t.Elevation) {
		c.Float(t.Elevation)
	}
	file.Optional(c, &t.LandArea, &t.WaterArea)
	file.Optional(c, &t.ZIP4Count, &t.Population, &t.Housing)
	if file.Pointer(c, &t.DeliveryPoints) {
		p := t.DeliveryPoints
		file.Int(c, &p.TotalActive, &p.Business, &p.Residential, &p.POBox)
		file.Optional(c, &p.SingleFamily, &p.MultiFamily)
	}
	c.Text(&t.FacilityCode, &t.CityDelivery, &t.IntroDate)
	file.List(c, &t.Aliases, func(a *CityAlias) { c.Text(&a.City, &a.MailingName, &a.IntroDate) })
	if file.Pointer(c, &t.Medicare) {
		t.Medicare.code(c)
	}
	if file.Pointer(c, &t.Business) {
		t.Business.code(c)
	}
	t.Quality.code(c, texts)
	c.Fail(checkDensity(t.Population, t.LandArea))
}

func (t *FSADetail) code(c *file.Coder, texts file.Shared) {
	c.Gaps(&t.AreaCodes, maxAreaCode)
	file.Optional(c, &t.Population, &t.Dwellings, &t.DwellingsOccupied, &t.PostalCodes)
	file.Optional(c, &t.LandArea)
	t.Quality.code(c, texts)
	c.Fail(checkDensity(t.Population, t.LandArea))
}

const maxAreaCode = 999

// A detail is the detail of a code.
type detail interface {
	code(c *file.Coder, texts file.Shared)
}

// EncodeDetail encodes a detail.
func EncodeDetail(t detail, texts *file.TextPacker) ([]byte, error) {
	c := file.NewCoder(nil)
	t.code(&c, file.Shared{Packer: texts})
	return c.Bytes()
}

// DecodeDetail decodes into a zero detail.
func DecodeDetail(t detail, payload []byte, texts []string) error {
	c := file.DecodeWith(nil, payload)
	t.code(&c, file.Shared{List: texts})
	return c.End()
}

// ZIPDetail reads what only a full record shows of the ZIP Code from the file.
// A code that the dataset does not hold is an error that matches
// [ErrNotFound].
func (d *Reader) ZIPDetail(ctx context.Context, z dataset.ZIP) (*ZIPDetail, error) {
	if _, ok := d.zipSet.Row(uint32(z)); !ok {
		return nil, fmt.Errorf("%w: %s holds no ZIP %s", file.ErrNotFound, d.file.Path, z)
	}
	t := &ZIPDetail{}
	return t, d.readDetail(ctx, t, zipDetailRows, int64(z), d.zipTexts)
}

// FSADetail reads what only a full record shows of the forward sortation area
// from the file. An FSA that the dataset does not hold is an error that
// matches [ErrNotFound].
func (d *Reader) FSADetail(ctx context.Context, f dataset.FSA) (*FSADetail, error) {
	if _, ok := d.fsaSet.Row(uint32(f)); !ok {
		return nil, fmt.Errorf("%w: %s holds no FSA %s", file.ErrNotFound, d.file.Path, f)
	}
	t := &FSADetail{}
	return t, d.readDetail(ctx, t, fsaDetailRows, int64(f), d.fsaTexts)
}

func (d *Reader) readDetail(ctx context.Context, t detail, table *file.RowKind, id int64, texts []string) error {
	payload, err := d.file.Row(ctx, table, id)
	if err != nil {
		return err
	}
	if err := DecodeDetail(t, payload, texts); err != nil {
		return d.file.DamagedRow(table, id, err)
	}
	return nil
}

// SSA codes are stored as numbers. unknownSSA is outside their range.
const unknownSSA = 100_000

var (
	errNoMedicare = errors.New("neither SSA code nor rating area is known; expected no Medicare then")
	errSSA        = errors.New("an SSA code is not five digits")
	errBusiness   = errors.New("a figure of its businesses is out of range")
	errSize       = errors.New("a size class of employment is not a letter from A to M")
)

func (m *Medicare) code(c *file.Coder) {
	ssa := uint64(unknownSSA)
	if m.SSA != "" {
		var ok bool
		if ssa, ok = file.DigitsValue(m.SSA, len("00000")); !ok {
			c.Fail(fmt.Errorf("%w: %q", errSSA, m.SSA))
		}
	}
	if file.Max(c, &ssa, unknownSSA); c.Reading() && ssa != unknownSSA {
		m.SSA = file.DigitsText(ssa, len("00000"))
	}
	if c.Byte(&m.RatingArea); ssa == unknownSSA && m.RatingArea == 0 {
		c.Fail(errNoMedicare)
	}
}

func (b *Business) code(c *file.Coder) {
	file.Max(c, &b.Year, math.MaxUint16)
	file.Int(c, &b.Establishments)
	file.Optional(c, &b.Employees)
	file.Optional(c, &b.PayrollQ1, &b.PayrollAnnual)
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
