package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/postgeo/postgeo/enrich"
)

// Parquet is read and written by columns: a block holds some rows of each column, and if the
// output is Parquet, the same values are written, with their levels. Putting rows together,
// and taking them apart again with values made for each, took twice the processor time (2.1 s
// against 1.05 s for a million rows with two fields).
//
// The file may come from anyone, and the library trusts it: it panics, allocates what a
// length claims, or returns values of another type than the schema's, whose bits it takes
// for addresses when they are written. So openParquet checks the length of the footer,
// panics and faults become errors, and each value is compared with the schema.
// TestParquetCodecs damages files at random to verify this.

// A parquetSource reads the columns of a Parquet file.
type parquetSource struct {
	name   string // of the file
	file   *parquet.File
	leaves []leaf
	header []string
	lists  string             // a column with several values a row, or ""
	groups []parquet.RowGroup // that follow
	chunks []columnReader     // of the row group
	left   int64              // rows of the row group
	at     int64              // row that comes next
}

// A leaf is a column that has values.
type leaf struct {
	levels   int // definition level of a value; a lower one is a null, here or in a group above
	kind     parquet.Kind
	repeated bool // it may have several values a row
	text     bool // its bytes are its text, also of old writers without logical types
	logical  any  // its logical type; nil for none
}

// A parquetColumn has the values of a column in a block. Rows of a list have several;
// starts has the first of each.
type parquetColumn struct {
	values []parquet.Value
	starts []int
}

// of returns the values of the first n rows.
func (c *parquetColumn) of(n int) []parquet.Value {
	switch {
	case len(c.starts) == 0:
		return c.values[:n]
	case n < len(c.starts):
		return c.values[:c.starts[n]]
	default:
		return c.values
	}
}

// openParquet reads the schema of a file.
func openParquet(r io.ReaderAt, size int64, name string) (p *parquetSource, err error) {
	defer func() {
		if r := recover(); r != nil { // the library panics on some damaged files
			err = fmt.Errorf("the file is damaged: %v", r)
		}
		if err != nil {
			err = fmt.Errorf("table: read Parquet %s: %w", name, err)
		}
	}()
	tail := make([]byte, 8) // the length of the footer, which the library allocates unchecked, and the magic number
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil, fmt.Errorf("read the footer: %w", err)
	}
	if n := int64(binary.LittleEndian.Uint32(tail)); n > size {
		return nil, fmt.Errorf("its footer has %d bytes, more than the file", n)
	}
	// All rows are read in order, so filters and indexes are only more to be damaged.
	file, err := parquet.OpenFile(r, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return nil, err
	}
	p = &parquetSource{name: name, file: file, groups: file.RowGroups()}
	for i, path := range file.Schema().Columns() {
		name := strings.Join(path, ".")
		// Of two columns of a name, Lookup finds one, and values would go to the other.
		column, ok := file.Schema().Lookup(path...)
		if !ok || column.ColumnIndex != i {
			return nil, fmt.Errorf("two columns are called %q", name)
		}
		l := leaf{levels: column.MaxDefinitionLevel, kind: column.Node.Type().Kind(), repeated: column.MaxRepetitionLevel > 0}
		if t := column.Node.Type().LogicalType(); t != nil {
			l.logical = t.Value
		}
		_, l.text = l.logical.(*format.StringType)
		l.text = l.kind == parquet.ByteArray && (l.text || l.logical == nil)
		p.header = append(p.header, name)
		p.leaves = append(p.leaves, l)
		if l.repeated && p.lists == "" {
			p.lists = name
		}
	}
	if len(p.header) == 0 {
		return nil, errors.New("the file has no columns")
	}
	err = p.check()
	return p, err
}

