package file

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/postgeo/postgeo/geo"
)

// A Coder encodes rows or decodes them. A row type lists its fields once, in
// their order; the same list serves both directions. After an error a Coder does
// nothing, so that callers check once.
type Coder struct {
	e       Encoder
	d       Decoder
	reading bool
	out     *NameWriter // of the names of encoded rows
	in      *NameTable  // of the names of decoded rows
	within  bool        // decoded texts share the memory of the bytes
}

// NewCoder returns a coder that encodes. Names must have been added to the
// writer, which may be nil for rows without names.
func NewCoder(names *NameWriter) Coder { return Coder{out: names} }

// DecodeWith returns a coder that decodes the bytes; names may be nil.
func DecodeWith(names *NameTable, b []byte) Coder {
	return Coder{reading: true, in: names, d: Decoder{B: b}}
}

// DecodeWithin returns a coder that decodes bytes that never change. The texts share
// their memory.
func DecodeWithin(b []byte) Coder { return Coder{reading: true, within: true, d: Decoder{B: b}} }

// Next begins to decode other bytes.
func (c *Coder) Next(b []byte) { c.d = Decoder{B: b} }

// Reading reports whether the coder decodes.
func (c *Coder) Reading() bool { return c.reading }

// Bytes returns the encoded rows.
func (c *Coder) Bytes() ([]byte, error) { return c.e.B, c.d.Err }

// Err returns the first error.
func (c *Coder) Err() error { return c.d.Err }

// End returns the first error, or an error for bytes after the last row.
func (c *Coder) End() error { return c.d.End() }

// Decoder returns the decoder of a decoding coder, for fields in a hot loop.
func (c *Coder) Decoder() *Decoder { return &c.d }

// Fail ends the coding with an error.
func (c *Coder) Fail(err error) {
	if err != nil {
		c.d.Fail(err)
	}
}

// Byte codes a byte.
func (c *Coder) Byte(p *byte) {
	if c.reading {
		*p = c.d.Byte()
	} else {
		c.e.Byte(*p)
	}
}

// Bool codes a flag.
func (c *Coder) Bool(p *bool) {
	if c.reading {
		*p = c.d.Bool()
	} else {
		c.e.Bool(*p)
	}
}

// Text codes texts, which must be UTF-8.
func (c *Coder) Text(list ...*string) {
	for _, p := range list {
		switch {
		case c.within:
			b := c.d.text()
			*p = unsafe.String(unsafe.SliceData(b), len(b))
		case c.reading:
			*p = string(c.d.text())
		case !utf8.ValidString(*p):
			c.Fail(fmt.Errorf("the text %q is not UTF-8", *p))
		default:
			c.e.Text(*p)
		}
	}
}

// Blob codes bytes, at most so many.
func (c *Coder) Blob(p *string, most uint64) {
	if c.reading {
		*p = string(c.d.Take(c.d.Max(most)))
		return
	}
	c.e.Uint(uint64(len(*p)))
	c.e.B = append(c.e.B, *p...)
}

// Name codes texts as numbers of the table of names.
func (c *Coder) Name(list ...*string) {
	for _, p := range list {
		if c.reading {
			*p = c.in.At(NameID(c.d.Max(uint64(c.in.Len() - 1))))
		} else {
			c.e.Uint(uint64(c.nameID(*p)))
		}
	}
}

func (c *Coder) nameID(s string) NameID {
	return c.out.IDs[s]
}

// Max codes a number from 0 to most.
func Max[T ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int](c *Coder, p *T, most uint64) {
	if c.reading {
		*p = T(c.d.Max(most))
	} else {
		c.e.Uint(uint64(*p))
	}
}

// Int codes signed numbers.
func Int[T ~int32 | ~int64](c *Coder, list ...*T) {
	for _, p := range list {
		switch {
		case !c.reading:
			c.e.Int(int64(*p))
		case unsafe.Sizeof(*p) == 4:
			*p = T(c.d.int32())
		default:
			*p = T(c.d.Int())
		}
	}
}

