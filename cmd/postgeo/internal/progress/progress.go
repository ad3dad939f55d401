// Package progress shows the progress of builds and tables on standard error: on a
// terminal as a line that changes, elsewhere as a line every ten seconds.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// A Display shows the current step of a command, or the rows of a table. It is safe for
// concurrent use.
type Display struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	state    func(took time.Duration) string // nil if nothing runs
	began    time.Time
	advance  func(n int64) // counts bytes of the transfer
	begun    bool          // a step was written
	drawn    bool          // the terminal shows a state
	end      chan struct{}
	ended    sync.WaitGroup
}

// Interval is the usual time between lines without a terminal.
const Interval = 10 * time.Second

// New returns a Display that writes to w until Close, without a terminal at an interval.
func New(w io.Writer, terminal bool, interval time.Duration) *Display {
	d := &Display{w: w, terminal: terminal, began: time.Now(), end: make(chan struct{})}
	if terminal {
		d.w = plain.Raw(w) // drawn with control characters
		interval = 200 * time.Millisecond
	}
	d.ended.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-d.end:
				return
			case <-ticker.C:
				d.Report()
			}
		}
	})
	return d
}

// Report writes the state, if anything runs.
func (d *Display) Report() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state != nil {
		d.draw(d.state(time.Since(d.began)))
	}
}

func (d *Display) draw(text string) {
	text = "postgeo: " + text
	if !d.terminal {
		_ = plain.Linef(d.w, "%s", text)
		return
	}
	d.drawn = true
	fmt.Fprintf(d.w, "\r\x1b[K%s", plain.Line(text))
}

// leave keeps the line on a terminal, or removes it.
func (d *Display) leave(text string) {
	if d.drawn {
		fmt.Fprint(d.w, text)
		d.drawn = false
	}
}

// begin starts a step. The first one is written at once.
func (d *Display) begin(name string, detail func() string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.leave("\n")
	d.began, d.state = time.Now(), nil
	if name == "" {
		return
	}
	d.state = func(took time.Duration) string {
		return fmt.Sprintf("%s%s, %v", name, detail(), took.Round(time.Second))
	}
	if !d.begun || d.terminal {
		d.begun = true
		d.draw(name)
	}
}

// Step begins a step of a build.
func (d *Display) Step(name string) { d.begin(name, func() string { return "" }) }

// Start begins a transfer. The total is -1 if it is unknown.
func (d *Display) Start(source fetch.Source, have, total int64) {
	d.begin("fetching "+source.ID, func() string {
		if total > 0 {
			return fmt.Sprintf(", %s of %s (%d %%)", Bytes(have), Bytes(total), 100*have/total)
		}
		return ", " + Bytes(have)
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	d.advance = func(n int64) { have += n }
}

// Advance counts bytes of the transfer.
func (d *Display) Advance(_ fetch.Source, n int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.advance(n)
}

// Retry reports that a transfer is tried again.
func (d *Display) Retry(source fetch.Source, cause error, wait time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.leave("\n")
	d.draw(fmt.Sprintf("%s: %v; trying again in %v", source.ID, cause, wait.Round(100*time.Millisecond)))
	d.leave("\n")
}

// Done ends a transfer.
func (d *Display) Done(fetch.Source, error) { d.Step("") }

// Rows takes the number of completed rows, and the part of the input that they are, from
// 0 to 1; negative means unknown.
func (d *Display) Rows(rows int64, part float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.state = func(took time.Duration) string {
		left := ""
		if part > 0 {
			rest := time.Duration(float64(took) * (1 - part) / part)
			left = fmt.Sprintf(", %.0f %%, %v left", 100*part, rest.Round(time.Second))
		}
		return fmt.Sprintf("%d rows, %.0f a second%s", rows, float64(rows)/took.Seconds(), left)
	}
}

// Close ends the output. It removes the line of rows from a terminal.
func (d *Display) Close() {
	close(d.end)
	d.ended.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.leave("\r\x1b[K")
	d.state = nil
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
