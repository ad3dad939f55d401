package plan

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/source/format"
)

// An Env gives a part of the build its sources and takes its findings.
type Env struct {
	build *Build
	notes *Notes
}

// Includes reports whether the build has the layer.
func (e *Env) Includes(l fetch.Layer) bool { return slices.Contains(e.build.layers, string(l)) }

func (e *Env) source(id string) *Source {
	for _, s := range e.build.sources {
		if s.Source.ID == id {
			return s
		}
	}
	return nil
}

// Has reports whether the build has all of the sources.
func (e *Env) Has(ids ...string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return e.source(id) == nil })
}

// File returns the file of a source, nil if the build does not have it.
func (e *Env) File(id string) *fetch.File {
	if s := e.source(id); s != nil {
		return &s.File
	}
	return nil
}

// Files returns the identifiers of the files that the user named for a source.
func (e *Env) Files(id string) []string {
	var ids []string
	for _, s := range e.build.sources {
		if OneOf(s.Source.ID, id) {
			ids = append(ids, s.Source.ID)
		}
	}
	return ids
}

// OneOf reports whether an identifier is that of a source, or of a further file of it.
func OneOf(id, source string) bool {
	number, further := strings.CutPrefix(id, source+"-")
	return id == source || further && number != "" && strings.Trim(number, "0123456789") == ""
}

// FileName returns the base name of a source's file.
func (e *Env) FileName(id string) string {
	if s := e.source(id); s != nil {
		return filepath.Base(s.Path)
	}
	return id
}

// Text returns the content of a source to read.
func (e *Env) Text(id string) format.File {
	f := e.File(id)
	return format.File{Path: f.Path, Member: f.Source.Member}
}

// At returns the file and line of a row, as the beginning of an example.
func (e *Env) At(id string, line int) string {
	return fmt.Sprintf("%s:%d: ", e.FileName(id), line)
}

// CountRows records that a source was read and its number of rows. It returns
// the largest number that any part has counted: a later one may read only the
// accepted rows.
func (e *Env) CountRows(id string, n int64) int64 {
	s := e.source(id)
	s.Read = true
	s.Rows = max(s.Rows, n)
	return s.Rows
}

// Describe sets the vintage of a source, and its title unless that is "", from
// the file.
func (e *Env) Describe(id, title, vintage string) {
	s := e.source(id)
	s.Source.Vintage = vintage
	if title != "" {
		s.Source.Title = title
	}
}

// Refuse counts a row that is not used.
func (e *Env) Refuse(id, reason, example string) {
	if s := e.source(id); s != nil {
		s.Refused++
	}
	e.Drop(id, reason, example)
}

// Drop counts a value that is not used, of a row that is.
func (e *Env) Drop(id, reason, example string) {
	find(&e.notes.Refused, Finding{Name: id + ": " + reason, Count: 1, Examples: []string{example}})
}

// Refusal returns the first reason to refuse rows of a source, with an example, or
// "".
func (e *Env) Refusal(id string) string {
	for _, f := range e.notes.Refused {
		if reason, ok := strings.CutPrefix(f.Name, id+": "); ok {
			return reason + ": " + f.Examples[0]
		}
	}
	return ""
}

// Applied counts a value that a rule changed or chose.
func (e *Env) Applied(rule, example string) {
	find(&e.notes.Rules, Finding{Name: rule, Count: 1, Examples: []string{example}})
}

// Counted adds a rule that changed n values.
func (e *Env) Counted(rule string, n int64) {
	if n > 0 {
		e.notes.Rules = append(e.notes.Rules, Finding{Name: rule, Count: n})
	}
}

// Gap adds a number of missing values, unless n is 0.
func (e *Env) Gap(name string, n int64) {
	if n > 0 {
		e.notes.Gaps = append(e.notes.Gaps, Gap{Name: name, Count: n})
	}
}

// Table adds the number of rows of a table of the dataset.
func (e *Env) Table(name string, rows int) {
	e.notes.Tables = append(e.notes.Tables, TableRows{name, int64(rows)})
}

// Missing returns 1 if something is missing, for sums of gaps.
func Missing(have bool) int64 {
	if have {
		return 0
	}
	return 1
}

// Gap is a kind of missing data and how often it is missing.
type Gap = dataset.Gap

// Notes are what parts report.
type Notes struct {
	Refused []Finding // rows and values that were not used, by source and reason
	Rules   []Finding // values that a rule changed or chose
	Gaps    []Gap
	Tables  []TableRows
}

// A Finding is a reason or rule, how often it applied, and its first cases.
type Finding struct {
	Name     string   `json:"name"`
	Count    int64    `json:"count"`
	Examples []string `json:"examples,omitempty"`
}

// TableRows is the number of rows of a table of the dataset.
type TableRows struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
}

// maxExamples is the number of cases that a finding keeps.
const maxExamples = 3

// Find adds a case of a rule to findings.
func Find(list []Finding, rule, example string) []Finding {
	find(&list, Finding{Name: rule, Count: 1, Examples: []string{example}})
	return list
}

// find adds a finding to the one of the same name, or to the list.
func find(list *[]Finding, f Finding) {
	at := slices.IndexFunc(*list, func(o Finding) bool { return o.Name == f.Name })
	if at < 0 {
		*list = append(*list, f)
		return
	}
	have := &(*list)[at]
	have.Count += f.Count
	for _, e := range f.Examples {
		if len(have.Examples) < maxExamples {
			have.Examples = append(have.Examples, e)
		}
	}
}
