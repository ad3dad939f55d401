package table_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/postgeo/postgeo/enrich/table"
)

// indexedFile returns a file with small pages, page indexes and Bloom filters.
func indexedFile(t testing.TB, n int) (string, []copied) {
	t.Helper()
	rows := copiedRows(rand.New(rand.NewPCG(7, 8)), n)
	var file bytes.Buffer
	if err := parquet.Write(&file, rows, parquet.MaxRowsPerRowGroup(int64(n/2)), parquet.PageBufferSize(256),
		parquet.BloomFilters(parquet.SplitBlockFilter(10, "coded"), parquet.SplitBlockFilter(10, "lat"))); err != nil {
		t.Fatal(err)
	}
	return file.String(), rows
}

// withFooter returns a file with another footer.
func withFooter(t testing.TB, whole string, change func(m *format.FileMetaData)) string {
	t.Helper()
	const tail = 8
	begin := len(whole) - tail - int(binary.LittleEndian.Uint32([]byte(whole[len(whole)-tail:])))
	var m format.FileMetaData
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), []byte(whole[begin:len(whole)-tail]), &m); err != nil {
		t.Fatal(err)
	}
	change(&m)
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &m)
	if err != nil {
		t.Fatal(err)
	}
	return whole[:begin] + string(footer) + string(binary.LittleEndian.AppendUint32(nil, uint32(len(footer)))) + "PAR1"
}

