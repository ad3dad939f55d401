package lookuptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/encode"
)

// JSON returns what package envelope writes of a value, and fails unless
// encoding/json writes the same bytes.
func JSON(tb testing.TB, v any) []byte {
	tb.Helper()
	got, err := encode.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	var std bytes.Buffer
	enc := json.NewEncoder(&std)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		tb.Fatal(err)
	}
	if want := bytes.TrimSpace(std.Bytes()); !bytes.Equal(want, got) {
		tb.Fatalf("the bytes differ from encoding/json's\n-want %s\n+got  %s", want, got)
	}
	return got
}

// Golden holds the indented [JSON] of a value against a file of testdata, or
// writes the file again.
func Golden(tb testing.TB, name string, v any, update bool) {
	tb.Helper()
	var got bytes.Buffer
	if err := json.Indent(&got, JSON(tb, v), "", "  "); err != nil {
		tb.Fatal(err)
	}
	got.WriteByte('\n')
	Text(tb, name+".json", got.String(), update)
}

// Text compares a text with a file of testdata, or writes the file again.
func Text(tb testing.TB, name, got string, update bool) {
	tb.Helper()
	file := filepath.Join("testdata", name)
	if update {
		checktest.Check(tb, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	checktest.Check(tb, err)
	if string(want) != got {
		tb.Errorf("%s: %s", file, firstDifference(want, []byte(got)))
	}
}

// Table compares the answers to the texts of a file of testdata with those after " => " in
// its rows, or writes them again. A \n is a new line. Lines without an arrow are skipped.
func Table(tb testing.TB, name string, update bool, answer func(text string) string) {
	tb.Helper()
	file := filepath.Join("testdata", name)
	table, err := os.ReadFile(file)
	checktest.Check(tb, err)
	var got bytes.Buffer
	rows := 0
	for line := range strings.Lines(string(table)) {
		text, want, ok := strings.Cut(line, " => ")
		if !ok {
			if strings.Contains(line, "=>") && line[0] != '#' {
				tb.Errorf("%s: %s has no blanks around the arrow, or no answer", file, line)
			}
			got.WriteString(line)
			continue
		}
		rows++
		have := answer(strings.ReplaceAll(text, `\n`, "\n"))
		if want = strings.TrimSuffix(want, "\n"); want != have && !update {
			tb.Errorf("%s, %q\n-want %s\n+got  %s", file, text, want, have)
		}
		fmt.Fprintf(&got, "%s => %s\n", text, have)
	}
	if rows == 0 {
		tb.Errorf("%s has no rows", file)
	}
	if update {
		checktest.Check(tb, os.WriteFile(file, got.Bytes(), 0o644))
	}
}

// Sections reads the titles and texts of the sections of a file of testdata. Each begins with
// a line of "== " and its title.
func Sections(tb testing.TB, name string) (list [][2]string) {
	tb.Helper()
	file := filepath.Join("testdata", name)
	text, err := os.ReadFile(file)
	checktest.Check(tb, err)
	begun := "\n" + string(text)
	for _, section := range strings.Split(begun, "\n== ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		if strings.TrimSpace(text) == "" {
			tb.Errorf("%s: the section %q is empty", file, title)
		}
		list = append(list, [2]string{title, text})
	}
	if n := strings.Count(begun, "\n=="); n != len(list) || n == 0 {
		tb.Errorf("%s: %d of %d sections have a title; want all, and at least one", file, len(list), n)
	}
	return list
}

// firstDifference returns the first line that differs between two texts.
func firstDifference(want, got []byte) string {
	a, b := bytes.Split(want, []byte("\n")), bytes.Split(got, []byte("\n"))
	for i := 0; ; i++ {
		if i >= len(a) || i >= len(b) || !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf("line %d\n-want %s\n+got  %s", i+1, bytes.Join(a[min(i, len(a)):min(i+1, len(a))], nil), bytes.Join(b[min(i, len(b)):min(i+1, len(b))], nil))
		}
	}
}