// check refuses compressions that are not supported. LZ4 is left out because version 0.32
// of the library may return wrong values for its pages and does not end at damaged ones.
// See issue 608 of parquet-go/parquet-go.
func (p *parquetSource) check() error {
	for _, group := range p.file.Metadata().RowGroups {
		for _, c := range group.Columns {
			switch codec := c.MetaData.Codec; codec {
			case format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd:
			default:
				return fmt.Errorf("column %q is compressed with %v, which is not read; write it with zstd, gzip, snappy or brotli", strings.Join(c.MetaData.PathInSchema, "."), codec)
			}
		}
	}
	return nil
}

func (p *parquetSource) names() []string { return p.header }

// read fills a block, with rows of one row group. Values are in the memory of their pages,
// which are therefore never released to the library, but left to the garbage collector.
func (p *parquetSource) read(b *block) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the file is damaged: %v", r)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			b.n = 0
			err = fmt.Errorf("table: read Parquet %s, row group %d, behind row %d: %w", p.name, len(p.file.RowGroups())-len(p.groups), p.at, err)
		}
	}()
	// Reading at a wrong address ends the process, unless it is a panic that can be recovered.
	// The setting is that of the goroutine; the inner call returns the one to restore.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	b.n, b.line = 0, p.at+1
	for p.left == 0 {
		if len(p.groups) == 0 {
			if n := p.file.NumRows(); p.at < n { // else rows would be missing without an error
				return fmt.Errorf("the row groups end; the footer has %d rows", n)
			}
			return io.EOF
		}
		p.chunks = p.chunks[:0]
		for i, c := range p.groups[0].ColumnChunks() {
			p.chunks = append(p.chunks, columnReader{leaf: &p.leaves[i], pages: c.Pages()})
		}
		p.left, p.groups = p.groups[0].NumRows(), p.groups[1:]
	}
	b.n = int(min(blockRows, p.left))
	b.columns = slices.Grow(b.columns, len(p.leaves))[:len(p.leaves)] // used again with their values' memory
	for i := range p.chunks {
		if err := p.chunks[i].read(&b.columns[i], b.n); err != nil {
			return fmt.Errorf("column %q: %w", p.header[i], err)
		}
	}
	p.left, p.at = p.left-int64(b.n), p.at+int64(b.n)
	if p.left == 0 {
		for i := range p.chunks {
			err = errors.Join(err, p.chunks[i].pages.Close())
		}
	}
	return err
}

// A columnReader reads the values of a column of a row group.
type columnReader struct {
	leaf  *leaf
	pages parquet.Pages
	page  parquet.Page
	at    int64 // row of the page
}

// read reads the values of n rows.
func (r *columnReader) read(c *parquetColumn, n int) error {
	c.values, c.starts = slices.Grow(c.values[:0], n), c.starts[:0]
	for rows := int64(n); rows > 0; {
		if r.page == nil || r.at == r.page.NumRows() {
			page, err := r.pages.ReadPage()
			if errors.Is(err, io.EOF) {
				return errors.New("ends before the row group")
			}
			if err != nil {
				return err
			}
			r.page, r.at = page, 0
			continue
		}
		part := min(rows, r.page.NumRows()-r.at) // columns have pages of different lengths
		if err := r.values(c, r.page.Slice(r.at, r.at+part)); err != nil {
			return err
		}
		r.at, rows = r.at+part, rows-part
	}
	if r.leaf.repeated && len(c.starts) != n || !r.leaf.repeated && len(c.values) != n {
		return errors.New("a page does not have the values of its rows")
	}
	return nil
}

