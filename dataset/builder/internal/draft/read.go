package draft

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/source/format"
)

// A failure ends the build. Parts panic with it by [check], and [try] turns it into an
// error, so that parts read like the recipe. Every part can fail, and none can do
// anything about a failure: as results, errors were only passed on. Any other panic is a
// defect and goes on. Goroutines must not call check, because no deferred try is on their
// stack; functions of [shape.Parallel] return errors for that reason.
type failure struct{ error }

// check ends the build if err is not nil.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// failed ends the build for an error of a source.
func failed(id string, err error) {
	if err != nil {
		check(fmt.Errorf("%s: %w", id, err))
	}
}

// must returns a value, or ends the build if err is not nil.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// try runs a part, or what else may call check, and returns the error that ended it.
func try(part func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			f, ok := p.(failure)
			if !ok {
				panic(p)
			}
			err = f.error
		}
	}()
	part()
	return nil
}

// A Source is a file of a build.
type Source struct {
	fetch.File
	Read    bool  // whether a part has read it
	Rows    int64 // rows read
	Refused int64 // rows refused

	refusal string // the first reason to refuse a row, with the example
}

// A Kind is a kind of findings of a build.
type Kind uint8

// The kinds of findings.
const (
	Refused Kind = iota // rows and values that were not used, by source and reason
	Ruled               // values that a rule changed or chose
	Missing             // gaps
	Written             // rows of a table of the dataset
)

// includes reports whether the build has the layer.
func (d *Draft) includes(l fetch.Layer) bool { return slices.Contains(d.Layers, string(l)) }

func (d *Draft) source(id string) *Source {
	for _, s := range d.Sources {
		if s.Source.ID == id {
			return s
		}
	}
	return nil
}

// has reports whether the build has all of the sources.
func (d *Draft) has(ids ...string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return d.source(id) == nil })
}

// fit reports whether the build has the outlines of a source, exact enough for shares.
func (d *Draft) fit(id string) bool {
	s := d.source(id)
	return s != nil && s.FitForShares
}

// files returns the identifiers of the files that the user named for a source.
func (d *Draft) files(id string) (ids []string) {
	for _, s := range d.Sources {
		if OneOf(s.Source.ID, id) {
			ids = append(ids, s.Source.ID)
		}
	}
	return ids
}

// OneOf reports whether an identifier is that of a source, or of a further file of it.
// Only digits make a further file: "acs-2" is one of "acs", but "acs-b01003" is another
// source.
func OneOf(id, source string) bool {
	number, further := strings.CutPrefix(id, source+"-")
	return id == source || further && number != "" && strings.Trim(number, "0123456789") == ""
}

// fileName returns the base name of a source's file.
func (d *Draft) fileName(id string) string {
	if s := d.source(id); s != nil {
		return filepath.Base(s.Path)
	}
	return id
}

// text returns the content of a source to read.
func (d *Draft) text(id string) format.File {
	f := d.source(id)
	return format.File{Path: f.Path, Member: f.Source.Member}
}

// line returns the file and line of a row, as the beginning of an example.
func (d *Draft) line(id string, line int) string {
	return fmt.Sprintf("%s:%d: ", d.fileName(id), line)
}

// describe sets the vintage of a source, and its title unless that is "", from the file.
func (d *Draft) describe(id, title, vintage string) {
	s := d.source(id)
	s.Source.Vintage = vintage
	if title != "" {
		s.Source.Title = title
	}
}

// refuse counts a row that is not used.
func (d *Draft) refuse(id, reason, example string) {
	if s := d.source(id); s != nil {
		s.Refused++
		if s.refusal == "" {
			s.refusal = reason + ": " + example
		}
	}
	d.drop(id, reason, example)
}

// drop counts a value that is not used, of a row that is.
func (d *Draft) drop(id, reason, example string) { d.Note(Refused, id+": "+reason, 1, example) }

// applied counts a value that a rule changed or chose.
func (d *Draft) applied(rule, example string) { d.Note(Ruled, rule, 1, example) }

// gap adds a number of missing values, unless n is 0.
func (d *Draft) gap(name string, n int64) {
	if n > 0 {
		d.Note(Missing, name, n, "")
	}
}

// written adds the number of rows of a table of the dataset.
func (d *Draft) written(table string, rows int) { d.Note(Written, table, int64(rows), "") }

