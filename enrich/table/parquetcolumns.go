package table

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/postgeo/postgeo/enrich"
)

// A columnWriter writes a Parquet file that has the columns of another, byte for
// byte, and added ones. It keeps the row groups.
type columnWriter struct {
	file   *parquet.File
	meta   *footer // of the file
	added  []enrich.Column
	schema []format.SchemaElement // of the added columns
	orders []format.ColumnOrder
	by     string // the program

	out     *bufio.Writer
	at      int64 // in the output
	groups  []footerGroup
	indexes [][]pageIndexes // by row group and column
	indexed int64           // bytes of page indexes from the file
	blooms  int64           // of Bloom filters
	columns []columnPages   // of the open row group
	pending []uint32        // results of its last rows
	table   *columnTable    // that numbers them
	begun   bool
}

// newColumnWriter returns a writer to w. Only the columns are added to those of
// the file.
func newColumnWriter(w io.Writer, file *parquet.File, added []enrich.Column) (*columnWriter, error) {
	var empty bytes.Buffer
	columns := make([]parquet.Field, len(added))
	for i, c := range added {
		columns[i] = &column{nodeOf(c.Type), c.Name}
	}
	if err := newParquetWriter(&empty, parquet.NewSchema("rows", newGroup(columns))).Close(); err != nil {
		return nil, err
	}
	of, err := parquet.OpenFile(bytes.NewReader(empty.Bytes()), int64(empty.Len()))
	if err != nil {
		return nil, err
	}
	meta, err := readFooter(file)
	if err != nil {
		return nil, err
	}
	m := of.Metadata()
	return &columnWriter{file: file, meta: meta, added: added, schema: m.Schema[1:], orders: m.ColumnOrders, by: m.CreatedBy, out: bufio.NewWriterSize(w, 1<<18)}, nil
}

func (w *columnWriter) Write(text []byte) (int, error) {
	n, err := w.out.Write(text)
	w.at += int64(n)
	return n, err
}

// ReadFrom copies all that a reader has.
func (w *columnWriter) ReadFrom(r io.Reader) (int64, error) {
	n, err := w.out.ReadFrom(r)
	w.at += n
	return n, err
}

// begin writes the start of the file.
func (w *columnWriter) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	_, err := io.WriteString(w, parquetMagic)
	return err
}

func (w *columnWriter) write(c *chunk) error {
	if err := w.begin(); err != nil {
		return err
	}
	if w.columns == nil {
		w.columns = make([]columnPages, len(w.added))
		for i := range w.columns {
			w.columns[i] = columnPages{typ: w.added[i].Type, room: spoolBytes / len(w.added)}
		}
	}
	if err := w.add(c.results, c.table); err != nil {
		return err
	}
	if !c.last {
		return nil
	}
	if err := w.page(); err != nil {
		return err
	}
	g, indexes, err := w.copy(w.file, w.file.Size(), &w.meta.RowGroups[c.group])
	if err != nil {
		return err
	}
	for i := range w.columns {
		chunk, err := w.columns[i].writeTo(w, w.added[i].Name)
		if err != nil {
			return err
		}
		indexes = append(indexes, pageIndexes{pages: w.columns[i].located(chunk.MetaData.DataPageOffset)})
		w.columns[i].reset()
		if chunk.MetaData.NumValues != g.NumRows {
			return fmt.Errorf("%d values in %d rows", chunk.MetaData.NumValues, g.NumRows) // does not occur
		}
		g.Columns = append(g.Columns, chunk)
		g.TotalByteSize += chunk.MetaData.TotalUncompressedSize
		g.TotalCompressedSize += chunk.MetaData.TotalCompressedSize
	}
	w.groups, w.indexes = append(w.groups, g), append(w.indexes, indexes)
	return nil
}

// add adds the results of rows by their numbers in a table.
func (w *columnWriter) add(results []uint32, table *columnTable) error {
	if w.table != table {
		if err := w.page(); err != nil {
			return err
		}
		for i := range w.columns {
			w.columns[i].renumber()
		}
		w.table = table
	}
	for len(results) > 0 {
		n := min(len(results), pageRows-len(w.pending))
		w.pending = append(w.pending, results[:n]...)
		if results = results[n:]; len(w.pending) == pageRows {
			if err := w.page(); err != nil {
				return err
			}
		}
	}
	return nil
}

