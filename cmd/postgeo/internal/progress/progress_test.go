package progress_test

import (
	"bytes"
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

var _ builder.Progress = (*progress.Display)(nil)

// TestDisplay writes lines, and on a terminal a line that changes.
func TestDisplay(t *testing.T) {
	for terminal, want := range map[bool]string{
		false: "postgeo: fetching geonames-us\npostgeo: fetching geonames-us, 500.0 kB of 1.0 MB, 0s\n" +
			"postgeo: geonames-us: time\\u001bout; trying again in 1.5s, 0s\npostgeo: ZIP Codes: counties, 0s\n",
		true: "\r\x1b[Kpostgeo: fetching geonames-us\r\x1b[Kpostgeo: fetching geonames-us, 500.0 kB of 1.0 MB, 0s" +
			"\r\x1b[Kpostgeo: geonames-us: time\\u001bout; trying again in 1.5s, 0s\r\x1b[Kpostgeo: ZIP Codes: counties, 0s\r\x1b[K",
	} {
		var b bytes.Buffer
		d := progress.New(&b, terminal, time.Hour)
		s := fetch.Source{ID: "geonames-us"}
		d.Report() // nothing goes on yet
		d.Start(s, 250_000, 1_000_000)
		d.Advance(s, 250_000)
		d.Report()
		d.Retry(s, errors.New("time\x1bout"), 1500*time.Millisecond)
		d.Done(s, nil)
		d.Report()
		d.Step("ZIP Codes: counties")
		d.Report()
		d.Close()
		d.Report()
		if b.String() != want {
			t.Errorf("%q\nwant %q", b.String(), want)
		}
	}
}

// TestRows writes lines of rows by the clock, and none after Close.
func TestRows(t *testing.T) {
	r := &lines{second: make(chan struct{})}
	d := progress.New(r, false, time.Millisecond)
	d.Rows(1000, 0.5)
	<-r.second
	d.Close()
	n := r.n
	d.Report()
	if r.n != n || !regexp.MustCompile(`^postgeo: 1000 rows, \d+ a second, 50 %, \d+s\n`).Match(r.text.Bytes()) {
		t.Errorf("%d lines after Close, %d before: %s", r.n, n, r.text.Bytes())
	}
}

type lines struct {
	text   bytes.Buffer
	n      int
	second chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	if l.n++; l.n == 2 {
		close(l.second)
	}
	return l.text.Write(p)
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 4_730_000: "4.7 MB", 12_300_000_000: "12.3 GB"} {
		if got := progress.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q; want %q", n, got, want)
		}
	}
}
