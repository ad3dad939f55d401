package cli_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/server"
)

const (
	root = "../../../.." // the top of the repository
	docs = root + "/docs"
)

// A page is a Markdown file of the repository.
type page struct {
	name   string // path from the top of the repository, with slashes
	text   string
	prose  string // text without the fenced blocks
	blocks []block
}

// A block is a fenced block of a page.
type block struct {
	language, text string
	line           int // of the first line within
}

// A shown command is a command line of a page with the output that the page shows.
type shown struct {
	where, line, output string
}

var (
	inlineCode = regexp.MustCompile("`([^`\n]+)`")
	link       = regexp.MustCompile(`\]\(<?([^)\s>]+)>?\)|(?:href|src|srcset)="([^"]+)"`)
	heading    = regexp.MustCompile(`(?m)^#{1,6} +(.*?) *$`)
	markup     = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	comment    = regexp.MustCompile(`(?:^|\s+)# .*$`)
	ofFolder   = regexp.MustCompile(`^go run (\./examples/\w+)(.*)$`)
	divert     = regexp.MustCompile(`\s+(>|<)\s*(\S+)`)

	// away matches commands that serve, build or need files or programs of the reader.
	away = regexp.MustCompile(`^(serve|account|key|credits|completion|dataset (build|add|diff|pull|publish|key|check|verify|info new))\b|--(data|accounts|mirror|layer)\b|…|\$|&|\||DIR|FILE|OLD`)
)

// pages reads every page of the repository but those of other projects.
func pages(t *testing.T) (list []page) {
	t.Helper()
	top := os.DirFS(root)
	err := fs.WalkDir(top, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (slices.Contains([]string{"testdata", "dist", "bin", "swagger-ui", "node_modules"}, d.Name()) || strings.HasPrefix(d.Name(), ".") && name != ".") {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		data, err := fs.ReadFile(top, name)
		list = append(list, newPage(name, string(data)))
		return err
	})
	if err != nil || len(list) < 20 {
		t.Fatalf("%d pages, %v", len(list), err)
	}
	return list
}

func newPage(name, text string) page {
	p := page{name: name, text: text}
	within := false
	for n, line := range strings.SplitAfter(text, "\n") {
		language, mark := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case mark:
			if within = !within; within {
				p.blocks = append(p.blocks, block{language: language, line: n + 2})
			}
		case within:
			p.blocks[len(p.blocks)-1].text += line
		default:
			p.prose += line
		}
	}
	return p
}

// commands returns the command lines of a page.
func (p page) commands() (list []shown) {
	for _, b := range p.blocks {
		if b.language != "sh" && b.language != "console" {
			continue
		}
		for line := range strings.SplitAfterSeq(b.text, "\n") {
			command, typed := strings.CutPrefix(line, "$ ")
			switch {
			case typed || b.language == "sh":
				list = append(list, shown{where: fmt.Sprintf("%s:%d", p.name, b.line), line: strings.TrimSpace(command)})
			case len(list) > 0:
				list[len(list)-1].output += line
			}
		}
	}
	return list
}

// anchors are the fragments that the page's headings have where it is shown.
func (p page) anchors() map[string]bool {
	out := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(p.prose, -1) {
		text := markup.ReplaceAllString(m[1], "$1")
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, text)
		out[anchor] = true
	}
	return out
}

