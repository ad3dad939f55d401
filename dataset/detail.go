package dataset

import (
	"context"
	"fmt"
	"iter"
	"math"
	"unicode/utf8"
)

var zipDetailTable = rowTable{
	name: "zip_detail",
	noun: func(id int64) string { return "the detail of ZIP " + ZIP(id).String() },
	ids:  func(d *Dataset) iter.Seq[int64] { return ids(&d.zipSet) },
	check: func(_ *Dataset, _ int64, payload []byte) error {
		_, err := decodeZIPDetail(payload)
		return err
	},
}

var fsaDetailTable = rowTable{
	name: "fsa_detail",
	noun: func(id int64) string { return "the detail of FSA " + FSA(id).String() },
	ids:  func(d *Dataset) iter.Seq[int64] { return ids(&d.fsaSet) },
	check: func(_ *Dataset, _ int64, payload []byte) error {
		_, err := decodeFSADetail(payload)
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

func encodeZIPDetail(t *ZIPDetail) ([]byte, error) {
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
		t.Medicare != nil, t.Business != nil))
	if t.Elevation != nil {
		if math.IsNaN(*t.Elevation) || math.IsInf(*t.Elevation, 0) {
			return nil, fmt.Errorf("elevation %v; expected a finite number of metres", *t.Elevation)
		}
		e.float(*t.Elevation)
	}
	optionalInt(&e, t.LandArea)
	optionalInt(&e, t.WaterArea)
	optionalInt(&e, t.ZIP4Count)
	optionalInt(&e, t.Population)
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
	return e.b, nil
}

func decodeZIPDetail(b []byte) (*ZIPDetail, error) {
	d := decoder{b: b}
	t := &ZIPDetail{AreaCodes: d.areaCodes()}
	known := d.max(1<<10 - 1)
	has := func(bit int) bool { return known&(1<<bit) != 0 }
	if has(0) {
		v := d.float()
		t.Elevation = &v
	}
	t.LandArea = d.optionalInt64(has(1))
	t.WaterArea = d.optionalInt64(has(2))
	t.ZIP4Count = d.optionalInt32(has(3))
	t.Population = d.optionalInt32(has(7))
	switch {
	case has(4):
		p := &DeliveryPoints{TotalActive: d.int32(), Business: d.int32(), Residential: d.int32(), POBox: d.int32()}
		p.SingleFamily = d.optionalInt32(has(5))
		p.MultiFamily = d.optionalInt32(has(6))
		t.DeliveryPoints = p
	case has(5) || has(6):
		d.fail(errRange)
	}
	t.FacilityCode, t.CityDelivery, t.IntroDate = d.string(), d.string(), d.string()
	if n := d.count(); n > 0 {
		t.Aliases = make([]CityAlias, 0, min(n, 64))
		for range n {
			if d.err != nil {
				break
			}
			t.Aliases = append(t.Aliases, CityAlias{City: d.string(), MailingName: d.string(), IntroDate: d.string()})
		}
	}
	t.Medicare = d.medicare(has(8))
	t.Business = d.business(has(9))
	if err := d.end(); err != nil {
		return nil, err
	}
	if err := checkDensity(t.Population, t.LandArea); err != nil {
		return nil, err
	}
	return t, nil
}

func encodeFSADetail(t *FSADetail) ([]byte, error) {
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
	return e.b, nil
}

func decodeFSADetail(b []byte) (*FSADetail, error) {
	d := decoder{b: b}
	t := &FSADetail{AreaCodes: d.areaCodes()}
	known := d.max(1<<5 - 1)
	has := func(bit int) bool { return known&(1<<bit) != 0 }
	t.Population = d.optionalInt32(has(0))
	t.Dwellings = d.optionalInt32(has(1))
	t.DwellingsOccupied = d.optionalInt32(has(2))
	t.PostalCodes = d.optionalInt32(has(3))
	t.LandArea = d.optionalInt64(has(4))
	if err := d.end(); err != nil {
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
func (d *Dataset) ZIPDetail(ctx context.Context, z ZIP) (*ZIPDetail, error) {
	if _, ok := d.zipSet.row(uint32(z)); !ok {
		return nil, fmt.Errorf("%w: %s holds no ZIP %s", ErrNotFound, d.path, z)
	}
	return readDetail(ctx, d, zipDetailRows, int64(z), decodeZIPDetail)
}

// FSADetail reads what only a full record shows of the forward sortation area
// from the file. An FSA that the dataset does not hold is an error that
// matches [ErrNotFound].
func (d *Dataset) FSADetail(ctx context.Context, f FSA) (*FSADetail, error) {
	if _, ok := d.fsaSet.row(uint32(f)); !ok {
		return nil, fmt.Errorf("%w: %s holds no FSA %s", ErrNotFound, d.path, f)
	}
	return readDetail(ctx, d, fsaDetailRows, int64(f), decodeFSADetail)
}

func readDetail[T any](ctx context.Context, d *Dataset, table int, id int64, decode func([]byte) (*T, error)) (*T, error) {
	payload, err := d.cold.row(ctx, table, id)
	if err != nil {
		return nil, err
	}
	t, err := decode(payload)
	if err != nil {
		return nil, damaged(d.path, "%s: %v", rowTables()[table].noun(id), err)
	}
	return t, nil
}
