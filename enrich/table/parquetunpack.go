package table

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// checkUnpacked refuses compressed text that unpacks to more than limit bytes.
// The library allocates the size in the compressed text, which can differ from
// the page's header.
//
// If the codec stores the size, decoders check it, and so the size suffices.
// Else the text is unpacked if its length allows more than [maxPageBytes].
func checkUnpacked(codec format.CompressionCodec, text *io.SectionReader, limit int64) error {
	switch codec {
	case format.Snappy:
		return checkSnappy(text, limit)
	case format.Zstd:
		return checkZstd(text, limit)
	case format.Gzip:
		const ratio = 1032 // no deflated byte makes more
		if text.Size() <= maxPageBytes/ratio {
			return nil
		}
		z, err := gzip.NewReader(text)
		if err != nil {
			return err
		}
		return checkLength(z)
	case format.Brotli:
		return checkLength(brotli.NewReader(text))
	default:
		return nil
	}
}

func errUnpacked(limit int64) error {
	return fmt.Errorf("its text unpacks to more than the %d bytes that it may have", limit)
}

// checkLength unpacks a text to see whether it is too long.
func checkLength(unpacked io.Reader) error {
	n, err := io.Copy(io.Discard, io.LimitReader(unpacked, maxPageBytes+1))
	if n > maxPageBytes {
		return errUnpacked(maxPageBytes)
	}
	return err
}

func checkSnappy(text *io.SectionReader, limit int64) error {
	head := make([]byte, binary.MaxVarintLen32)
	n, err := text.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if size, width := binary.Uvarint(head[:n]); width > 0 && size > uint64(limit) {
		return errUnpacked(limit)
	}
	return nil // one that has no length is refused by its decoder
}

// What frames of Zstandard (RFC 8878) begin with, and how much a block of one
// unpacks to at most.
const (
	zstdMagic     = 0xfd2fb528
	zstdSkipMagic = 0x184d2a50 // and the fifteen behind it
	zstdBlock     = 128 << 10
)

func checkZstd(text *io.SectionReader, limit int64) error {
	var stored, most int64 // sum of the stored sizes, and upper bound of the other frames
	for at := int64(0); at < text.Size(); {
		var h zstdHeader
		if !h.read(text, at) {
			return nil // the decoder refuses it
		}
		at += h.width
		if h.skipped {
			continue
		}
		if h.sized {
			if h.size > uint64(limit-stored) {
				return errUnpacked(limit)
			}
			stored += int64(h.size)
		}
		for last := false; !last; {
			var head [4]byte // three of them a block's
			if n, err := text.ReadAt(head[:3], at); n < 3 {
				if errors.Is(err, io.EOF) {
					return nil // the decoder refuses it
				}
				return err
			}
			block := binary.LittleEndian.Uint32(head[:])
			last = block&1 != 0
			size := int64(block >> 3)
			const repeated, compressed = 1, 2
			unpacked := size
			switch block >> 1 & 3 {
			case repeated:
				size = 1
			case compressed:
				unpacked = zstdBlock
			}
			if at += 3 + size; !h.sized {
				most += unpacked
			}
			if stored+most > maxPageBytes {
				return errUnpacked(maxPageBytes)
			}
		}
		if h.summed {
			at += 4
		}
	}
	return nil
}

// A zstdHeader is the header of a frame.
type zstdHeader struct {
	width   int64  // of the header, of a skipped frame all of it
	skipped bool   // the frame holds no text
	summed  bool   // a checksum of four bytes follows the blocks
	sized   bool   // size is known
	size    uint64 // of the text in bytes
}

// read reads the header at an offset. ok is false if the text has none.
func (h *zstdHeader) read(text *io.SectionReader, at int64) (ok bool) {
	const most = 4 + 1 + 1 + 4 + 8 // magic, descriptor, window, dictionary, size
	var buf [most + 8]byte
	n, _ := text.ReadAt(buf[:most], at) // an early end leaves a truncated frame
	if n < 5 {
		return false
	}
	magic := binary.LittleEndian.Uint32(buf[:])
	if magic&^15 == zstdSkipMagic {
		*h = zstdHeader{width: 8 + int64(binary.LittleEndian.Uint32(buf[4:])), skipped: true}
		return n >= 8
	}
	if magic != zstdMagic {
		return false
	}
	d := buf[4]
	single := d>>5&1 == 1
	i := 5
	if !single {
		i++ // the window
	}
	i += [...]int{0, 1, 2, 4}[d&3] // the dictionary
	width := [...]int{0, 2, 4, 8}[d>>6]
	if width == 0 && single {
		width = 1
	}
	size := bytes.Clone(buf[i : i+8])
	clear(size[width:])
	*h = zstdHeader{width: int64(i + width), summed: d>>2&1 == 1, sized: width > 0, size: binary.LittleEndian.Uint64(size)}
	if width == 2 {
		h.size += 256
	}
	return n >= i+width
}

// Limits of a page. Writers make pages of some megabytes. The library allocates
// the size in the page's header, and all values of a run, which a few bytes can
// encode.
const (
	maxPageBytes  = 512 << 20
	maxValueBytes = 128 << 20
)

