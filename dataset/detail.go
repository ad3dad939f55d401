package dataset

import (
	"context"
	"fmt"
	"iter"
	"math"
	"unicode/utf8"
)

var zipDetailRows = &rowKind{name: "zip_detail", noun: func(id int64) string { return "the detail of ZIP " + ZIP(id).String() }}

var zipDetailTable = rowTable[*codesReader]{
	rowKind: zipDetailRows,
	ids:     func(d *codesReader) iter.Seq[int64] { return ids(&d.zipSet) },
	check: func(d *codesReader, _ int64, payload []byte) error {
		_, err := d.decodeZIPDetail(payload)
		return err
	},
}

var fsaDetailRows = &rowKind{name: "fsa_detail", noun: func(id int64) string { return "the detail of FSA " + FSA(id).String() }}

var fsaDetailTable = rowTable[*codesReader]{
	rowKind: fsaDetailRows,
	ids:     func(d *codesReader) iter.Seq[int64] { return ids(&d.fsaSet) },
	check: func(d *codesReader, _ int64, payload []byte) error {
		_, err := d.decodeFSADetail(payload)
		return err
	},
}

func ids(s *codeSet) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for _, code := range s.all() {
			if !yield(int64(code)) {
				return
			}
		}
	}
}

func (w *codesWriter) encodeZIPDetail(t *ZIPDetail) ([]byte, error) {
	if err := checkDensity(t.Population, t.LandArea); err != nil {
		return nil, err
	}
	e := encoder{}
	if err := e.areaCodes(t.AreaCodes); err != nil {
		return nil, err
	}
	dp := t.DeliveryPoints
	e.uint(flagBits(t.Elevation != nil, t.LandArea != nil, t.WaterArea != nil, t.ZIP4Count != nil,
		dp != nil, dp != nil && dp.SingleFamily != nil, dp != nil && dp.MultiFamily != nil, t.Population != nil,
		t.Medicare != nil, t.Business != nil, t.Housing != nil))
	if t.Elevation != nil {
		if math.IsNaN(*t.Elevation) || math.IsInf(*t.Elevation, 0) {
			return nil, fmt.Errorf("elevation %v; expected a finite number of meters", *t.Elevation)
		}
		e.float(*t.Elevation)
	}
	optionalInt(&e, t.LandArea)
	optionalInt(&e, t.WaterArea)
	optionalInt(&e, t.ZIP4Count)
	optionalInt(&e, t.Population)
	optionalInt(&e, t.Housing)
	if dp != nil {
		for _, n := range [...]int32{dp.TotalActive, dp.Business, dp.Residential, dp.POBox} {
			e.int(int64(n))
		}
		optionalInt(&e, dp.SingleFamily)
		optionalInt(&e, dp.MultiFamily)
	}
	if err := e.texts(t.FacilityCode, t.CityDelivery, t.IntroDate); err != nil {
		return nil, err
	}
	e.uint(uint64(len(t.Aliases)))
	for _, a := range t.Aliases {
		if err := e.texts(a.City, a.MailingName, a.IntroDate); err != nil {
			return nil, err
		}
	}
	if err := e.medicare(t.Medicare); err != nil {
		return nil, err
	}
	if err := e.business(t.Business); err != nil {
		return nil, err
	}
	if err := e.quality(&t.Quality, &w.zipTexts); err != nil {
		return nil, err
	}
	return e.b, nil
}

func (d *codesReader) decodeZIPDetail(b []byte) (*ZIPDetail, error) {
	in := decoder{b: b}
	t := &ZIPDetail{AreaCodes: in.areaCodes()}
	known := in.max(1<<11 - 1)
	has := func(bit int) bool { return known&(1<<bit) != 0 }
	if has(0) {
		v := in.float()
		t.Elevation = &v
	}
	t.LandArea = in.optionalInt64(has(1))
	t.WaterArea = in.optionalInt64(has(2))
	t.ZIP4Count = in.optionalInt32(has(3))
	t.Population = in.optionalInt32(has(7))
	t.Housing = in.optionalInt32(has(10))
	switch {
	case has(4):
		p := &DeliveryPoints{TotalActive: in.int32(), Business: in.int32(), Residential: in.int32(), POBox: in.int32()}
		p.SingleFamily = in.optionalInt32(has(5))
		p.MultiFamily = in.optionalInt32(has(6))
		t.DeliveryPoints = p
	case has(5) || has(6):
		in.fail(errRange)
	}
	t.FacilityCode, t.CityDelivery, t.IntroDate = in.string(), in.string(), in.string()
	if n := in.count(); n > 0 {
		t.Aliases = make([]CityAlias, 0, min(n, 64))
		for range n {
			if in.err != nil {
				break
			}
			t.Aliases = append(t.Aliases, CityAlias{City: in.string(), MailingName: in.string(), IntroDate: in.string()})
		}
	}
	t.Medicare = in.medicare(has(8))
	t.Business = in.business(has(9))
	t.Quality = in.quality(d.zipTexts)
	if err := in.end(); err != nil {
		return nil, err
	}
	if err := checkDensity(t.Population, t.LandArea); err != nil {
		return nil, err
	}
	return t, nil
}

