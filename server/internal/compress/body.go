package compress

import "sync"

// A Buffer is a reusable byte slice.
type Buffer struct{ B []byte }

// maxPooled is the maximum capacity of a reused buffer.
const maxPooled = 1 << 20

var buffers = sync.Pool{New: func() any { return &Buffer{make([]byte, 0, 4096)} }}

// NewBuffer returns an empty Buffer. Call Free after use.
func NewBuffer() *Buffer { return buffers.Get().(*Buffer) }

// Free makes the buffer available for reuse.
func (b *Buffer) Free() {
	if cap(b.B) <= maxPooled {
		b.B = b.B[:0]
		buffers.Put(b)
	}
}

// Write implements io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	b.B = append(b.B, p...)
	return len(p), nil
}

// A Body is a body that is compressed in memory.
type Body struct {
	Encoding Encoding
	out      *Buffer
	w        compressor
}

// NewBody returns an empty body. The encoding is not Identity.
func NewBody(enc Encoding) *Body {
	p := &Body{Encoding: enc, out: NewBuffer(), w: enc.pool().Get().(compressor)}
	p.w.Reset(p.out)
	return p
}

// Write appends bytes of the body.
func (p *Body) Write(b []byte) {
	_, _ = p.w.Write(b) // to memory
}

// End returns the complete body. It is valid until Free.
func (p *Body) End() []byte {
	_ = p.w.Close() // to memory
	p.w.Reset(nil)
	p.Encoding.pool().Put(p.w)
	return p.out.B
}

// Free makes the memory of the body available for reuse.
func (p *Body) Free() { p.out.Free() }
