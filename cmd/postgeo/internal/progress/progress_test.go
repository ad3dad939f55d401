package progress_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset/build"
	"github.com/postgeo/postgeo/dataset/build/fetch"
)

var (
	_ build.Progress = (*progress.Bars)(nil)
	_ build.Progress = (*progress.Lines)(nil)
)

func TestLines(t *testing.T) {
	var b bytes.Buffer
	l := progress.NewLines(&b, time.Hour)
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

	want := "postgeo: fetching geonames-us, 500.0 kB of 1.0 MB (50 %), 0s\n" +
		"postgeo: geonames-us: connection reset; trying again in 1.5s\n" +
		"postgeo: fetching geonames-us, 999 B, 0s\n" +
		"postgeo: ZIP Codes: counties, 0s\n"
	if b.String() != want {
		t.Errorf("lines:\n%s\nwant:\n%s", b.String(), want)
	}
}

// A line comes without anybody asking, and none after Close.
func TestLinesTick(t *testing.T) {
	r := &lineCounter{first: make(chan struct{})}
	l := progress.NewLines(r, time.Millisecond)
	l.Step("writing")
	<-r.first
	l.Close()
	n := r.n
	l.Step("after the end")
	if r.n != n {
		t.Errorf("%d lines after Close, %d before", r.n, n)
	}
}

type lineCounter struct {
	n     int
	first chan struct{}
}

func (c *lineCounter) Write(p []byte) (int, error) {
	if c.n == 0 {
		close(c.first)
	}
	c.n++
	return len(p), nil
}

func TestBars(t *testing.T) {
	var b bytes.Buffer
	bars := progress.NewBars(&b)
	s := fetch.Source{ID: "gazetteer-zcta"}
	bars.Start(s, 100, 1000)
	bars.Advance(s, 900)
	bars.Done(s, nil)
	bars.Start(s, 0, -1)
	bars.Advance(s, 10)
	bars.Retry(s, errors.New("timeout"), time.Second)
	bars.Start(s, 10, -1)
	bars.Done(s, errors.New("gone"))
	bars.Start(s, 0, 0) // an empty file
	bars.Advance(s, 0)
	bars.Done(s, nil)
	bars.Start(s, 0, 10) // one that is longer than was told
	bars.Advance(s, 20)
	bars.Done(s, nil)
	bars.Step("writing")
	bars.Close()
	got := b.String()
	for _, want := range []string{"gazetteer-zcta", "100%", "timeout; trying again in 1s", "  writing\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 4_730_000: "4.7 MB", 12_300_000_000: "12.3 GB"} {
		if got := progress.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q; want %q", n, got, want)
		}
	}
}
