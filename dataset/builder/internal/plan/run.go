// Package plan keeps the sources of a build, reads their rows, and collects what the
// parts of the build report.
package plan

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/source/fetch"
)

// A Build is the state of one build: its sources, and the findings of its parts.
type Build struct {
	// Filter, if not nil, returns the row that takes the place of a row of a source, of
	// the same type, or false to leave it out.
	Filter func(id string, row any) (any, bool)

	notes    Notes
	timings  []Timing
	progress func(part string) // nil disables it
	layers   []string
	sources  []*Source
}

// A Source is a file of a build.
type Source struct {
	fetch.File
	Read    bool  // whether a part has read it
	Rows    int64 // rows read
	Refused int64 // rows refused
}

// A Timing is the duration of a part.
type Timing struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// New returns a build of the layers. It calls progress, unless that is nil, with the
// name of each part.
func New(layers []string, progress func(part string)) *Build {
	return &Build{layers: layers, progress: progress}
}

// Add adds a source. Sources keep the order of the calls.
func (b *Build) Add(f *fetch.File) { b.sources = append(b.sources, &Source{File: *f}) }

// Sources returns the sources.
func (b *Build) Sources() []*Source { return b.sources }

// Timings returns the durations of the parts that have run.
func (b *Build) Timings() []Timing { return b.timings }

// Notes returns the findings.
func (b *Build) Notes() Notes { return b.notes }

// Do runs a part of the build.
func (b *Build) Do(ctx context.Context, name string, part func(*Env) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.progress != nil {
		b.progress(name)
	}
	start := time.Now()
	err := part(&Env{build: b, notes: &b.notes})
	b.timings = append(b.timings, Timing{Name: name, Seconds: time.Since(start).Seconds()})
	if err != nil && !strings.HasPrefix(err.Error(), name+": ") {
		return fmt.Errorf("%s: %w", name, err)
	}
	return err
}
