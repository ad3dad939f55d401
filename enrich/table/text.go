package table

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// errNoParts is the error of an input that cannot be divided.
var errNoParts = errors.New("table: only a file can be read in parts, because its length has to be known; a stream cannot")

// check refuses options that no input can be read by.
func (opt *Input) check() error {
	if opt.Shards > 0 && (opt.Shard < 1 || opt.Shard > opt.Shards) {
		return fmt.Errorf("table: part %d of %d; expected 1 to %[2]d", opt.Shard, opt.Shards)
	}
	if d := opt.Delimiter; d >= utf8.RuneSelf || d == quote || d == '\n' || d == '\r' {
		return fmt.Errorf("table: the delimiter is %q; expected one byte of ASCII other than a quote or line end", d)
	}
	if opt.Encoding != "" {
		name, err := ParseEncoding(opt.Encoding)
		if err != nil {
			return err
		}
		opt.Encoding = name
	}
	return nil
}

// measure finds the length of the text. For a file that is compressed or in another
// encoding, and is read in parts, it reads all of it.
func (s *Source) measure(opt Input) error {
	decoding := encodings[s.encoding]
	switch {
	case !s.zipped && decoding == nil:
		s.length = s.size
		return nil
	case opt.Shards == 0:
		return nil
	case s.file == nil:
		return errNoParts
	}
	var text io.Reader = bufio.NewReader(io.NewSectionReader(s.file, 0, s.size))
	var err error
	if s.zipped {
		if text, err = gzip.NewReader(text); err != nil {
			return fmt.Errorf("table: read gzip: %w", err)
		}
	}
	if decoding != nil {
		text = decoding.NewDecoder().Reader(text)
	}
	if s.length, err = io.Copy(io.Discard, text); err != nil {
		return fmt.Errorf("table: measure the text: %w", err)
	}
	return nil
}

func (s *Source) openText(r io.Reader, opt Input) error {
	if opt.Shards > 0 && s.file == nil {
		return errNoParts
	}
	s.noHead, s.format = opt.NoHeader, opt.Format
	f := feed{in: r, line: 1, rows: blockRows, bytes: blockBytes, max: opt.MaxRow}
	if f.max <= 0 {
		f.max = MaxRow
	}
	if opt.Format == NDJSON {
		js, err := openJSON(f, opt)
		if err != nil {
			return err
		}
		s.source = js
		return s.textShard(&js.feed, &js.limit, opt)
	}
	cs, err := openCSV(f, opt)
	if err != nil {
		return err
	}
	s.source = cs
	return s.textShard(&cs.feed, &cs.limit, opt)
}

// textShard goes to the first row that begins in the part, and ends behind the
// last one.
func (s *Source) textShard(f *feed, limit *int64, opt Input) error {
	if opt.Shards == 0 {
		return nil
	}
	s.shard = fmt.Sprintf("%d/%d", opt.Shard, opt.Shards)
	begin, size := f.offset, s.length-f.offset
	part := func(i int) int64 { return begin + int64(float64(size)*float64(i)/float64(opt.Shards)) }
	*limit = part(opt.Shard)
	if opt.Shard == opt.Shards {
		*limit = -1
	}
	for f.offset < part(opt.Shard-1) {
		if _, err := f.row(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// seek continues at a position in the text. If the stream cannot jump, the text
// before it is read again.
func (f *feed) seek(at, line int64) error {
	for f.offset < at {
		if have := int64(len(f.buf) - f.at); have > 0 {
			n := min(have, at-f.offset)
			f.at += int(n)
			f.offset += n
			continue
		}
		if f.eof {
			return fmt.Errorf("table: the input ends at byte %d, the checkpoint is at %d; it is not the file of the first run", f.offset, at)
		}
		f.buf, f.at = f.buf[:0], 0
		if err := f.more(); err != nil {
			return err
		}
	}
	if f.offset != at {
		return fmt.Errorf("table: the checkpoint is at byte %d, in the header", at)
	}
	f.line = line
	return nil
}

// A countingReader counts the bytes that are read from a file, for the
// progress.
type countingReader struct {
	in io.Reader
	n  int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}