// read calls take with every row of a source. It does nothing if the build does not have
// the source. It counts the rows that the reader refuses and those that take refuses with
// [refused]. Several parts may read a source, each for other records (City State names,
// then street aliases). So the largest number of rows counts, also against the expected
// number.
//
// A value that its reader could not parse and a row that take refuses are counted as
// refused. A row about other areas is counted apart, because the file is right to have it.
// Any other error ends the build.
func read[R any](d *Draft, id string, rows func(format.File) iter.Seq2[R, error], take func(R) error) {
	if !d.has(id) {
		return
	}
	const contextRows = 4096 // rows between two checks of the context
	s, n := d.source(id), int64(0)
	s.Read = true
	defer func() { s.Rows = max(s.Rows, n) }()
	for row, err := range ahead(rows(d.text(id))) {
		if n++; n%contextRows == 0 {
			check(d.ctx.Err())
		}
		if err == nil && d.Filter != nil {
			kept, ok := d.Filter(id, row)
			if !ok {
				continue
			}
			row = kept.(R) // a filter of tests keeps the type
		}
		if err == nil {
			err = take(row)
		}
		var no *refusal
		switch {
		case err == nil, d.refuseBad(id, err):
		case errors.Is(err, format.ErrOther):
			d.applied("rows of other areas in "+id+", passed over", err.Error())
		case errors.As(err, &no):
			d.refuse(id, no.reason, d.line(id, no.line)+no.given)
		default:
			failed(id, err)
		}
	}
	s.enough(max(s.Rows, n))
}

// readAreas reads the outlines of a source by the columns of the catalog.
func (d *Draft) readAreas(id string, take func(source.AreaRow) error) {
	read(d, id, catalog.Columns(id).Areas, take)
}

// refuseBad counts a row that its reader could not parse and reports whether
// err means that.
func (d *Draft) refuseBad(id string, err error) bool {
	bad := (*format.Error)(nil)
	ok := errors.Is(err, format.ErrValue) && errors.As(err, &bad)
	if ok {
		d.refuse(id, "bad "+bad.Column, bad.Error())
	}
	return ok
}

// refusal is the reason for not using a readable row.
type refusal struct {
	reason string // the same words for all such rows
	line   int    // line or record in the file
	given  string
}

// refused returns the error that refuses a row: the reason, the row's line or
// record, and the value.
func refused(reason string, line int, given string) error { return &refusal{reason, line, given} }

func (r *refusal) Error() string { return r.reason + ": " + r.given }

// once keeps the value of a key. It refuses the row of a second one.
func once[K comparable, V any](into map[K]V, key K, value V, reason string, line int) error {
	if _, have := into[key]; have {
		return refused(reason, line, fmt.Sprint(key))
	}
	into[key] = value
	return nil
}

// enough ends the build for a source without rows, and for one with far fewer
// rows than its mirror or else the catalog expects. A file that the user named
// may be a part of the published one, but not empty.
func (s *Source) enough(rows int64) {
	// Editions of a file differ by a few percent.
	const least = 0.8 // of the expected rows
	expected := s.Source.Rows
	switch {
	case s.Empty:
	case rows == 0 && (expected > 0 || !s.Source.Optional),
		s.Origin != fetch.Local && float64(rows) < least*float64(expected):
		check(fmt.Errorf("%s: %s: %d rows, expected about %d; the file is empty or cut short: get it again, or correct its rows in the mirror's ACTUAL.csv",
			s.Source.ID, s.Path, rows, expected))
	}
}

// ahead parses rows in a separate goroutine while earlier ones are used. The
// rows, and their order, stay the same. The goroutine has ended when the
// sequence does, so that its file can be closed.
//
// Rows change hands in batches, to pay for a channel operation once in 64 rows. The
// channel bounds the memory: about size*queued rows wait. Since rows wait, a reader must
// not reuse what they refer to.
//
// If the loop ends early, stop frees the goroutine when it waits to send; between two
// sends it goes on until its batch is full. The last range waits for close(batches). A
// panic of the parser is not caught: it is a defect, and ends the program.
func ahead[R any](rows iter.Seq2[R, error]) iter.Seq2[R, error] {
	const (
		size   = 64 // rows that change hands at once
		queued = 8  // batches that wait to be taken
	)
	type result struct {
		row R
		err error
	}
	return func(yield func(R, error) bool) {
		batches, stop := make(chan []result, queued), make(chan struct{})
		go func() {
			defer close(batches)
			var batch []result
			for row, err := range rows {
				if batch = append(batch, result{row, err}); len(batch) < size {
					continue
				}
				select {
				case batches <- batch:
					batch = make([]result, 0, size)
				case <-stop:
					return
				}
			}
			select {
			case batches <- batch:
			case <-stop:
			}
		}()
		defer func() {
			close(stop)
			for range batches { // until the goroutine ends
			}
		}()
		for batch := range batches {
			for _, r := range batch {
				if !yield(r.row, r.err) {
					return
				}
			}
		}
	}
}
