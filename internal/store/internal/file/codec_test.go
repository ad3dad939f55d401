package file_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// TestCodeSet compares sets with lists, and checks the order and the limit of codes.
func TestCodeSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(limit uint32, n int) []uint32 {
		var list []uint32
		for range n {
			list = append(list, rng.Uint32N(limit))
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	for _, tt := range []struct {
		codes []uint32
		limit uint32
	}{
		{nil, 1024},
		{[]uint32{0}, 1},
		{[]uint32{1023}, 1024},
		{[]uint32{1024}, 1025},
		{[]uint32{0, 63, 64, 127, 128, 1023, 1024, 1087, 1088}, 2048},
		{[]uint32{5, 1000, 4096, 9000}, 9001}, // an empty leaf
		{random(5000, 4000), 5000},
		{random(1_000_000, 300), 1_000_000},
	} {
		of := func(codes ...uint32) (file.CodeSet, error) {
			return file.NewCodeSet(tt.limit, codes, func(c *uint32) uint32 { return *c })
		}
		s, err := of(tt.codes...)
		check(t, err)
		for _, more := range append(tt.codes[max(0, len(tt.codes)-1):], tt.limit) {
			if _, err := of(append(slices.Clone(tt.codes), more)...); err == nil {
				t.Errorf("%v below %d: a code twice, or the limit, is taken", tt.codes, tt.limit)
			}
		}
		for c := uint32(0); c < tt.limit+5000; c += max(1, tt.limit/20_000) {
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
	Parts  []part
}

// A part has a list of its own.
type part struct {
	Name string
	N    uint16
	Line []geo.LatLng
}

func somePoint(rng *rand.Rand) geo.LatLng {
	return geo.LatLngFromMicrodegrees(rng.Int32N(9e6)*10, -rng.Int32N(18e6)*10)
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
				r.Land, r.Extent = rng.Int64N(1<<(1+n%50))*25-500, rng.Float64()*1e12
			}
			for k := range rng.IntN(4) {
				p := part{Name: fmt.Sprint(k), N: uint16(rng.Uint32())}
				for range rng.IntN(3) {
					p.Line = append(p.Line, somePoint(rng))
				}
				r.Parts = append(r.Parts, p)
			}
		}
		data := file.EncodeRows(rows)
		got, err := file.DecodeRows[row](data)
		if table, err := file.DecodeTable[row](data); len(rows) > 2 {
			got = file.AppendRows(file.AppendRows(got[:1], table, 1, 2), table, 2, table.Rows) // into used memory
			check(t, err)
		}
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
	rows := []row{{
		GEOID: "06037", Name: "Los Angeles", Zone: 3, Land: 1e10, Extent: 1.5, At: geo.MustLatLng(34, -118), Known: true,
		Parts: []part{{Name: "a", Line: []geo.LatLng{geo.MustLatLng(34, -118)}}},
	}, {GEOID: "06059", Extent: 1e300}, {GEOID: "36", Name: "Kings"}}
	return file.EncodeRows(rows)
}

// TestCraftedRows sets every byte of rows to all other values. Texts beyond the dictionary, more
// rows than the bytes can hold, texts of too many digits and lists in lists without an end are
// refused.
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
		"\x01\x01\x04\x01\x01a\x01\x00":                                                      nil,           // row, column, form, texts, length, text, number, bits
		"\x01\x01\x04\x01\x01a\x02\x00":                                                      file.ErrRange, // the second text of one
		"\x80\x80\x40\x01\x04\x01\x01a\x01\x00":                                              file.ErrRange, // 1<<20 rows
		"\x01\x01\x05\x0f\x00\x01\x01\x00":                                                   nil,           // fifteen digits
		"\x01\x01\x05\x10\x00\x01\x01\x00":                                                   file.ErrRange,
		strings.Repeat("\x00\x01\x06", 1000):                                                 file.ErrRange,
		"\x80\x80\x80\x02\x01\x04\x01\x80\x80\x08" + strings.Repeat("a", 1<<17) + "\x01\x00": file.ErrRange, // 1<<22 rows
	} {
		if rows, err := file.DecodeRows[text]([]byte(data)); !errors.Is(err, want) {
			t.Errorf("%q: %v, %v; want %v", data, rows, err, want)
		}
	}
}

// TestCraftedTables reads tables that no encoder makes: without rows and columns, and with a
// flag that is not 0 or 1.
func TestCraftedTables(t *testing.T) {
	type named struct {
		Key  string
		Flag bool
	}
	for data, want := range map[string]int{
		"\x00\x00": 0,
		"\x01\x02\x04\x01\x01a\x01\x00\x01\x06\x00\x00": 1, // the flag 3
	} {
		table, err := file.DecodeTable[named]([]byte(data))
		check(t, err)
		rows := file.AppendRows[struct{ Flag bool }](nil, table.After(0), 0, table.Rows)
		if _, ok := table.Find(0, "a"); len(rows) != want || ok != (want > 0) {
			t.Errorf("%q: %d rows, found: %v", data, len(rows), ok)
		}
		for i := range rows {
			if rows[i].Flag {
				t.Errorf("%q: the flag of row %d is set", data, i)
			}
		}
	}
}

var check = checktest.Check

func FuzzRows(f *testing.F) {
	f.Add(craftedRows())
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := file.DecodeRows[row](b)
		if most := max(1<<16, 64*len(b)); err == nil && len(rows) > most {
			t.Errorf("%d rows of %d bytes", len(rows), len(b))
		}
	})
}
