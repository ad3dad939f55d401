package file

import (
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// A Coder encodes rows or decodes them. A row type lists its fields once, in
// their order; the same list serves both directions. After an error a Coder does
// nothing, so that callers check once.
type Coder struct {
	e       Encoder
	d       Decoder
	reading bool
	within  bool // decoded texts share the memory of the bytes
}

// NewCoder returns a coder that encodes.
func NewCoder() Coder { return Coder{} }

// Decode returns a coder that decodes the bytes.
func Decode(b []byte) Coder { return Coder{reading: true, d: Decoder{B: b}} }

// DecodeWithin returns a coder that decodes bytes that never change. The texts share
// their memory.
func DecodeWithin(b []byte) Coder { return Coder{reading: true, within: true, d: Decoder{B: b}} }

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
