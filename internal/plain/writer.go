package plain

import (
	"fmt"
	"io"
	"sync"
	"unicode/utf8"
)

// A Writer escapes hidden characters in its input. A character may be spread
// over several writes; an unfinished one waits for the next. A
// Writer is safe for concurrent use.
type Writer struct {
	mu   sync.Mutex
	w    io.Writer
	rest []byte // an unfinished character
	prev rune   // the last character
	buf  []byte
}

// NewWriter returns a Writer to w, or w itself if it is one.
func NewWriter(w io.Writer) *Writer {
	if p, ok := w.(*Writer); ok {
		return p
	}
	return &Writer{w: w}
}

// Write writes p after the unfinished character of the last write.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(p)
	if len(w.rest) > 0 {
		p = append(w.rest, p...)
		w.rest = nil
	}
	var done int
	w.buf, done = appendClean(w.buf[:0], string(p), w.prev, true)
	if done > 0 {
		w.prev, _ = utf8.DecodeLastRune(p[:done])
	}
	w.rest = append(w.rest, p[done:]...)
	if _, err := w.w.Write(w.buf); err != nil {
		return 0, err
	}
	return n, nil
}

// Raw returns the destination of w if it is a Writer, and else w. It is for data
// that must keep its bytes and for drawing with control characters.
func Raw(w io.Writer) io.Writer {
	if p, ok := w.(*Writer); ok {
		return p.w
	}
	return w
}

// Linef writes a formatted text as one line to w.
func Linef(w io.Writer, format string, args ...any) error {
	_, err := io.WriteString(w, Line(fmt.Sprintf(format, args...))+"\n")
	return err
}
