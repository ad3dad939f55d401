package file_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// codeLists are ascending codes below a limit.
func codeLists() map[string]struct {
	codes []uint32
	limit uint32
} {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(limit uint32, n int) []uint32 {
		var list []uint32
		for range n {
			list = append(list, rng.Uint32N(limit))
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	var all []uint32
	for c := range uint32(3000) {
		all = append(all, c)
	}
	return map[string]struct {
		codes []uint32
		limit uint32
	}{
		"none":              {nil, 1024},
		"first":             {[]uint32{0}, 1024},
		"last of a leaf":    {[]uint32{1023}, 1024},
		"beyond a leaf":     {[]uint32{1024}, 1025},
		"ends of words":     {[]uint32{0, 63, 64, 127, 128, 1023, 1024, 1087, 1088}, 2048},
		"an empty leaf":     {[]uint32{5, 1000, 4096, 9000}, 9001},
		"all":               {all, 3000},
		"dense":             {random(5000, 4000), 5000},
		"sparse":            {random(1_000_000, 300), 1_000_000},
		"limit of one code": {[]uint32{0}, 1},
	}
}

// TestCodeSet compares sets with lists.
func TestCodeSet(t *testing.T) {
	for name, tt := range codeLists() {
		t.Run(name, func(t *testing.T) {
			b := file.NewCodeSetBuilder(tt.limit)
			for _, c := range tt.codes {
				if err := b.Add(c); err != nil {
					t.Fatal(err)
				}
			}
			built := b.Finish()
			for _, s := range []file.CodeSet{built} {
				if s.Count != len(tt.codes) {
					t.Errorf("%d codes, want %d", s.Count, len(tt.codes))
				}
				step := max(1, tt.limit/20_000)
				for c := uint32(0); c < tt.limit+5000; c += step {
					at, found := slices.BinarySearch(tt.codes, c)
					if row, ok := s.Row(c); ok != found || ok && row != at || s.Has(c) != found || s.Before(c) != at {
						t.Fatalf("%d: row %d %v, %v, %d before; want %d %v", c, row, ok, s.Has(c), s.Before(c), at, found)
					}
				}
				for _, low := range []uint32{0, 1, 63, 64, 1000, 1023, 1024, tt.limit - 1, tt.limit} {
					at, _ := slices.BinarySearch(tt.codes, low)
					var got []uint32
					for row, c := range s.From(low) {
						if row != at+len(got) {
							t.Errorf("code %d has the row %d, want %d", c, row, at+len(got))
						}
						got = append(got, c)
					}
					if !slices.Equal(got, tt.codes[at:]) {
						t.Errorf("from %d: %d codes, want %d", low, len(got), len(tt.codes)-at)
					}
				}
				for range s.All() {
					break // a caller may stop
				}
			}
		})
	}
}

// TestCodeSetRefuses checks the order and the limit of codes.
func TestCodeSetRefuses(t *testing.T) {
	for _, tt := range []struct {
		codes []uint32
		limit uint32
		ok    bool
	}{
		{[]uint32{0, 1, 9}, 10, true},
		{[]uint32{0, 1, 10}, 10, false},
		{[]uint32{3, 3}, 10, false},
		{[]uint32{4, 3}, 10, false},
	} {
		b := file.NewCodeSetBuilder(tt.limit)
		var err error
		for _, c := range tt.codes {
			if err == nil {
				err = b.Add(c)
			}
		}
		if ok := err == nil; ok != tt.ok {
			t.Errorf("%v below %d: %v", tt.codes, tt.limit, err)
		}
	}
}

// TestPacked reads back packed numbers of every width.
func TestPacked(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for width := range 57 {
		for _, n := range []int{1, 2, 7, 8, 9, 63, 200} {
			base := rng.Uint64N(1 << 40)
			values := make([]uint64, n)
			for i := range values {
				values[i] = base
				if width > 0 {
					values[i] += rng.Uint64N(1<<width-1) + rng.Uint64N(2)
				}
			}
			if width > 0 {
				values[n-1] = base + 1<<width - 1
			}
			values[0] = base
			var e file.Encoder
			e.Packed(values)
			size := len(e.B)
			e.Byte(0xaa)
			d := file.Decoder{B: e.B}
			p := d.Packed(n)
			if d.Byte() != 0xaa || d.End() != nil {
				t.Fatalf("width %d, %d numbers: %v", width, n, d.Err)
			}
			for i, want := range values {
				if got := p.At(i); got != want {
					t.Fatalf("width %d: number %d of %d is %d, want %d", width, i, n, got, want)
				}
			}
			if n > 1 { // the base takes up to 6 bytes, the width one
				if least := (n*width + 7) / 8; size < least+2 || size > least+7 {
					t.Errorf("width %d: %d numbers take %d bytes", width, n, size)
				}
			}
		}
	}
}

// TestPackedLimits checks the greatest width and base.
func TestPackedLimits(t *testing.T) {
	for _, tt := range []struct {
		base  uint64
		width byte
		ok    bool
	}{{0, 56, true}, {0, 57, false}, {1 << 56, 0, true}, {1<<56 + 1, 0, false}} {
		var e file.Encoder
		e.Uint(tt.base)
		e.Byte(tt.width)
		e.B = append(e.B, make([]byte, int(tt.width))...) // eight numbers
		d := file.Decoder{B: e.B}
		d.Packed(8)
		if err := d.End(); (err == nil) != tt.ok || !tt.ok && !errors.Is(err, file.ErrRange) {
			t.Errorf("base %d, width %d: %v", tt.base, tt.width, err)
		}
	}
	d := file.Decoder{B: []byte{0, 7, 1, 2}} // three numbers of 7 bits take three bytes
	if d.Packed(3); !errors.Is(d.Err, file.ErrShort) {
		t.Errorf("too few bytes: %v", d.Err)
	}
}

// TestCodec reads back numbers at their limits, and refuses what no encoder writes.
func TestCodec(t *testing.T) {
	var e file.Encoder
	for _, v := range []uint64{0, 1, 127, 128, math.MaxUint64} {
		e.Uint(v)
	}
	e.Int(math.MinInt64)
	e.Int(-1)
	d := file.Decoder{B: e.B}
	got := fmt.Sprint(d.Uint(), d.Uint(), d.Uint(), d.Uint(), d.Uint(), d.Int(), d.Int(), d.End())
	if want := "0 1 127 128 18446744073709551615 -9223372036854775808 -1 <nil>"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for name, tt := range map[string]struct {
		data []byte
		read func(d *file.Decoder)
		want error
	}{
		"nothing":                    {nil, func(d *file.Decoder) { d.Byte() }, file.ErrShort},
		"no number":                  {nil, func(d *file.Decoder) { d.Uint() }, file.ErrVarint},
		"half a signed number":       {[]byte{0x80}, func(d *file.Decoder) { d.Int() }, file.ErrVarint},
		"at most":                    {[]byte{5}, func(d *file.Decoder) { d.Max(5) }, nil},
		"more than that":             {[]byte{6}, func(d *file.Decoder) { d.Max(5) }, file.ErrRange},
		"as many elements as bytes":  {[]byte{2, 0, 0}, func(d *file.Decoder) { d.Take(uint64(d.Count())) }, nil},
		"more elements than bytes":   {[]byte{3, 0, 0}, func(d *file.Decoder) { d.Count() }, file.ErrRange},
		"bytes after the end":        {[]byte{0, 0}, func(d *file.Decoder) { d.Byte() }, file.ErrTrailing},
		"the first error is the one": {[]byte{6}, func(d *file.Decoder) { d.Max(5); d.Byte() }, file.ErrRange},
	} {
		d := file.Decoder{B: tt.data}
		tt.read(&d)
		if err := d.End(); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}

// TestLongDigits decodes a text of more digits than any that is kept as a number.
func TestLongDigits(t *testing.T) {
	for digits, ok := range map[byte]bool{15: true, 16: false, 200: false} {
		rows, err := file.DecodeRows[struct{ Text string }]([]byte{1, 1, 5, digits, 0, 1, 0})
		if (err == nil) != ok || ok && rows[0].Text != "000000000000000" {
			t.Errorf("%d digits: %q, %v", digits, rows, err)
		}
	}
}

// A row has a column of each kind.
type row struct {
	GEOID  string // of equal lengths in some
	Name   string
	Zone   uint8
	Land   int64
	Extent float64
	At     geo.LatLng
	Known  bool
}

// TestRows reads back structs of random values, NULLs among them, row by row and as a table.
func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 200 {
		rows := make([]row, rng.IntN(30))
		for i := range rows {
			r := &rows[i]
			r.GEOID = fmt.Sprintf("%0*d", 3+i%(1+n%3), i)
			if rng.IntN(3) > 0 {
				r.Name, r.Zone, r.Known = fmt.Sprint("name ", rng.IntN(5)), uint8(rng.Uint32()), true
				r.At = geo.LatLngFromMicrodegrees(rng.Int32N(90e6), -rng.Int32N(180e6))
				r.Land, r.Extent = rng.Int64N(1e15)-5e14, rng.Float64()*1e12
			}
		}
		data := file.EncodeRows(rows)
		got, err := file.DecodeRows[row](data)
		if diff := cmp.Diff(rows, got, cmpopts.EquateEmpty(), cmp.Comparer(func(a, b geo.LatLng) bool { return a == b })); diff != "" || err != nil {
			t.Fatalf("%v (-want +got):\n%s", err, diff)
		}
		if _, err := file.DecodeRows[struct{ A, B int }](data); len(rows) > 0 && err == nil {
			t.Error("rows of another type are decoded")
		}
		for cut := range data[:len(data)*min(len(rows), 1)] {
			if _, err := file.DecodeRows[row](data[:cut]); err == nil {
				t.Errorf("%d of %d bytes are decoded", cut, len(data))
			}
		}
	}
}

// craftedRows are encoded rows, with all forms of columns.
func craftedRows() []byte {
	rows := []row{{GEOID: "06037", Name: "Los Angeles", Zone: 3, Land: 1e10, Extent: 1.5, At: geo.MustLatLng(34, -118), Known: true}, {GEOID: "06059", Extent: 1e300}, {GEOID: "36", Name: "Kings"}}
	return file.EncodeRows(rows)
}

// TestCraftedRows sets every byte of rows to all other values. Texts beyond the dictionary and
// more rows than the bytes can hold are refused.
func TestCraftedRows(t *testing.T) {
	good := craftedRows()
	for i := range good {
		for v := range 256 {
			b := slices.Clone(good)
			b[i] = byte(v)
			_, _ = file.DecodeRows[row](b) // must not panic
		}
	}
	type text struct{ Text string }
	for data, want := range map[string]error{
		"\x01\x01\x04\x01\x01a\x01\x00":         nil,           // row, column, form, texts, length, text, number, bits
		"\x01\x01\x04\x01\x01a\x02\x00":         file.ErrRange, // the second text of one
		"\x01\x01\x04\x01\x01a\x01\x01\x01":     file.ErrRange,
		"\x80\x80\x40\x01\x04\x01\x01a\x01\x00": file.ErrRange, // 1<<20 rows
	} {
		if rows, err := file.DecodeRows[text]([]byte(data)); !errors.Is(err, want) || err == nil && rows[0].Text != "a" {
			t.Errorf("%q: %v, %v; want %v", data, rows, err, want)
		}
	}
}

func FuzzRows(f *testing.F) {
	f.Add(craftedRows())
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := file.DecodeRows[row](b)
		if most := max(1<<16, 64*len(b)); err == nil && len(rows) > most {
			t.Errorf("%d rows of %d bytes", len(rows), len(b))
		}
	})
}
