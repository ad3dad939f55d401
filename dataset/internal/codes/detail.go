package codes

import (
	"context"
	"fmt"
	"iter"
	"math"
	"unicode/utf8"

	"github.com/postgeo/postgeo/dataset/internal/store"
)

var zipDetailRows = &store.RowKind{Name: "zip_detail", Noun: func(id int64) string { return "the detail of ZIP " + ZIP(id).String() }}

var zipDetailTable = store.RowTable[*Reader]{
	RowKind: zipDetailRows,
	Ids:     func(d *Reader) iter.Seq[int64] { return Ids(&d.zipSet) },
	Check: func(d *Reader, _ int64, payload []byte) error {
		_, err := DecodeZIPDetail(payload, d.zipTexts)
		return err
	},
}

var fsaDetailRows = &store.RowKind{Name: "fsa_detail", Noun: func(id int64) string { return "the detail of FSA " + FSA(id).String() }}

var fsaDetailTable = store.RowTable[*Reader]{
	RowKind: fsaDetailRows,
	Ids:     func(d *Reader) iter.Seq[int64] { return Ids(&d.fsaSet) },
	Check: func(d *Reader, _ int64, payload []byte) error {
		_, err := DecodeFSADetail(payload, d.fsaTexts)
		return err
	},
}

func Ids(s *store.CodeSet) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for _, code := range s.All() {
			if !yield(int64(code)) {
				return
			}
		}
	}
}

func EncodeZIPDetail(t *ZIPDetail, texts *store.TextPacker) ([]byte, error) {
	if err := checkDensity(t.Population, t.LandArea); err != nil {
		return nil, err
	}
	e := store.Encoder{}
	if err := encodeAreaCodes(&e, t.AreaCodes); err != nil {
		return nil, err
	}
	dp := t.DeliveryPoints
	e.Uint(store.FlagBits(t.Elevation != nil, t.LandArea != nil, t.WaterArea != nil, t.ZIP4Count != nil,
		dp != nil, dp != nil && dp.SingleFamily != nil, dp != nil && dp.MultiFamily != nil, t.Population != nil,
		t.Medicare != nil, t.Business != nil, t.Housing != nil))
	if t.Elevation != nil {
		if math.IsNaN(*t.Elevation) || math.IsInf(*t.Elevation, 0) {
			return nil, fmt.Errorf("elevation %v; expected a finite number of meters", *t.Elevation)
		}
		e.Float(*t.Elevation)
	}
	store.OptionalInt(&e, t.LandArea)
	store.OptionalInt(&e, t.WaterArea)
	store.OptionalInt(&e, t.ZIP4Count)
	store.OptionalInt(&e, t.Population)
	store.OptionalInt(&e, t.Housing)
	if dp != nil {
		for _, n := range [...]int32{dp.TotalActive, dp.Business, dp.Residential, dp.POBox} {
			e.Int(int64(n))
		}
		store.OptionalInt(&e, dp.SingleFamily)
		store.OptionalInt(&e, dp.MultiFamily)
	}
	if err := encodeTexts(&e, t.FacilityCode, t.CityDelivery, t.IntroDate); err != nil {
		return nil, err
	}
	e.Uint(uint64(len(t.Aliases)))
	for _, a := range t.Aliases {
		if err := encodeTexts(&e, a.City, a.MailingName, a.IntroDate); err != nil {
			return nil, err
		}
	}
	if err := encodeMedicare(&e, t.Medicare); err != nil {
		return nil, err
	}
	if err := encodeBusiness(&e, t.Business); err != nil {
		return nil, err
	}
	if err := encodeQuality(&e, &t.Quality, texts); err != nil {
		return nil, err
	}
	return e.B, nil
}

func DecodeZIPDetail(b []byte, texts []string) (*ZIPDetail, error) {
	in := store.Decoder{B: b}
	t := &ZIPDetail{AreaCodes: decodeAreaCodes(&in)}
	known := in.Max(1<<11 - 1)
	has := func(bit int) bool { return known&(1<<bit) != 0 }
	if has(0) {
		v := in.Float()
		t.Elevation = &v
	}
	t.LandArea = in.OptionalInt64(has(1))
	t.WaterArea = in.OptionalInt64(has(2))
	t.ZIP4Count = in.OptionalInt32(has(3))
	t.Population = in.OptionalInt32(has(7))
	t.Housing = in.OptionalInt32(has(10))
	switch {
	case has(4):
		p := &DeliveryPoints{TotalActive: in.Int32(), Business: in.Int32(), Residential: in.Int32(), POBox: in.Int32()}
		p.SingleFamily = in.OptionalInt32(has(5))
		p.MultiFamily = in.OptionalInt32(has(6))
		t.DeliveryPoints = p
	case has(5) || has(6):
		in.Fail(store.ErrRange)
	}
	t.FacilityCode, t.CityDelivery, t.IntroDate = in.Text(), in.Text(), in.Text()
	if n := in.Count(); n > 0 {
		t.Aliases = make([]CityAlias, 0, min(n, 64))
		for range n {
			if in.Err != nil {
				break
			}
			t.Aliases = append(t.Aliases, CityAlias{City: in.Text(), MailingName: in.Text(), IntroDate: in.Text()})
		}
	}
	t.Medicare = decodeMedicare(&in, has(8))
	t.Business = decodeBusiness(&in, has(9))
	t.Quality = decodeQuality(&in, texts)
	if err := in.End(); err != nil {
		return nil, err
	}
	if err := checkDensity(t.Population, t.LandArea); err != nil {
		return nil, err
	}
	return t, nil
}

