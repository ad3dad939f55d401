package progress

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// Steps shows the steps and transfers of a build: on a terminal a line for each,
// else the current one from time to time. It is safe for concurrent use.
type Steps struct {
	mu       sync.Mutex
	screen   screen
	now      func() time.Time
	name     string // of the step or transfer
	began    time.Time
	have     int64
	total    int64 // -1 if unknown
	transfer bool
	quiet    bool // the first step was written, or Close was called

	stop func()
}

// NewSteps returns Steps that write to w at every interval until Close. On a
// terminal the interval is shorter.
func NewSteps(w io.Writer, terminal bool, interval time.Duration) *Steps {
	if terminal {
		interval = redraw
	}
	s := &Steps{screen: newScreen(w, terminal), now: time.Now}
	s.stop = every(interval, s.Report)
	return s
}

// every calls a function at every interval until stop is called, which waits for
// the last call.
func every(interval time.Duration, call func()) (stop func()) {
	end := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-end:
				return
			case <-ticker.C:
				call()
			}
		}
	})
	return func() {
		close(end)
		done.Wait()
	}
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
	line := "postgeo: " + s.name
	switch {
	case s.transfer && s.total > 0:
		line += fmt.Sprintf(", %s of %s (%d %%)", Bytes(s.have), Bytes(s.total), 100*s.have/s.total)
	case s.transfer:
		line += ", " + Bytes(s.have)
	}
	s.screen.draw(fmt.Sprintf("%s, %v", line, s.now().Sub(s.began).Round(time.Second)))
}

func (s *Steps) set(name string, transfer bool, have, total int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.screen.drawn {
		s.report()
		s.screen.keep()
	}
	s.name, s.transfer, s.have, s.total, s.began = name, transfer, have, total, s.now()
	if name != "" && (!s.quiet || s.screen.terminal) { // the first line comes at once
		s.quiet = true
		s.screen.draw("postgeo: " + name)
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
	s.screen.keep()
	s.screen.draw(fmt.Sprintf("postgeo: %s: %v; trying again in %v", source.ID, cause, wait.Round(100*time.Millisecond)))
	s.screen.keep()
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
	s.quiet, s.screen.terminal = true, false
}

// A screen shows a status: on a terminal as a line that changes, else as lines.
type screen struct {
	w        io.Writer
	terminal bool
	drawn    bool // the terminal shows a status
}

func newScreen(w io.Writer, terminal bool) screen {
	if terminal {
		w = plain.Raw(w) // drawn with control characters
	}
	return screen{w: w, terminal: terminal}
}

func (s *screen) draw(text string) {
	if !s.terminal {
		_ = plain.Linef(s.w, "%s", text)
		return
	}
	s.drawn = true
	fmt.Fprintf(s.w, "\r\x1b[K%s", plain.Line(text))
}

// clear removes the status from a terminal.
func (s *screen) clear() {
	if s.drawn {
		fmt.Fprint(s.w, "\r\x1b[K")
		s.drawn = false
	}
}

// keep leaves the status on a terminal and continues below it.
func (s *screen) keep() {
	if s.drawn {
		fmt.Fprintln(s.w)
		s.drawn = false
	}
}

// Bytes writes a number of bytes with the decimal unit that keeps it short,
// e.g. "4.7 MB".
func Bytes(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	default:
		return fmt.Sprintf("%d B", n)
	}
}
