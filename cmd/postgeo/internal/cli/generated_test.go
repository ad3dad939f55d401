package cli_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/operation/operationtest"
	"github.com/postgeo/postgeo/internal/store/storewrite"
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
			check(t, os.WriteFile(filepath.Join(root, p.name), []byte(text), 0o644))
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

// TestOperations checks that every operation has a command, or a reason for none.
func TestOperations(t *testing.T) {
	for _, o := range operation.All() {
		if o.Command == "" && o.Absent == "" {
			t.Errorf("%s has no command and no reason", o.Name)
		}
		if o.Command != "" && !slices.Contains(cli.Leaves(), o.Command) {
			t.Errorf("%s: unknown command %q", o.Name, o.Command)
		}
	}
}

// TestPlantedOperation makes a command of an invented operation.
func TestPlantedOperation(t *testing.T) {
	type options struct {
		operationtest.EchoInput
		command.Format
	}
	echo := func() *cobra.Command {
		return command.New(command.Of(operationtest.Echo, "", ""), func(o *options, c *command.Call) error {
			r, err := o.Run(c.Context, c.DB)
			if err != nil {
				return err
			}
			return command.Row(c, r)
		})
	}
	run := func(words ...string) (stdout, stderr string, code int) {
		var out, errs bytes.Buffer
		program := command.Group("planted", "", "Planted.", echo())
		code = command.Main(t.Context(), program, words, command.Env{Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }})
		return out.String(), errs.String(), code
	}
	if stdout, stderr, code := run("echo", "k1a", "--times", "3", "--include", "upper", "--format", "jsonl"); code != 0 || stdout != `{"codes":["K1A","K1A","K1A"]}`+"\n" {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	if stdout, _, _ := run("echo", "k1a", "-f", "jsonl"); stdout != `{"codes":["k1a","k1a"]}`+"\n" {
		t.Errorf("with the default: %s", stdout)
	}
	if _, stderr, code := run("echo", "k1a", "--times", "6"); code != command.Misuse || !strings.Contains(stderr, `invalid --times "6": must be a whole number from 1 to 5`) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	help, _, _ := run("echo", "--help")
	for _, want := range []string{"  planted echo <code> [flags]", "--times N", "Number of times. Default: 2.", "upper returns capital letters. Known: upper."} {
		if !strings.Contains(help, want) {
			t.Errorf("the help has no %q:\n%s", want, help)
		}
	}
}

// TestGolden runs the command in the first line of each golden file, and compares the rest with
// its output. The line may begin with "< TEXT" for standard input, "terminal", and "data=" and the
// name of a dataset, whose path the file has as FILE. The figures are those of the sample that
// are real, so that inventing the rest anew changes nothing.
func TestGolden(t *testing.T) {
	areas := lookuptest.Path(t)
	data := map[string]string{"grid": gridDataset(t), "areas": areas, "small": smallDataset(t)}
	files, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".golden")
		if strings.HasSuffix(name, ".svg") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			head, _, _ := strings.Cut(read(t, file), "\n")
			settings, line, _ := strings.Cut(head, "postgeo ")
			args, path := words(line), "FILE"
			w := world{terminal: strings.Contains(settings, "terminal ")}
			if _, stdin, given := strings.Cut(settings, "< "); given {
				check(t, json.NewDecoder(strings.NewReader(stdin)).Decode(&w.stdin))
			}
			if _, name, given := strings.Cut(settings, "data="); given {
				if path = data[strings.TrimSpace(name)]; !slices.Contains(args, "FILE") {
					args = append(args, "--data", path)
				}
			}
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "FILE", path)
			}
			got := strings.ReplaceAll(took.ReplaceAllString(w.run(args...).String(), " rows in TIME"), path, "FILE")
			golden(t, name, head+"\n"+got)
		})
	}
}

// smallDataset writes a dataset without codes and returns its path.
func smallDataset(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.db")
	w, err := storewrite.Create(path)
	check(t, err)
	err = w.Finish(dataset.Manifest{
		Version: "2026-06-30", Built: time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC), Builder: "a test", Layers: []string{"identity", "places"},
		Sources: []dataset.Source{
			{
				ID: "open", Title: "An open table", URL: "https://example.test/open.zip", Vintage: "2026-06", License: "CC BY 4.0", Redistribution: dataset.WithAttribution,
				Attribution: "Contains data of somebody", Refresh: "monthly", Rows: 41_490, SHA256: strings.Repeat("0a", 32),
			},
			{ID: "mine", Title: "My own table", Vintage: "2025", License: "terms of the publisher", Redistribution: dataset.Restricted, Refresh: "irregular", UserSupplied: true, Note: "never to be handed on", Rows: 12},
			{ID: "again", Title: "More of the same", Vintage: "2026-06", License: "CC BY 4.0", Attribution: "Contains data of somebody", Refresh: "monthly", Rows: 3},
		},
		Gaps: []dataset.Gap{{Name: "ZIPs without a county", Count: 977}, {Name: "FSAs without a point", Count: 1}},
	})
	check(t, err)
	return path
}