// Pointer codes whether the value is known. If so, its fields follow: a decoding
// coder sets the pointer to a zero value.
func Pointer[T any](c *Coder, p **T) (known bool) {
	known = *p != nil
	if c.Bool(&known); c.reading {
		if *p = nil; known {
			*p = new(T)
		}
	}
	return known
}

// Float codes a finite number.
func (c *Coder) Float(p *float64) {
	switch {
	case c.reading:
		*p = c.d.Float()
	case math.IsNaN(*p) || math.IsInf(*p, 0):
		c.Fail(fmt.Errorf("the number %v is not finite", *p))
	default:
		c.e.Float(*p)
	}
}

// List codes the elements of a list, each of which takes at least a byte.
func List[T any](c *Coder, p *[]T, element func(*T)) {
	if c.reading {
		*p = nil
	}
	Refill(c, p, element)
}

// Refill is like [List] and decodes into the memory of the list.
func Refill[T any](c *Coder, p *[]T, element func(*T)) {
	const room = 64 // elements that are allocated before they are read
	if !c.reading {
		c.e.Uint(uint64(len(*p)))
		for i := range *p {
			element(&(*p)[i])
		}
		return
	}
	n := c.d.Count()
	if *p = (*p)[:0]; n > cap(*p) {
		*p = make([]T, 0, min(n, room))
	}
	for i := 0; i < n && c.d.Err == nil; i++ {
		var zero T
		*p = append(*p, zero)
		element(&(*p)[i])
	}
}

// Gaps codes ascending numbers of at most the limit as the gaps between them.
func (c *Coder) Gaps(p *[]uint16, limit uint16) {
	next := uint64(0)
	List(c, p, func(v *uint16) {
		gap := uint64(*v) - next
		if !c.reading && (uint64(*v) < next || *v > limit) {
			c.Fail(fmt.Errorf("the numbers %d; expected at most %d each, ascending", *p, limit))
		}
		if Max(c, &gap, uint64(limit)); next+gap > uint64(limit) {
			c.Fail(ErrRange)
		}
		if next += gap; c.reading { // an encoded list may be shared
			*v = uint16(next)
		}
		next++
	})
}

// Shared are texts that many rows of a table refer to by number. The packer
// collects them while rows are encoded; the list has them while rows are read.
type Shared struct {
	Packer *TextPacker
	List   []string
}

// Shared codes texts as numbers of shared texts, in the order of their first
// use from 1; 0 is the empty text.
func (c *Coder) Shared(s Shared, list ...*string) {
	for _, p := range list {
		n := uint64(0)
		if !c.reading && *p != "" {
			if !utf8.ValidString(*p) {
				c.Fail(fmt.Errorf("the text %q is not UTF-8", *p))
			}
			n = s.Packer.Id(strings.Clone(*p)) + 1
		}
		if Max(c, &n, uint64(len(s.List))); c.reading {
			if *p = ""; n > 0 {
				*p = s.List[n-1]
			}
		}
	}
}

// The functions below code fields of rows of fixed width, little-endian.

// Fixed codes a number in as many bytes as it has in memory.
func Fixed[T ~uint8 | ~uint16 | ~uint32 | ~int32 | ~int64](c *Coder, p *T) {
	size := uint64(unsafe.Sizeof(*p))
	if c.reading {
		switch b := c.d.Take(size); len(b) {
		case 1:
			*p = T(b[0])
		case 2:
			*p = T(binary.LittleEndian.Uint16(b))
		case 4:
			*p = T(binary.LittleEndian.Uint32(b))
		case 8:
			*p = T(binary.LittleEndian.Uint64(b))
		}
		return
	}
	for v := uint64(*p); size > 0; size-- {
		c.e.B = append(c.e.B, byte(v))
		v >>= 8
	}
}

// pointWidth is the size of a point.
const pointWidth = 8

// Point codes a point in two numbers of four bytes.
func (c *Coder) Point(p *geo.LatLng) {
	if !c.reading {
		c.e.B = AppendPoint(c.e.B, *p)
		return
	}
	*p = geo.LatLng{}
	if b := c.d.Take(pointWidth); b != nil {
		if err := CheckPoint(b); err != nil {
			c.Fail(err)
			return
		}
		*p = PointAt(b)
	}
}
