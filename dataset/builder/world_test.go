package builder_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/mirrortest"
)

// A mirrorFile is a file of testdata/files.txt.
type mirrorFile struct{ kind, path, member, header, row string }

// worldFiles reads testdata/files.txt: the files by their statements.
func worldFiles(t *testing.T) map[string]mirrorFile {
	t.Helper()
	lines := strings.Split(strings.NewReplacer(`\t`, "\t", `\ufeff`, "\ufeff").Replace(contents(t, "testdata/files.txt")), "\n")
	files := map[string]mirrorFile{}
	for i := 0; i < len(lines); i++ {
		if head := strings.Fields(lines[i]); len(head) >= 3 && head[0] != "#" {
			files[head[0]] = mirrorFile{head[1], head[2], strings.Join(head[3:], " "), lines[i+1], lines[i+2]}
			i += 2
		}
	}
	return files
}

// sections reads a script of testdata: the statements by section.
func sections(t *testing.T, name string) (titles []string, texts map[string]string) {
	t.Helper()
	texts = map[string]string{}
	for _, section := range lookuptest.Sections(t, name) {
		title, text := section[0], section[1]
		if texts[title] != "" {
			t.Errorf("testdata/%s has two sections %s", name, title)
		}
		titles, texts[title] = append(titles, title), text
	}
	return titles, texts
}

// A world is a mirror of invented rows, which scripts add, and the dataset that was built
// of it last.
type world struct {
	*built
	t      *testing.T
	files  map[string]mirrorFile
	rows   map[string][][]string // the words of the rows by statement
	own    map[string][]string   // features of files of the user
	silent map[string]bool       // statements whose files the mirror does not list
	spelt  [][2]string           // cities as they are given and as they come out
}

// newWorld returns a world of testdata/worlds.txt.
func newWorld(t *testing.T, name string) *world {
	t.Helper()
	w := emptyWorld(t)
	w.do("world " + name)
	return w
}

func emptyWorld(t *testing.T) *world {
	t.Helper()
	return &world{t: t, files: worldFiles(t), rows: map[string][][]string{}, own: map[string][]string{}, silent: map[string]bool{}}
}

// TestRules runs the sections of testdata/rules.txt.
func TestRules(t *testing.T) {
	titles, texts := sections(t, "rules.txt")
	for _, title := range titles {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			emptyWorld(t).do(texts[title])
		})
	}
}

// words splits a line at blanks outside quotes, up to a comment.
func words(line string) (list []string) {
	for line = strings.TrimSpace(line); line != "" && line[0] != '#'; line = strings.TrimSpace(line) {
		end := " "
		if line[0] == '"' {
			line, end = line[1:], `"`
		}
		var word string
		word, line, _ = strings.Cut(line, end)
		list = append(list, word)
	}
	return list
}

// do runs statements: rows, builds, and what to expect of the last build.
func (w *world) do(script string) {
	w.t.Helper()
	for line := range strings.Lines(script) {
		list := words(line)
		if len(list) == 0 {
			continue
		}
		head, args := list[0], list[1:]
		switch _, isFile := w.files[head]; {
		case isFile:
			w.add(head, args)
		case head == "world":
			_, texts := sections(w.t, "worlds.txt")
			if texts[args[0]] == "" {
				w.t.Fatalf("no world %s", args[0])
			}
			w.do(texts[args[0]])
		case head == "drop":
			for _, name := range args {
				if w.rows[name] == nil {
					w.t.Fatalf("no rows of %s to drop", name)
				}
				delete(w.rows, name)
			}
		case head == "silent", head == "speaking":
			if w.files[args[0]].path == "" {
				w.t.Fatalf("no file %s", args[0])
			}
			w.silent[args[0]] = head == "silent"
		case head == "own":
			w.own[args[0]] = append(w.own[args[0]], feature(args[1:]))
		case head == "spelt":
			given, want, _ := strings.Cut(strings.Join(args, " "), " = ")
			w.add("zip", []string{strconv.Itoa(43100 + len(w.spelt)), given, "OH", "901", "40", "-83"})
			w.spelt = append(w.spelt, [2]string{given, want})
		case head == "build":
			w.buildWith(w.options(args))
			for i, s := range w.spelt {
				if got := w.field(strconv.Itoa(43100+i), "City"); got != s[1] {
					w.t.Errorf("%q is spelt %q, want %q", s[0], got, s[1])
				}
			}
		case head == "fails":
			w.fails(args[0], w.options(args[1:]))
		default:
			w.expect(head, args)
		}
	}
}

