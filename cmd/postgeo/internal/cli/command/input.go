package command

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
)

// maxLine bounds a line of standard input. A code has at most 50 characters.
const maxLine = 4096

// Inputs yields words, and for "-" the lines of standard input. It flushes the output
// before it reads the next line.
func (c *Call) Inputs(words []string) iter.Seq2[string, error] {
	flush := func() error { return nil }
	if c.writer != nil {
		flush = c.writer.Flush
	}
	return func(yield func(string, error) bool) {
		for _, word := range words {
			if word != "-" {
				if !yield(word, nil) {
					return
				}
				continue
			}
			lines := bufio.NewScanner(flushBeforeRead{c.Stdin, flush})
			lines.Buffer(make([]byte, 0, maxLine), maxLine)
			for lines.Scan() {
				if line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff")); line != "" && !yield(line, nil) {
					return
				}
			}
			if err := lines.Err(); err != nil {
				if errors.Is(err, bufio.ErrTooLong) {
					err = Failure(message.LongLine, maxLine)
				}
				yield("", Failure(message.ReadInput, err))
				return
			}
		}
	}
}

type flushBeforeRead struct {
	io.Reader
	flush func() error
}

func (r flushBeforeRead) Read(p []byte) (int, error) {
	if err := r.flush(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
