package cli_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// hostile is a text with everything that must not leave the program as it is:
// the title of a terminal, a mark of direction, characters without width, C1,
// DEL, a forged line, markup. It is also the end of names in a forged dataset.
const (
	hostile     = "=\x1b]0;x\x07\u202e\u200b\U000e0041\x7f\u009b31m\npostgeo: forged|`id`<b>[a](b)"
	hostileName = "\x1b[m\u202e<b>`|"
)

// checkShown reports what in a stream could command a terminal or deceive a
// reader.
func checkShown(t *testing.T, where, text string) {
	t.Helper()
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("%s has %U: %.300q", where, r, text)
			return
		}
	}
	if plain.Clean(text) != text || strings.Contains(text, "\npostgeo: forged") {
		t.Errorf("%s has hidden characters or a forged line: %.300q", where, text)
	}
}

// checkFormat looks at the output of a format besides.
func checkFormat(t *testing.T, where, format, text string) {
	t.Helper()
	switch format {
	case "json":
		if text != "" && !json.Valid([]byte(text)) {
			t.Errorf("%s is not JSON: %.300q", where, text)
		}
	case "markdown":
		if markup := regexp.MustCompile("<[a-z]|(^|[^\\\\])[`\\[]").FindString(text); markup != "" {
			t.Errorf("%s has markup %q: %.300q", where, markup, text)
		}
	case "csv", "tsv":
		r := csv.NewReader(strings.NewReader(text))
		if r.LazyQuotes = format == "tsv"; r.LazyQuotes {
			r.Comma = '\t'
		}
		rows, err := r.ReadAll()
		if err != nil {
			t.Errorf("%s: %v: %.300q", where, err, text)
		}
		for _, row := range rows {
			if i := slices.IndexFunc(row, plain.IsFormula); i >= 0 {
				t.Errorf("%s has the formula %q", where, row[i])
			}
		}
	}
}

// Whatever the dataset and the caller name, no command writes it so that it
// commands a terminal, deceives a reader or is markup or a formula: in every
// format, on terminals and elsewhere. Commands are found in the grammar.
func TestHostile(t *testing.T) {
	skipShort(t)
	forged := namedGrid(t, "=evil"+hostileName)
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	check(t, err)
	for _, name := range []string{"a", "b"} { // of dataset diff
		check(t, os.WriteFile(name, []byte(hostile), 0o600))
	}
	accounts := filepath.Join(dir, "accounts.db")
	account := told(t, "account", "account", "create", "--name", "=1+1", "--accounts", accounts)
	key := told(t, "id", "key", "create", "--account", account, "--name", "@x", "--accounts", accounts)
	fill := strings.NewReplacer("ACCOUNT", account, "KEY", key, "90210", "14012", "10001", "14000")

	var named int // outputs with a name of the forged dataset
	for _, command := range cli.Leaves() {
		t.Run(command, func(t *testing.T) {
			right, ok := rightUse[command]
			if !ok {
				t.Fatalf("no right use of %s is known here; add one to rightUse", command)
			}
			var words []string
			if right != "" {
				words = strings.Split(fill.Replace(right), "|")
			}
			run := func(terminal bool, words []string, format string) {
				args := append(strings.Fields(command), words...)
				if cli.HasFlag(command, "data") {
					args = append(args, "--data", forged)
				}
				if format != "" {
					args = append(args, "--format", format)
				}
				if cli.HasFlag(command, "neutralize-formulas") {
					args = append(args, "--neutralize-formulas")
				}
				var stdout, stderr bytes.Buffer
				ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
				defer stop()
				if command == "serve" { // its messages before it serves
					stop()
				}
				stdin := "zip,note\n90210," + strings.ReplaceAll(hostile, "\n", " ") + "\n"
				if command == "inside" {
					stdin = `{"type":"Polygon","coordinates":[[[-118.5,34],[-118.3,34],[-118.3,34.2],[-118.5,34.2],[-118.5,34]]]}`
				}
				cli.Run(ctx, args, cli.Env{
					Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr, StdoutTerminal: terminal,
					Getenv: func(string) string { return "" }, DataDir: dir, CacheDir: dir,
				})
				checkShown(t, format+" stderr", stderr.String())
				if command != "enrich" || terminal { // in files and pipes rows keep their bytes
					checkShown(t, format+" stdout", stdout.String())
				}
				if tables := []string{"enrich", "export"}; slices.Contains(tables, strings.Fields(command)[0]) {
					format = "csv" // --format of enrich is for --list-fields
				}
				checkFormat(t, format+" stdout", format, stdout.String())
				if strings.Contains(stdout.String(), `\u001b[m`) || strings.Contains(stdout.String(), `\u001b\[m`) {
					named++
				}
			}
			formats := cli.Formats(command)
			if len(formats) == 0 {
				formats = []string{""}
			}
			for _, format := range formats {
				run(format == "table" || format == "", words, format)
			}
			for i, word := range words {
				if strings.HasPrefix(word, "-") {
					continue
				}
				bad := slices.Clone(words)
				bad[i] = hostile
				run(true, bad, formats[0])
				run(false, bad, formats[len(formats)-1])
			}
			run(false, append(slices.Clone(words), hostile, "--"+hostile+"=x"), "")
		})
	}
	if named < 15 {
		t.Errorf("names of the forged dataset are in %d outputs; want 15", named)
	}
	for _, args := range [][]string{{hostile}, {"help", hostile}, {"acs", hostile}, {"--" + hostile}, {"lookup", "--" + hostile}, {"__complete", hostile}} {
		r := world{}.run(args...)
		checkShown(t, strings.Join(args, " "), r.stdout+r.stderr)
	}
}

