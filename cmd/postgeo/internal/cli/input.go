package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// maxLine bounds a line of standard input. A code has at most 50 characters.
const maxLine = 4096

// inputCodes yields the arguments, and for "-" the lines of standard input.
// flush is called before standard input is waited for, so that answers to what
// came so far can be read.
func inputCodes(args []string, stdin io.Reader, flush func() error) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, code := range args {
			if code != "-" {
				if !yield(code, nil) {
					return
				}
				continue
			}
			lines := bufio.NewScanner(flushBeforeRead{stdin, flush})
			lines.Buffer(make([]byte, 0, maxLine), maxLine)
			for lines.Scan() {
				if line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff")); line != "" && !yield(line, nil) {
					return
				}
			}
			if err := lines.Err(); err != nil {
				if errors.Is(err, bufio.ErrTooLong) {
					err = fmt.Errorf("a line is longer than %d bytes; give one code a line", maxLine)
				}
				yield("", fmt.Errorf("read codes from standard input: %w", err))
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
