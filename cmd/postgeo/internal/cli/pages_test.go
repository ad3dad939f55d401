package cli_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// root is the top of the repository.
const root = "../../../.."

// A page is a Markdown file of the repository.
type page struct {
	name  string   // its path from the top of the repository, with slashes
	prose string   // its text with the fenced blocks left out
	code  []string // what stands in backticks in the prose
	fence []fence  // its fenced blocks
}

type fence struct {
	language string
	line     int // of the first line within
	text     string
}

var (
	inlineCode = regexp.MustCompile("`([^`\n]+)`")
	link       = regexp.MustCompile(`\]\(<?([^)\s>]+)>?\)|(?:href|src|srcset)="([^"]+)"`)
	heading    = regexp.MustCompile(`(?m)^#{1,6} +(.*?) *$`)
	markup     = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// pages reads every page of the repository but those of other projects.
func pages(t *testing.T) []page {
	t.Helper()
	var list []page
	top := os.DirFS(root)
	err := fs.WalkDir(top, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (slices.Contains([]string{"testdata", "dist", "bin", "swagger-ui", "node_modules"}, d.Name()) || strings.HasPrefix(d.Name(), ".") && name != ".") {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".md" {
			return nil
		}
		data, err := fs.ReadFile(top, name)
		if err != nil {
			return err
		}
		list = append(list, newPage(name, string(data)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 20 {
		t.Fatalf("only %d pages were found", len(list))
	}
	return list
}

func newPage(name, text string) page {
	p := page{name: name}
	var prose strings.Builder
	within := false
	for n, line := range strings.SplitAfter(text, "\n") {
		language, mark := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case mark && !within:
			p.fence = append(p.fence, fence{language: language, line: n + 2})
			within = true
		case mark:
			within = false
		case within:
			p.fence[len(p.fence)-1].text += line
		default:
			prose.WriteString(line)
		}
	}
	p.prose = prose.String()
	for _, m := range inlineCode.FindAllStringSubmatch(p.prose, -1) {
		p.code = append(p.code, m[1])
	}
	return p
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

var flagWord = regexp.MustCompile(`^--[a-z][a-z0-9-]*…?`)

// Every command and flag that the pages name exists.
func TestNamedCommands(t *testing.T) {
	commands := cli.Commands()
	seen := 0
	check := func(t *testing.T, line string) {
		words := words(comment.ReplaceAllString(line, ""))
		for len(words) > 0 && strings.Contains(words[0], "=") {
			words = words[1:] // variables of the environment
		}
		if len(words) < 2 {
			return
		}
		switch {
		case words[0] == "postgeo":
			seen++
			checkCommand(t, line, words[1:])
		case slices.Contains(commands, words[0]) && strings.HasPrefix(words[1], "--"):
			seen++
			checkCommand(t, line, words)
		}
	}
	for _, p := range pages(t) {
		t.Run(p.name, func(t *testing.T) {
			for _, f := range p.fence {
				if f.language != "sh" && f.language != "console" {
					continue
				}
				for _, c := range f.commands() {
					for part := range strings.SplitSeq(c.line, "| ") {
						check(t, strings.TrimSpace(part))
					}
				}
			}
			for _, code := range p.code {
				check(t, code)
				if name := flagWord.FindString(code); name != "" && !cli.AnyFlag(name) && !nestedFlag(t, name) {
					t.Errorf("no command has the flag of `%s`", code)
				}
			}
		})
	}
	if seen < 50 {
		t.Errorf("only %d command lines were looked at", seen)
	}
}

// checkCommand looks at the names of a command line, up to where the shell
// does something else.
func checkCommand(t *testing.T, line string, words []string) {
	t.Helper()
	for i, w := range words {
		if strings.ContainsAny(w, "|<>&;") {
			words = words[:i]
			break
		}
	}
	if len(words) == 0 || words[0] == "<command>" || words[0] == "…" {
		return
	}
	if err := cli.CheckCommand(words); err != nil {
		t.Errorf("%q: %v", line, err)
	}
}

// nestedFlag reports whether a program outside this one has the flag.
func nestedFlag(t *testing.T, name string) bool {
	t.Helper()
	quoted := `"` + strings.TrimLeft(name, "-") + `"`
	for _, pattern := range []string{"cmd/postgeo-mcp/*.go", "cmd/postgeo-mcp/internal/*/*.go", "examples/*/*.go", "bench/*/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if text := read(t, file); strings.Contains(text, quoted) {
				return true
			}
		}
	}
	return false
}
