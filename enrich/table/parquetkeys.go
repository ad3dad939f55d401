package table

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"github.com/postgeo/postgeo/enrich"
)

// keyRows is the number of rows in a block of keys.
const keyRows = 4096

// keyBlock holds the cells of the key columns of some rows of a row group. The
// other columns are copied without being decoded.
type keyBlock struct {
	n     int
	group int  // in the file
	last  bool // the rows end the row group

	text []byte
	ends []int // of each cell in text, row by row

	dict  *keyDictionary // of the only key column; else nil and the cells are in text
	index []int32        // in the dictionary, -1 for null
}

func (k *keyBlock) reset() {
	*k = keyBlock{text: k.text[:0], ends: k.ends[:0], index: k.index[:0]}
}

// cell returns the text of a cell.
func (k *keyBlock) cell(i int) []byte {
	if i == 0 {
		return k.text[:k.ends[0]]
	}
	return k.text[k.ends[i-1]:k.ends[i]]
}

// A keyDictionary holds the distinct texts of a key column in a row group.
type keyDictionary struct {
	text []byte
	ends []int
}

func (d *keyDictionary) at(i int32) []byte {
	if i < 0 {
		return nil
	}
	if i == 0 {
		return d.text[:d.ends[0]]
	}
	return d.text[d.ends[i-1]:d.ends[i]]
}

// keySource reads the key columns of a Parquet file whose other columns are
// copied.
type keySource struct {
	*parquetSource
	columns []int // of the leaves
	readers []*keyReader
	left    int64 // rows of the row group
	rows    int   // in a block
	bytes   int   // of a block
}

// byGroups makes the source read the key columns of whole row groups. A part of
// the file has the row groups that begin in it.
func (p *parquetSource) byGroups() error {
	all, size := int64(0), p.file.Size()
	for i := range p.file.Metadata().RowGroups {
		g := &p.file.Metadata().RowGroups[i]
		for k := range g.Columns {
			c := &g.Columns[k]
			if c.FilePath != "" || c.CryptoMetadata.Value != nil {
				return fmt.Errorf("table: read Parquet %s: column %q is encrypted or in another file", p.name, p.header[k])
			}
			if all += c.MetaData.TotalCompressedSize; c.MetaData.TotalCompressedSize < 0 || all > size {
				return fmt.Errorf("table: read Parquet %s: its columns have more bytes than the file", p.name)
			}
		}
	}
	p.at, p.end = p.groupFrom(p.at), p.groupFrom(p.end)
	p.keys = &keySource{parquetSource: p, rows: keyRows, bytes: blockBytes}
	return nil
}

// setColumns sets the columns that are read.
func (s *keySource) setColumns(k Keys) { s.columns = k.columns() }

// groupFrom returns the row that begins the first row group from a row on.
func (p *parquetSource) groupFrom(row int64) (begin int64) {
	for _, g := range p.file.RowGroups() {
		if begin >= row {
			break
		}
		begin += g.NumRows()
	}
	return begin
}

// read fills a block with the keys of the next rows, which are in one row group.
func (s *keySource) read(b *block) (err error) {
	defer s.rescue(&err)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // so that there is a panic to rescue
	b.reset()
	b.line = s.at + 1
	for s.left == 0 {
		s.leave()
		if s.at >= s.end || len(s.groups) == 0 {
			if s.at < s.end {
				return fmt.Errorf("the row groups end; the footer has %d rows", s.end)
			}
			return io.EOF
		}
		if err := s.begin(); err != nil {
			return err
		}
	}
	k := &b.keys
	k.group = s.group() - 1
	if err := s.fill(k); err != nil {
		return err
	}
	s.left -= int64(k.n)
	s.at += int64(k.n)
	if k.last = s.left == 0; k.last {
		for _, r := range s.readers {
			if more, err := r.more(); more || err != nil {
				return errors.Join(err, fmt.Errorf("column %q has more than the %d rows of its row group", s.header[r.leaf.index], s.groups[0].NumRows()))
			}
		}
		s.leave()
		s.groups = s.groups[1:]
	}
	b.end = s.at
	return nil
}

// begin opens the key columns of the first of the row groups that are left.
func (s *keySource) begin() error {
	if err := checkPages(s.file, s.file.Size(), &s.file.Metadata().RowGroups[s.group()-1], s.leaves); err != nil {
		return err
	}
	chunks := s.groups[0].ColumnChunks()
	for _, c := range s.columns {
		s.readers = append(s.readers, &keyReader{leaf: &s.leaves[c], pages: chunks[c].Pages()})
	}
	if s.left = s.groups[0].NumRows(); s.left == 0 {
		s.groups = s.groups[1:]
	}
	return nil
}

// leave closes the columns of a row group.
func (s *keySource) leave() {
	for _, r := range s.readers {
		r.pages.Close()
	}
	s.readers, s.left = nil, 0
}

func (s *keySource) fill(k *keyBlock) error {
	want := int(min(int64(s.rows), s.left))
	if len(s.readers) == 1 {
		if err := s.readers[0].indexes(k, want); err != nil || k.n > 0 {
			return err
		}
	}
	for k.n < want {
		for _, r := range s.readers {
			if err := r.append(k); err != nil {
				return err
			}
		}
		k.n++
		if len(k.text) >= s.bytes {
			break
		}
	}
	return nil
}

// A keyReader reads a key column in a row group.
type keyReader struct {
	leaf   *leaf
	pages  parquet.Pages
	values parquet.ValueReader // of the page, nil at the end of it
	page   parquet.Page
	data   encoding.Values // of the page
	at     int             // of the next row in a page that is read without values
	used   int             // of its indexes or texts
	dict   *keyDictionary
	of     parquet.Dictionary // that dict has the texts of

	buf     [256]parquet.Value
	next, n int // in buf
	ended   bool
}

