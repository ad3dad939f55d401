package command

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
)

// A Call is one run of a command.
type Call struct {
	*Env
	Context context.Context

	DB   *postgeo.DB // open if the options embed Data
	Path string      // of the dataset; "" is the embedded sample

	Output  output.Options // of the flags and the view
	Several bool           // an item per input, which repeats its input

	writer     *output.Writer
	sample     bool
	failed     int  // inputs
	missing    bool // a code was not found
	outlineErr error
}

// People reports whether people read the format. They see failures on standard
// error only.
func (c *Call) People() bool { return c.Output.Format.People() }

// A Result is the output of a command. The zero Result is empty.
type Result struct {
	whole any
	rows  iter.Seq2[any, error]
}

// Rows returns a result of rows.
func Rows[R any](rows []R) Result {
	return Stream(func(yield func(*R, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	})
}

// Row returns a result of one row.
func Row[R any](row R) (Result, error) {
	return Stream(func(yield func(R, error) bool) { yield(row, nil) }), nil
}

// Stream returns a result of rows that are written as they come.
func Stream[R any](rows iter.Seq2[R, error]) Result {
	return Result{rows: func(yield func(any, error) bool) {
		for row, err := range rows {
			if !yield(row, err) {
				return
			}
		}
	}}
}

// Whole makes the result in JSON one object, as a server sends it.
func (a Result) Whole(object any) Result {
	a.whole = object
	return a
}

// Before puts items before the rows.
func (a Result) Before(items ...any) Result {
	rows := a.rows
	a.rows = func(yield func(any, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
		rows(yield)
	}
	return a
}

// Write writes a result. After an error it completes the rows so far.
func (c *Call) Write(a Result) error {
	if a.rows == nil && a.whole == nil {
		return nil
	}
	if a.whole != nil && c.Output.Format == output.JSON {
		if err := c.writer.Write(a.whole); err != nil {
			return err
		}
		return c.writer.Close()
	}
	for row, err := range a.rows {
		if err == nil {
			err = c.Context.Err()
		}
		if err != nil {
			return errors.Join(err, c.writer.Close())
		}
		if err := c.writer.Write(row); err != nil {
			return err
		}
	}
	return c.writer.Close()
}

// Each returns an item for each of the words, see [Call.Inputs]. A failed input
// becomes a failed item. People get it on standard error only.
func (c *Call) Each(words []string, input func(text string) envelope.Input, one func(text string) (any, []envelope.Notice, error)) Result {
	return c.EachOf(c.Inputs(words), input, one)
}

// EachOf is Each of inputs from elsewhere.
func (c *Call) EachOf(inputs iter.Seq2[string, error], input func(text string) envelope.Input, one func(text string) (any, []envelope.Notice, error)) Result {
	return c.eachList(inputs, input, func(text string) ([]any, []envelope.Notice, error) {
		item, notices, err := one(text)
		return []any{item}, notices, err
	})
}

// EachList is Each of several items of a word.
func (c *Call) EachList(words []string, input func(text string) envelope.Input, list func(text string) ([]any, []envelope.Notice, error)) Result {
	return c.eachList(c.Inputs(words), input, list)
}

func (c *Call) eachList(inputs iter.Seq2[string, error], input func(text string) envelope.Input, list func(text string) ([]any, []envelope.Notice, error)) Result {
	return Result{rows: func(yield func(any, error) bool) {
		for text, err := range inputs {
			if err == nil {
				err = c.Context.Err()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			items, notices, err := list(text)
			if c.People() && c.Several {
				c.Notices(text, notices)
			}
			if err != nil {
				failed, ok := c.fail(input(text), err)
				if !ok {
					yield(nil, err)
					return
				}
				if c.People() {
					continue
				}
				items = []any{failed}
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}}
}

// Refuse returns the failed item of a single input, or nothing for people. It returns
// errors that are not about the input.
func (c *Call) Refuse(input envelope.Input, err error) (Result, error) {
	item, ok := c.fail(input, err)
	switch {
	case !ok:
		return Result{}, err
	case c.writer == nil || c.People():
		return Result{}, nil
	}
	return Rows([]envelope.Item{item}), nil
}

// Missing reports a missing result and counts it as a failure.
func (c *Call) Missing(format string, args ...any) {
	c.Report(format, args...)
	c.failed++
}

// MissingOfMany is Missing for one of many results. It reports only the first ones.
func (c *Call) MissingOfMany(format string, args ...any) {
	if c.failed++; c.failed <= MaxReports {
		c.Report(format, args...)
	}
}

// Incomplete is Missing on the sample, which may be the cause.
func (c *Call) Incomplete(format string, args ...any) {
	c.Missing(format, args...)
	c.missing = true
}

// Failures returns how many inputs have failed so far.
func (c *Call) Failures() int { return c.failed }

// NeedAreas returns an error if the dataset has no areas of codes. purpose
// completes the message.
func (c *Call) NeedAreas(purpose string) error {
	if has, err := c.DB.HasAreas(c.Context); has || err != nil {
		return err
	}
	return Failure(`dataset: %s has no areas of ZIP Codes or FSAs, required for %s; run 'postgeo dataset build --layers boundaries'`, FileName(c.Path), purpose)
}

// maxLine bounds a line of standard input. A code has at most 50 characters.
const maxLine = 4096

// Inputs yields words, and for "-" the lines of standard input that are not blank.
func (c *Call) Inputs(words []string) iter.Seq2[string, error] { return c.lines(words, true) }

// Lines yields words, and for "-" all lines of standard input.
func (c *Call) Lines(words []string) iter.Seq2[string, error] { return c.lines(words, false) }

// lines flushes the output before it reads the next line of standard input.
func (c *Call) lines(words []string, skipBlank bool) iter.Seq2[string, error] {
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
				line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
				if !(skipBlank && line == "") && !yield(line, nil) {
					return
				}
			}
			if err := lines.Err(); err != nil {
				if errors.Is(err, bufio.ErrTooLong) {
					err = Failure(`a line is longer than %d bytes; write one input per line`, maxLine)
				}
				yield("", Failure(`read standard input: %w`, err))
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
