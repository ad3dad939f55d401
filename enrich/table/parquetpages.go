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
	typ     enrich.Type
	room    int // of pages in memory
	pending []uint32
	of      *palette // that numbers pending

	index []uint32 // by number: place in the dictionary, from 1
	dict  []string
	bytes int  // of the dictionary
	plain bool // the dictionary is complete

	pages            spool
	head, body       []byte
	values, nulls    int64
	unpacked, packed int64
	least, greatest  string
	known, unknown   bool // least and greatest are set; they are too long to be kept
	stats            [2]int32
}

// add adds values by their numbers in a palette.
func (c *columnPages) add(numbers []uint32, of *palette) error {
	if c.of != of {
		if err := c.page(); err != nil {
			return err
		}
		c.plain = c.plain || c.of != nil // else values would be in the dictionary twice
		c.of, c.index = of, nil
	}
	for len(numbers) > 0 {
		n := min(len(numbers), pageRows-len(c.pending))
		c.pending = append(c.pending, numbers[:n]...)
		if numbers = numbers[n:]; len(c.pending) == pageRows {
			if err := c.page(); err != nil {
				return err
			}
		}
	}
	return nil
}

// page encodes the pending values.
func (c *columnPages) page() error {
	for len(c.pending) > 0 {
		values := c.of.all()
		n := len(c.pending)
		if c.typ == enrich.Bool || c.plain || !c.enter(values) {
			c.plain = true
			n = c.plainRows(values)
		}
		if err := c.encode(c.pending[:n], values); err != nil {
			return err
		}
		c.pending = c.pending[:copy(c.pending, c.pending[n:])]
	}
	return nil
}

// enter enters the pending values in the dictionary, and reports whether they all
// fit.
func (c *columnPages) enter(values []string) bool {
	if n := len(values) - len(c.index); n > 0 {
		c.index = append(c.index, make([]uint32, n)...)
	}
	for _, n := range c.pending {
		if n == 0 || c.index[n] > 0 {
			continue
		}
		v := values[n]
		const length = 4
		if len(c.dict) >= dictionaryRows || c.bytes+len(v)+length > dictionaryBytes {
			return false
		}
		c.bytes += len(v) + length
		c.dict = append(c.dict, v)
		c.index[n] = uint32(len(c.dict))
		c.count(v)
	}
	return true
}

// plainRows returns how many pending rows make a page without a dictionary.
func (c *columnPages) plainRows(values []string) int {
	size := 0
	for i, n := range c.pending {
		if n > 0 {
			size += len(values[n])
			c.count(values[n])
		}
		if size >= pageBytes {
			return i + 1
		}
	}
	return len(c.pending)
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
	}
	if c.compare(v, c.greatest) > 0 {
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
func (c *columnPages) encode(numbers []uint32, values []string) error {
	nulls := 0
	for _, n := range numbers {
		if n == 0 {
			nulls++
		}
	}
	const lengthBytes = 4
	body := c.body[:0]
	body = append(body, 0, 0, 0, 0)
	if nulls == 0 || nulls == len(numbers) {
		body = binary.AppendUvarint(body, uint64(len(numbers))<<1)
		body = append(body, byte(min(1, len(numbers)-nulls)))
	} else {
		body = appendPacked(body, len(numbers), 1, func(i int) uint32 { return min(1, numbers[i]) })
	}
	binary.LittleEndian.PutUint32(body, uint32(len(body)-lengthBytes))
	encoding := format.Plain
	if nulls > 0 {
		numbers = slices.DeleteFunc(numbers, func(n uint32) bool { return n == 0 })
	}
	switch {
	case len(numbers) == 0:
	case c.typ == enrich.Bool:
		body = appendBits(body, len(numbers), 1, func(i int) uint32 { return uint32(values[numbers[i]][0]) })
	case c.plain:
		for _, n := range numbers {
			body = c.appendValue(body, values[n])
		}
	default:
		encoding = format.RLEDictionary
		body = c.appendIndexes(body, numbers)
	}
	c.body = body
	count := len(numbers) + nulls
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
	return c.put(&c.pages, &h, body)
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

// appendIndexes appends the places of values in the dictionary.
func (c *columnPages) appendIndexes(dst []byte, numbers []uint32) []byte {
	width := max(1, bits.Len(uint(len(c.dict)-1)))
	dst = append(dst, byte(width))
	first := c.index[numbers[0]] - 1
	same := !slices.ContainsFunc(numbers, func(n uint32) bool { return c.index[n]-1 != first })
	if same {
		dst = binary.AppendUvarint(dst, uint64(len(numbers))<<1)
		for ; width > 0; width -= 8 {
			dst = append(dst, byte(first))
			first >>= 8
		}
		return dst
	}
	return appendPacked(dst, len(numbers), width, func(i int) uint32 { return c.index[numbers[i]] - 1 })
}

// appendPacked appends a run of n numbers of some bits, in groups of eight.
func appendPacked(dst []byte, n, width int, number func(i int) uint32) []byte {
	const group = 8
	groups := (n + group - 1) / group
	dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
	from := len(dst)
	dst = appendBits(dst, n, width, number)
	return append(dst, make([]byte, groups*width-(len(dst)-from))...)
}

// appendBits packs n numbers of some bits, the lowest first.
func appendBits(dst []byte, n, width int, number func(i int) uint32) []byte {
	word, have := uint64(0), 0
	for i := range n {
		word |= uint64(number(i)) << have
		for have += width; have >= 8; have -= 8 {
			dst = append(dst, byte(word))
			word >>= 8
		}
	}
	if have > 0 {
		dst = append(dst, byte(word))
	}
	return dst
}

// writeTo ends the column and writes it.
func (c *columnPages) writeTo(w *columnWriter, name string) (chunk footerChunk, err error) {
	defer func() { err = errors.Join(err, c.pages.close()) }()
	if err := c.page(); err != nil {
		return chunk, err
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
		body := c.body[:0]
		for _, v := range c.dict {
			body = c.appendValue(body, v)
		}
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
