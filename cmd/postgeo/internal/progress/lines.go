package progress

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/postgeo/postgeo/dataset/build/fetch"
	"github.com/postgeo/postgeo/internal/plain"
)

// Lines writes a line now and then that says what the build does. It is safe
// for concurrent use.
type Lines struct {
	mu    sync.Mutex
	w     io.Writer
	now   func() time.Time
	what  string
	began time.Time
	have  int64
	total int64 // -1 not known
	moves bool  // what is a transfer
	spoke bool  // a line was written, or none will be

	stop func()
}

// NewLines returns Lines that write to w what is done first, and then what is
// done at every interval, until Close.
func NewLines(w io.Writer, interval time.Duration) *Lines {
	l := &Lines{w: w, now: time.Now}
	l.stop = every(interval, l.Report)
	return l
}

// every calls a function at every interval, until stop is called, which waits
// for a call that is under way.
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

// Report writes a line about what goes on now, if anything does.
func (l *Lines) Report() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.what == "" {
		return
	}
	line := "postgeo: " + l.what
	switch {
	case l.moves && l.total > 0:
		line += fmt.Sprintf(", %s of %s (%d %%)", Bytes(l.have), Bytes(l.total), 100*l.have/l.total)
	case l.moves:
		line += ", " + Bytes(l.have)
	}
	_ = plain.Linef(l.w, "%s, %v", line, l.now().Sub(l.began).Round(time.Second))
}

func (l *Lines) set(what string, moves bool, have, total int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.what, l.moves, l.have, l.total, l.began = what, moves, have, total, l.now()
	if what != "" && !l.spoke { // nobody should wait for the first line
		l.spoke = true
		_ = plain.Linef(l.w, "postgeo: %s", what)
	}
}

// Start begins a transfer.
func (l *Lines) Start(s fetch.Source, have, total int64) { l.set("fetching "+s.ID, true, have, total) }

// Advance counts bytes of the transfer.
func (l *Lines) Advance(_ fetch.Source, n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.have += n
}

// Retry says that a transfer is tried again.
func (l *Lines) Retry(s fetch.Source, cause error, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = plain.Linef(l.w, "%s", retryText(s, cause, wait))
}

// Done ends a transfer.
func (l *Lines) Done(fetch.Source, error) { l.set("", false, 0, 0) }

// Step names what the build does now.
func (l *Lines) Step(name string) { l.set(name, false, 0, 0) }

// Close stops the lines.
func (l *Lines) Close() {
	l.stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spoke = true
}
