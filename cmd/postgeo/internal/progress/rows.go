package progress

import (
	"fmt"
	"io"
	"time"
)

// Rows shows how a table is worked: on a terminal a line that changes, else a
// line every ten seconds. It is used from one goroutine.
type Rows struct {
	w        io.Writer
	terminal bool
	now      func() time.Time
	began    time.Time
	shown    time.Time
	drawn    bool
}

// NewRows returns Rows that write to w. now is the clock.
func NewRows(w io.Writer, terminal bool, now func() time.Time) *Rows {
	began := now()
	return &Rows{w: w, terminal: terminal, now: now, began: began, shown: began}
}

// How often a line is written.
const (
	redraw = 200 * time.Millisecond
	tell   = 10 * time.Second
)

// Show says how many rows are done, how many of them earlier runs did, and
// which part of the input was behind them at the beginning and is now, from 0
// to 1, negative where nobody knows.
func (r *Rows) Show(rows, earlier int64, begun, done float64) {
	now := r.now()
	every := tell
	if r.terminal {
		every = redraw
	}
	if now.Sub(r.shown) < every {
		return
	}
	r.shown = now
	text := r.line(rows, earlier, begun, done, now.Sub(r.began))
	if r.terminal {
		r.drawn = true
		fmt.Fprintf(r.w, "\r\x1b[K%s", text)
		return
	}
	fmt.Fprintln(r.w, text)
}

func (r *Rows) line(rows, earlier int64, begun, done float64, took time.Duration) string {
	text := fmt.Sprintf("postgeo: %d rows, %.0f a second", rows, float64(rows-earlier)/took.Seconds())
	if done < 0 || done <= begun {
		return text
	}
	left := time.Duration(float64(took) * (1 - done) / (done - begun))
	return fmt.Sprintf("%s, %.0f %%, %v left", text, 100*done, left.Round(time.Second))
}

// Close goes on to the line below.
func (r *Rows) Close() {
	if r.drawn {
		fmt.Fprint(r.w, "\r\x1b[K")
		r.drawn = false
	}
}