func EncodeFSADetail(t *FSADetail, texts *store.TextPacker) ([]byte, error) {
	if err := checkDensity(t.Population, t.LandArea); err != nil {
		return nil, err
	}
	e := store.Encoder{}
	if err := encodeAreaCodes(&e, t.AreaCodes); err != nil {
		return nil, err
	}
	e.Uint(store.FlagBits(t.Population != nil, t.Dwellings != nil, t.DwellingsOccupied != nil,
		t.PostalCodes != nil, t.LandArea != nil))
	store.OptionalInt(&e, t.Population)
	store.OptionalInt(&e, t.Dwellings)
	store.OptionalInt(&e, t.DwellingsOccupied)
	store.OptionalInt(&e, t.PostalCodes)
	store.OptionalInt(&e, t.LandArea)
	if err := encodeQuality(&e, &t.Quality, texts); err != nil {
		return nil, err
	}
	return e.B, nil
}

func DecodeFSADetail(b []byte, texts []string) (*FSADetail, error) {
	in := store.Decoder{B: b}
	t := &FSADetail{AreaCodes: decodeAreaCodes(&in)}
	known := in.Max(1<<5 - 1)
	has := func(bit int) bool { return known&(1<<bit) != 0 }
	t.Population = in.OptionalInt32(has(0))
	t.Dwellings = in.OptionalInt32(has(1))
	t.DwellingsOccupied = in.OptionalInt32(has(2))
	t.PostalCodes = in.OptionalInt32(has(3))
	t.LandArea = in.OptionalInt64(has(4))
	t.Quality = decodeQuality(&in, texts)
	if err := in.End(); err != nil {
		return nil, err
	}
	if err := checkDensity(t.Population, t.LandArea); err != nil {
		return nil, err
	}
	return t, nil
}

// encodeAreaCodes writes ascending area codes as the gaps between them.
func encodeAreaCodes(e *store.Encoder, codes []uint16) error {
	e.Uint(uint64(len(codes)))
	next := uint16(0)
	for _, c := range codes {
		if c < next || c > 999 {
			return fmt.Errorf("area codes %d; expected three digits each, ascending", codes)
		}
		e.Uint(uint64(c - next))
		next = c + 1
	}
	return nil
}

func decodeAreaCodes(d *store.Decoder) []uint16 {
	n := d.Count()
	if n == 0 {
		return nil
	}
	codes := make([]uint16, 0, min(n, 1000))
	next := uint64(0)
	for range n {
		c := next + d.Max(999)
		if c > 999 {
			d.Fail(store.ErrRange)
		}
		if d.Err != nil {
			return nil
		}
		codes = append(codes, uint16(c))
		next = c + 1
	}
	return codes
}

func encodeTexts(e *store.Encoder, list ...string) error {
	for _, s := range list {
		if !utf8.ValidString(s) {
			return fmt.Errorf("the text %q is not UTF-8", s)
		}
		e.Text(s)
	}
	return nil
}

// ZIPDetail reads what only a full record shows of the ZIP Code from the file.
// A code that the dataset does not hold is an error that matches
// [ErrNotFound].
func (d *Reader) ZIPDetail(ctx context.Context, z ZIP) (*ZIPDetail, error) {
	if _, ok := d.zipSet.Row(uint32(z)); !ok {
		return nil, fmt.Errorf("%w: %s holds no ZIP %s", store.ErrNotFound, d.file.Path, z)
	}
	return readDetail(ctx, d, zipDetailRows, int64(z), d.zipTexts, DecodeZIPDetail)
}

// FSADetail reads what only a full record shows of the forward sortation area
// from the file. An FSA that the dataset does not hold is an error that
// matches [ErrNotFound].
func (d *Reader) FSADetail(ctx context.Context, f FSA) (*FSADetail, error) {
	if _, ok := d.fsaSet.Row(uint32(f)); !ok {
		return nil, fmt.Errorf("%w: %s holds no FSA %s", store.ErrNotFound, d.file.Path, f)
	}
	return readDetail(ctx, d, fsaDetailRows, int64(f), d.fsaTexts, DecodeFSADetail)
}

func readDetail[T any](ctx context.Context, d *Reader, table *store.RowKind, id int64, texts []string, decode func([]byte, []string) (*T, error)) (*T, error) {
	payload, err := d.file.Row(ctx, table, id)
	if err != nil {
		return nil, err
	}
	t, err := decode(payload, texts)
	if err != nil {
		return nil, d.file.Damaged("%s: %v", table.Noun(id), err)
	}
	return t, nil
}