// maxValues returns how many values of a kind a page may have: those that take
// maxValueBytes, with both levels of each.
func maxValues(kind format.Type) int32 {
	const levels = 2
	width := map[format.Type]int32{format.Boolean: 1, format.Int32: 4, format.Float: 4, format.Int96: 12}[kind]
	if width == 0 {
		width = 8 // also the place of a text
	}
	return maxValueBytes / (width + levels)
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

// checkPages goes through the headers of a row group's pages and refuses what
// no writer makes.
func checkPages(file io.ReaderAt, size int64, group *format.RowGroup, leaves []leaf) error {
	if len(group.Columns) != len(leaves) {
		return fmt.Errorf("it has %d columns, the schema %d", len(group.Columns), len(leaves))
	}
	for i := range group.Columns {
		c := &group.Columns[i].MetaData
		begin := beginOf(c.DictionaryPageOffset, c.DataPageOffset)
		if begin < 0 || c.TotalCompressedSize < 0 || begin > size || c.TotalCompressedSize > size-begin {
			return fmt.Errorf("column %q lies at bytes %d to %d, outside the file", strings.Join(c.PathInSchema, "."), begin, begin+c.TotalCompressedSize)
		}
		values, err := checkChunk(io.NewSectionReader(file, begin, c.TotalCompressedSize), c.Codec, maxValues(c.Type))
		if err == nil && !leaves[i].repeated && values != group.NumRows {
			err = fmt.Errorf("it has %d values in %d rows", values, group.NumRows)
		}
		if err != nil {
			return fmt.Errorf("column %q: %w", strings.Join(c.PathInSchema, "."), err)
		}
	}
	return nil
}

// beginOf returns the offset of the first page of a column.
func beginOf(dictionary, data int64) int64 {
	if dictionary > 0 && dictionary < data {
		return dictionary
	}
	return data
}

// checkChunk goes through the pages of a column in a row group and counts their
// values.
func checkChunk(chunk *io.SectionReader, codec format.CompressionCodec, most int32) (sum int64, err error) {
	n, err := eachPage(chunk, func(h *format.PageHeader, _, begin, end int64) error {
		switch values := valuesOf(h); {
		case h.UncompressedPageSize < 0 || h.UncompressedPageSize > maxPageBytes:
			return fmt.Errorf("it unpacks to %d bytes; pages of up to %d are read", h.UncompressedPageSize, maxPageBytes)
		case values < 0 || values > most:
			return fmt.Errorf("it has %d values; pages of up to %d are read", values, most)
		}
		if h.Type != format.DictionaryPage {
			sum += int64(valuesOf(h))
		}
		return checkPage(h, io.NewSectionReader(chunk, begin, end-begin), codec)
	})
	if err != nil {
		return sum, fmt.Errorf("page %d: %w", n, err)
	}
	return sum, nil
}

// eachPage calls yield for each page of a column with its header and offset, and the
// offsets of its text and end. It returns the number of the last page, from 1.
func eachPage(chunk *io.SectionReader, yield func(h *format.PageHeader, head, begin, end int64) error) (n int, err error) {
	const enough = 512 // bytes for most headers
	buf := bufio.NewReaderSize(chunk, enough)
	var protocol thrift.CompactProtocol
	for at := int64(0); at < chunk.Size(); {
		n++
		if _, err := chunk.Seek(at, io.SeekStart); err != nil {
			return n, err
		}
		buf.Reset(chunk)
		var h format.PageHeader
		if err := thrift.NewDecoder(protocol.NewReader(buf)).Decode(&h); err != nil {
			return n, fmt.Errorf("its header cannot be read: %w", err)
		}
		read, err := chunk.Seek(0, io.SeekCurrent)
		if err != nil {
			return n, err
		}
		begin := read - int64(buf.Buffered())
		end := begin + int64(h.CompressedPageSize)
		if h.CompressedPageSize < 0 || end > chunk.Size() {
			return n, fmt.Errorf("it has %d bytes, more than its column", h.CompressedPageSize)
		}
		if err := yield(&h, at, begin, end); err != nil {
			return n, err
		}
		at = end
	}
	return n, nil
}

// checkPage compares the size of an unpacked page with its header. A page of
// the second version begins with its levels, which are not compressed.
func checkPage(h *format.PageHeader, page *io.SectionReader, codec format.CompressionCodec) error {
	begin := int64(0)
	if h.Type == format.DataPageV2 {
		v2 := &h.DataPageHeaderV2.V
		levels := [2]int64{int64(v2.RepetitionLevelsByteLength), int64(v2.DefinitionLevelsByteLength)}
		if begin = levels[0] + levels[1]; min(levels[0], levels[1]) < 0 || begin > page.Size() {
			return fmt.Errorf("it has %d bytes; %d and %d should be levels", page.Size(), levels[0], levels[1])
		}
		if v2.IsCompressed.Valid && !v2.IsCompressed.V {
			return nil
		}
	}
	if begin == page.Size() {
		return nil // no values
	}
	return checkUnpacked(codec, io.NewSectionReader(page, begin, page.Size()-begin), int64(h.UncompressedPageSize))
}

func valuesOf(h *format.PageHeader) int32 {
	switch {
	case h.DataPageHeader.Valid:
		return h.DataPageHeader.V.NumValues
	case h.DataPageHeaderV2.Valid:
		return h.DataPageHeaderV2.V.NumValues
	case h.DictionaryPageHeader.Valid:
		return h.DictionaryPageHeader.V.NumValues
	default:
		return 0
	}
}
