package plan

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A Step derives tables from sources and other tables.
type Step struct {
	Name    string
	Sources []string // identifiers of the sources that it may read
	Do      Doer     // pointer to a struct whose fields declare the tables
}

// A Doer does the work of a step. Run may keep no table after it returns.
type Doer interface {
	Run(ctx context.Context) error
}

// Parted is implemented by tables whose parts different steps write.
type Parted interface {
	Parts() []string
}

// PartTable is implemented by tables whose parts have values. Tests compare them with
// what steps declare.
type PartTable interface {
	Parted
	// Part returns the values of a part. "" is the table without its parts.
	Part(name string) any
}

// Codes is the part of a [PartTable] that identifies its rows.
const Codes = "codes"

const (
	rows     = "rows" // the table itself
	allParts = "*"    // the table and all of its parts
)

// Reads returns the parts that the step reads, such as "Zones" and
// "ZIPs.county", in the order of its fields.
func (s Step) Reads() []string { return s.declared("reads") }

// Writes returns the parts that the step writes.
func (s Step) Writes() []string { return s.declared("writes") }

func (s Step) declared(tag string) []string {
	var keys []string
	for _, f := range s.tables() {
		keys = append(keys, f.parts(tag)...)
	}
	return keys
}

// A tableField is a field of a step that holds a table.
type tableField struct {
	index int
	table reflect.Type // of the struct that the field points to
	tag   reflect.StructTag
}

func (s Step) tables() []tableField {
	t := reflect.TypeOf(s.Do).Elem()
	var list []tableField
	for i := range t.NumField() {
		f := t.Field(i)
		if f.IsExported() && f.Type.Kind() == reflect.Pointer && f.Type != reflect.TypeFor[*Env]() {
			list = append(list, tableField{i, f.Type.Elem(), f.Tag})
		}
	}
	return list
}

// parts returns the parts that a tag names. A field without tags reads rows.
func (f tableField) parts(tag string) []string {
	text, tagged := f.tag.Lookup(tag)
	if _, writes := f.tag.Lookup("writes"); !tagged && !writes && tag == "reads" {
		text = rows
	}
	var keys []string
	for name := range strings.FieldsSeq(text) {
		switch name {
		case rows:
			keys = append(keys, f.table.Name())
		case allParts:
			keys = append(keys, f.table.Name())
			for _, p := range partsOf(f.table) {
				keys = append(keys, f.table.Name()+"."+p)
			}
		default:
			keys = append(keys, f.table.Name()+"."+name)
		}
	}
	return keys
}

func partsOf(table reflect.Type) []string {
	if p, ok := reflect.New(table).Interface().(Parted); ok {
		return p.Parts()
	}
	return nil
}

// use is who writes, amends and reads a part; the numbers are of steps.
type use struct {
	writers, amenders, readers []int
}

