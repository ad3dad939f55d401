// Package compress negotiates content encodings and compresses response bodies in
// memory.
package compress

import (
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// MinSize is the maximum size in bytes of a body that is not compressed. It fits
// into one packet either way.
const MinSize = 1400

// An Encoding is a content encoding.
type Encoding uint8

// The encodings.
const (
	Identity Encoding = iota
	Gzip
	Brotli
	NumEncodings
)

// These levels compress JSON to a seventh or less. Higher ones take five times as
// long and save a fifth.
const (
	brotliLevel = 4
	gzipLevel   = gzip.BestSpeed
)

type compressor interface {
	io.WriteCloser
	Reset(w io.Writer)
}

var (
	headerBrotli = []string{"br"}
	headerGzip   = []string{"gzip"}

	brotliPool = sync.Pool{New: func() any { return brotli.NewWriterLevel(nil, brotliLevel) }}
	gzipPool   = sync.Pool{New: func() any {
		w, err := gzip.NewWriterLevel(nil, gzipLevel)
		if err != nil {
			panic(err) // the level is valid
		}
		return w
	}}
)

// Header returns the value of Content-Encoding.
func (e Encoding) Header() []string {
	if e == Brotli {
		return headerBrotli
	}
	return headerGzip
}

func (e Encoding) pool() *sync.Pool {
	if e == Brotli {
		return &brotliPool
	}
	return &gzipPool
}

// Negotiate returns an encoding that the lines of Accept-Encoding allow, Brotli before
// gzip.
func Negotiate(lines []string) Encoding {
	switch {
	case accepts(lines, "br"):
		return Brotli
	case TakesGzip(lines):
		return Gzip
	}
	return Identity
}

// TakesGzip reports whether the lines of Accept-Encoding allow gzip.
func TakesGzip(lines []string) bool { return accepts(lines, "gzip") }

// accepts reports whether an encoding, or else *, is listed with a weight above 0.
func accepts(lines []string, encoding string) (all bool) {
	for _, line := range lines {
		for part := range strings.SplitSeq(line, ",") {
			name, weight, weighted := strings.Cut(part, "=")
			name, _, _ = strings.Cut(name, ";")
			q, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
			accepted := !weighted || err == nil && q > 0 && q <= 1
			switch name = strings.TrimSpace(name); {
			case strings.EqualFold(name, encoding):
				return accepted
			case name == "*":
				all = accepted
			}
		}
	}
	return all
}

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

// MaxPlain is the maximum size in bytes of a Spool that is not compressed.
const MaxPlain = 1 << 20

// PackedPart is the expected ratio of JSON to its compressed size in a Spool.
const PackedPart = 6

// A Spool collects a long body. It compresses bodies of more than [MaxPlain]
// bytes while they grow, so that they take less memory.
type Spool struct {
	Size  int    // in bytes, uncompressed
	Plain []byte // the body, unless it is compressed

	packed Buffer
	gz     *gzip.Writer // nil: the body is in Plain
}

// Compressed reports whether the body is compressed.
func (s *Spool) Compressed() bool { return s.gz != nil }

// Add appends bytes.
func (s *Spool) Add(p []byte) {
	s.Size += len(p)
	if s.gz == nil && len(s.Plain)+len(p) <= MaxPlain {
		s.Plain = append(s.Plain, p...)
		return
	}
	if s.gz == nil {
		s.gz = gzipPool.Get().(*gzip.Writer)
		s.gz.Reset(&s.packed)
		_, _ = s.gz.Write(s.Plain) // to memory
		s.Plain = nil
	}
	_, _ = s.gz.Write(p)
}

// End returns the complete compressed body.
func (s *Spool) End() []byte {
	if s.gz != nil {
		_ = s.gz.Close()
		s.gz.Reset(nil)
		gzipPool.Put(s.gz)
	}
	return s.packed.B
}
