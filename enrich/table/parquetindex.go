package table

import (
	"errors"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Indexes that are longer are not copied.
const (
	maxIndexBytes = 16 << 20
	maxBloomBytes = 128 << 20
)

// pageIndexes are the indexes of a column in a row group.
type pageIndexes struct {
	pages   []format.PageLocation // nil if the column has no valid index
	summary []byte                // the encoded column index, nil without one
}

// readIndexes returns the indexes of a column whose pages were moved by some bytes. An
// index that does not match the pages, or with which they exceed most bytes, is missing.
func readIndexes(from io.ReaderAt, size, most int64, c *footerChunk, rows, moved int64) (x pageIndexes) {
	defer func() {
		if recover() != nil { // of the library at a damaged index
			x = pageIndexes{}
		}
	}()
	if most -= int64(c.OffsetIndexLength); most < 0 {
		return x
	}
	text, ok := indexText(from, size, c.OffsetIndexOffset, c.OffsetIndexLength)
	var index format.OffsetIndex
	if !ok || thrift.Unmarshal(new(thrift.CompactProtocol), text, &index) != nil {
		return x
	}
	pages, err := pagesOf(from, c)
	if err != nil || len(pages) != len(index.PageLocations) {
		return x
	}
	for i, p := range index.PageLocations {
		begin, end := int64(0), rows
		if i > 0 {
			begin = index.PageLocations[i-1].FirstRowIndex + 1
		}
		switch {
		case p.Offset != pages[i].Offset || p.CompressedPageSize != pages[i].CompressedPageSize:
			return x
		case p.FirstRowIndex < begin || p.FirstRowIndex >= end || i == 0 && p.FirstRowIndex != 0:
			return x
		}
	}
	summary, ok := indexText(from, size, c.ColumnIndexOffset, c.ColumnIndexLength)
	var bounds format.ColumnIndex
	if ok && int64(len(summary)) <= most && thrift.Unmarshal(new(thrift.CompactProtocol), summary, &bounds) == nil {
		n := len(pages)
		nulls := len(bounds.NullCounts)
		if len(bounds.NullPages) == n && len(bounds.MinValues) == n && len(bounds.MaxValues) == n && (nulls == 0 || nulls == n) {
			x.summary = summary
		}
	}
	x.pages = slices.Clone(index.PageLocations)
	for i := range x.pages {
		x.pages[i].Offset += moved
	}
	return x
}

// pagesOf returns the places of the data pages of a column, whose chunk lies in the file.
func pagesOf(from io.ReaderAt, c *footerChunk) (pages []format.PageLocation, err error) {
	m := &c.MetaData
	begin := beginOf(m.DictionaryPageOffset, m.DataPageOffset)
	_, err = eachPage(io.NewSectionReader(from, begin, m.TotalCompressedSize), func(h *format.PageHeader, head, _, end int64) error {
		if h.Type == format.DataPage || h.Type == format.DataPageV2 {
			pages = append(pages, format.PageLocation{Offset: begin + head, CompressedPageSize: int32(end - head)})
		}
		return nil
	})
	return pages, err
}

// indexText returns the text of an index. Its lists are not longer than the text, because
// the library allocates them.
func indexText(from io.ReaderAt, size, offset int64, length int32) (text []byte, ok bool) {
	if offset <= 0 || length <= 0 || length > maxIndexBytes || offset > size-int64(length) {
		return nil, false
	}
	text = make([]byte, length)
	if _, err := from.ReadAt(text, offset); err != nil {
		return nil, false
	}
	const depth = 4
	r := new(thrift.CompactProtocol).NewReaderFromBytes(text)
	return text, walk(r, thrift.STRUCT, depth) == nil && r.BytesRead() == len(text)
}

var errThrift = errors.New("an index cannot be read")

// walk goes through a value of an index.
func walk(r thrift.Reader, t thrift.Type, depth int) (err error) {
	switch t {
	case thrift.TRUE, thrift.BOOL:
		_, err = r.ReadBool()
	case thrift.I32, thrift.I64:
		_, err = r.ReadInt64()
	case thrift.BINARY:
		_, err = r.ReadBytes()
	case thrift.LIST:
		l, err := r.ReadList()
		for i := int32(0); err == nil && i < l.Size && depth > 0; i++ {
			err = walk(r, l.Type, depth-1)
		}
		return err
	case thrift.STRUCT:
		for depth > 0 {
			f, err := r.ReadField()
			if err != nil || f.Type == thrift.STOP {
				return err
			}
			if f.Type == thrift.TRUE || f.Type == thrift.BOOL {
				continue // the type is the value
			}
			if err := walk(r, f.Type, depth-1); err != nil {
				return err
			}
		}
		return errThrift
	default:
		return errThrift
	}
	return err
}

// bloomOf returns the text of a column's Bloom filter with its header. It is nil if the
// filter is missing, damaged or longer than most bytes.
func bloomOf(from io.ReaderAt, size int64, m *footerColumn, most int64) (text *io.SectionReader) {
	defer func() {
		if recover() != nil { // of the library at a damaged header
			text = nil
		}
	}()
	if m.BloomFilterOffset <= 0 || m.BloomFilterOffset >= size {
		return nil
	}
	const header = 1 << 10 // is much shorter
	head := make([]byte, min(header, size-m.BloomFilterOffset))
	if _, err := from.ReadAt(head, m.BloomFilterOffset); err != nil {
		return nil
	}
	r := new(thrift.CompactProtocol).NewReaderFromBytes(head)
	var h format.BloomFilterHeader
	if thrift.NewDecoder(r).Decode(&h) != nil {
		return nil
	}
	const block = 32
	_, split := h.Algorithm.Value.(*format.SplitBlockAlgorithm)
	_, xx := h.Hash.Value.(*format.XxHash)
	_, plain := h.Compression.Value.(*format.BloomFilterUncompressed)
	length := int64(r.BytesRead()) + int64(h.NumBytes)
	switch {
	case !split || !xx || !plain || h.NumBytes <= 0 || h.NumBytes%block != 0 || h.NumBytes > maxBloomBytes:
		return nil
	case length > most || length > size-m.BloomFilterOffset || m.BloomFilterLength != 0 && int64(m.BloomFilterLength) != length:
		return nil
	}
	return io.NewSectionReader(from, m.BloomFilterOffset, length)
}

// writeIndexes writes the indexes of all columns and their places. Offset indexes are
// for all columns or none, because readers that have some need the others.
func (w *columnWriter) writeIndexes() error {
	for _, columns := range w.indexes {
		for i := range columns {
			if columns[i].pages == nil {
				return nil
			}
		}
	}
	for i, columns := range w.indexes {
		for k := range columns {
			if columns[k].summary == nil {
				continue
			}
			c := &w.groups[i].Columns[k]
			c.ColumnIndexOffset, c.ColumnIndexLength = w.at, int32(len(columns[k].summary))
			if _, err := w.Write(columns[k].summary); err != nil {
				return err
			}
		}
	}
	for i, columns := range w.indexes {
		for k := range columns {
			c := &w.groups[i].Columns[k]
			c.OffsetIndexOffset = w.at
			if err := encodeThrift(w, &format.OffsetIndex{PageLocations: columns[k].pages}); err != nil {
				return err
			}
			c.OffsetIndexLength = int32(w.at - c.OffsetIndexOffset)
		}
	}
	return nil
}
