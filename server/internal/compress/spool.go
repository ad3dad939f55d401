package compress

import "github.com/klauspost/compress/gzip"

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