// Every relative link of every page leads to a file, and its fragment to a
// heading.
func TestLinks(t *testing.T) {
	all := pages(t)
	byName := map[string]page{}
	for _, p := range all {
		byName[p.name] = p
	}
	links := 0
	for _, p := range all {
		for _, m := range link.FindAllStringSubmatch(inlineCode.ReplaceAllString(p.prose, ""), -1) {
			to := m[1] + m[2]
			if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
				continue
			}
			links++
			file, fragment, _ := strings.Cut(to, "#")
			target := p.name
			if file != "" {
				target = path.Join(path.Dir(p.name), file)
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); err != nil {
				t.Errorf("%s links to %s, which is not there", p.name, to)
				continue
			}
			if of, isPage := byName[target]; fragment != "" && isPage && !of.anchors()[fragment] {
				t.Errorf("%s links to %s, but %s has no such heading", p.name, to, target)
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links were looked at", links)
	}
}

// TestDecisions looks up each decision that a comment cites in the table of CONTRIBUTING.md.
func TestDecisions(t *testing.T) {
	known := map[string]bool{}
	for row := range strings.Lines(read(t, filepath.Join(root, "CONTRIBUTING.md"))) {
		if list, ok := strings.CutPrefix(row, "| D"); ok {
			list, _, _ = strings.Cut(list, " |")
			for number := range strings.SplitSeq(list, ", D") {
				known["D"+number] = true
			}
		}
	}
	cited := 0
	decision := regexp.MustCompile(`(?s)\bdecisions?[\s/]+(D\d+)(?:(?:,| and| to)[\s/]+(D\d+))*|\((D\d+)\)`)
	check(t, fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		for _, m := range decision.FindAllStringSubmatch(read(t, filepath.Join(root, name)), -1) {
			for _, of := range m[1:] {
				if cited++; of != "" && !known[of] {
					t.Errorf("%s cites %s, which CONTRIBUTING.md lacks", name, of)
				}
			}
		}
		return nil
	}))
	if cited < 100 {
		t.Errorf("%d citations were found", cited)
	}
}

// TestPages runs the commands of every page and of the help on the sample, and compares
// their output with that of the page. -update writes it. Commands that cannot run here, and
// those in the prose, must exist.
func TestPages(t *testing.T) {
	skipShort(t)
	db := sampletest.Open(t)
	s, err := server.New(db, server.Config{})
	check(t, err)
	all := pages(t)
	for command, lines := range cli.HelpExamples() {
		p := page{name: "help of " + command, blocks: []block{{language: "sh", text: strings.Join(lines, "\n")}}}
		if len(lines) == 0 {
			t.Errorf("%s has no example", command)
		}
		all = append(all, p)
	}
	top, err := filepath.Abs(root)
	check(t, err)
	t.Chdir(scratch(t))
	ran, compared, asked := 0, 0, 0
	for _, p := range all {
		text := p.text
		for _, m := range inlineCode.FindAllStringSubmatch(p.prose, -1) {
			checkCommand(t, p.name, m[1])
		}
		for _, c := range p.commands() {
			line := comment.ReplaceAllString(c.line, "")
			for part := range strings.SplitSeq(line, "| ") {
				checkCommand(t, c.where, strings.TrimSpace(part))
			}
			if r := request(t, words(line), c.line); r != nil {
				asked++
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				if w.Code != http.StatusOK || strings.Contains(w.Body.String(), `"success":false`) {
					t.Errorf("%s: %s: %d %s", c.where, c.line, w.Code, w.Body)
				}
				continue
			}
			r, ok := runShown(t, top, line, c.output != "")
			if !ok {
				continue
			}
			ran++
			switch {
			case r.code != 0 && !strings.Contains(c.output, "not_found"):
				t.Errorf("%s: %s: %v", c.where, c.line, r)
			case strings.Contains(c.line, "ZEROS_RESTORED") && !strings.Contains(r.stdout, "ZEROS_RESTORED"):
				t.Errorf("%s: no zero was restored: %v", c.where, r)
			case c.output == "":
			case strings.Contains(c.output, "\n…\n"):
				if !matchParts(r.stdout, c.output) {
					t.Errorf("%s: %s prints\n%s", c.where, c.line, r.stdout)
				}
			default:
				compared++
				if *update {
					text = strings.Replace(text, c.line+"\n"+c.output, c.line+"\n"+r.stdout, 1)
				} else if diff := cmp.Diff(r.stdout, c.output); diff != "" {
					t.Errorf("%s: %s (-program +page); rewrite it with -update:\n%s", c.where, c.line, diff)
				}
			}
		}
		if text != p.text {
			check(t, os.WriteFile(filepath.Join(top, filepath.FromSlash(p.name)), []byte(text), 0o644))
		}
	}
	if ran < 80 || compared < 12 || asked < 8 {
		t.Errorf("%d commands ran, %d outputs were compared, %d requests were sent", ran, compared, asked)
	}
}

