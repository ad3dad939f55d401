package plan

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/source/fetch"
)

// A Build is the state of one build: its sources, its tables and its findings.
type Build struct {
	// Progress is called with the name of each step. nil disables it.
	Progress func(step string)
	// Watch is called before and after each step, with the tables that exist by
	// name. nil disables it.
	Watch func(s Step, tables map[string]any, after bool)
	// First is the name of a step that runs as early as its declarations allow. The
	// result is the same if they are complete. "" keeps the order of the list.
	First string
	// Serial runs one step at a time, for steps that share more than tables.
	Serial bool

	layers  []string
	sources []*Source
	tables  map[reflect.Type]reflect.Value // pointers
	given   []reflect.Type
	notes   map[string]*Notes // by step
	order   []string          // steps as listed
	timings []Timing
}

// A Source is a file of a build.
type Source struct {
	fetch.File
	Read    bool  // whether a step has read it
	Rows    int64 // rows read
	Refused int64 // rows refused
}

// A Timing is the duration of a step.
type Timing struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// New returns a build of the layers.
func New(layers []string) *Build {
	return &Build{layers: layers, tables: map[reflect.Type]reflect.Value{}, notes: map[string]*Notes{}}
}

// Add adds a source. Sources keep the order of the calls.
func (b *Build) Add(f *fetch.File) { b.sources = append(b.sources, &Source{File: *f}) }

// Sources returns the sources.
func (b *Build) Sources() []*Source { return b.sources }

// Timings returns the durations of the steps that have run.
func (b *Build) Timings() []Timing { return b.timings }

// Give adds a table, as a pointer, that exists before the first step.
func (b *Build) Give(tables ...any) {
	for _, t := range tables {
		v := reflect.ValueOf(t)
		b.tables[v.Type().Elem()] = v
		b.given = append(b.given, v.Type().Elem())
	}
}

// Notes returns the findings of the steps, in the order of their list.
func (b *Build) Notes() Notes {
	var all Notes
	for _, name := range b.order {
		if n := b.notes[name]; n != nil {
			all.merge(*n)
		}
	}
	return all
}

// Run runs the steps in an order that their declarations allow, several at a time
// if they share nothing. Every source must be read by a step.
func (b *Build) Run(ctx context.Context, steps []Step) error {
	ordered, err := order(steps, b.given, b.First)
	if err != nil {
		return err
	}
	ids := make([]string, len(b.sources))
	for i, s := range b.sources {
		ids[i] = s.Source.ID
	}
	if err := Unread(steps, ids); err != nil {
		return err
	}
	for _, s := range steps {
		b.order = append(b.order, s.Name)
		b.notes[s.Name] = &Notes{}
	}
	return b.runAll(ctx, ordered)
}

// Time runs f as a separate step without tables.
func (b *Build) Time(name string, f func() error) error {
	if b.Progress != nil {
		b.Progress(name)
	}
	start := time.Now()
	err := f()
	b.timings = append(b.timings, Timing{Name: name, Seconds: time.Since(start).Seconds()})
	return named(name, err)
}

// named adds the name of a step to its error.
func named(name string, err error) error {
	if err != nil && !strings.HasPrefix(err.Error(), name+": ") {
		return fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// prepare gives a step its tables.
func (b *Build) prepare(s Step) {
	do := reflect.ValueOf(s.Do).Elem()
	for _, f := range s.tables() {
		if _, have := b.tables[f.table]; !have {
			b.tables[f.table] = reflect.New(f.table)
		}
		do.Field(f.index).Set(b.tables[f.table])
	}
	if env := do.FieldByName("Env"); env.IsValid() {
		env.Set(reflect.ValueOf(&Env{build: b, step: s, notes: b.notes[s.Name]}))
	}
	b.watch(s, false)
}

// finish takes the tables from a step and drops those that no step in left uses.
func (b *Build) finish(s Step, left []Step) {
	b.watch(s, true)
	for _, f := range s.tables() {
		used := slices.ContainsFunc(left, func(l Step) bool {
			return l.Do != nil && slices.ContainsFunc(l.tables(), func(o tableField) bool { return o.table == f.table })
		})
		if !used {
			delete(b.tables, f.table)
		}
	}
	reflect.ValueOf(s.Do).Elem().SetZero() // the tables are not kept alive
}

func (b *Build) watch(s Step, after bool) {
	if b.Watch == nil {
		return
	}
	tables := map[string]any{}
	for t, v := range b.tables {
		tables[t.Name()] = v.Interface()
	}
	b.Watch(s, tables, after)
}
