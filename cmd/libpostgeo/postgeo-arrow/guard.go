package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
)

// Limits of a stream.
const (
	mostMetadata = 16 << 20 // bytes of the metadata of a message
	mostDecoded  = 64 << 20 // bytes of the names, types and metadata that a message describes
	mostMemory   = 1 << 30  // bytes of the buffers of a batch, uncompressed
	mostDepth    = 64       // of types within types
)

var errMetadata = errors.New("the metadata of an Arrow message is damaged or too large")

// A guard passes an Arrow stream on and checks the metadata of each message. The reader of
// Arrow reserves as much memory as the metadata claims, and too much ends the process.
type guard struct {
	in   io.Reader
	head []byte // of a message, with its metadata
	body int64  // bytes that follow

	views map[int64]int // see checker
}

func (g *guard) Read(p []byte) (n int, err error) {
	if len(g.head) == 0 && g.body == 0 {
		if err := g.message(); err != nil {
			return 0, err
		}
	}
	if len(g.head) > 0 {
		n = copy(p, g.head)
		g.head = g.head[n:]
		return n, nil
	}
	n, err = g.in.Read(p[:min(int64(len(p)), g.body)])
	g.body -= int64(n)
	return n, err
}

// message reads the beginning of a message. A length of 0 ends the stream.
func (g *guard) message() error {
	const word, continues = 4, 0xffffffff
	var head bytes.Buffer
	length := uint32(continues)
	for length == continues && head.Len() < 2*word {
		if err := g.copy(&head, word); err != nil {
			return err
		}
		length = binary.LittleEndian.Uint32(head.Bytes()[head.Len()-word:])
	}
	from := head.Len()
	if length > mostMetadata {
		return errMetadata
	}
	if err := g.copy(&head, int64(length)); err != nil {
		return err
	}
	g.head = head.Bytes()
	if length == 0 {
		return nil
	}
	c := checker{left: mostDecoded, views: g.views}
	err := c.message(g.head[from:])
	g.body, g.views = c.body, c.views
	return err
}

// copy reads bytes of a message. The memory grows with the bytes that arrive.
func (g *guard) copy(head *bytes.Buffer, n int64) error {
	_, err := io.CopyN(head, g.in, n)
	if errors.Is(err, io.EOF) && head.Len() > 0 {
		return io.ErrUnexpectedEOF
	}
	return err
}

// A checker counts the memory of what metadata describes. Its methods panic if the
// metadata is damaged or describes too much.
type checker struct {
	left  int
	body  int64
	views map[int64]int // fields of views in the values of each dictionary, and in a batch
}

// Positions of members in the tables of Arrow's Message.fbs and Schema.fbs.
const (
	messageHeaderType, messageHeader, messageBody, messageCustom = 6, 8, 10, 12

	schemaFields, schemaCustom = 6, 8

	fieldName, fieldTypeType, fieldType, fieldDictionary, fieldChildren, fieldCustom = 4, 8, 10, 12, 14, 16

	recordBuffers, recordViews = 8, 12

	dictionaryID, dictionaryRecord = 4, 6

	keyOf, valueOf = 4, 6

	typeSecond = 6 // the zone of a timestamp, the numbers of a union

	headerSchema, headerDictionary, headerRecord = 1, 2, 3

	typeTimestamp, typeUnion, typeBinaryView, typeTextView = 10, 14, 23, 24
)

// inBatch is the key of fields outside dictionaries.
const inBatch = math.MinInt64

func (c *checker) message(data []byte) (err error) {
	defer func() {
		if recover() != nil {
			err = errMetadata
		}
	}()
	m := flatbuffers.Table{Bytes: data, Pos: flatbuffers.GetUOffsetT(data)}
	if c.body = m.GetInt64Slot(messageBody, 0); c.body < 0 {
		return errMetadata
	}
	c.custom(&m, messageCustom)
	at := flatbuffers.UOffsetT(m.Offset(messageHeader))
	if at == 0 {
		return nil
	}
	var header flatbuffers.Table
	switch m.Union(&header, at); m.GetByteSlot(messageHeaderType, 0) {
	case headerSchema:
		c.views = make(map[int64]int)
		c.custom(&header, schemaCustom)
		c.tables(&header, schemaFields, func(f *flatbuffers.Table) { c.field(f, inBatch, mostDepth) })
	case headerDictionary:
		if at := flatbuffers.UOffsetT(header.Offset(dictionaryRecord)); at != 0 {
			r := flatbuffers.Table{Bytes: data, Pos: header.Indirect(header.Pos + at)}
			c.record(&r, c.views[header.GetInt64Slot(dictionaryID, 0)])
		}
	case headerRecord:
		c.record(&header, c.views[inBatch])
	}
	return nil
}

