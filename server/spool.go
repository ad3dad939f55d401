package server

import (
	"fmt"

	"github.com/klauspost/compress/gzip"

	"github.com/postgeo/postgeo/envelope"
)

// maxPlain is how many bytes of an answer a spool keeps as they are.
const maxPlain = 1 << 20

// packedPart is the part of its size that the compressed JSON of an answer
// takes, one in so many.
const packedPart = 6

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

// sendSpool sends a long answer.
func (c *call) sendSpool(status int, b *spooled) error {
	tail, err := envelope.AppendTail(nil, b.meta)
	if err != nil {
		return fmt.Errorf("server: encoding the answer: %w", err)
	}
	s := b.results
	s.add(tail)
	s.end()
	c.turn.Reserve(int64(cap(s.packed.b)))
	return c.sendPacked(status, s.packed.b, s.size)
}
