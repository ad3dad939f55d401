// Package compress negotiates content encodings and compresses response bodies in
// memory.
package compress

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// MinSize is the maximum size in bytes of a body that is not compressed. It fits
// into one packet (of 1,500 bytes on Ethernet) either way.
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

// The levels of responses compress JSON to a seventh or less. Higher ones take five times
// as long and save a fifth.
const (
	brotliLevel = 4
	gzipLevel   = gzip.BestSpeed
	pageLevel   = 6 // of both encodings; see PackPage
)

type compressor interface {
	io.WriteCloser
	Reset(w io.Writer)
}

var (
	brotliPool = sync.Pool{New: func() any { return brotli.NewWriterLevel(nil, brotliLevel) }}
	gzipPool   = sync.Pool{New: func() any {
		w, err := gzip.NewWriterLevel(nil, gzipLevel)
		if err != nil {
			panic(err) // the level is valid
		}
		return w
	}}
	pools   = [NumEncodings]*sync.Pool{Gzip: &gzipPool, Brotli: &brotliPool}
	headers = [NumEncodings][]string{Gzip: {"gzip"}, Brotli: {"br"}}
)

// Header returns the value of Content-Encoding.
func (e Encoding) Header() []string { return headers[e] }

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

// accepts reports whether an encoding, or else *, is listed with a weight above 0 (RFC
// 9110, section 12.5.3). Weights rank nothing: every client that lists both takes both.
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

// maxPooled is the maximum capacity of a reused buffer. A pool of the largest responses
// would keep memory that no queue counts.
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

// Pack returns a compressed body, whose encoding is not Identity. Call Free after use.
func Pack(enc Encoding, body []byte) *Buffer {
	out, w := NewBuffer(), pools[enc].Get().(compressor)
	w.Reset(out)
	finish(enc, w, body)
	return out
}

// PackPage returns a compressed body that is kept. It is compressed once, so that it may take
// two or three times as long: scripts are 7 to 10 % smaller than at brotliLevel.
func PackPage(enc Encoding, body []byte) []byte {
	var out bytes.Buffer
	var w io.WriteCloser = brotli.NewWriterLevel(&out, pageLevel)
	if enc == Gzip {
		w, _ = gzip.NewWriterLevel(&out, pageLevel) // the level is valid
	}
	_, _ = w.Write(body) // to memory
	_ = w.Close()
	return out.Bytes()
}

// finish writes the rest of a body and returns the compressor to its pool.
func finish(enc Encoding, w compressor, rest []byte) {
	_, _ = w.Write(rest) // to memory
	_ = w.Close()
	w.Reset(nil) // it would keep the buffer, which another response may use
	pools[enc].Put(w)
}

// MaxPlain is the usual Limit of a Spool.
const MaxPlain = 1 << 20

// PackedPart is the expected ratio of JSON to its compressed size in a Spool: a little less
// than the seven of brotliLevel and gzipLevel, to reserve enough memory.
const PackedPart = 6

// A Spool collects a long body. It compresses bodies of more than a limit while they
// grow, so that they take less memory.
type Spool struct {
	Encoding Encoding // of a compressed body; not Identity
	Limit    int      // maximum size in bytes of a body that is not compressed
	Size     int      // in bytes, uncompressed

	out *Buffer    // the body, compressed if there is a compressor
	w   compressor // nil up to Limit
}

// Add appends bytes.
func (s *Spool) Add(p []byte) {
	if s.out == nil {
		s.out = NewBuffer()
	}
	if s.Size += len(p); s.w == nil && s.Size > s.Limit {
		plain := s.out
		s.out = NewBuffer()
		s.w = pools[s.Encoding].Get().(compressor)
		s.w.Reset(s.out)
		_, _ = s.w.Write(plain.B) // to memory
		plain.Free()
	}
	if s.w == nil {
		s.out.B = append(s.out.B, p...)
		return
	}
	_, _ = s.w.Write(p)
}

// End returns the complete body and its encoding. Call Free after use.
func (s *Spool) End() (body *Buffer, enc Encoding) {
	if s.w == nil {
		return s.out, Identity
	}
	finish(s.Encoding, s.w, nil)
	return s.out, s.Encoding
}
