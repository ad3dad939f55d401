// Package progress shows the progress of builds and tables on standard error:
// as a line that changes on a terminal, as lines elsewhere.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// The intervals of lines on a terminal and elsewhere.
const (
	redraw = 200 * time.Millisecond
	repeat = 10 * time.Second
)

// A screen shows a status: on a terminal as a line that changes, else as lines.
type screen struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	drawn    bool // the terminal shows a status
	end      chan struct{}
	done     sync.WaitGroup
}

func newScreen(w io.Writer, terminal bool) *screen {
	if terminal {
		w = plain.Raw(w) // drawn with control characters
	}
	return &screen{w: w, terminal: terminal, end: make(chan struct{})}
}

// every calls a function at every interval until stop.
func (s *screen) every(interval time.Duration, call func()) {
	s.done.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-s.end:
				return
			case <-ticker.C:
				call()
			}
		}
	})
}

// stop waits for the last call of every.
func (s *screen) stop() {
	close(s.end)
	s.done.Wait()
}

func (s *screen) draw(format string, args ...any) {
	text := fmt.Sprintf("postgeo: "+format, args...)
	if !s.terminal {
		_ = plain.Linef(s.w, "%s", text)
		return
	}
	s.drawn = true
	fmt.Fprintf(s.w, "\r\x1b[K%s", plain.Line(text))
}

// leave removes the status from a terminal, or keeps it and continues below it.
func (s *screen) leave(text string) {
	if s.drawn {
		fmt.Fprint(s.w, text)
		s.drawn = false
	}
}

// Rows shows the progress of a table: on a terminal a line that changes, else a
// line every ten seconds. It is safe for concurrent use.
type Rows struct {
	*screen
	now          func() time.Time
	began, shown time.Time
	rows         int64
	part         float64
}

// NewRows returns Rows that write to w. now is the clock.
func NewRows(w io.Writer, terminal bool, now func() time.Time) *Rows {
	began := now()
	return &Rows{screen: newScreen(w, terminal), now: now, began: began, shown: began}
}

// Keep writes lines until Close also without calls of Show, for slow rows.
func (r *Rows) Keep() { r.every(time.Second, r.Again) }

// Show takes the number of completed rows, and the part of the input that they are,
// from 0 to 1; negative means unknown.
func (r *Rows) Show(rows int64, part float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows, r.part = rows, part
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
	if r.terminal {
		interval = redraw
	}
	if now.Sub(r.shown) < interval {
		return
	}
	r.shown = now
	took, left := now.Sub(r.began), ""
	if r.part > 0 {
		rest := time.Duration(float64(took) * (1 - r.part) / r.part)
		left = fmt.Sprintf(", %.0f %%, %v left", 100*r.part, rest.Round(time.Second))
	}
	r.draw("%d rows, %.0f a second%s", r.rows, float64(r.rows)/took.Seconds(), left)
}

// Close ends the output.
func (r *Rows) Close() {
	r.stop()
	r.leave("\r\x1b[K")
}

// Steps shows the steps and transfers of a build: on a terminal a line for each,
// else the current one from time to time. It is safe for concurrent use.
type Steps struct {
	*screen
	name     string // of the step or transfer
	began    time.Time
	have     int64
	total    int64 // -1 if unknown
	transfer bool
	quiet    bool // the first step was written, or Close was called
}

// NewSteps returns Steps that write to w at every interval until Close. On a
// terminal the interval is shorter.
func NewSteps(w io.Writer, terminal bool, interval time.Duration) *Steps {
	if terminal {
		interval = redraw
	}
	s := &Steps{screen: newScreen(w, terminal)}
	s.every(interval, s.Report)
	return s
}

// Report writes the current step, if any.
func (s *Steps) Report() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report()
}

func (s *Steps) report() {
	if s.name == "" {
		return
	}
	part := ""
	switch {
	case s.transfer && s.total > 0:
		part = fmt.Sprintf(", %s of %s (%d %%)", Bytes(s.have), Bytes(s.total), 100*s.have/s.total)
	case s.transfer:
		part = ", " + Bytes(s.have)
	}
	s.draw("%s%s, %v", s.name, part, time.Since(s.began).Round(time.Second))
}

func (s *Steps) set(name string, transfer bool, have, total int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.drawn {
		s.report()
		s.leave("\n")
	}
	s.name, s.transfer, s.have, s.total, s.began = name, transfer, have, total, time.Now()
	if name != "" && (!s.quiet || s.terminal) { // the first line comes at once
		s.quiet = true
		s.draw("%s", name)
	}
}

// Start begins a transfer.
func (s *Steps) Start(source fetch.Source, have, total int64) {
	s.set("fetching "+source.ID, true, have, total)
}

// Advance counts bytes of the transfer.
func (s *Steps) Advance(_ fetch.Source, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.have += n
}

// Retry reports that a transfer is tried again.
func (s *Steps) Retry(source fetch.Source, cause error, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave("\n")
	s.draw("%s: %v; trying again in %v", source.ID, cause, wait.Round(100*time.Millisecond))
	s.leave("\n")
}

// Done ends a transfer.
func (s *Steps) Done(fetch.Source, error) { s.set("", false, 0, 0) }

// Step begins a step of the build.
func (s *Steps) Step(name string) { s.set(name, false, 0, 0) }

// Close ends the output.
func (s *Steps) Close() {
	s.stop()
	s.set("", false, 0, 0)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet, s.terminal = true, false
}

// Bytes writes a number of bytes with the decimal unit that keeps it short,
// e.g. "4.7 MB".
func Bytes(n int64) string {
	for _, unit := range [...]struct {
		size float64
		name string
	}{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if float64(n) >= unit.size {
			return fmt.Sprintf("%.1f %s", float64(n)/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}
