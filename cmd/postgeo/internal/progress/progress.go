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
	name     string                 // of the step; "" if nothing runs
	detail   func(s float64) string // of the step after seconds
	began    time.Time
	bytes    int64 // of the transfer so far
	shown    bool  // a step was written
	end      chan struct{}
	ended    sync.WaitGroup
}

// Interval is the usual time between lines without a terminal.
const Interval = 10 * time.Second

// New returns a Display that writes to w until Close, without a terminal at an interval.
func New(w io.Writer, terminal bool, interval time.Duration) *Display {
	d := &Display{w: w, terminal: terminal, began: time.Now(), end: make(chan struct{})}
	if terminal {
		d.w = plain.Raw(w) // drawn with control characters, which w escapes
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
	if d.detail != nil {
		took := time.Since(d.began)
		d.draw(d.name + d.detail(took.Seconds()) + ", " + took.Round(time.Second).String())
	}
}

// draw writes a line, on a terminal over the last one.
func (d *Display) draw(text string) {
	d.shown = true
	if text = "postgeo: " + plain.Line(text); d.terminal {
		text = "\r\x1b[K" + text
	} else {
		text += "\n"
	}
	_, _ = io.WriteString(d.w, text)
}

// begin starts a step. The first one is written at once.
func (d *Display) begin(name string, detail func(seconds float64) string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.name, d.detail, d.began = name, detail, time.Now()
	if !d.shown {
		d.draw(name)
	}
}

// Step begins a step of a build.
func (d *Display) Step(name string) { d.begin(name, func(float64) string { return "" }) }

// Start begins a transfer. The total is -1 if it is unknown.
func (d *Display) Start(source fetch.Source, have, total int64) {
	d.mu.Lock()
	d.bytes = have
	d.mu.Unlock()
	d.begin("fetching "+source.ID, func(float64) string {
		if total > 0 {
			return fmt.Sprintf(", %s of %s", Bytes(d.bytes), Bytes(total))
		}
		return ", " + Bytes(d.bytes)
	})
}

// Advance counts bytes of the transfer.
func (d *Display) Advance(_ fetch.Source, n int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bytes += n
}

// Retry reports that a transfer is tried again.
func (d *Display) Retry(source fetch.Source, cause error, wait time.Duration) {
	d.Step(fmt.Sprintf("%s: %v; trying again in %v", source.ID, cause, wait.Round(100*time.Millisecond)))
	d.Report()
}

// Done ends a transfer.
func (d *Display) Done(fetch.Source, error) { d.begin("", nil) }

// Rows takes the number of completed rows, and the part of the input that they are, from
// 0 to 1; negative means unknown.
func (d *Display) Rows(rows int64, part float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.detail = func(seconds float64) string {
		text := fmt.Sprintf("%d rows, %.0f a second", rows, float64(rows)/seconds)
		if part > 0 {
			text += fmt.Sprintf(", %.0f %%", 100*part)
		}
		return text
	}
}

// Close ends the output. It removes the line from a terminal.
func (d *Display) Close() {
	close(d.end)
	d.ended.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.terminal && d.shown {
		_, _ = io.WriteString(d.w, "\r\x1b[K")
	}
	d.detail = nil
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