// checkCommand checks that the command and the flags of a line exist, up to where the
// shell does something else.
func checkCommand(t *testing.T, where, line string) {
	t.Helper()
	words := words(line)
	for len(words) > 0 && strings.Contains(words[0], "=") {
		words = words[1:] // variables of the environment
	}
	if len(words) < 2 || words[0] != "postgeo" || words[1] == "<command>" || words[1] == "help" || words[1] == "…" {
		return
	}
	if end := slices.IndexFunc(words, func(w string) bool { return strings.ContainsAny(w, "|<>&;") }); end > 0 {
		words = words[:end]
	}
	if err := cli.CheckCommand(words[1:]); err != nil {
		t.Errorf("%s: %q: %v", where, line, err)
	}
}

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

// runShown runs a line: commands of this program, each with the output of the one before
// it, or an example if its output is shown. It returns false for other lines.
func runShown(t *testing.T, top, line string, hasOutput bool) (r result, ok bool) {
	t.Helper()
	if m := ofFolder.FindStringSubmatch(line); m != nil && hasOutput {
		return runExample(t, top, m[1], m[2]), true
	}
	for part := range strings.SplitSeq(line, " | ") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "go run ./cmd/")
		args, own := strings.CutPrefix(part, "postgeo ")
		switch {
		case strings.HasPrefix(part, "printf "):
			r.stdout = strings.ReplaceAll(words(part)[1], `\n`, "\n")
			continue
		case !own || away.MatchString(args):
			return r, false
		}
		w := world{stdin: r.stdout, terminal: part == line}
		for _, d := range divert.FindAllStringSubmatch(args, -1) {
			if w.terminal = d[1] != ">" && w.terminal; d[1] == "<" {
				w.stdin = read(t, d[2])
			}
		}
		list := words(divert.ReplaceAllString(args, ""))
		if at := slices.Index(list, "-o"); at >= 0 {
			_ = os.Remove(list[at+1]) // of the command before
		}
		if r = w.run(list...); r.code != 0 {
			break
		}
	}
	return r, true
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

// scratch returns a folder with the files that commands of the pages read.
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
		"mixed.csv":                "zip,lat,lon\n90210,,\n,34.09,-118.41\n",
		"clients.csv":              "zip,clients\n10118,40\n90210,7\n",
		"tracts.csv":               "tract,a,b\n01113000100,1,2\n",
		"in.csv":                   "id,street,city,state,zip\n1,350 5th Ave,New York,NY,10118\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		check(t, os.MkdirAll(filepath.Dir(file), 0o755))
		check(t, os.WriteFile(file, []byte(text), 0o600))
	}
	stores := []string{"export", "codes", "-o", filepath.Join(dir, "stores.parquet")}
	if r := (world{}).run(stores...); r.code != 0 {
		t.Fatal(r)
	}
	return dir
}

// words cuts a command line at its blanks, but for those within quotes of
// either kind, which fall away.
func words(line string) []string {
	var list []string
	var word strings.Builder
	quote, open := rune(0), false
	end := func() {
		if open {
			list = append(list, word.String())
		}
		word.Reset()
		open = false
	}
	for _, r := range line {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == 0 && r == ' ':
			end()
		default:
			word.WriteRune(r)
			open = true
		}
	}
	end()
	return list
}

// request makes the request of a curl command to a server's public address; nil
// for another command.
func request(t *testing.T, words []string, line string) *http.Request {
	t.Helper()
	if len(words) < 2 || words[0] != "curl" || strings.ContainsAny(line, "$…|") {
		return nil
	}
	var to, body string
	query := url.Values{}
	inQuery := false
	for i := 1; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-G":
			inQuery = true
		case (w == "-d" || w == "--data-urlencode") && i+1 < len(words):
			i++
			name, value, _ := strings.Cut(words[i], "=")
			query.Add(name, value)
			body = words[i]
		case strings.Contains(w, "127.0.0.1:8080/") || strings.HasPrefix(w, "localhost:8080/"):
			_, to, _ = strings.Cut(w, ":8080")
		}
	}
	switch {
	case to == "":
		return nil
	case inQuery:
		return httptest.NewRequestWithContext(t.Context(), http.MethodGet, to+"?"+query.Encode(), http.NoBody)
	case body != "":
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, to, io.NopCloser(strings.NewReader(body)))
		r.Header.Set("Content-Type", "application/json")
		return r
	}
	return httptest.NewRequestWithContext(t.Context(), http.MethodGet, to, http.NoBody)
}

