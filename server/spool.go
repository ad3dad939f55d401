package server

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strconv"

	"github.com/postgeo/postgeo/envelope"
)

// maxPlain is how many bytes of an answer a spool keeps as they are.
const maxPlain = 4 << 20

// A spool takes a long answer piece by piece, so that its parts need not be in
// memory together: what grows beyond maxPlain is kept compressed, which JSON is
// to less than a tenth. The answer is sent when it is complete and its credits
// are spent.
type spool struct {
	plain  []byte
	size   int // of the answer, uncompressed
	packed buffer
	gz     *gzip.Writer // nil: the answer is in plain
}

// add takes the next bytes. Writing to memory does not fail.
func (s *spool) add(p []byte) {
	s.size += len(p)
	if s.gz == nil && len(s.plain)+len(p) <= maxPlain {
		s.plain = append(s.plain, p...)
		return
	}
	if s.gz == nil {
		s.gz = gzipPool.Get().(*gzip.Writer)
		s.gz.Reset(&s.packed)
		_, _ = s.gz.Write(s.plain)
		s.plain = nil
	}
	_, _ = s.gz.Write(p)
}

// end completes what is compressed.
func (s *spool) end() {
	if s.gz != nil {
		_ = s.gz.Close()
		s.gz.Reset(nil)
		gzipPool.Put(s.gz)
	}
}

// A spooled body is a response whose results are in a spool. Its meta data
// come last.
type spooled struct {
	results *spool
	meta    *envelope.Meta
}

// AppendJSON implements envelope.Appender for a response that is not long.
func (b *spooled) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(dst, b.results.plain...)
	return envelope.AppendTail(dst, b.meta)
}

// sendSpool sends a long answer: as it is kept where the caller takes gzip,
// else uncompressed on the way.
func (c *call) sendSpool(status int, b *spooled) error {
	tail, err := envelope.AppendTail(nil, b.meta)
	if err != nil {
		return fmt.Errorf("server: encoding the answer: %w", err)
	}
	s := b.results
	s.add(tail)
	s.end()
	c.sending(len(s.packed.b))
	defer c.sending(-len(s.packed.b))
	h := c.w.Header()
	c.status = status
	var body io.Reader = bytes.NewReader(s.packed.b)
	if takesGzip(c.r.Header["Accept-Encoding"]) {
		h["Content-Encoding"] = encodingGzip
		h["Content-Length"] = []string{strconv.Itoa(len(s.packed.b))}
	} else {
		h["Content-Length"] = []string{strconv.Itoa(s.size)}
		if body, err = gzip.NewReader(body); err != nil {
			return fmt.Errorf("server: encoding the answer: %w", err)
		}
	}
	c.w.WriteHeader(status)
	n, err := io.Copy(c.w, body)
	c.bytes = int(n)
	if err != nil {
		return fmt.Errorf("server: sending the answer: %w", err)
	}
	return nil
}

// What is being sent counts against maxSending from largeAnswer on: smaller
// answers are taken by the kernel at once.
const (
	largeAnswer = 64 << 10
	maxSending  = 256 << 20
)

// sending counts the bytes of a large answer in that is about to be sent, and
// out with their negative. While there are more than maxSending no other
// request is worked, so that callers who read slowly cannot fill the memory.
func (c *call) sending(n int) {
	if n >= largeAnswer || n <= -largeAnswer {
		c.s.inSending.Add(int64(n))
	}
}
