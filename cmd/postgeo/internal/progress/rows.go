package progress

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/postgeo/postgeo/internal/plain"
)

// Rows shows how a table is worked: on a terminal a line that changes, else a
// line every ten seconds. It is safe for concurrent use.
type Rows struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	now      func() time.Time
	began    time.Time
	shown    time.Time
	drawn    bool
	last     state
	stop     func()
}

// A state is how far a table is.
type state struct {
	rows, earlier int64
	begun, done   float64
}

// NewRows returns Rows that write to w. now is the clock.
func NewRows(w io.Writer, terminal bool, now func() time.Time) *Rows {
	began := now()
	if terminal {
		w = plain.Raw(w) // drawn with control characters, and numbers only
	}
	return &Rows{w: w, terminal: terminal, now: now, began: began, shown: began, last: state{done: -1}, stop: func() {}}
}

// How often a line is written.
const (
	redraw = 200 * time.Millisecond
	tell   = 10 * time.Second
)

// Keep has lines written until Close also while Show is not called, because the
// rows to come take long.
func (r *Rows) Keep() { r.stop = every(time.Second, r.Again) }

// Show says how many rows are done, how many of them earlier runs did, and
// which part of the input was behind them at the beginning and is now, from 0
// to 1, negative where nobody knows.
func (r *Rows) Show(rows, earlier int64, begun, done float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = state{rows, earlier, begun, done}
	r.show()
}

// Again says what Show has said last, if it is time for it.
func (r *Rows) Again() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.show()
}

func (r *Rows) show() {
	now := r.now()
	interval := tell
	if r.terminal {
		interval = redraw
	}
	if now.Sub(r.shown) < interval {
		return
	}
	r.shown = now
	text := r.last.line(now.Sub(r.began))
	if r.terminal {
		r.drawn = true
		fmt.Fprintf(r.w, "\r\x1b[K%s", text)
		return
	}
	fmt.Fprintln(r.w, text)
}

func (s state) line(took time.Duration) string {
	text := fmt.Sprintf("postgeo: %d rows, %.0f a second", s.rows, float64(s.rows-s.earlier)/took.Seconds())
	if s.done < 0 || s.done <= s.begun {
		return text
	}
	left := time.Duration(float64(took) * (1 - s.done) / (s.done - s.begun))
	return fmt.Sprintf("%s, %.0f %%, %v left", text, 100*s.done, left.Round(time.Second))
}

// Close goes on to the line below.
func (r *Rows) Close() {
	r.stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.drawn {
		fmt.Fprint(r.w, "\r\x1b[K")
		r.drawn = false
	}
}
