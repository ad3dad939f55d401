package table

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// check refuses options that no input can be read by.
func (opt *Input) check() error {
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

func (s *Source) openText(r io.Reader, opt Input) error {
	s.noHead, s.format = opt.NoHeader, opt.Format
	f := feed{in: r, line: 1, rows: blockRows, bytes: blockBytes, max: opt.MaxRow}
	if f.max <= 0 {
		f.max = MaxRow
	}
	if opt.Format == NDJSON {
		js, err := openJSON(f, opt)
		s.source = js
		return err
	}
	cs, err := openCSV(f, opt)
	s.source = cs
	return err
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
