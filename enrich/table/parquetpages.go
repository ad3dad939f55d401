package table

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/bits"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/postgeo/postgeo/enrich"
)

// Limits of the pages and dictionaries of added columns.
const (
	pageRows        = 1 << 16
	pageBytes       = 1 << 20 // of values without a dictionary
	dictionaryRows  = 1 << 16
	dictionaryBytes = 1 << 20
	statisticBytes  = 64 // of the least and greatest value
)

// columnPages are the pages of an added column in a row group. The values are in a
// dictionary until it is full.
type columnPages struct {
	typ   enrich.Type
	room  int      // of pages in memory
	codes []uint32 // of a page: for each row the place of its value in the dictionary or else the palette, from 1; 0 for null

	index []uint32 // by number in the palette: place in the dictionary, from 1
	dict  []string
	bytes int  // of the dictionary
	plain bool // the dictionary is complete

	pages            spool
	places           []format.PageLocation // of pages, from 0
	head, body       []byte
	values, nulls    int64
	unpacked, packed int64
	least, greatest  string
	known, unknown   bool // least and greatest are set; they are too long to be kept
	stats            [2]int32
}

// reset prepares for the next row group.
func (c *columnPages) reset() {
	c.pages.mem.Reset()
	clear(c.index)
	clear(c.dict)
	*c = columnPages{
		typ: c.typ, room: c.room, codes: c.codes, index: c.index, dict: c.dict[:0],
		places: c.places[:0], pages: spool{mem: c.pages.mem}, head: c.head, body: c.body,
	}
}

// renumber prepares for values with other numbers.
func (c *columnPages) renumber() {
	c.plain = c.plain || len(c.dict) > 0 // else values would be in the dictionary twice
	c.index = nil
}

// page encodes the values of results. numbers has their numbers in the palette.
func (c *columnPages) page(results, numbers []uint32, palette []string) error {
	for len(results) > 0 {
		n := len(results)
		c.codes = slices.Grow(c.codes[:0], n)[:n]
		if c.typ == enrich.Bool || c.plain || !c.enter(results, numbers, palette) {
			c.plain = true
			n = c.plainRows(results, numbers, palette)
		}
		if err := c.encode(c.codes[:n], palette); err != nil {
			return err
		}
		results = results[n:]
	}
	return nil
}

// enter enters the values of results in the dictionary, and reports whether they all
// fit.
func (c *columnPages) enter(results, numbers []uint32, palette []string) bool {
	if n := len(palette) - len(c.index); n > 0 {
		c.index = append(c.index, make([]uint32, n)...)
	}
	index := c.index
	codes := c.codes[:len(results)]
	for i, r := range results {
		n := numbers[r]
		if n == 0 {
			codes[i] = 0
			continue
		}
		if index[n] == 0 {
			v := palette[n]
			const length = 4
			if len(c.dict) >= dictionaryRows || c.bytes+len(v)+length > dictionaryBytes {
				return false
			}
			c.bytes += len(v) + length
			c.dict = append(c.dict, v)
			index[n] = uint32(len(c.dict))
		}
		codes[i] = index[n]
	}
	return true
}

// plainRows returns how many results make a page without a dictionary.
func (c *columnPages) plainRows(results, numbers []uint32, palette []string) int {
	size := 0
	for i, r := range results {
		n := numbers[r]
		c.codes[i] = n
		if n > 0 {
			size += len(palette[n])
		}
		if size >= pageBytes {
			return i + 1
		}
	}
	return len(results)
}

// count keeps the least and the greatest value.
func (c *columnPages) count(v string) {
	switch {
	case c.unknown || c.typ == enrich.Bool:
		return
	case len(v) > statisticBytes:
		c.unknown = true
		return
	case !c.known:
		c.known, c.least, c.greatest = true, v, v
		return
	}
	if c.compare(v, c.least) < 0 {
		c.least = v
	} else if c.compare(v, c.greatest) > 0 {
		c.greatest = v
	}
}

func (c *columnPages) compare(a, b string) int {
	word := func(s string) uint64 { return binary.LittleEndian.Uint64([]byte(s)) }
	switch c.typ {
	case enrich.Int:
		return cmp.Compare(int64(word(a)), int64(word(b)))
	case enrich.Float:
		return cmp.Compare(math.Float64frombits(word(a)), math.Float64frombits(word(b)))
	default:
		return cmp.Compare(a, b)
	}
}

// encode writes a page of values.
func (c *columnPages) encode(codes []uint32, palette []string) error {
	nulls, first, same := 0, uint32(0), true
	for _, n := range codes {
		if n == 0 {
			nulls++
			continue
		}
		if first == 0 {
			first = n
		}
		same = same && n == first
	}
	count := len(codes)
	const lengthBytes = 4
	body := c.body[:0]
	body = append(body, 0, 0, 0, 0)
	if nulls == 0 || nulls == count {
		body = appendRun(body, count, 1, uint32(min(1, count-nulls)))
	} else {
		body = appendFlags(body, codes)
		codes = slices.DeleteFunc(codes, func(n uint32) bool { return n == 0 })
	}
	binary.LittleEndian.PutUint32(body, uint32(len(body)-lengthBytes))
	encoding := format.Plain
	switch {
	case nulls == count:
	case c.typ == enrich.Bool:
		for i, n := range codes {
			codes[i] = uint32(palette[n][0])
		}
		body = appendBits(body, codes, 1)
	case c.plain:
		for _, n := range codes {
			c.count(palette[n])
			body = c.appendValue(body, palette[n])
		}
	default:
		encoding = format.RLEDictionary
		width := max(1, bits.Len(uint(len(c.dict)-1)))
		body = append(body, byte(width))
		if same {
			body = appendRun(body, len(codes), width, first-1)
			break
		}
		for i := range codes {
			codes[i]--
		}
		body = appendPacked(body, codes, width)
	}
	c.body = body
	c.values, c.nulls = c.values+int64(count), c.nulls+int64(nulls)
	if encoding == format.Plain {
		c.stats[0]++
	} else {
		c.stats[1]++
	}
	h := format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.New(format.DataPageHeader{
		NumValues: int32(count), Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
		Statistics: format.Statistics{NullCount: int64(nulls)},
	})}
	before := c.packed
	if err := c.put(&c.pages, &h, body); err != nil {
		return err
	}
	c.places = append(c.places, format.PageLocation{Offset: before, CompressedPageSize: int32(c.packed - before), FirstRowIndex: c.values - int64(count)})
	return nil
}