// order returns the steps in an order that writes every part, then amends it,
// then reads it. Steps without such relations keep the order of the list, but
// the step named first, if any, runs as early as possible. Tables of the given
// types exist before the first step.
func order(steps []Step, given []reflect.Type, first string) ([]Step, error) {
	uses, errs := usesOf(steps)
	for _, t := range given {
		for _, key := range append(partsOf(t), "") {
			key = strings.TrimSuffix(t.Name()+"."+key, ".")
			if u := uses[key]; u != nil {
				u.writers = append(u.writers, -1)
			}
		}
	}
	after := make([][]int, len(steps)) // steps that must run before
	for _, key := range slices.Sorted(maps.Keys(uses)) {
		u := uses[key]
		errs = append(errs, u.check(key, steps)...)
		before := -1
		for _, i := range append(slices.Clone(u.writers), u.amenders...) {
			if before >= 0 && i >= 0 {
				after[i] = append(after[i], before)
			}
			before = i
		}
		for _, i := range u.readers {
			if before >= 0 {
				after[i] = append(after[i], before)
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return sorted(steps, after, first)
}

// usesOf collects the declarations, and the errors of single steps.
func usesOf(steps []Step) (map[string]*use, []error) {
	uses, names := map[string]*use{}, map[string]bool{}
	var errs []error
	of := func(key string) *use {
		if uses[key] == nil {
			uses[key] = &use{}
		}
		return uses[key]
	}
	for i, s := range steps {
		if names[s.Name] {
			errs = append(errs, fmt.Errorf("step %q is listed twice", s.Name))
		}
		names[s.Name] = true
		reads, writes := s.Reads(), s.Writes()
		for _, key := range slices.Concat(reads, writes) { // every part needs the rows
			table, part, parted := strings.Cut(key, ".")
			if parted && !slices.Contains(reads, table) && !slices.Contains(writes, table) {
				reads = append(reads, table)
			}
			if parted && !slices.Contains(s.partsOfTable(table), part) {
				errs = append(errs, fmt.Errorf("step %q: %s has no part %q", s.Name, table, part))
			}
		}
		for _, key := range reads {
			if !slices.Contains(writes, key) {
				of(key).readers = append(of(key).readers, i)
			}
		}
		for _, key := range writes {
			if u := of(key); slices.Contains(reads, key) {
				u.amenders = append(u.amenders, i)
			} else {
				u.writers = append(u.writers, i)
			}
		}
	}
	return uses, errs
}

func (s Step) partsOfTable(name string) []string {
	for _, f := range s.tables() {
		if f.table.Name() == name {
			return partsOf(f.table)
		}
	}
	return nil
}

func (u *use) check(key string, steps []Step) []error {
	var errs []error
	if len(u.writers) == 0 {
		i := slices.Concat(u.amenders, u.readers)[0]
		errs = append(errs, fmt.Errorf("step %q reads %s, which no step writes", steps[i].Name, key))
	}
	if len(u.writers) > 1 && !slices.Contains(u.writers, -1) {
		errs = append(errs, fmt.Errorf("steps %q and %q write %s; the later one must read it too", steps[u.writers[0]].Name, steps[u.writers[1]].Name, key))
	}
	if len(u.readers)+len(u.amenders) == 0 && !slices.Contains(u.writers, -1) {
		errs = append(errs, fmt.Errorf("step %q writes %s, which no step reads", steps[u.writers[0]].Name, key))
	}
	return errs
}

// sorted returns the steps in topological order: the steps that the first one
// needs, then the others, in the order of the list.
func sorted(steps []Step, after [][]int, first string) ([]Step, error) {
	done, early := make([]bool, len(steps)), make([]bool, len(steps))
	var need func(i int)
	need = func(i int) {
		if !early[i] {
			early[i] = true
			for _, k := range after[i] {
				need(k)
			}
		}
	}
	if i := slices.IndexFunc(steps, func(s Step) bool { return s.Name == first }); i >= 0 {
		need(i)
	}
	out := make([]Step, 0, len(steps))
	for len(out) < len(steps) {
		next := -1
		for i := range steps {
			ready := !done[i] && !slices.ContainsFunc(after[i], func(k int) bool { return !done[k] })
			if ready && (next < 0 || early[i] && !early[next]) {
				next = i
			}
		}
		if next < 0 {
			var names []string
			for i, s := range steps {
				if !done[i] {
					names = append(names, s.Name)
				}
			}
			return nil, fmt.Errorf("steps need each other's tables: %s", strings.Join(names, ", "))
		}
		done[next] = true
		out = append(out, steps[next])
	}
	return out, nil
}

// Unread returns an error that names the sources that no step declares.
func Unread(steps []Step, sources []string) error {
	var errs []error
	for _, id := range sources {
		if !slices.ContainsFunc(steps, func(s Step) bool { return s.reads(id) }) {
			errs = append(errs, fmt.Errorf("no step reads the source %s", id))
		}
	}
	return errors.Join(errs...)
}

// reads reports whether the step declares a source: by its identifier, or by
// that of the first of several files.
func (s Step) reads(id string) bool {
	return slices.ContainsFunc(s.Sources, func(declared string) bool {
		number, further := strings.CutPrefix(id, declared+"-")
		return id == declared || further && number != "" && strings.Trim(number, "0123456789") == ""
	})
}

const (
	aheadRows    = 64 // rows that change hands at once
	aheadBatches = 8  // batches that wait to be taken
)

// Ahead parses rows in a separate goroutine while earlier ones are used. The
// rows, and their order, stay the same. The goroutine has ended when the
// sequence does, so that its file can be closed.
func Ahead[R any](rows iter.Seq2[R, error]) iter.Seq2[R, error] {
	type result struct {
		row R
		err error
	}
	return func(yield func(R, error) bool) {
		batches, stop := make(chan []result, aheadBatches), make(chan struct{})
		go func() {
			defer close(batches)
			var batch []result
			send := func() bool {
				select {
				case batches <- batch:
					batch = make([]result, 0, aheadRows)
					return true
				case <-stop:
					return false
				}
			}
			for row, err := range rows {
				batch = append(batch, result{row, err})
				if len(batch) == aheadRows && !send() {
					return
				}
			}
			send()
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