// known are the packages that a block of Go may name without importing them.
var known = []string{
	"context", "errors", "fmt", "io", "log", "net/http", "os", "slices", "time", "iter",
	"github.com/paulmach/orb",
	"github.com/postgeo/postgeo", "github.com/postgeo/postgeo/acs", "github.com/postgeo/postgeo/address", "github.com/postgeo/postgeo/billing",
	"github.com/postgeo/postgeo/internal/store", "github.com/postgeo/postgeo/enrich", "github.com/postgeo/postgeo/enrich/table",
	"github.com/postgeo/postgeo/envelope", "github.com/postgeo/postgeo/internal/export", "github.com/postgeo/postgeo/geo",
	"github.com/postgeo/postgeo/geo/geojson", "github.com/postgeo/postgeo/geo/svg", "github.com/postgeo/postgeo/lookup",
	"github.com/postgeo/postgeo/lookup/suggest", "github.com/postgeo/postgeo/radius", "github.com/postgeo/postgeo/server",
	"github.com/postgeo/postgeo/server/client",
}

// Every block of Go in the pages compiles, as a program or as the inside of a
// function that has a dataset.
func TestSnippets(t *testing.T) {
	skipShort(t)
	top, err := filepath.Abs(root)
	check(t, err)
	overlay := map[string]string{}
	dir := t.TempDir()
	add := func(name, text string) {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		check(t, os.WriteFile(file, []byte(text), 0o600))
		overlay[filepath.Join(top, "docs", "snippets", filepath.FromSlash(name))] = file
	}
	blocks := 0
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			if b.language != "go" {
				continue
			}
			blocks++
			name := fmt.Sprintf("%s_%d", strings.TrimSuffix(strings.ReplaceAll(p.name, "/", "_"), ".md"), b.line)
			if strings.HasPrefix(strings.TrimSpace(b.text), "package ") {
				add("program"+name+"/main.go", b.text)
				continue
			}
			text, err := function("snippet", b.text)
			if err != nil {
				t.Errorf("%s, line %d: %v", p.name, b.line, err)
				continue
			}
			add("in"+name+"/snippet.go", text)
		}
	}
	if blocks < 5 {
		t.Fatalf("only %d blocks of Go were found", blocks)
	}
	data, err := json.Marshal(map[string]any{"Replace": overlay})
	check(t, err)
	file := filepath.Join(dir, "overlay.json")
	check(t, os.WriteFile(file, data, 0o600))
	cmd := exec.CommandContext(t.Context(), "go", "build", "-overlay", file, "./docs/snippets/...")
	cmd.Dir = top
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("blocks of Go in the pages: %v\n%s", err, out)
	}
}

// function returns a file with the statements in a function. It imports or declares
// the names that they use, and uses the ones that they declare.
func function(name, body string) (string, error) {
	const head = "package snippets\n\nfunc f() error {\n"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", head+body+"\nreturn nil\n}\n", 0)
	if err != nil {
		return "", err
	}
	made, used := map[string]bool{}, map[string]bool{}
	block := file.Decls[0].(*ast.FuncDecl).Body
	for _, s := range block.List {
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, l := range a.Lhs {
				made[l.(*ast.Ident).Name] = true
			}
		}
	}
	ast.Inspect(block, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", name)
	imported := map[string]bool{}
	for _, p := range known {
		if base := path.Base(p); (used[base] || slices.Contains([]string{"context", "io", "orb", "postgeo"}, base)) && !made[base] {
			fmt.Fprintf(&b, "\t%q\n", p)
			imported[base] = true
		}
	}
	b.WriteString(")\n\nfunc show(ctx context.Context, db *postgeo.DB, w io.Writer, g orb.Geometry, code, key string, codes, fields []string) error {\n")
	b.WriteString(body)
	for name := range made {
		if name != "_" {
			fmt.Fprintf(&b, "\t_ = %s\n", name)
		}
	}
	b.WriteString("\treturn nil\n}\n")
	return b.String(), nil
}
