// Package progress shows the progress of builds and tables on standard error:
// as a line that changes on a terminal, as lines elsewhere.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Rows shows the progress of a table: on a terminal a line that changes, else a
// line every ten seconds. It is safe for concurrent use.
type Rows struct {
	mu     sync.Mutex
	screen screen
	now    func() time.Time
	began  time.Time
	shown  time.Time
	last   state
	stop   func()
}

// A state is the progress of a table.
type state struct {
	rows int64
	done float64
}

// NewRows returns Rows that write to w. now is the clock.
func NewRows(w io.Writer, terminal bool, now func() time.Time) *Rows {
	began := now()
	return &Rows{screen: newScreen(w, terminal), now: now, began: began, shown: began, last: state{done: -1}, stop: func() {}}
}

// The intervals of lines on a terminal and elsewhere.
const (
	redraw = 200 * time.Millisecond
	repeat = 10 * time.Second
)

// Keep writes lines until Close also without calls of Show, for slow rows.
func (r *Rows) Keep() { r.stop = every(time.Second, r.Again) }

// Show takes the number of completed rows, and the part of the input that they are,
// from 0 to 1; negative means unknown.
func (r *Rows) Show(rows int64, done float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = state{rows, done}
	r.show()
}

// Again shows the last state if it is due.
func (r *Rows) Again() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.show()
}

func (r *Rows) show() {
	now := r.now()
	interval := repeat
	if r.screen.terminal {
		interval = redraw
	}
	if now.Sub(r.shown) < interval {
		return
	}
	r.shown = now
	r.screen.draw(r.last.line(now.Sub(r.began)))
}

func (s state) line(took time.Duration) string {
	text := fmt.Sprintf("postgeo: %d rows, %.0f a second", s.rows, float64(s.rows)/took.Seconds())
	if s.done <= 0 {
		return text
	}
	left := time.Duration(float64(took) * (1 - s.done) / s.done)
	return fmt.Sprintf("%s, %.0f %%, %v left", text, 100*s.done, left.Round(time.Second))
}

// Close ends the output.
func (r *Rows) Close() {
	r.stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.screen.clear()
}
