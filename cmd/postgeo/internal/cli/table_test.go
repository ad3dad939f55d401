package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/lookuptest"
)

var repeatedText = regexp.MustCompile(`\{([^{}*]+)\*(\d+)\}`)

// TestCommands runs the command lines of testdata/commands.txt, which may begin with variables
// and end with "<" and standard input: a text in quotes, a file, or JSON. Behind "=>" stand the
// exit code, the number of lines of standard output, and texts: of standard error; of standard
// output, in their order, behind ">"; of neither behind "!". With "==", two command lines have
// the same result. "name = " and a pattern instead of a text keep what its group matches as
// {name}. An argument behind "@" is a file with that text; {x*3} is xxx.
func TestCommands(t *testing.T) {
	skipShort(t)
	text, err := os.ReadFile("testdata/commands.txt")
	check(t, err)
	dir := t.TempDir()
	datasets := map[string]string{"sample": "", "home": "", "grid": gridDataset(t), "bare": lookuptest.Bare(t), "areas": lookuptest.Path(t), "layers": layered(t), "forged": namedGrid(t, "=evil"+hostileName)}
	check(t, os.Rename(sampleFile(t), filepath.Join(dir, "all.db")))
	t.Chdir(dir)
	kept := map[string]string{"bare": datasets["bare"], "null": os.DevNull}
	lineEnds := strings.NewReplacer(`\n`, "\n", `\t`, "\t")
	write := func(name, text string) string {
		check(t, os.WriteFile(name, []byte(lineEnds.Replace(text)), 0o600))
		return name
	}
	var data []string
	w := world{}
	run := func(line string) result {
		line, stdin, given := strings.Cut(line, " < ")
		w := w
		switch {
		case given && stdin[0] == '"':
			w.stdin, err = strconv.Unquote(stdin)
			check(t, err)
		case given && stdin[0] == '{':
			w.stdin = stdin
		case given:
			w.stdin = read(t, stdin)
		}
		args := words(line)
		w.vars = map[string]string{}
		for len(args) > 0 && strings.Contains(args[0], "=") && args[0][0] != '-' {
			name, value, _ := strings.Cut(args[0], "=")
			w.vars[name], args = value, args[1:]
		}
		for i, arg := range args {
			if text, isFile := strings.CutPrefix(arg, "@"); isFile {
				args[i] = write(filepath.Join(t.TempDir(), "postgeo.json"), text)
			}
		}
		r := w.run(append(args, data...)...)
		r.stderr = strings.ReplaceAll(r.stderr, `\"`, `"`) // in JSON of logs
		return r
	}
	for n, line := range strings.Split(string(text), "\n") {
		line = repeatedText.ReplaceAllStringFunc(line, func(s string) string {
			m := repeatedText.FindStringSubmatch(s)
			times, _ := strconv.Atoi(m[2])
			return strings.Repeat(m[1], times)
		})
		for name, value := range kept {
			line = strings.ReplaceAll(line, "{"+name+"}", value)
		}
		section, isSection := strings.CutPrefix(line, "[")
		file, isFile := strings.CutPrefix(line, "file ")
		left, right, same := strings.Cut(line, " == ")
		asked, expected, _ := strings.Cut(line, " => ")
		switch {
		case line == "" || line[0] == '#':
		case isSection:
			name := strings.TrimSuffix(section, "]")
			path, known := datasets[name]
			if !known {
				t.Fatalf("line %d: unknown dataset in %s", n+1, line)
			}
			if data = nil; path != "" {
				data = []string{"--data", path}
			}
			if w = (world{}); name == "home" {
				w.dataDir = dir
			}
		case isFile:
			name, text, _ := strings.Cut(file, " ")
			write(name, text)
		case same:
			if got, want := run(left), run(right); got != want || got.code == cli.Misuse {
				t.Errorf("line %d: %s: %v; want as of %q: %v", n+1, left, got, right, want)
			}
		default:
			t.Run(fmt.Sprintf("line %d", n+1), func(t *testing.T) {
				checkResult(t, asked, run(asked), strings.Split(lineEnds.Replace(expected), " | "), kept)
			})
		}
	}
	if info, err := os.Stat("copy.db"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a backup is not only its owner's: %v, %v", info, err)
	}
	files, err := filepath.Glob("accounts.db*")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, f := range files { // a key is in no file
		if data := read(t, f); strings.Contains(data, kept["secret"][13:]) || strings.Contains(data, kept["second"][13:]) {
			t.Errorf("%s holds a key", f)
		}
	}
}

// checkResult compares a result with the expectations of a line.
func checkResult(t *testing.T, asked string, r result, wants []string, kept map[string]string) {
	t.Helper()
	code, lines, counted := strings.Cut(wants[0], ", ")
	if n := strings.Count(r.stdout, "\n"); strconv.Itoa(r.code) != code || counted && fmt.Sprint(n, " lines") != lines {
		t.Errorf("%s: want exit code %s: %v", asked, wants[0], r)
	}
	looksGood := strings.Contains(r.stdout, "FeatureCollection") || strings.Contains(r.stdout, `"success":true`)
	if r.code == cli.Misuse && r.stdout != "" || r.code == cli.Failed && looksGood && !counted {
		t.Errorf("%s: a failure that looks like an answer: %v", asked, r)
	}
	out := r.stdout
	for _, want := range wants[1:] {
		if name, pattern, keep := strings.Cut(want, " = >"); keep {
			m := regexp.MustCompile(pattern).FindStringSubmatchIndex(out)
			if m == nil {
				t.Fatalf("%s: nothing matches %s: %v", asked, pattern, r)
			}
			kept[name], out = out[m[2]:m[3]], out[m[1]:]
			continue
		}
		switch kind, text := want[0], want[1:]; kind {
		case '!':
			if strings.Contains(r.stdout+r.stderr, text) {
				t.Errorf("%s: there is %q in %v", asked, text, r)
			}
		case '>':
			at := strings.Index(out, text)
			if at < 0 {
				t.Fatalf("%s: no %q in the output: %v", asked, text, r)
			}
			out = out[at+len(text):]
		default:
			if !strings.Contains(r.stderr, want) {
				t.Errorf("%s: no %q in the messages: %v", asked, want, r)
			}
		}
	}
}
