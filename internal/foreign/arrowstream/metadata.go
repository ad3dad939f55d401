package arrowstream

import (
	"encoding/binary"
	"errors"
)

// A table is a table of a flatbuffer, the format of metadata. Its methods panic if it is
// damaged.
type table struct {
	data []byte
	at   int
}

func (t table) uint32(at int) int { return int(binary.LittleEndian.Uint32(t.data[at:])) }

// member returns the position of a member, 0 if it is absent. Slots follow from the order
// of the members in Arrow's Message.fbs and Schema.fbs.
func (t table) member(slot int) int {
	shape := t.at - int(int32(t.uint32(t.at)))
	if slot >= int(binary.LittleEndian.Uint16(t.data[shape:])) {
		return 0
	}
	offset := int(binary.LittleEndian.Uint16(t.data[shape+slot:]))
	if offset == 0 {
		return 0
	}
	return t.at + offset
}

func (t table) byte(slot int) byte {
	if at := t.member(slot); at != 0 {
		return t.data[at]
	}
	return 0
}

func (t table) int64(slot int) int64 {
	if at := t.member(slot); at != 0 {
		return int64(binary.LittleEndian.Uint64(t.data[at:]))
	}
	return 0
}

// table returns a member that is a table.
func (t table) table(slot int) (inner table, ok bool) {
	at := t.member(slot)
	if at == 0 {
		return t, false
	}
	return table{t.data, at + t.uint32(at)}, true
}

// list returns the position and the number of the entries of a vector or text.
func (t table) list(slot int) (at, n int) {
	inner, ok := t.table(slot)
	if !ok {
		return 0, 0
	}
	const length = 4
	return inner.at + length, t.uint32(inner.at)
}

// A checker checks the metadata of messages, and counts the memory of its names and pairs.
// Its methods panic with an error.
type checker struct {
	left  int
	body  int64
	views map[int64]int // columns of views in the values of each dictionary, and in batches
}

// inBatch is the key of columns outside dictionaries.
const inBatch = -1 << 63

// plain are the types of columns as bits: whole and other numbers, bytes and texts, also
// large and as views.
const plain = 1<<2 | 1<<3 | 1<<4 | 1<<5 | 1<<19 | 1<<20 | 1<<typeBinaryView | 1<<typeTextView

const (
	typeBinaryView, typeTextView = 23, 24

	headerSchema, headerDictionary, headerRecord = 1, 2, 3
)

func (c *checker) message(data []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if err, _ = p.(error); !errors.Is(err, ErrColumn) {
				err = ErrMetadata
			}
		}
	}()
	const headerType, header, bodyLength, custom = 4 + 2*1, 4 + 2*2, 4 + 2*3, 4 + 2*4
	m := table{data: data}
	m.at = m.uint32(0)
	if c.body = m.int64(bodyLength); c.body < 0 || c.body > mostBody {
		return ErrMetadata
	}
	c.custom(m, custom)
	h, _ := m.table(header)
	switch m.byte(headerType) {
	case headerSchema:
		c.schema(h)
	case headerDictionary:
		const id, record = 4, 6
		r, _ := h.table(record)
		c.record(r, c.views[h.int64(id)])
	case headerRecord:
		c.record(h, c.views[inBatch])
	}
	return nil
}

// schema checks the columns of a stream.
func (c *checker) schema(s table) {
	const fields, custom = 6, 8
	const name, kind, dictionary, children, fieldCustom = 4, 8, 12, 14, 16
	c.views = make(map[int64]int)
	c.custom(s, custom)
	c.each(s, fields, func(f table) {
		c.text(f, name)
		c.custom(f, fieldCustom)
		if _, n := f.list(children); n > 0 || plain>>f.byte(kind)&1 == 0 {
			panic(ErrColumn)
		}
		if k := f.byte(kind); k == typeBinaryView || k == typeTextView {
			within := int64(inBatch)
			if encoding, ok := f.table(dictionary); ok {
				const id = 4
				within = encoding.int64(id)
			}
			c.views[within]++
		}
	})
}

// record checks the number of rows of a batch, and how many buffers its views have. A row
// has at least a byte unless it is compressed. Readers take the numbers of buffers from
// behind their list if that is too short.
func (c *checker) record(r table, views int) {
	const length, buffers, compression, variadic, entry = 4, 8, 10, 12, 8
	if rows := r.int64(length); rows < 0 || rows > c.body && (r.member(compression) == 0 || rows > mostCompressed) {
		panic(ErrMetadata)
	}
	_, most := r.list(buffers)
	at, n := r.list(variadic)
	if most > len(r.data) || n > len(r.data) || at != 0 && n < views {
		panic(ErrMetadata)
	}
	for i := range n {
		if v := binary.LittleEndian.Uint64(r.data[at+i*entry:]); v > uint64(most) {
			panic(ErrMetadata)
		}
	}
}

// custom counts pairs of keys and values.
func (c *checker) custom(t table, slot int) {
	const key, value = 4, 6
	c.each(t, slot, func(pair table) {
		c.text(pair, key)
		c.text(pair, value)
	})
}

// each calls visit with the tables of a vector.
func (c *checker) each(t table, slot int, visit func(table)) {
	const offset, memory = 4, 256 // bytes of an entry, and about those of its form in Go
	at, n := t.list(slot)
	if n > len(t.data) {
		panic(ErrMetadata)
	}
	c.take(n * memory)
	for i := range n {
		at := at + i*offset
		visit(table{t.data, at + t.uint32(at)})
	}
}

func (c *checker) text(t table, slot int) {
	_, n := t.list(slot)
	c.take(n)
}

func (c *checker) take(bytes int) {
	if c.left -= bytes; c.left < 0 {
		panic(ErrMetadata)
	}
}
