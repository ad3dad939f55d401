package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A shown command is a line of a block that a reader types, and what the page
// says that it prints.
type shown struct {
	line   string
	output string
}

var (
	comment  = regexp.MustCompile(`(?:^|\s+)# .*$`)
	program  = regexp.MustCompile(`^(?:go run \./cmd/postgeo|postgeo)\s+(.*)$`)
	ofFolder = regexp.MustCompile(`^go run (\./examples/\w+)(.*)$`)
	divert   = regexp.MustCompile(`\s+(>|<)\s*(\S+)`)
)

// commands are the commands of a block: in "console" those behind a $, with
// their output, in "sh" every line.
func (f fence) commands() []shown {
	var list []shown
	for line := range strings.SplitAfterSeq(f.text, "\n") {
		command, typed := strings.CutPrefix(line, "$ ")
		switch {
		case typed || f.language == "sh":
			list = append(list, shown{line: strings.TrimSpace(command)})
		case len(list) > 0:
			list[len(list)-1].output += line
		}
	}
	return list
}

// away are commands that ask for more than the sample: the network, a port,
// files of accounts or of publishers.
var away = regexp.MustCompile(`^(serve|config|account|key|credits|completion|dataset (build|add|diff|pull|publish|key|module))\b|--data\b|--(accounts|mirror|base)\b|…|\||\$|&|DIR|FILE|OLD`)

// What a console block of a page shows is what the program prints, and what a
// page tells readers to type answers, as long as the sample can. A line with
// --data needs a real dataset and is not run. An output may leave parts out
// with a line of "…". -update writes the outputs.
func TestReadmeAndPages(t *testing.T) {
	skipShort(t)
	all := pages(t)
	texts := map[string]string{}
	for _, p := range all {
		texts[p.name] = read(t, filepath.Join(root, filepath.FromSlash(p.name)))
	}
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(scratch(t))
	ran, compared := 0, 0
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			text := texts[p.name]
			for _, f := range p.fence {
				if f.language != "sh" && f.language != "console" {
					continue
				}
				for _, c := range f.commands() {
					r, ok := runShown(t, top, comment.ReplaceAllString(c.line, ""), c.output != "")
					if !ok {
						continue
					}
					ran++
					if r.code != 0 && !strings.Contains(c.output, "not_found") {
						t.Errorf("line %d, %s: %v", f.line, c.line, r)
						continue
					}
					if c.output == "" {
						continue
					}
					compared++
					if strings.Contains(c.output, "\n…\n") {
						if !matchParts(r.stdout, c.output) {
							t.Errorf("line %d, %s prints\n%s", f.line, c.line, r.stdout)
						}
						continue
					}
					if *update {
						text = strings.Replace(text, c.line+"\n"+c.output, c.line+"\n"+r.stdout, 1)
					} else if diff := cmp.Diff(r.stdout, c.output); diff != "" {
						t.Errorf("line %d, %s (-program +page); rewrite it with -update:\n%s", f.line, c.line, diff)
					}
				}
			}
			if text != texts[p.name] {
				if err := os.WriteFile(filepath.Join(top, filepath.FromSlash(p.name)), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if ran < 40 || compared < 15 {
		t.Errorf("%d commands ran and %d outputs were compared; want 40 and 15", ran, compared)
	}
}

// matchParts reports whether got has the parts of want that stand between its
// lines of "…", in their order.
func matchParts(got, want string) bool {
	for part := range strings.SplitSeq(want, "…\n") {
		at := strings.Index(got, part)
		if at < 0 {
			return false
		}
		got = got[at+len(part):]
	}
	return true
}

// runShown runs a command of a page as a terminal would, with what is read
// from and written to files left to it; false for one that is not run. Of the
// examples those run that have an output.
func runShown(t *testing.T, top, line string, hasOutput bool) (result, bool) {
	t.Helper()
	if m := ofFolder.FindStringSubmatch(line); m != nil && hasOutput {
		return runExample(t, top, m[1], m[2]), true
	}
	m := program.FindStringSubmatch(line)
	if m == nil || away.MatchString(m[1]) {
		return result{}, false
	}
	w := world{terminal: true}
	for _, d := range divert.FindAllStringSubmatch(m[1], -1) {
		if d[1] == ">" {
			w.terminal = false
			continue
		}
		w.stdin = read(t, d[2])
	}
	return w.run(words(divert.ReplaceAllString(m[1], ""))...), true
}

// runExample runs a program of the folder examples on the sample.
func runExample(t *testing.T, top, pkg, line string) result {
	t.Helper()
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"run", pkg}, words(divert.ReplaceAllString(line, ""))...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = top, &stdout, &stderr
	cmd.Env = append(os.Environ(), "POSTGEO_DATA=")
	if d := divert.FindStringSubmatch(line); d != nil && d[1] == "<" {
		cmd.Stdin = strings.NewReader(read(t, filepath.Join(top, d[2])))
	}
	err := cmd.Run()
	r := result{stdout: stdout.String(), stderr: stderr.String()}
	if err != nil {
		r.code = 1
	}
	return r
}

// scratch makes a folder with the files that the pages name as a reader's own.
func scratch(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	customers := read(t, filepath.Join(docs, "customers.csv"))
	const area = `{"type":"Polygon","coordinates":[[[-118.5,34.0],[-118.3,34.0],[-118.3,34.2],[-118.5,34.2],[-118.5,34.0]]]}`
	for name, text := range map[string]string{
		"docs/customers.csv":       customers,
		"customers.csv":            customers,
		"docs/stores.csv":          read(t, filepath.Join(docs, "stores.csv")),
		"docs/leads.csv":           read(t, filepath.Join(docs, "leads.csv")),
		"docs/territories.geojson": read(t, filepath.Join(docs, "territories.geojson")),
		"docs/mixed.csv":           read(t, filepath.Join(docs, "mixed.csv")),
		"codes.txt":                "00601\n90210\nK1A 0B1\n",
		"area.geojson":             area,
		"in.csv":                   "id,street,city,state,zip\n1,350 5th Ave,New York,NY,10118\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stores := []string{"export", "codes", "-o", filepath.Join(dir, "stores.parquet")}
	if r := (world{}).run(stores...); r.code != 0 {
		t.Fatal(r)
	}
	return dir
}
