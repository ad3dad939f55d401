package progress

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/postgeo/postgeo/dataset/build/fetch"
	"github.com/postgeo/postgeo/internal/plain"
)

// Bars draws a bar for every transfer and a line for every step of a build.
// It is used from one goroutine.
type Bars struct {
	w   io.Writer
	bar *progressbar.ProgressBar
}

// NewBars returns Bars that draw to a terminal.
func NewBars(w io.Writer) *Bars { return &Bars{w: w} }

// Start begins the bar of a transfer.
func (b *Bars) Start(s fetch.Source, have, total int64) {
	b.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(plain.Raw(b.w)), // drawn with control characters
		progressbar.OptionSetDescription(plain.Line(fmt.Sprintf("  %-22s", s.ID))),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowTotalBytes(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionSetSpinnerChangeInterval(0), // drawn by Advance alone, never by another goroutine
	)
	if have > 0 {
		_ = b.bar.Add64(have)
	}
}

// Advance moves the bar.
func (b *Bars) Advance(_ fetch.Source, n int64) {
	if b.bar != nil {
		_ = b.bar.Add64(n)
	}
}

// Retry says that a transfer is tried again.
func (b *Bars) Retry(s fetch.Source, cause error, wait time.Duration) {
	b.leave()
	_ = plain.Linef(b.w, "%s", retryText(s, cause, wait))
}

// Done ends the bar.
func (b *Bars) Done(_ fetch.Source, err error) {
	if err == nil && b.bar != nil {
		_ = b.bar.Finish()
	}
	b.leave()
}

// Step names what the build does now.
func (b *Bars) Step(name string) {
	b.leave()
	_ = plain.Linef(b.w, "  %s", name)
}

// Close ends a bar that is still drawn.
func (b *Bars) Close() { b.leave() }

// leave goes on to the line below the bar.
func (b *Bars) leave() {
	if b.bar != nil {
		_ = b.bar.Exit()
		fmt.Fprintln(b.w)
		b.bar = nil
	}
}

func retryText(s fetch.Source, cause error, wait time.Duration) string {
	return fmt.Sprintf("postgeo: %s: %v; trying again in %v", s.ID, cause, wait.Round(100*time.Millisecond))
}
