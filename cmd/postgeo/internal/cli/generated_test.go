package cli_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
)

var generated = regexp.MustCompile(`(?s)(<!-- generated: ([^\n]*) -->\n)(.*?)(<!-- end -->)`)

// TestDocs compares the generated parts of the pages with the program and with
// bench/results. -update writes them.
func TestDocs(t *testing.T) {
	parts := 0
	for _, p := range pages(t) {
		text := generated.ReplaceAllStringFunc(p.text, func(part string) string {
			parts++
			m := generated.FindStringSubmatch(part)
			return m[1] + generate(t, m[2]) + m[4]
		})
		if *update && text != p.text {
			if err := os.WriteFile(filepath.Join(root, p.name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if diff := gocmp.Diff(text, p.text); diff != "" {
			t.Errorf("%s is out of date (-program +file); rewrite it with -update:\n%s", p.name, diff)
		}
	}
	if parts < 15 {
		t.Errorf("%d parts are generated", parts)
	}
}

// generate returns a part of a page: a table of the program, or for "bench
// FILE/TITLE[column; …]: row; …" one of bench/results with all its columns and rows by
// default.
func generate(t *testing.T, name string) string {
	t.Helper()
	table, kept := strings.CutPrefix(name, "bench ")
	switch {
	case kept:
		table, rows, _ := strings.Cut(table, ": ")
		table, columns, _ := strings.Cut(strings.TrimSuffix(table, "]"), "[")
		file, title, _ := strings.Cut(table, "/")
		return benchTable(t, file, title, columns, rows)
	case name == "commands":
		return helpPage(t)
	case name == "layers":
		return layerTable()
	case name == "attributions":
		return attributionList()
	case name == "sources":
		return sourceTable()
	}
	t.Fatalf("unknown part %q", name)
	return ""
}

// benchTable returns the table under a title of a file of bench/results.
func benchTable(t *testing.T, file, title, columns, rows string) string {
	t.Helper()
	_, rest, _ := strings.Cut(read(t, filepath.Join(root, "bench/results", file+".md")), "\n## "+title+"\n\n")
	rest, _, _ = strings.Cut(rest, "\n\n")
	split := func(list string) []string {
		return slices.DeleteFunc(strings.Split(list, "; "), func(s string) bool { return s == "" })
	}
	wantColumns, wantRows := split(columns), split(rows)
	var lines []string
	var at []int
	for i, line := range strings.Split(strings.TrimSpace(rest), "\n") {
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | ")
		for c, name := range cells {
			if i == 0 && (columns == "" || slices.Contains(wantColumns, name)) {
				at = append(at, c)
			}
		}
		if i < 2 || rows == "" || slices.Contains(wantRows, cells[0]) {
			var shown []string
			for _, c := range at {
				shown = append(shown, cells[c])
			}
			lines = append(lines, "| "+strings.Join(shown, " | ")+" |")
		}
	}
	if len(lines) < 3 || rows != "" && len(lines) != 2+len(wantRows) || columns != "" && len(at) != len(wantColumns) {
		t.Errorf("bench/results/%s.md, table %s: rows %q or columns %q are missing", file, title, wantRows, wantColumns)
	}
	return "\n" + strings.Join(lines, "\n") + "\n\n"
}

// helpPage returns a table of the commands but those of accounts: the usage, the first sentence
// of the help and its first example.
func helpPage(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("\n| command | does | example |\n| --- | --- | --- |\n")
	for _, command := range cli.Leaves() {
		if slices.Contains([]string{"account", "key", "credits"}, strings.Fields(command)[0]) {
			continue
		}
		r := world{vars: map[string]string{"COLUMNS": "1000"}}.run(append(strings.Fields(command), "--help")...)
		if r.code != 0 {
			t.Fatalf("%s --help: %v", command, r)
		}
		about, _, _ := strings.Cut(r.stdout, "\n")
		if at := strings.Index(about, ". "); at > 0 {
			about = about[:at+1]
		}
		_, usage, _ := strings.Cut(r.stdout, "Usage:\n")
		usage, _, _ = strings.Cut(usage, "\n")
		usage = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(usage), "postgeo "), " [flags]")
		_, examples, _ := strings.Cut(r.stdout, "Examples:\n")
		example := ""
		for line := range strings.Lines(examples) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
				example = line
				break
			}
		}
		if about == "" || usage == "" || example == "" {
			t.Errorf("%s --help lacks a part:\n%s", command, r.stdout)
		}
		cell := strings.NewReplacer("|", "\\|").Replace
		fmt.Fprintf(&b, "| `%s` | %s | `%s` |\n", cell(usage), cell(about), cell(example))
	}
	return b.String() + "\n"
}

func layerTable() string {
	var b strings.Builder
	b.WriteString("\n| layer | content | download |\n|---|---|---|\n")
	for _, l := range builder.Layers() {
		var size int64
		for _, s := range builder.Catalog() {
			for _, of := range s.Layers {
				if of == l.Name && !s.UserSupplied && !s.MirrorOnly {
					size += s.Size
				}
			}
		}
		download := "a file for each county"
		if size > 0 {
			download = "about " + progress.Bytes(size)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", l.Name, l.About, download)
	}
	return b.String() + "\n"
}

func sourceTable() string {
	var b strings.Builder
	b.WriteString("\n| source | content | feeds | edition | license | renewed | size | address |\n|---|---|---|---|---|---|---:|---|\n")
	for _, s := range builder.Catalog() {
		title := s.Title
		switch {
		case s.UserSupplied:
			title += " (*supplied*)"
		case s.MirrorOnly:
			title += " (*mirror only*)"
		case s.Optional:
			title += " (*optional*)"
		}
		address := "—"
		if url := builder.OfficialURL(s.URL); url != "" {
			address = "<" + url + ">"
		}
		edition, size := cmp.Or(s.Vintage, "as fetched"), "—"
		if s.Size > 0 {
			size = progress.Bytes(s.Size)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", s.ID, title, strings.Join(s.Feeds, ", "), edition, s.License, s.Refresh, size, address)
	}
	return b.String() + "\n"
}

// attributionList are the lines that a dataset of everything that can be
// downloaded asks for.
func attributionList() string {
	var m dataset.Manifest
	for _, s := range builder.Catalog() {
		if !s.UserSupplied {
			m.Sources = append(m.Sources, dataset.Source{ID: s.ID, License: s.License, Attribution: s.Attribution})
		}
	}
	return "\n> " + strings.Join(m.Attributions(), "\\\n> ") + "\n\n"
}
