package builder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/internal/plain"
)

// A Report describes a build.
type Report struct {
	Output  string         `json:"output"`  // path of the file
	Bytes   int64          `json:"bytes"`   // size of the dataset file
	Version string         `json:"version"` // of the dataset
	Built   time.Time      `json:"built"`
	Layers  []string       `json:"layers"` // of the dataset
	Sources []SourceReport `json:"sources"`
	Tables  []TableReport  `json:"tables"`
	Refused []Finding      `json:"refused,omitempty"` // rows and values that were not taken, by source and reason
	Rules   []Finding      `json:"rules,omitempty"`   // values that a rule changed or chose
	Gaps    []dataset.Gap  `json:"gaps,omitempty"`    // in the order of the manifest
	Steps   []StepReport   `json:"steps"`
	Seconds float64        `json:"seconds"` // of the whole build
}

// A SourceReport describes the rows of a source.
type SourceReport struct {
	ID      string `json:"id"`               // in the catalog
	Title   string `json:"title"`            // name of the file or product
	Vintage string `json:"vintage,omitzero"` // period of the data
	Origin  string `json:"origin"`           // downloaded, cached, mirror or local
	Bytes   int64  `json:"bytes"`            // size of the file
	Rows    int64  `json:"rows"`             // rows read
	Refused int64  `json:"refused"`          // rows that were not used
}

// TableReport is the number of rows of a table of the dataset.
type TableReport struct {
	Name string `json:"name"` // of the table
	Rows int64  `json:"rows"` // number of its rows
}

// A Finding is a reason or rule, how often it applied, and its first cases.
type Finding struct {
	Name     string   `json:"name"`               // text of the reason or rule
	Count    int64    `json:"count"`              // number of cases
	Examples []string `json:"examples,omitempty"` // the first cases
}

// StepReport is the duration of a step.
type StepReport struct {
	Name    string  `json:"name"`    // of the step
	Seconds float64 `json:"seconds"` // duration
}

// note takes a finding of the build. Findings of one name are counted together; the names
// are therefore constant texts, and what varies is in the example.
func (r *Report) note(k draft.Kind, name string, n int64, example string) {
	switch k {
	case draft.Refused:
		find(&r.Refused, name, n, example)
	case draft.Ruled:
		find(&r.Rules, name, n, example)
	case draft.Missing:
		r.Gaps = append(r.Gaps, dataset.Gap{Name: name, Count: n})
	default:
		r.Tables = append(r.Tables, TableReport{name, n})
	}
}

// find adds cases to the finding of a name.
func find(list *[]Finding, name string, n int64, example string) {
	const most = 3 // examples that a finding keeps
	at := slices.IndexFunc(*list, func(f Finding) bool { return f.Name == name })
	if at < 0 {
		at = len(*list)
		*list = append(*list, Finding{Name: name})
	}
	f := &(*list)[at]
	if f.Count += n; example != "" && len(f.Examples) < most {
		f.Examples = append(f.Examples, example)
	}
}

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText writes the report for people to read.
func (r *Report) WriteText(w io.Writer) error {
	var b bytes.Buffer
	line := func(format string, args ...any) { _ = plain.Linef(&b, format, args...) } // a buffer takes everything
	head := func(title string) {
		line("")
		line("%s", title)
	}
	findings := func(title string, list []Finding) {
		if len(list) > 0 {
			head(title)
		}
		for _, f := range list {
			line("  %9d  %s", f.Count, f.Name)
			for _, e := range f.Examples {
				line("             e.g. %s", e)
			}
		}
	}
	line("%s: version %s, built %s, %s, layers %s", r.Output, r.Version, r.Built.UTC().Format("2006-01-02"), byteSize(r.Bytes), strings.Join(r.Layers, ", "))
	head("Rows in")
	for _, s := range r.Sources {
		refused, vintage := "", ""
		if s.Refused > 0 {
			refused = fmt.Sprintf("  (%d refused)", s.Refused)
		}
		if s.Vintage != "" {
			vintage = ", " + s.Vintage
		}
		line("  %-22s %9d%s  %s, %s%s", s.ID, s.Rows, refused, s.Origin, byteSize(s.Bytes), vintage)
	}
	head("Rows out")
	for _, table := range r.Tables {
		line("  %-22s %9d", table.Name, table.Rows)
	}
	findings("Rows and values refused", r.Refused)
	findings("Rules applied", r.Rules)
	head("Known gaps")
	for _, g := range r.Gaps {
		line("  %9d  %s", g.Count, g.Name)
	}
	head("Seconds")
	for _, s := range r.Steps {
		line("  %8.2f  %s", s.Seconds, s.Name)
	}
	line("  %8.2f  in all", r.Seconds)
	_, err := b.WriteTo(w)
	return err
}

func byteSize(n int64) string {
	switch {
	case n >= 1_000_000_000:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1_000:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	default:
		return fmt.Sprintf("%d B", n)
	}
}
