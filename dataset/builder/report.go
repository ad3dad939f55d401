package builder

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/plain"
)

// A Report describes a build.
type Report struct {
	Output  string         `json:"output"`
	Bytes   int64          `json:"bytes"` // size of the dataset file
	Version string         `json:"version"`
	Built   time.Time      `json:"built"`
	Layers  []string       `json:"layers"`
	Sources []SourceReport `json:"sources"`
	Tables  []TableReport  `json:"tables"`
	Refused []Finding      `json:"refused,omitempty"` // rows and values that were not taken, by source and reason
	Rules   []Finding      `json:"rules,omitempty"`   // values that a rule changed or chose
	Gaps    []dataset.Gap  `json:"gaps,omitempty"` // in the order of the manifest
	Steps   []StepReport   `json:"steps"`
	Seconds float64        `json:"seconds"`
}

// A SourceReport describes the rows of a source.
type SourceReport struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Vintage string `json:"vintage,omitzero"`
	Origin  string `json:"origin"` // downloaded, cached, mirror or local
	Bytes   int64  `json:"bytes"`
	Rows    int64  `json:"rows"`    // rows read
	Refused int64  `json:"refused"` // rows that were not used
}

// TableReport is the number of rows of a table of the dataset.
type TableReport = plan.TableRows

// A Finding is a reason or rule, how often it applied, and its first cases.
type Finding = plan.Finding

// StepReport is the duration of a step.
type StepReport = plan.Timing

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText writes the report for people to read.
func (r *Report) WriteText(w io.Writer) error {
	t := &textWriter{w: w}
	t.printf("%s: version %s, built %s, %s, layers %s\n", r.Output, r.Version, r.Built.UTC().Format("2006-01-02"), byteSize(r.Bytes), strings.Join(r.Layers, ", "))
	t.printf("\nRows in\n")
	for _, s := range r.Sources {
		t.printf("  %-22s %9d", s.ID, s.Rows)
		if s.Refused > 0 {
			t.printf("  (%d refused)", s.Refused)
		}
		t.printf("  %s, %s", s.Origin, byteSize(s.Bytes))
		if s.Vintage != "" {
			t.printf(", %s", s.Vintage)
		}
		t.printf("\n")
	}
	t.printf("\nRows out\n")
	for _, table := range r.Tables {
		t.printf("  %-22s %9d\n", table.Name, table.Rows)
	}
	t.findings("Rows and values refused", r.Refused)
	t.findings("Rules applied", r.Rules)
	t.printf("\nKnown gaps\n")
	for _, g := range r.Gaps {
		t.printf("  %9d  %s\n", g.Count, g.Name)
	}
	t.printf("\nSeconds\n")
	for _, s := range r.Steps {
		t.printf("  %8.2f  %s\n", s.Seconds, s.Name)
	}
	t.printf("  %8.2f  in all\n", r.Seconds)
	return t.err
}

// textWriter keeps the first error of many writes.
type textWriter struct {
	w   io.Writer
	err error
}

// printf writes formatted text. Strings, which may come from the sources, stay
// on their line.
func (t *textWriter) printf(format string, args ...any) {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = plain.Line(s)
		}
	}
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

func (t *textWriter) findings(title string, list []Finding) {
	if len(list) == 0 {
		return
	}
	t.printf("\n%s\n", title)
	for _, f := range list {
		t.printf("  %9d  %s\n", f.Count, f.Name)
		for _, e := range f.Examples {
			t.printf("             e.g. %s\n", e)
		}
	}
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
