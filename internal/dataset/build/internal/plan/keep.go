package plan

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// A Keep is a folder with the results of steps. A step with [Step.Kept] that has
// the same sources and tables as in an earlier build takes its result from there.
type Keep struct {
	Dir     string
	Program string // identifies the code of the steps
}

// PartTable is implemented by tables whose parts have values.
type PartTable interface {
	Parted
	// Part returns the values of a part. "" is the table without its parts.
	Part(name string) any
}

// Codes is the part of a [PartTable] that identifies its rows.
const Codes = "codes"

// Repeater is implemented by tables that only repeat rows of sources.
type Repeater interface{ Repeats() }

// A kept is the result of a step, without its tables.
type kept struct {
	Notes   *Notes
	Sources []keptSource
}

type keptSource struct {
	ID             string
	Read           bool
	Rows, Refused  int64
	Title, Vintage string
}

// key returns a hash of everything that decides the result of a step.
func (b *Build) key(s Step) ([]byte, error) {
	h := sha256.New()
	w := bufio.NewWriterSize(h, 1<<16)
	e := newEncoder(w, true)
	e.text(b.Keep.Program)
	e.text(s.Name)
	e.value(reflect.ValueOf(b.layers))
	for _, of := range b.sources {
		if s.reads(of.Source.ID) {
			file := of.File
			file.Path = filepath.Base(file.Path)
			file.Source.Newer, file.Source.Earlier = nil, nil
			e.value(reflect.ValueOf(file))
		}
	}
	for _, f := range s.tables() {
		table := s.table(f)
		if _, repeats := table.Interface().(Repeater); repeats {
			continue
		}
		for _, name := range f.keyParts() {
			e.text(f.table.Name() + "." + name)
			e.text(b.print(e, table, name))
		}
	}
	err := errors.Join(e.err, w.Flush())
	return h.Sum(nil), err
}

// keyParts returns the parts of a table that a step reads, or those of the tag key.
func (f tableField) keyParts() (names []string) {
	if text, ok := f.tag.Lookup("key"); ok {
		return strings.Fields(text)
	}
	for _, key := range f.parts("reads") {
		if _, part, ok := strings.Cut(key, "."); ok {
			names = append(names, part)
		}
	}
	if len(f.parts("reads")) > 0 {
		names = append(names, "") // every part needs the rows
	}
	return names
}

// print returns the hash of a part of a table.
func (b *Build) print(to *encoder, table reflect.Value, part string) string {
	name := table.Type().Elem().Name() + "." + part
	b.printed.Lock()
	have, ok := b.prints[name]
	b.printed.Unlock()
	if ok {
		return have
	}
	h := sha256.New()
	w := bufio.NewWriterSize(h, 1<<16)
	e := newEncoder(w, true)
	if p, ok := table.Interface().(PartTable); ok {
		e.value(reflect.ValueOf(p.Part(part)))
	} else {
		e.value(table)
	}
	if e.err == nil {
		e.err = w.Flush()
	}
	if e.err != nil {
		to.err = e.err
		return ""
	}
	have = string(h.Sum(nil))
	b.printed.Lock()
	defer b.printed.Unlock()
	b.prints[name] = have
	return have
}

// changed forgets the hashes of the tables that a step writes.
func (b *Build) changed(s Step) {
	b.printed.Lock()
	defer b.printed.Unlock()
	for _, key := range s.Writes() {
		table, _, _ := strings.Cut(key, ".")
		for name := range b.prints {
			if strings.HasPrefix(name, table+".") {
				delete(b.prints, name)
			}
		}
	}
}

func (b *Build) keptPath(s Step) string {
	return filepath.Join(b.Keep.Dir, strings.Map(func(r rune) rune {
		if r == ' ' || r == ':' {
			return '-'
		}
		return r
	}, s.Name)+".kept")
}

// results returns the tables that a kept step makes. Rows of sources that it parsed
// for a later step are not among them: the later step parses them again.
func (s Step) results() (list []reflect.Value) {
	for _, f := range s.tables() {
		table := s.table(f)
		if _, repeats := table.Interface().(Repeater); !repeats && len(f.parts("writes")) > 0 && len(f.parts("reads")) == 0 {
			list = append(list, table)
		}
	}
	return list
}

// restore takes the result of a step from an earlier build and reports whether
// there is one of this key. A file that does not read is as good as none.
func (b *Build) restore(s Step, key []byte, notes *Notes) bool {
	data, err := os.ReadFile(b.keptPath(s))
	if err != nil || len(data) < 2*sha256.Size || !bytes.Equal(data[:sha256.Size], key) {
		return false
	}
	content := data[2*sha256.Size:]
	if sum := sha256.Sum256(content); !bytes.Equal(sum[:], data[sha256.Size:2*sha256.Size]) {
		return false
	}
	d := &decoder{r: bufio.NewReader(bytes.NewReader(content))}
	var k kept
	d.value(reflect.ValueOf(&k).Elem())
	results := s.results()
	made := make([]reflect.Value, len(results))
	for i, table := range results {
		made[i] = reflect.New(table.Type().Elem())
		d.value(made[i].Elem())
	}
	if _, err := d.r.ReadByte(); d.err != nil || err != io.EOF {
		return false
	}
	for i, table := range results {
		table.Elem().Set(made[i].Elem())
	}
	*notes = *k.Notes
	for _, of := range k.Sources {
		at := slices.IndexFunc(b.sources, func(h *Source) bool { return h.Source.ID == of.ID })
		h := b.sources[at]
		h.Read, h.Rows, h.Refused = h.Read || of.Read, max(h.Rows, of.Rows), h.Refused+of.Refused
		h.Source.Title, h.Source.Vintage = of.Title, of.Vintage
	}
	return true
}

// save keeps the result of a step. before are its sources at the beginning.
func (b *Build) save(s Step, key []byte, notes *Notes, before []Source) error {
	k := kept{Notes: notes}
	for i, of := range b.sourceStates(s) {
		k.Sources = append(k.Sources, keptSource{of.Source.ID, of.Read, of.Rows, of.Refused - before[i].Refused, of.Source.Title, of.Source.Vintage})
	}
	var content bytes.Buffer
	e := newEncoder(&content, false)
	e.value(reflect.ValueOf(k))
	for _, table := range s.results() {
		e.value(table.Elem())
	}
	if e.err != nil {
		return e.err
	}
	sum := sha256.Sum256(content.Bytes())
	path := b.keptPath(s)
	if err := os.MkdirAll(b.Keep.Dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path+".part", slices.Concat(key, sum[:], content.Bytes()), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// sourceStates returns copies of the sources of a step.
func (b *Build) sourceStates(s Step) (list []Source) {
	for _, of := range b.sources {
		if s.reads(of.Source.ID) {
			list = append(list, *of)
		}
	}
	return list
}