// record checks how many buffers the views of a batch have. The reader takes them from
// behind the list if that is too short.
func (c *checker) record(r *flatbuffers.Table, views int) {
	_, buffers := c.vector(r, recordBuffers)
	at, n := c.vector(r, recordViews)
	if at != 0 && n < views {
		panic(errMetadata)
	}
	for i := range n {
		const entry = 8
		if v := r.GetInt64(at + flatbuffers.UOffsetT(i*entry)); v < 0 || v > int64(buffers) {
			panic(errMetadata)
		}
	}
}

func (c *checker) field(f *flatbuffers.Table, within int64, depth int) {
	if depth == 0 {
		panic(errMetadata)
	}
	if at := flatbuffers.UOffsetT(f.Offset(fieldDictionary)); at != 0 {
		encoding := flatbuffers.Table{Bytes: f.Bytes, Pos: f.Indirect(f.Pos + at)}
		within = encoding.GetInt64Slot(dictionaryID, 0)
	}
	c.text(f, fieldName)
	c.custom(f, fieldCustom)
	if at := flatbuffers.UOffsetT(f.Offset(fieldType)); at != 0 {
		var of flatbuffers.Table
		switch f.Union(&of, at); f.GetByteSlot(fieldTypeType, 0) {
		case typeTimestamp:
			c.text(&of, typeSecond)
		case typeUnion:
			c.vector(&of, typeSecond)
		case typeBinaryView, typeTextView:
			c.views[within]++
		}
	}
	c.tables(f, fieldChildren, func(child *flatbuffers.Table) { c.field(child, within, depth-1) })
}

// custom counts pairs of keys and values.
func (c *checker) custom(t *flatbuffers.Table, member flatbuffers.VOffsetT) {
	c.tables(t, member, func(pair *flatbuffers.Table) {
		c.text(pair, keyOf)
		c.text(pair, valueOf)
	})
}

// tables calls each with the tables of a vector.
func (c *checker) tables(t *flatbuffers.Table, member flatbuffers.VOffsetT, each func(*flatbuffers.Table)) {
	at, n := c.vector(t, member)
	for i := range n {
		const entry = 4
		each(&flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(at + flatbuffers.UOffsetT(i*entry))})
	}
}

func (c *checker) text(t *flatbuffers.Table, member flatbuffers.VOffsetT) {
	if at := t.Offset(member); at != 0 {
		c.take(len(t.ByteVector(flatbuffers.UOffsetT(at) + t.Pos)))
	}
}

// vector returns the position and the number of the entries of a vector.
func (c *checker) vector(t *flatbuffers.Table, member flatbuffers.VOffsetT) (at flatbuffers.UOffsetT, n int) {
	if o := flatbuffers.UOffsetT(t.Offset(member)); o != 0 {
		const memory = 256 // of an entry in Go, about
		at, n = t.Vector(o), t.VectorLen(o)
		if n < 0 || n > len(t.Bytes) {
			panic(errMetadata)
		}
		c.take(n * memory)
	}
	return at, n
}

func (c *checker) take(bytes int) {
	if c.left -= bytes; c.left < 0 {
		panic(errMetadata)
	}
}

// A bounded allocator panics at too much memory, which run returns as an error.
type bounded struct {
	memory.Allocator
	used int
}

func (b *bounded) Allocate(size int) []byte {
	b.add(size)
	return b.Allocator.Allocate(size)
}

func (b *bounded) Reallocate(size int, from []byte) []byte {
	b.add(size - len(from))
	return b.Allocator.Reallocate(size, from)
}

func (b *bounded) Free(list []byte) {
	b.used -= len(list)
	b.Allocator.Free(list)
}

func (b *bounded) add(size int) {
	if b.used += size; b.used > mostMemory {
		panic(fmt.Sprintf("an Arrow batch needs more than %d bytes", mostMemory))
	}
}
