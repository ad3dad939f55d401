package table

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/postgeo/postgeo/enrich"
)

type parquetRow = parquet.Row

// parquetSource reads the rows of a Parquet file.
type parquetSource struct {
	name    string // of the file
	file    *parquet.File
	leaves  []leaf
	header  []string
	lists   string // a column with several values a row, "" without
	groups  []parquet.RowGroup
	rows    parquet.Rows // of groups[0]; nil before it is begun
	at      int64        // row that comes next
	end     int64        // row behind the last one
	scratch []parquet.Row
	pending []parquet.Row // rest of scratch after the last read
	last    bool          // behind pending the row group ends
	failed  error         // behind pending; of a file that is damaged
}

// A leaf is a column that has values.
type leaf struct {
	index  int
	levels int // how deep a value is defined
	kind   parquet.Kind
	// repeated: the column may have several values a row
	repeated bool
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
		p.leaves = append(p.leaves, leaf{i, column.MaxDefinitionLevel, column.Node.Type().Kind(), column.MaxRepetitionLevel > 0, formatOf(column.Node)})
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

// damaged turns a panic into an error without a position.
func damaged(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the file is damaged: %v", p)
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
func (p *parquetSource) group() int { return len(p.file.RowGroups()) - len(p.groups) + 1 }

func (p *parquetSource) names() []string { return p.header }

func (p *parquetSource) decoder() decoder { return &parquetDecoder{src: p} }

// leave ends the reading of a row group.
func (p *parquetSource) leave() {
	if p.rows != nil {
		p.rows.Close()
		p.rows = nil
	}
	p.pending, p.last = nil, false
}

// read fills a block. Rows are copied, because those of the library are gone
// with the next page.
func (p *parquetSource) read(b *block) (err error) {
	defer p.rescue(&err)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // so that there is a panic to rescue
	b.reset()
	b.line = p.at + 1
	if p.scratch == nil {
		p.scratch = make([]parquet.Row, blockRows/8)
		if p.lists != "" {
			p.scratch = make([]parquet.Row, blockRows/128) // which may be long
		}
	}
	size := 0
	for len(b.rows) < blockRows && size < blockBytes && p.at < p.end && len(p.groups) > 0 {
		if len(p.pending) == 0 {
			if p.failed == nil {
				p.failed = p.more()
			}
			if p.failed != nil {
				break
			}
			continue
		}
		var taken int
		if taken, p.failed = p.take(b, p.pending[0]); p.failed != nil {
			break
		}
		p.pending = p.pending[1:]
		p.at++
		size += taken
	}
	b.end = p.at
	switch {
	case len(b.rows) > 0:
		return nil // what came before a failure is worked first
	case p.failed != nil:
		return p.failed
	case p.at < p.end:
		return fmt.Errorf("the row groups end; the footer has %d rows", p.end)
	default:
		return io.EOF
	}
}

// more reads further rows, or leaves the row group.
func (p *parquetSource) more() (err error) {
	defer damaged(&err)
	if p.last {
		p.leave()
		p.groups = p.groups[1:]
		return nil
	}
	if p.rows == nil {
		p.rows = p.groups[0].Rows()
	}
	n, err := p.rows.ReadRows(p.scratch[:min(int64(len(p.scratch)), p.end-p.at)])
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	p.pending, p.last = p.scratch[:n], n == 0 || err != nil
	return nil
}

// take copies a row into a block and returns about how many bytes it has.
//
// Values are held against the schema first: each column in its order, several
// values only of lists, each of its kind. The library may give others for a
// damaged file, and takes them for addresses of text when they are written.
func (p *parquetSource) take(b *block, row parquet.Row) (size int, err error) {
	defer damaged(&err)
	kept := make(parquet.Row, len(row))
	last := -1
	for i, v := range row {
		c := v.Column()
		again := c == last && c >= 0 && p.leaves[c].repeated && v.RepetitionLevel() > 0
		if c >= len(p.leaves) || !again && (c != last+1 || v.RepetitionLevel() > 0) {
			return size, fmt.Errorf("a row has a value of column %d behind one of column %d", c+1, last+1)
		}
		last = c
		l := &p.leaves[c]
		if v.IsNull() != (v.DefinitionLevel() < l.levels) || !v.IsNull() && v.Kind() != l.kind {
			return size, fmt.Errorf("a value of column %q is not of the type in the schema", p.header[c])
		}
		size += 8
		if v.IsNull() {
			kept[i] = parquet.NullValue().Level(v.RepetitionLevel(), v.DefinitionLevel(), c)
			continue
		}
		if l.kind == parquet.ByteArray || l.kind == parquet.FixedLenByteArray {
			if size += len(v.ByteArray()); size > maxRowBytes {
				return size, fmt.Errorf("a row has more than %d bytes", maxRowBytes)
			}
		}
		kept[i] = v.Clone()
	}
	if last != len(p.leaves)-1 {
		return size, fmt.Errorf("a row has values of %d columns, expected %d", last+1, len(p.leaves))
	}
	b.rows = append(b.rows, kept)
	return size, nil
}

// parquetDecoder reads the cells of Parquet rows.
type parquetDecoder struct {
	src *parquetSource
	at  parquet.Row
}

func (d *parquetDecoder) row(b *block, i int) error {
	d.at = b.rows[i]
	return nil
}

func (d *parquetDecoder) value(col int) enrich.Value {
	l := &d.src.leaves[col]
	v, ok := d.cell(l.index)
	if !ok || v.IsNull() {
		return enrich.Value{}
	}
	return l.format(v)
}

func (d *parquetDecoder) cell(index int) (parquet.Value, bool) {
	if d.src.lists == "" && index < len(d.at) {
		return d.at[index], true
	}
	for _, v := range d.at {
		if v.Column() == index {
			return v, true
		}
	}
	return parquet.Value{}, false
}

func (d *parquetDecoder) appendText(dst []byte, col int) []byte { return d.value(col).AppendText(dst) }

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
