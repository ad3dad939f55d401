package progress_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

var _ builder.Progress = (*progress.Steps)(nil)

func TestSteps(t *testing.T) {
	var b bytes.Buffer
	l := progress.NewSteps(&b, false, time.Hour)
	defer l.Close()
	s := fetch.Source{ID: "geonames-us"}

	l.Report() // nothing goes on yet
	l.Start(s, 250_000, 1_000_000)
	l.Advance(s, 250_000)
	l.Report()
	l.Retry(s, errors.New("connection reset"), 1500*time.Millisecond)
	l.Done(s, nil)
	l.Report()
	l.Start(s, 0, -1)
	l.Advance(s, 999)
	l.Report()
	l.Step("ZIP Codes: counties")
	l.Report()

	want := "postgeo: fetching geonames-us\n" + // at once
		"postgeo: fetching geonames-us, 500.0 kB of 1.0 MB (50 %), 0s\n" +
		"postgeo: geonames-us: connection reset; trying again in 1.5s\n" +
		"postgeo: fetching geonames-us, 999 B, 0s\n" +
		"postgeo: ZIP Codes: counties, 0s\n"
	if b.String() != want {
		t.Errorf("lines:\n%s\nwant:\n%s", b.String(), want)
	}
}

// A line comes without anybody asking, the second by the clock, and none after
// Close.
func TestStepsTick(t *testing.T) {
	r := &lineCounter{second: make(chan struct{})}
	l := progress.NewSteps(r, false, time.Millisecond)
	l.Step("writing")
	<-r.second
	l.Close()
	n := r.n
	l.Step("after the end")
	if r.n != n {
		t.Errorf("%d lines after Close, %d before", r.n, n)
	}
}

type lineCounter struct {
	n      int
	second chan struct{}
}

func (c *lineCounter) Write(p []byte) (int, error) {
	if c.n++; c.n == 2 {
		close(c.second)
	}
	return len(p), nil
}

// On a terminal a step has a line that changes, and stays when the next begins.
func TestTerminal(t *testing.T) {
	var b bytes.Buffer
	steps := progress.NewSteps(&b, true, time.Hour)
	s := fetch.Source{ID: "gazetteer-zcta"}
	steps.Start(s, 100, 1000)
	steps.Advance(s, 900)
	steps.Retry(s, errors.New("time\x1bout"), time.Second)
	steps.Report()
	steps.Done(s, nil)
	steps.Step("writing")
	steps.Close()
	const line = "\r\x1b[K"
	want := line + "postgeo: fetching gazetteer-zcta\n" +
		line + "postgeo: gazetteer-zcta: time\\u001bout; trying again in 1s\n" +
		line + "postgeo: fetching gazetteer-zcta, 1.0 kB of 1.0 kB (100 %), 0s" + line + "postgeo: fetching gazetteer-zcta, 1.0 kB of 1.0 kB (100 %), 0s\n" +
		line + "postgeo: writing" + line + "postgeo: writing, 0s\n"
	if b.String() != want {
		t.Errorf("%q\nwant %q", b.String(), want)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 4_730_000: "4.7 MB", 12_300_000_000: "12.3 GB"} {
		if got := progress.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q; want %q", n, got, want)
		}
	}
}

// TestRows turns the clock: without a terminal there is a line every ten
// seconds, whether rows come or not; on one it changes five times a second.
func TestRows(t *testing.T) {
	type event struct {
		at   time.Duration
		rows int64
		done float64 // 0: nothing came, the clock alone went on
		want string
	}
	tests := []struct {
		name     string
		terminal bool
		events   []event
	}{
		{"lines", false, []event{
			{9_900 * time.Millisecond, 100, 0.1, ""},
			{10 * time.Second, 1000, 0.1, "postgeo: 1000 rows, 100 a second, 10 %, 1m30s left\n"},
			{10_001 * time.Millisecond, 1100, 0.1, ""},
			{19_999 * time.Millisecond, 1200, 0.15, ""},
			{20 * time.Second, 0, 0, "postgeo: 1200 rows, 60 a second, 15 %, 1m53s left\n"},
			{25 * time.Second, 0, 0, ""},
			{30 * time.Second, 0, 0, "postgeo: 1200 rows, 40 a second, 15 %, 2m50s left\n"},
			{95 * time.Second, 9500, 1, "postgeo: 9500 rows, 100 a second, 100 %, 0s left\n"},
		}},
		{"nothing comes", false, []event{{11 * time.Second, 0, 0, "postgeo: 0 rows, 0 a second\n"}}},
		{"a stream", false, []event{{10 * time.Second, 50, -1, "postgeo: 50 rows, 5 a second\n"}}},
		{"terminal", true, []event{
			{100 * time.Millisecond, 10, 0.1, ""},
			{200 * time.Millisecond, 20, 0.5, "\r\x1b[Kpostgeo: 20 rows, 100 a second, 50 %, 0s left"},
			{300 * time.Millisecond, 30, 0.6, ""},
			{400 * time.Millisecond, 0, 0, "\r\x1b[Kpostgeo: 30 rows, 75 a second, 60 %, 0s left"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			now := began
			r := progress.NewRows(&b, tt.terminal, func() time.Time { return now })
			for _, e := range tt.events {
				now = began.Add(e.at)
				if e.done == 0 {
					r.Again()
				} else {
					r.Show(e.rows, e.done)
				}
				if got := b.String(); got != e.want {
					t.Errorf("after %v: %q, want %q", e.at, got, e.want)
				}
				b.Reset()
			}
			r.Close()
			if want := map[bool]string{true: "\r\x1b[K"}[tt.terminal]; b.String() != want {
				t.Errorf("the end is %q, want %q", b.String(), want)
			}
		})
	}
}
