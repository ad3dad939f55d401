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

// picture is the README's, and what draws it.
var picture = struct{ file, args string }{docs + "/radius.svg", "radius 90210 --max 5 --mode spatial --svg"}

var (
	consoleBlock = regexp.MustCompile("(?m)^```console\n\\$ go run ./cmd/postgeo ((?:lookup|distance|radius|neighbors|suggest|address) [^|<>\n]*)\n((?s:.*?))```$")
	exampleBlock = regexp.MustCompile("(?s)(<!-- examples/lookup/main.go -->\n```go\n)(.*?)```\n")
)

// The README shows what the commands answer and a program that compiles.
// -update writes both.
func TestReadme(t *testing.T) {
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
	if n := len(consoleBlock.FindAllString(text, -1)); n < 2 {
		t.Errorf("the README shows the output of %d commands; want 2 or more", n)
	}
	want := consoleBlock.ReplaceAllStringFunc(text, func(block string) string {
		args := consoleBlock.FindStringSubmatch(block)[1]
		r := world{terminal: true}.run(words(args)...)
		if r.code != 0 {
			t.Errorf("%s: %v", args, r)
		}
		return "```console\n$ go run ./cmd/postgeo " + args + "\n" + r.stdout + "```"
	})
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

// The README's picture is what its command draws. -update draws it again.
func TestPicture(t *testing.T) {
	file := filepath.Join(t.TempDir(), "radius.svg")
	if r := (world{}).run(append(strings.Fields(picture.args), file)...); r.code != 0 {
		t.Fatal(r)
	}
	want := read(t, file)
	if *update {
		if err := os.WriteFile(picture.file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, read(t, picture.file)); diff != "" {
		t.Errorf("%s is out of date (-program +file); rewrite it with -update:\n%s", picture.file, diff)
	}
}

// words cuts a command line at its blanks, but for those within quotes.
func words(line string) []string {
	var list []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}