func (w *codesWriter) encodeFSADetail(t *FSADetail) ([]byte, error) {
	if err := checkDensity(t.Population, t.LandArea); err != nil {
		return nil, err
	}
	e := encoder{}
	if err := e.areaCodes(t.AreaCodes); err != nil {
		return nil, err
	}
	e.uint(flagBits(t.Population != nil, t.Dwellings != nil, t.DwellingsOccupied != nil,
		t.PostalCodes != nil, t.LandArea != nil))
	optionalInt(&e, t.Population)
	optionalInt(&e, t.Dwellings)
	optionalInt(&e, t.DwellingsOccupied)
	optionalInt(&e, t.PostalCodes)
	optionalInt(&e, t.LandArea)
	if err := e.quality(&t.Quality, &w.fsaTexts); err != nil {
		return nil, err
	}
	return e.b, nil
}

func (d *codesReader) decodeFSADetail(b []byte) (*FSADetail, error) {
	in := decoder{b: b}
	t := &FSADetail{AreaCodes: in.areaCodes()}
	known := in.max(1<<5 - 1)
	has := func(bit int) bool { return known&(1<<bit) != 0 }
	t.Population = in.optionalInt32(has(0))
	t.Dwellings = in.optionalInt32(has(1))
	t.DwellingsOccupied = in.optionalInt32(has(2))
	t.PostalCodes = in.optionalInt32(has(3))
	t.LandArea = in.optionalInt64(has(4))
	t.Quality = in.quality(d.fsaTexts)
	if err := in.end(); err != nil {
		return nil, err
	}
	if err := checkDensity(t.Population, t.LandArea); err != nil {
		return nil, err
	}
	return t, nil
}

// areaCodes writes ascending area codes as the gaps between them.
func (e *encoder) areaCodes(codes []uint16) error {
	e.uint(uint64(len(codes)))
	next := uint16(0)
	for _, c := range codes {
		if c < next || c > 999 {
			return fmt.Errorf("area codes %d; expected three digits each, ascending", codes)
		}
		e.uint(uint64(c - next))
		next = c + 1
	}
	return nil
}

func (d *decoder) areaCodes() []uint16 {
	n := d.count()
	if n == 0 {
		return nil
	}
	codes := make([]uint16, 0, min(n, 1000))
	next := uint64(0)
	for range n {
		c := next + d.max(999)
		if c > 999 {
			d.fail(errRange)
		}
		if d.err != nil {
			return nil
		}
		codes = append(codes, uint16(c))
		next = c + 1
	}
	return codes
}

func (e *encoder) texts(list ...string) error {
	for _, s := range list {
		if !utf8.ValidString(s) {
			return fmt.Errorf("the text %q is not UTF-8", s)
		}
		e.string(s)
	}
	return nil
}

// ZIPDetail reads what only a full record shows of the ZIP Code from the file.
// A code that the dataset does not hold is an error that matches
// [ErrNotFound].
func (d *codesReader) ZIPDetail(ctx context.Context, z ZIP) (*ZIPDetail, error) {
	if _, ok := d.zipSet.row(uint32(z)); !ok {
		return nil, fmt.Errorf("%w: %s holds no ZIP %s", ErrNotFound, d.file.path, z)
	}
	return readDetail(ctx, d, zipDetailRows, int64(z), (*codesReader).decodeZIPDetail)
}

// FSADetail reads what only a full record shows of the forward sortation area
// from the file. An FSA that the dataset does not hold is an error that
// matches [ErrNotFound].
func (d *codesReader) FSADetail(ctx context.Context, f FSA) (*FSADetail, error) {
	if _, ok := d.fsaSet.row(uint32(f)); !ok {
		return nil, fmt.Errorf("%w: %s holds no FSA %s", ErrNotFound, d.file.path, f)
	}
	return readDetail(ctx, d, fsaDetailRows, int64(f), (*codesReader).decodeFSADetail)
}

func readDetail[T any](ctx context.Context, d *codesReader, table *rowKind, id int64, decode func(*codesReader, []byte) (*T, error)) (*T, error) {
	payload, err := d.file.row(ctx, table, id)
	if err != nil {
		return nil, err
	}
	t, err := decode(d, payload)
	if err != nil {
		return nil, d.file.damaged("%s: %v", table.noun(id), err)
	}
	return t, nil
}