// page encodes the values of the pending results.
func (w *columnWriter) page() error {
	for i := range w.columns {
		if len(w.pending) == 0 {
			break
		}
		if err := w.columns[i].page(w.pending, w.table.column(i), w.table.palettes[i].all()); err != nil {
			return err
		}
	}
	w.pending = w.pending[:0]
	return nil
}

// copy copies the columns of a row group and returns their places. Bloom filters follow
// the columns.
func (w *columnWriter) copy(from io.ReaderAt, size int64, of *footerGroup) (g footerGroup, indexes []pageIndexes, err error) {
	g = *of
	g.Columns = slices.Clone(of.Columns)
	g.FileOffset, g.Ordinal, g.TotalCompressedSize = w.at, int16(len(w.groups)), 0
	for i := range g.Columns {
		c := &g.Columns[i]
		m := &c.MetaData
		begin := beginOf(m.DictionaryPageOffset, m.DataPageOffset)
		moved := w.at - begin
		x := readIndexes(from, size, size-w.indexed, c, g.NumRows, moved)
		w.indexed += int64(len(x.summary)) + int64(c.OffsetIndexLength)
		if len(w.meta.ColumnOrders) == 0 {
			x.summary = nil // its bounds have no order
		}
		indexes = append(indexes, x)
		if n, err := io.Copy(w, io.NewSectionReader(from, begin, m.TotalCompressedSize)); err != nil || n != m.TotalCompressedSize {
			return g, nil, errors.Join(fmt.Errorf("column %q: copied %d of %d bytes", strings.Join(m.PathInSchema, "."), n, m.TotalCompressedSize), err)
		}
		*c = footerChunk{MetaData: *m}
		m.DataPageOffset += moved
		if m.DictionaryPageOffset > 0 {
			m.DictionaryPageOffset += moved
		}
		if s := &m.Statistics; s.Valid && len(w.meta.ColumnOrders) == 0 { // old programs wrote wrong ones
			s.V = footerStatistics{NullCount: s.V.NullCount}
		}
		g.TotalCompressedSize += m.TotalCompressedSize
	}
	for i := range g.Columns {
		m := &g.Columns[i].MetaData
		filter := bloomOf(from, size, m, size-w.blooms)
		m.BloomFilterOffset, m.BloomFilterLength = 0, 0
		if filter == nil {
			continue
		}
		m.BloomFilterOffset, m.BloomFilterLength = w.at, int32(filter.Size())
		if _, err := io.Copy(w, filter); err != nil {
			return g, nil, fmt.Errorf("column %q: Bloom filter: %w", strings.Join(m.PathInSchema, "."), err)
		}
		w.blooms += filter.Size()
	}
	return g, indexes, nil
}

// flush empties the buffer.
func (w *columnWriter) flush() error { return w.out.Flush() }

// finish writes the footer.
func (w *columnWriter) finish() error {
	if err := w.begin(); err != nil {
		return err
	}
	if err := w.writeIndexes(); err != nil {
		return err
	}
	m := *w.meta
	m.Schema = slices.Concat(m.Schema, w.schema)
	m.Schema[0].NumChildren = thrift.New(m.Schema[0].NumChildren.V + int32(len(w.added)))
	m.RowGroups, m.NumRows, m.CreatedBy = w.groups, 0, w.by
	for i := range w.groups {
		m.NumRows += w.groups[i].NumRows
	}
	if len(m.ColumnOrders) > 0 {
		m.ColumnOrders = slices.Concat(m.ColumnOrders, w.orders)
	}
	// Other keys describe the columns of the file, and readers believe them.
	m.KeyValues = slices.DeleteFunc(slices.Clone(m.KeyValues), func(v format.KeyValue) bool { return v.Key != "geo" })
	begin := w.at
	if err := encodeThrift(w, &m); err != nil {
		return err
	}
	tail := binary.LittleEndian.AppendUint32(nil, uint32(w.at-begin))
	if _, err := w.Write(append(tail, parquetMagic...)); err != nil {
		return err
	}
	return w.out.Flush()
}

func (w *columnWriter) abandon() {
	for i := range w.columns {
		_ = w.columns[i].pages.close() // the run has an error already
	}
}