// Input rows keep their bytes if a program reads them and are escaped on a
// terminal. Files that commands write are escaped.
func TestHostileFiles(t *testing.T) {
	forged, dir := namedGrid(t, "=evil"+hostileName), t.TempDir()
	const in = "zip,note\n14000,\x1b[31m\u202e\n"
	args := []string{"enrich", "--add", "city", "-q", "--data", forged}
	if r := (world{stdin: in}).run(args...); !strings.Contains(r.stdout, "14000,\x1b[31m\u202e,") || !strings.Contains(r.stdout, `\u001b[m\u202e<b>`) {
		t.Errorf("to a pipe: %v", r)
	}
	if r := (world{stdin: in, terminal: true}).run(args...); !strings.Contains(r.stdout, `14000,\u001b[31m\u202e,`) {
		t.Errorf("to a terminal: %v", r)
	}
	for _, line := range []string{"export codes -o codes.csv", "export codes -o codes.ndjson", "export areas zip -o areas.geojson", "boundary 14000 -o boundary.geojson", "map 14000 -o map.svg"} {
		words := strings.Fields(line)
		words[len(words)-1] = filepath.Join(dir, words[len(words)-1])
		if r := (world{}).run(append(words, "--data", forged)...); r.code != 0 {
			t.Errorf("%s: %v", line, r)
			continue
		}
		data, err := os.ReadFile(words[len(words)-1])
		check(t, err)
		checkShown(t, line, string(data))
		if !bytes.Contains(data, []byte(`\u001b`)) && !strings.HasPrefix(line, "map") {
			t.Errorf("%s has no forged name", line)
		}
	}
}

// The log of the server is JSON without hidden characters.
func TestHostileLog(t *testing.T) {
	var stderr bytes.Buffer
	ctx, stop := context.WithCancel(t.Context())
	stop()
	cli.Run(ctx, []string{"serve", "--listen", "127.0.0.1:0", "--private-listen", "none", "--data", hostile}, cli.Env{
		Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &stderr, Getenv: func(string) string { return "" },
	})
	checkShown(t, "log", stderr.String())
	for line := range strings.Lines(stderr.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("the log has %q", line)
		}
	}
	if !strings.Contains(stderr.String(), "u202e") {
		t.Errorf("the log does not name the file: %s", &stderr)
	}
}

// The texts of a manifest are as hostile as its names.
func TestHostileManifest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "manifest.db")
	w, err := storewrite.Create(path)
	check(t, err)
	check(t, w.Finish(dataset.Manifest{
		Version: hostile, Builder: hostile, Layers: []string{"identity"}, Sample: true, Gaps: []dataset.Gap{{Name: hostile, Count: 1}},
		Sources: []dataset.Source{{ID: hostile, Title: hostile, URL: hostile, Vintage: hostile, License: hostile, Attribution: hostile, Refresh: hostile, Note: hostile}},
	}))
	for _, command := range []string{"info " + path, "verify " + path, "diff " + path + " " + gridDataset(t)} {
		for _, format := range cli.Formats("dataset " + strings.Fields(command)[0]) {
			r := world{}.run(append(append([]string{"dataset"}, strings.Fields(command)...), "--neutralize-formulas", "--format", format)...)
			if r.code != cli.Done || !strings.Contains(r.stdout, "u202e") {
				t.Errorf("%s %s: %v", command, format, r)
			}
			text := r.stdout
			if format == "csv" { // line ends stand in quotes
				text = strings.ReplaceAll(text, "\npostgeo", " postgeo")
			}
			checkShown(t, command, text+r.stderr)
			checkFormat(t, command, format, r.stdout)
		}
	}
}