// located returns the places of the pages behind an offset.
func (c *columnPages) located(offset int64) []format.PageLocation {
	places := slices.Clone(c.places)
	for i := range places {
		places[i].Offset += offset
	}
	return places
}

// put compresses a page and writes it behind its header.
func (c *columnPages) put(w io.Writer, h *format.PageHeader, body []byte) (err error) {
	if c.head, err = parquet.Snappy.Encode(c.head, body); err != nil {
		return err
	}
	h.UncompressedPageSize, h.CompressedPageSize = int32(len(body)), int32(len(c.head))
	var head bytes.Buffer
	if err := encodeThrift(&head, h); err != nil {
		return err
	}
	c.pages.room = c.room
	c.unpacked += int64(head.Len() + len(body))
	c.packed += int64(head.Len() + len(c.head))
	if _, err := w.Write(head.Bytes()); err != nil {
		return err
	}
	_, err = w.Write(c.head)
	return err
}

// appendValue appends a value in the plain encoding.
func (c *columnPages) appendValue(dst []byte, v string) []byte {
	if c.typ != enrich.Int && c.typ != enrich.Float {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(v)))
	}
	return append(dst, v...)
}

// appendRun appends a run of n equal numbers of some bits.
func appendRun(dst []byte, n, width int, number uint32) []byte {
	dst = binary.AppendUvarint(dst, uint64(n)<<1)
	for ; width > 0; width -= 8 {
		dst = append(dst, byte(number))
		number >>= 8
	}
	return dst
}

// appendFlags appends a run of bits that are set for numbers other than 0.
func appendFlags(dst []byte, numbers []uint32) []byte {
	const group = 8
	groups := (len(numbers) + group - 1) / group
	dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
	from := len(dst)
	dst = append(dst, make([]byte, groups)...)
	for i, n := range numbers {
		dst[from+i/group] |= byte(min(1, n)) << (i % group)
	}
	return dst
}

// appendPacked appends a run of numbers of some bits, in groups of eight.
func appendPacked(dst []byte, numbers []uint32, width int) []byte {
	const group = 8
	groups := (len(numbers) + group - 1) / group
	dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
	from := len(dst)
	dst = appendBits(dst, numbers, width)
	return append(dst, make([]byte, groups*width-(len(dst)-from))...)
}

// appendBits packs numbers of at most 32 bits, the lowest first.
func appendBits(dst []byte, numbers []uint32, width int) []byte {
	dst = slices.Grow(dst, len(numbers)*width/8+8)
	word, have := uint64(0), 0
	for _, n := range numbers {
		word |= uint64(n) << have
		if have += width; have >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(word))
			word >>= 32
			have -= 32
		}
	}
	for ; have > 0; have -= 8 {
		dst = append(dst, byte(word))
		word >>= 8
	}
	return dst
}

// writeTo ends the column and writes it.
func (c *columnPages) writeTo(w *columnWriter, name string) (chunk footerChunk, err error) {
	defer func() { err = errors.Join(err, c.pages.close()) }()
	body := c.body[:0]
	for _, v := range c.dict {
		c.count(v)
		body = c.appendValue(body, v)
	}
	m := &chunk.MetaData
	*m = footerColumn{
		Type: kindOf(c.typ), Encoding: []format.Encoding{format.Plain, format.RLE}, PathInSchema: []string{name}, Codec: format.Snappy,
		Statistics: thrift.New(footerStatistics{NullCount: thrift.New(c.nulls)}),
	}
	if c.known && !c.unknown {
		m.Statistics.V.MinValue, m.Statistics.V.MaxValue = []byte(c.least), []byte(c.greatest)
	}
	for i, e := range []format.Encoding{format.Plain, format.RLEDictionary} {
		if c.stats[i] > 0 {
			m.EncodingStats = append(m.EncodingStats, format.PageEncodingStats{PageType: format.DataPage, Encoding: e, Count: c.stats[i]})
		}
	}
	if c.stats[1] > 0 {
		m.Encoding = append(m.Encoding, format.RLEDictionary)
		m.EncodingStats = append(m.EncodingStats, format.PageEncodingStats{PageType: format.DictionaryPage, Encoding: format.Plain, Count: 1})
		m.DictionaryPageOffset = w.at
		h := format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{
			NumValues: int32(len(c.dict)), Encoding: format.Plain,
		})}
		if err := c.put(w, &h, body); err != nil {
			return chunk, err
		}
	}
	m.DataPageOffset = w.at
	m.NumValues, m.TotalUncompressedSize, m.TotalCompressedSize = c.values, c.unpacked, c.packed
	return chunk, c.pages.copyTo(w)
}

// kindOf returns how values of a column are stored.
func kindOf(t enrich.Type) format.Type {
	switch t {
	case enrich.Int:
		return format.Int64
	case enrich.Float:
		return format.Double
	case enrich.Bool:
		return format.Boolean
	default:
		return format.ByteArray
	}
}