// more finds the next row, and reports whether there is one.
func (r *keyReader) more() (bool, error) {
	for {
		for ; r.next < r.n; r.next++ { // but the further values of a list
			if r.buf[r.next].RepetitionLevel() == 0 {
				return true, nil
			}
		}
		if r.page != nil && r.direct() && r.at < int(r.page.NumValues()) {
			return true, nil
		}
		if r.ended {
			return false, nil
		}
		if r.values == nil {
			page, err := r.pages.ReadPage()
			if errors.Is(err, io.EOF) {
				r.ended = true
				continue
			}
			if err != nil {
				return false, err
			}
			r.page, r.at, r.used = page, 0, 0
			if r.direct() {
				r.data = page.Data()
				continue
			}
			r.values = page.Values()
		}
		n, err := r.values.ReadValues(r.buf[:])
		r.next, r.n = 0, n
		switch {
		case errors.Is(err, io.EOF):
			r.values, r.page = nil, nil
		case err != nil:
			return false, err
		case n == 0:
			return false, io.ErrNoProgress
		}
	}
}

// direct reports whether rows of the page are read without values: by their indexes in a
// dictionary, or as texts.
func (r *keyReader) direct() bool {
	return !r.leaf.repeated && (r.page.Dictionary() != nil || r.leaf.text && r.page.Type().Kind() == parquet.ByteArray)
}

// append appends the text of the next row.
func (r *keyReader) append(k *keyBlock) error {
	more, err := r.more()
	if err != nil {
		return err
	}
	if !more {
		return errors.New("a column has fewer rows than its row group")
	}
	if r.page != nil && r.next >= r.n && r.page.Dictionary() == nil {
		return r.appendText(k)
	}
	if r.page != nil && r.next >= r.n {
		i, err := r.index(r.page.DefinitionLevels(), r.data.Int32())
		if err != nil {
			return err
		}
		k.text = append(k.text, r.dict.at(i)...)
		k.ends = append(k.ends, len(k.text))
		return nil
	}
	v := r.buf[r.next]
	r.next++
	if k.text, err = r.text(k.text, v); err != nil {
		return err
	}
	k.ends = append(k.ends, len(k.text))
	return nil
}

// appendText appends the text of the next row of a page of texts.
func (r *keyReader) appendText(k *keyBlock) error {
	levels := r.page.DefinitionLevels()
	r.at++
	if len(levels) == 0 || int(levels[r.at-1]) == r.leaf.levels {
		data, offsets := r.data.ByteArray()
		if r.used+1 >= len(offsets) {
			return errors.New("a page has fewer texts than rows")
		}
		text := data[offsets[r.used]:offsets[r.used+1]]
		r.used++
		if len(k.text) > maxRowBytes {
			return errLongKeys
		}
		k.text = appendBinary(k.text, text)
	}
	k.ends = append(k.ends, len(k.text))
	return nil
}

var errLongKeys = fmt.Errorf("the keys have more than %d bytes", maxRowBytes)

// text appends the text of a value.
func (r *keyReader) text(dst []byte, v parquet.Value) ([]byte, error) {
	if v.IsNull() {
		return dst, nil
	}
	if v.Kind() != r.leaf.kind {
		return dst, errors.New("a value is not of the type in the schema")
	}
	if len(dst) > maxRowBytes {
		return dst, errLongKeys
	}
	return r.leaf.format(v).AppendText(dst), nil
}

// indexes fills the block with rows of a page with a dictionary, or with none if the
// next page has none.
func (r *keyReader) indexes(k *keyBlock, most int) error {
	if more, err := r.more(); err != nil || !more || r.page == nil || r.next < r.n || r.page.Dictionary() == nil {
		return err
	}
	levels, data := r.page.DefinitionLevels(), r.data.Int32()
	for rows := int(r.page.NumValues()); k.n < most && r.at < rows; k.n++ {
		i, err := r.index(levels, data)
		if err != nil {
			return err
		}
		k.index = append(k.index, i)
	}
	k.dict = r.dict
	return nil
}

// index returns the index of the next row in the dictionary, -1 for null.
func (r *keyReader) index(levels []byte, data []int32) (int32, error) {
	if d := r.page.Dictionary(); r.of != d {
		r.of, r.dict = d, &keyDictionary{}
		for i := range d.Len() {
			var err error
			if r.dict.text, err = r.text(r.dict.text, d.Index(int32(i))); err != nil {
				return 0, err
			}
			r.dict.ends = append(r.dict.ends, len(r.dict.text))
		}
	}
	r.at++
	if len(levels) > 0 && int(levels[r.at-1]) < r.leaf.levels {
		return -1, nil
	}
	if r.used >= len(data) || data[r.used] < 0 || int(data[r.used]) >= len(r.dict.ends) {
		return 0, errors.New("a page has indexes outside its dictionary")
	}
	r.used++
	return data[r.used-1], nil
}

// keyDecoder reads the cells of the key columns.
type keyDecoder struct {
	columns []int
	keys    *keyBlock
	at      int
}

func (d *keyDecoder) row(b *block, i int) error {
	d.keys, d.at = &b.keys, i
	return nil
}

func (d *keyDecoder) cell(col int) []byte {
	if d.keys.dict != nil {
		return d.keys.dict.at(d.keys.index[d.at])
	}
	return d.keys.cell(d.at*len(d.columns) + slices.Index(d.columns, col))
}

func (d *keyDecoder) appendText(dst []byte, col int) []byte { return append(dst, d.cell(col)...) }

func (d *keyDecoder) value(col int) enrich.Value { return enrich.StringValue(string(d.cell(col))) }
