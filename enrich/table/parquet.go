package table

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/postgeo/postgeo/enrich"
)

// parquetSource reads the columns of a Parquet file.
type parquetSource struct {
	name   string // of the file
	file   *parquet.File
	leaves []leaf
	header []string
	lists  string             // a column with several values a row, "" without
	groups []parquet.RowGroup // that follow
	chunks []columnReader     // of the row group
	left   int64              // rows of the row group
	at     int64              // row that comes next
	end    int64              // row behind the last one
}

// parquetBlock has rows by columns.
type parquetBlock struct {
	n       int
	columns []parquetColumn
}

// A parquetColumn has the values of a column. Rows of a list have several, and starts has
// where each begins.
type parquetColumn struct {
	values []parquet.Value
	starts []int
}

// A leaf is a column that has values.
type leaf struct {
	levels int // how deep a value is defined
	kind   parquet.Kind
	// repeated: the column may have several values a row
	repeated bool
	text     bool // without a logical type that is shown in another way
	format   func(parquet.Value) enrich.Value
}

// openParquet reads the schema of the file, or of a spool of the stream.
func (s *Source) openParquet(stream io.Reader) (err error) {
	defer rescue(&err)
	s.format, s.zipped, s.encoding, s.counted = Parquet, false, "", nil
	r := s.file
	if r == nil {
		if r, err = s.spooled(stream); err != nil {
			return err
		}
	}
	if err := checkFooter(r, s.size); err != nil {
		return fmt.Errorf("table: read Parquet %s: %w", s.path, err)
	}
	file, err := parquet.OpenFile(r, s.size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return fmt.Errorf("table: read Parquet %s: %w", s.path, err)
	}
	if err := checkCodecs(file.Metadata()); err != nil {
		return fmt.Errorf("table: read Parquet %s: %w", s.path, err)
	}
	p := &parquetSource{name: cmp.Or(s.path, "from the stream"), file: file, groups: file.RowGroups(), end: file.NumRows()}
	for i, path := range file.Schema().Columns() {
		name := strings.Join(path, ".")
		column, ok := file.Schema().Lookup(path...)
		if !ok || column.ColumnIndex != i {
			return fmt.Errorf("table: read Parquet %s: two columns are called %q", s.path, name)
		}
		p.header = append(p.header, name)
		kind, logical := column.Node.Type().Kind(), column.Node.Type().LogicalType()
		text := kind == parquet.ByteArray && (logical == nil || logical.Value == nil)
		if logical != nil {
			_, text = logical.Value.(*format.StringType)
			text = text && kind == parquet.ByteArray
		}
		p.leaves = append(p.leaves, leaf{column.MaxDefinitionLevel, kind, column.MaxRepetitionLevel > 0, text, formatOf(column.Node)})
		if column.MaxRepetitionLevel > 0 && p.lists == "" {
			p.lists = name
		}
	}
	if len(p.header) == 0 {
		return errors.New("table: the Parquet file has no columns")
	}
	if err := checkTypes(file.Metadata(), p.leaves); err != nil {
		return fmt.Errorf("table: read Parquet %s: %w", s.path, err)
	}
	s.source = p
	return nil
}

// Metadata returns the text of a key in the footer of a Parquet file, "" without one.
func (s *Source) Metadata(key string) string {
	p, ok := s.source.(*parquetSource)
	if !ok {
		return ""
	}
	text, _ := p.file.Lookup(key)
	return text
}

// rescue makes an error of a panic of the Parquet library, which some damaged
// files bring about.
func rescue(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("table: read Parquet: the file is damaged: %v", p)
	}
}

// rescue turns a panic into an error and adds the row group to every error.
func (p *parquetSource) rescue(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the file is damaged: %v", r)
	}
	if *err != nil && !errors.Is(*err, io.EOF) {
		*err = fmt.Errorf("table: read Parquet %s, row group %d, behind row %d: %w", p.name, p.group(), p.at, *err)
	}
}

// group returns the number of the row group that is read, from 1.
func (p *parquetSource) group() int { return len(p.file.RowGroups()) - len(p.groups) }

func (p *parquetSource) names() []string { return p.header }

func (p *parquetSource) decoder() decoder { return &parquetDecoder{src: p} }

// read fills a block. Values are in the memory of their pages, which are not used again.
func (p *parquetSource) read(b *block) (err error) {
	defer p.rescue(&err)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // so that there is a panic to rescue
	b.reset()
	b.line = p.at + 1
	for p.left == 0 {
		if len(p.groups) == 0 {
			if p.at < p.end {
				return fmt.Errorf("the row groups end; the footer has %d rows", p.end)
			}
			return io.EOF
		}
		p.chunks = p.chunks[:0]
		for i, c := range p.groups[0].ColumnChunks() {
			p.chunks = append(p.chunks, columnReader{leaf: &p.leaves[i], pages: c.Pages()})
		}
		p.left, p.groups = p.groups[0].NumRows(), p.groups[1:]
	}
	n := int(min(blockRows, p.left))
	b.parquet.columns = slices.Grow(b.parquet.columns, len(p.leaves))[:len(p.leaves)]
	for i := range p.chunks {
		if err := p.chunks[i].read(&b.parquet.columns[i], n); err != nil {
			return fmt.Errorf("column %q: %w", p.header[i], err)
		}
	}
	b.parquet.n = n
	p.left, p.at = p.left-int64(n), p.at+int64(n)
	if p.left == 0 {
		for i := range p.chunks {
			err = errors.Join(err, p.chunks[i].pages.Close())
		}
	}
	return err
}

// A columnReader reads the values of a column of a row group.
type columnReader struct {
	leaf   *leaf
	pages  parquet.Pages
	values parquet.ValueReader // of the page
	ahead  []parquet.Value     // of a list: read, but of the next rows
}