// add adds a row, or ten and fewer: {2-5} stands for a digit.
func (w *world) add(name string, row []string) {
	text := strings.Join(row, "\x00")
	if from := strings.IndexByte(text, '{'); from >= 0 {
		pattern := text[from : from+len("{2-5}")]
		for digit := pattern[1]; digit <= pattern[3]; digit++ {
			w.rows[name] = append(w.rows[name], strings.Split(strings.ReplaceAll(text, pattern, string(digit)), "\x00"))
		}
		return
	}
	w.rows[name] = append(w.rows[name], row)
}

// feature returns a GeoJSON feature: a box and its properties, or an open ring.
func feature(args []string) string {
	var properties []string
	ring := fmt.Sprintf("[%[1]s,%[2]s],[%[3]s,%[2]s],[%[3]s,%[4]s],[%[1]s,%[4]s]", args[0], args[1], args[2], args[3])
	open := slices.Contains(args, "open")
	if !open {
		ring += fmt.Sprintf(",[%s,%s]", args[0], args[1])
	}
	for _, p := range args[4:] {
		if key, value, ok := strings.Cut(p, "="); ok {
			properties = append(properties, fmt.Sprintf("%q:%q", key, value))
		}
	}
	return fmt.Sprintf(`{"type":"Feature","properties":{%s},"geometry":{"type":"Polygon","coordinates":[[%s]]}}`, strings.Join(properties, ","), ring)
}

func collection(features []string) string {
	return `{"type":"FeatureCollection","features":[` + strings.Join(features, ",\n") + `]}`
}

// boxes are features of one file, each "west south east north property=value".
func boxes(list ...string) string {
	var features []string
	for _, text := range list {
		features = append(features, feature(words(text)))
	}
	return collection(features)
}

// write makes the mirror and returns its folder.
func (w *world) write() string {
	w.t.Helper()
	m, root := mirrortest.New(), w.t.TempDir()
	for name, f := range w.files {
		rows := w.rows[name]
		kind, always := strings.CutSuffix(f.kind, "!")
		if rows == nil && !always {
			continue
		}
		var texts []string
		var shapes []mirrortest.Shape
		table := [][]string{strings.Split(f.header, "|")}
		for _, row := range rows {
			var box [4]float64
			if kind == "shapes" {
				_, err := fmt.Sscan(strings.Join(row[:4], " "), &box[0], &box[1], &box[2], &box[3])
				check(w.t, err)
				row = row[4:]
			}
			text := expanded(f.row, row)
			switch values := strings.Split(text, "|"); kind {
			case "features":
				text = feature(append(slices.Clone(row[:4]), append([]string{expanded(f.row, row[4:])}, row[5:]...)...))
			case "sheet":
				table = append(table, values)
			case "shapes":
				shapes = append(shapes, mirrortest.Box(box[0], box[1], box[2], box[3], values...))
			}
			texts = append(texts, text)
		}
		switch kind {
		case "text":
			m.Text(f.path, f.member, f.header, texts...)
		case "features":
			m.Text(f.path, f.member, "", collection(texts))
		case "sheet":
			m.Sheet(f.path, table...)
		case "shapes":
			m.Shapes(f.path, f.header, shapes...)
		}
		if w.silent[name] || name == "actual" {
			delete(m.Rows, f.path)
		}
	}
	check(w.t, m.Write(root))
	return root
}

// expanded puts words into a pattern.
func expanded(pattern string, row []string) string {
	return os.Expand(pattern, func(name string) string {
		if n, err := strconv.Atoi(name); err == nil && n <= len(row) {
			return row[n-1]
		}
		return ""
	})
}

// options reads the layers and options of a build: $name is the path of a file of the user.
func (w *world) options(args []string) (o builder.Options) {
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			o.Layers = append(o.Layers, arg)
			continue
		}
		for file, features := range w.own {
			if strings.Contains(value, "$"+file) {
				value = strings.ReplaceAll(value, "$"+file, named(w.t, file, collection(features)))
			}
		}
		reflect.ValueOf(&o).Elem().FieldByName(name).SetString(value)
	}
	return o
}

// build builds layers of the world.
func (w *world) build(layers ...string) *built {
	w.t.Helper()
	return w.buildWith(builder.Options{Layers: layers})
}

func (w *world) buildWith(o builder.Options) *built {
	w.t.Helper()
	o.Mirror = w.write()
	b, err := build(w.t, o)
	check(w.t, err)
	w.built = b
	return b
}

// fails builds the world, expects an error with a text, and no file.
func (w *world) fails(text string, o builder.Options) {
	w.t.Helper()
	dir := w.t.TempDir()
	o.Mirror, o.Output = w.write(), filepath.Join(dir, "out.db")
	if _, err := builder.Build(context.Background(), o); err == nil || !strings.Contains(filepath.ToSlash(err.Error()), text) {
		w.t.Errorf("error %v, want one with %q", err, text)
	}
	if left := names(w.t, dir); len(left) > 0 {
		w.t.Errorf("a failed build left %v", left)
	}
}
