package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	readme  = "../../../../README.md"
	example = "../../../../examples/lookup/main.go"
)

// pictures are the README's, and what draws them.
var pictures = []struct{ file, args string }{
	{docs + "/radius.svg", "radius 90210 --max 5 --mode spatial --svg"},
}

var exampleBlock = regexp.MustCompile("(?s)(<!-- examples/lookup/main.go -->\n```go\n)(.*?)```\n")

// The README shows the first example. -update writes it.
func TestReadmeProgram(t *testing.T) {
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	_, program, ok := strings.Cut(string(source), "package main\n")
	if !ok {
		t.Fatalf("%s is no program", example)
	}

	text := string(data)
	want := text
	if !exampleBlock.MatchString(want) {
		t.Fatal("the README has no block for the example program")
	}
	want = exampleBlock.ReplaceAllStringFunc(want, func(block string) string {
		return exampleBlock.FindStringSubmatch(block)[1] + "package main\n" + program + "```\n"
	})
	if *update {
		if err := os.WriteFile(readme, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("README.md is out of date (-program +file); rewrite it with -update:\n%s", diff)
	}
}

// The README's pictures are what their commands draw. -update draws them
// again.
func TestPictures(t *testing.T) {
	for _, picture := range pictures {
		file := filepath.Join(t.TempDir(), "picture.svg")
		if r := (world{}).run(append(strings.Fields(picture.args), file)...); r.code != 0 {
			t.Fatal(r)
		}
		want := read(t, file)
		if *update {
			if err := os.WriteFile(picture.file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(want, read(t, picture.file)); diff != "" {
			t.Errorf("%s is out of date (-program +file); rewrite it with -update:\n%s", picture.file, diff)
		}
	}
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