// values appends the values of a page. It compares them with the schema, because the
// library may return others for a damaged file, and takes them for addresses of text when
// they are written.
func (r *columnReader) values(c *parquetColumn, page parquet.Page) error {
	for in := page.Values(); ; {
		from := len(c.values)
		c.values = slices.Grow(c.values, 1)
		n, err := in.ReadValues(c.values[from:cap(c.values)])
		c.values = c.values[:from+n]
		for i := range c.values[from:] {
			v := &c.values[from+i]
			if null := v.IsNull(); null != (v.DefinitionLevel() < r.leaf.levels) || !null && v.Kind() != r.leaf.kind {
				return errors.New("a value is not of the type in the schema")
			}
			if r.leaf.repeated && v.RepetitionLevel() == 0 { // the first value of a row
				c.starts = append(c.starts, from+i)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (p *parquetSource) parse(r *row, b *block, i int) error {
	r.parquet, r.block, r.at = p, b, i
	return nil
}

// cell returns the value of a column, the first one of a list.
func (p *parquetSource) cell(r *row, col int) parquet.Value {
	c := &r.block.columns[col]
	if p.leaves[col].repeated {
		return c.values[c.starts[r.at]]
	}
	return c.values[r.at]
}

func (p *parquetSource) value(r *row, col int) enrich.Value {
	if v := p.cell(r, col); !v.IsNull() {
		return p.leaves[col].value(v)
	}
	return enrich.Value{}
}

func (p *parquetSource) appendText(dst []byte, r *row, col int) []byte {
	if v := p.cell(r, col); p.leaves[col].text && !v.IsNull() {
		return appendBinary(dst, v.ByteArray())
	}
	return p.value(r, col).AppendText(dst)
}

// A group is a Parquet group with ordered columns. The library's groups are maps and sorted by
// name, which would move the user's columns.
type group struct {
	parquet.Group
	columns []parquet.Field
}

// Fields returns the columns in their order.
func (g *group) Fields() []parquet.Field { return g.columns }

// A column is a column of a group.
type column struct {
	parquet.Node
	name string
}

func (c *column) Name() string { return c.name }

// Value returns nothing: rows are written as values, never as Go structs.
func (c *column) Value(reflect.Value) reflect.Value { return reflect.Value{} }

func newGroup(columns []parquet.Field) *group {
	g := &group{parquet.Group{}, columns}
	for _, c := range columns {
		g.Group[c.Name()] = c
	}
	return g
}

// typeOf returns the physical type of a field, text by default.
func typeOf(t enrich.Type) parquet.Node {
	switch t {
	case enrich.Int:
		return parquet.Int(64)
	case enrich.Float:
		return parquet.Leaf(parquet.DoubleType)
	case enrich.Bool:
		return parquet.Leaf(parquet.BooleanType)
	case enrich.Bytes:
		return parquet.Leaf(parquet.ByteArrayType)
	default:
		return parquet.String()
	}
}

// columnsOf returns the columns of fields. Every column may be null.
func columnsOf(fields []Field) (all []parquet.Field) {
	for len(fields) > 0 {
		name := fields[0].Group
		var inner []parquet.Field
		for _, f := range fields {
			if f.Group != name || name == "" && inner != nil {
				break
			}
			inner = append(inner, &column{parquet.Optional(typeOf(f.Type)), f.Name})
		}
		fields = fields[len(inner):]
		if name != "" {
			inner = []parquet.Field{&column{parquet.Optional(newGroup(inner)), name}}
		}
		all = append(all, inner...)
	}
	return all
}

// A parquetWriter renders rows as values.
type parquetWriter struct {
	width  int // columns of the source
	added  []Field
	schema *parquet.Schema
	geo    string // metadata of the source about its geometry
}

func (w *parquetWriter) render(dst []byte, list []enrich.Value) ([]byte, []parquet.Value, error) {
	values := make([]parquet.Value, len(list))
	for i, v := range list {
		values[i] = parquetValue(&w.added[i], v, w.width+i)
	}
	return dst, values, nil
}

func (w *parquetWriter) row(c *chunk, r *row, a *result) error {
	if r.misfit != nil {
		return r.misfit
	}
	if c.columns == nil {
		c.columns = make([][]parquet.Value, w.width+len(w.added))
	}
	// The columns of the block are written as they are, without a copy: a block and its chunk
	// belong to one task, which is used again after it is written.
	if c.block = r.block; c.block == nil {
		for i := range w.width {
			c.columns[i] = append(c.columns[i], parquetValue(&Field{Type: enrich.String}, r.value(i), i))
		}
	}
	for i, v := range a.values {
		c.columns[w.width+i] = append(c.columns[w.width+i], v)
	}
	c.n++
	return nil
}

func parquetValue(f *Field, v enrich.Value, index int) parquet.Value {
	// Definition levels count the optional nodes of the path that are there.
	level := 0
	if f.Group != "" { // groups are never null themselves
		level = 1
	}
	if v.IsNull() {
		return parquet.NullValue().Level(0, level, index)
	}
	var p parquet.Value
	switch f.Type {
	case enrich.Int:
		p = parquet.Int64Value(v.Int())
	case enrich.Float:
		p = parquet.DoubleValue(v.Float())
	case enrich.Bool:
		p = parquet.BooleanValue(v.Bool())
	case enrich.Bytes:
		p = parquet.ByteArrayValue(v.Bytes())
	default:
		p = parquet.ByteArrayValue([]byte(v.String()))
	}
	return p.Level(0, level+1, index)
}

// A row group of Parquet ends after as many rows or bytes. A group is in memory until it ends,
// so these bound the memory of writing.
const (
	groupRows  = 1 << 16
	groupBytes = 64 << 20
)

// newParquetWriter returns the writer of Parquet: the columns of Parquet as they are, or
// those of text, then the added ones.
func newParquetWriter(src *Source, added []Field) (*parquetWriter, error) {
	w := &parquetWriter{width: len(src.Header()), added: added}
	var columns []parquet.Field
	if p, same := src.source.(*parquetSource); same {
		columns = p.file.Schema().Fields()
		w.geo, _ = p.file.Lookup("geo") // other keys describe the columns of the file, and readers believe them
	} else {
		for _, name := range src.Header() {
			columns = append(columns, &column{parquet.Optional(parquet.String()), name})
		}
	}
	columns = append(columns, columnsOf(added)...)
	seen := make(map[string]bool)
	for i, c := range columns {
		switch {
		case c.Name() == "":
			return nil, fmt.Errorf("table: column %d has no name; Parquet needs one", i+1)
		case seen[c.Name()]:
			return nil, fmt.Errorf("table: two columns are called %q; Parquet allows one", c.Name())
		}
		seen[c.Name()] = true
	}
	w.schema = parquet.NewSchema("rows", newGroup(columns))
	return w, nil
}

func (w *parquetWriter) begin(out io.Writer) (t target, err error) {
	defer func() {
		// A damaged file can declare columns that none can have, such as a LIST of nothing.
		if r := recover(); r != nil {
			err = fmt.Errorf("table: write the columns of Parquet: %v", r)
		}
	}()
	file := parquet.NewGenericWriter[any](out, w.schema, parquet.Compression(&parquet.Snappy), parquet.CreatedBy("postgeo", "", ""), parquet.DataPageStatistics(true))
	rows, group := 0, file.BeginRowGroup()
	if w.geo != "" {
		file.SetKeyValueMetadata("geo", w.geo)
	}
	commit := func() error {
		rows = 0
		if _, err := group.Commit(); err != nil {
			return fmt.Errorf("table: write Parquet: %w", err)
		}
		return nil
	}
	return target{
		metadata: file.SetKeyValueMetadata,
		write: func(c *chunk) error {
			for i, column := range group.ColumnWriters() {
				values := c.columns[i]
				if c.block != nil && i < w.width {
					values = c.block.columns[i].of(c.n) // all, unless a row of the block failed
				}
				if _, err := column.WriteRowValues(values); err != nil {
					return fmt.Errorf("table: write Parquet: %w", err)
				}
			}
			if rows += c.n; rows < groupRows && group.Size() < groupBytes {
				return nil
			}
			return commit()
		},
		finish: func() error {
			if err := commit(); err != nil {
				return err
			}
			return file.Close()
		},
	}, nil
}