// read reads the values of n rows.
func (r *columnReader) read(c *parquetColumn, n int) error {
	c.values, c.starts = slices.Grow(c.values[:0], n), c.starts[:0]
	if !r.leaf.repeated {
		for len(c.values) < n {
			values, err := r.next(c.values[len(c.values):n])
			if err != nil {
				return err
			}
			c.values = c.values[:len(c.values)+len(values)]
		}
		return nil
	}
	for {
		for i, v := range r.ahead {
			if v.RepetitionLevel() > 0 && len(c.starts) > 0 {
				continue
			}
			if len(c.starts) == n || v.RepetitionLevel() > 0 {
				c.values, r.ahead = append(c.values, r.ahead[:i]...), r.ahead[i:]
				return r.starts(c, n)
			}
			c.starts = append(c.starts, len(c.values)+i)
		}
		c.values = append(c.values, r.ahead...)
		ahead, err := r.next(slices.Grow(r.ahead[:0], blockRows)[:blockRows])
		r.ahead = ahead
		if errors.Is(err, errColumnEnds) {
			return r.starts(c, n)
		}
		if err != nil {
			return err
		}
	}
}

func (r *columnReader) starts(c *parquetColumn, n int) error {
	if len(c.starts) < n {
		return errColumnEnds
	}
	return nil
}

var errColumnEnds = errors.New("ends before the row group")

// next reads values into a buffer, at least one. It holds them against the schema, because
// the library may give others for a damaged file, and takes them for addresses of text
// when they are written.
func (r *columnReader) next(room []parquet.Value) ([]parquet.Value, error) {
	for {
		if r.values == nil {
			page, err := r.pages.ReadPage()
			if errors.Is(err, io.EOF) {
				return nil, errColumnEnds
			}
			if err != nil {
				return nil, err
			}
			r.values = page.Values()
		}
		n, err := r.values.ReadValues(room)
		if errors.Is(err, io.EOF) {
			r.values, err = nil, nil
		}
		for i := range room[:n] {
			v := &room[i]
			if null := v.IsNull(); null != (v.DefinitionLevel() < r.leaf.levels) || !null && v.Kind() != r.leaf.kind {
				return nil, errors.New("a value is not of the type in the schema")
			}
		}
		if n > 0 || err != nil {
			return room[:n], err
		}
	}
}

// parquetDecoder reads the cells of a row.
type parquetDecoder struct {
	src  *parquetSource
	from *parquetBlock
	at   int
}

func (d *parquetDecoder) row(b *block, i int) error {
	d.from, d.at = &b.parquet, i
	return nil
}

// cell returns the value of a column, the first one of a list.
func (d *parquetDecoder) cell(col int) parquet.Value {
	c := &d.from.columns[col]
	if d.src.leaves[col].repeated {
		return c.values[c.starts[d.at]]
	}
	return c.values[d.at]
}

func (d *parquetDecoder) value(col int) enrich.Value {
	if v := d.cell(col); !v.IsNull() {
		return d.src.leaves[col].format(v)
	}
	return enrich.Value{}
}

func (d *parquetDecoder) appendText(dst []byte, col int) []byte {
	if v := d.cell(col); d.src.leaves[col].text && !v.IsNull() {
		return appendBinary(dst, v.ByteArray())
	}
	return d.value(col).AppendText(dst)
}

// checkCodecs refuses columns with an unsupported compression. LZ4 is left out
// because version 0.32 of the library may return wrong values for its pages and
// does not end at damaged ones. See issue 608 of parquet-go/parquet-go.
func checkCodecs(meta *format.FileMetaData) error {
	for i := range meta.RowGroups {
		for k := range meta.RowGroups[i].Columns {
			c := &meta.RowGroups[i].Columns[k].MetaData
			switch c.Codec {
			case format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd:
			default:
				return fmt.Errorf("column %q is compressed with %v, which is not read; write it with zstd, gzip, snappy or brotli", strings.Join(c.PathInSchema, "."), c.Codec)
			}
		}
	}
	return nil
}

// checkTypes refuses a file whose parts disagree about the types of its
// columns. It compares a column's meaning with its storage, and both with the
// row groups.
func checkTypes(meta *format.FileMetaData, leaves []leaf) error {
	n := 0
	for i := range meta.Schema {
		e := &meta.Schema[i]
		if !e.Type.Valid || e.NumChildren.Valid && e.NumChildren.V > 0 {
			continue
		}
		if n >= len(leaves) || parquet.Kind(e.Type.V) != leaves[n].kind {
			return fmt.Errorf("column %q is stored as %v, which does not match its logical type", e.Name, parquet.Kind(e.Type.V))
		}
		for k := range meta.RowGroups {
			columns := meta.RowGroups[k].Columns
			if n >= len(columns) || parquet.Kind(columns[n].MetaData.Type) != leaves[n].kind {
				return fmt.Errorf("row group %d: column %q has another type than in the schema", k+1, e.Name)
			}
		}
		n++
	}
	if n != len(leaves) {
		return fmt.Errorf("the schema has %d columns and stores %d", len(leaves), n)
	}
	return nil
}

// checkFooter refuses a footer that is longer than the file. The library allocates its
// length unchecked.
func checkFooter(r io.ReaderAt, size int64) error {
	const tail = 8 // bytes: the length and the magic number
	text := make([]byte, tail)
	if _, err := r.ReadAt(text, size-tail); err != nil {
		return fmt.Errorf("read the footer: %w", err)
	}
	if n := int64(binary.LittleEndian.Uint32(text)); n > size-tail {
		return fmt.Errorf("its footer has %d bytes, more than the file", n)
	}
	return nil
}