func opened(t testing.TB, text string) *parquet.File {
	t.Helper()
	f, err := parquet.OpenFile(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func enrichedText(t testing.TB, in string) string {
	t.Helper()
	j := job{in: table.Input{Format: table.Parquet}, names: table.Names{Code: "zip"}, add: []string{"city"}}
	out, _, err := j.stream(t, in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestParquetIndexes finds the pages and values of a copied file with its indexes and filters.
func TestParquetIndexes(t *testing.T) {
	in, rows := indexedFile(t, 400)
	was, is := opened(t, in), opened(t, enrichedText(t, in))
	for g, group := range is.RowGroups() {
		before := was.RowGroups()[g].ColumnChunks()
		for c, chunk := range group.ColumnChunks() {
			offsets, err := chunk.OffsetIndex()
			if err != nil {
				t.Fatal(err)
			}
			if c < len(before) {
				want, err := before[c].OffsetIndex()
				if err != nil {
					t.Fatal(err)
				}
				if offsets.NumPages() != want.NumPages() {
					t.Fatalf("column %d has %d pages in the index, want %d", c, offsets.NumPages(), want.NumPages())
				}
				bounds, err := chunk.ColumnIndex()
				if err != nil || bounds.NumPages() != want.NumPages() {
					t.Fatalf("column %d has bounds of %d pages, want %d: %v", c, bounds.NumPages(), want.NumPages(), err)
				}
			}
			if offsets.NumPages() == 0 {
				t.Fatalf("column %d lacks pages in the index", c)
			}
			// A seek to the first row of each page finds the rows from there on.
			all := values(t, chunk, 0)
			for p := range offsets.NumPages() {
				first := offsets.FirstRowIndex(p)
				from, skipped := 0, int64(-1)
				for ; from < len(all); from++ {
					if all[from].RepetitionLevel() == 0 {
						if skipped++; skipped == first {
							break
						}
					}
				}
				if diff := cmp.Diff(texts(all[from:]), texts(values(t, chunk, first))); diff != "" {
					t.Fatalf("column %d from row %d (-want +got):\n%s", c, first, diff)
				}
			}
		}
		size := len(rows) / 2
		for _, r := range rows[g*size : (g+1)*size] {
			column, _ := is.Schema().Lookup("coded")
			found, err := group.ColumnChunks()[column.ColumnIndex].BloomFilter().Check(parquet.ValueOf(r.Coded))
			if err != nil || !found {
				t.Fatalf("the filter lacks %q: %v", r.Coded, err)
			}
		}
		column, _ := is.Schema().Lookup("lat")
		missed := 0
		for i := range 100 {
			if found, err := group.ColumnChunks()[column.ColumnIndex].BloomFilter().Check(parquet.ValueOf(1000.5 + float64(i))); err == nil && !found {
				missed++
			}
		}
		if missed < 90 {
			t.Errorf("the filter excludes %d of 100 other values", missed)
		}
	}
}

func values(t *testing.T, chunk parquet.ColumnChunk, from int64) (all []parquet.Value) {
	t.Helper()
	pages := chunk.Pages()
	defer pages.Close()
	if err := pages.SeekToRow(from); err != nil {
		t.Fatal(err)
	}
	for {
		page, err := pages.ReadPage()
		if err != nil {
			return all
		}
		buf := make([]parquet.Value, page.NumValues())
		n, _ := page.Values().ReadValues(buf)
		for _, v := range buf[:n] {
			all = append(all, v.Clone())
		}
	}
}

func texts(values []parquet.Value) (list []string) {
	for _, v := range values {
		list = append(list, v.GoString())
	}
	return list
}

// TestParquetDamagedIndexes drops indexes and filters that do not match the file.
func TestParquetDamagedIndexes(t *testing.T) {
	in, _ := indexedFile(t, 400)
	column := func(m *format.FileMetaData) *format.ColumnChunk { return &m.RowGroups[1].Columns[1] }
	for _, tt := range []struct {
		name           string
		change         func(m *format.FileMetaData)
		indexes, bloom bool // that remain
	}{
		{"no damage", func(*format.FileMetaData) {}, true, true},
		{"index of another column", func(m *format.FileMetaData) {
			o := &m.RowGroups[1].Columns[3]
			column(m).OffsetIndexOffset, column(m).OffsetIndexLength = o.OffsetIndexOffset, o.OffsetIndexLength
		}, false, true},
		{"index outside the file", func(m *format.FileMetaData) { column(m).OffsetIndexOffset = 1 << 60 }, false, true},
		{"negative offset of the index", func(m *format.FileMetaData) { column(m).OffsetIndexOffset = -5 }, false, true},
		{"index that is too short", func(m *format.FileMetaData) { column(m).OffsetIndexLength-- }, false, true},
		{"index of two gigabytes", func(m *format.FileMetaData) { column(m).OffsetIndexLength = 1<<31 - 1 }, false, true},
		{"filter in the pages", func(m *format.FileMetaData) { column(m).MetaData.BloomFilterOffset = 4 }, true, false},
		{"filter outside the file", func(m *format.FileMetaData) { column(m).MetaData.BloomFilterOffset = 1 << 60 }, true, false},
		{"filter of another length", func(m *format.FileMetaData) { column(m).MetaData.BloomFilterLength = 77 }, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := opened(t, enrichedText(t, withFooter(t, in, tt.change))).Metadata()
			for i := range m.RowGroups {
				for k := range m.RowGroups[i].Columns {
					if has := m.RowGroups[i].Columns[k].OffsetIndexOffset > 0; has != tt.indexes {
						t.Fatalf("column %d has an index: %t", k, has)
					}
				}
			}
			if has := column(m).MetaData.BloomFilterOffset > 0; has != tt.bloom {
				t.Errorf("the column has a filter: %t", has)
			}
		})
	}
}

// TestParquetSharedIndex has columns that share one long index. The output is not longer
// than with an index of each.
func TestParquetSharedIndex(t *testing.T) {
	const long = 1 << 20
	var file bytes.Buffer
	if err := parquet.Write(&file, copiedRows(rand.New(rand.NewPCG(7, 8)), 400), parquet.MaxRowsPerRowGroup(20)); err != nil {
		t.Fatal(err)
	}
	index, err := thrift.Marshal(new(thrift.CompactProtocol), &format.ColumnIndex{
		NullPages: []bool{false}, MinValues: [][]byte{bytes.Repeat([]byte("a"), long)}, MaxValues: [][]byte{[]byte("z")},
	})
	if err != nil {
		t.Fatal(err)
	}
	// The index precedes the footer.
	plain := withFooter(t, file.String(), func(*format.FileMetaData) {})
	begin := len(plain) - 8 - int(binary.LittleEndian.Uint32([]byte(plain[len(plain)-8:])))
	columns := 0
	in := withFooter(t, plain[:begin]+string(index)+plain[begin:], func(m *format.FileMetaData) {
		for g := range m.RowGroups {
			for i := range m.RowGroups[g].Columns {
				c := &m.RowGroups[g].Columns[i]
				c.ColumnIndexOffset, c.ColumnIndexLength = int64(begin), int32(len(index))
				columns++
			}
		}
	})
	out := enrichedText(t, in)
	first := opened(t, out).Metadata().RowGroups[0].Columns[0]
	if columns < 100 || first.ColumnIndexLength != int32(len(index)) {
		t.Errorf("%d columns; the first index has %d bytes", columns, first.ColumnIndexLength)
	}
	if len(out) > len(in)+len(in)/2 {
		t.Errorf("the output has %d bytes, the input %d", len(out), len(in))
	}
}
