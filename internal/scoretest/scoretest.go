// Package scoretest keeps the tables of tests that measure quality. The documentation takes
// them from bench/results.
package scoretest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// write is the value of the environment variable that rewrites the tables.
const (
	variable = "POSTGEO_SCORES"
	write    = "write"
)

// A Table is a table of Markdown.
type Table struct {
	Title   string
	Columns []string // names; those that begin with ">" are aligned to the right
	Rows    [][]any
}

// markdown returns the table under its title.
func (x *Table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n", x.Title)
	for _, c := range x.Columns {
		b.WriteString("| " + strings.TrimPrefix(c, ">") + " ")
	}
	b.WriteString("|\n")
	for _, c := range x.Columns {
		if strings.HasPrefix(c, ">") {
			b.WriteString("| ---: ")
		} else {
			b.WriteString("| --- ")
		}
	}
	b.WriteString("|\n")
	for _, row := range x.Rows {
		for _, cell := range row {
			if n, ok := cell.(int); ok {
				cell = Count(n)
			}
			fmt.Fprintf(&b, "| %v ", cell)
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// Replace returns the text of a file with the table in place of the one with the same
// title, else at the end.
func (x *Table) Replace(text string) string {
	own := x.markdown()
	head, rest, ok := strings.Cut(text, "\n## "+x.Title+"\n")
	if !ok {
		return text + own
	}
	tail := ""
	if _, next, more := strings.Cut(rest, "\n## "); more {
		tail = "\n## " + next
	}
	return head + own + tail
}

// Hold compares a table with that of bench/results/NAME.md. If POSTGEO_SCORES is
// "write", it rewrites the table instead.
func Hold(t testing.TB, name string, x Table) {
	t.Helper()
	hold(t, "bench/results/"+name+".md", x.markdown(), func(text string) string {
		if text == "" {
			text = "<!-- Written by the tests that score this subject; see the targets of the Makefile. -->\n"
		}
		return x.Replace(text)
	})
}

// HoldFile compares a text with that of a file of the repository, like [Hold].
func HoldFile(t testing.TB, path, text string) {
	t.Helper()
	hold(t, path, "", func(string) string { return text })
}

func hold(t testing.TB, name, shown string, change func(string) string) {
	t.Helper()
	path := filepath.Join(root(t), filepath.FromSlash(name))
	data, err := os.ReadFile(path)
	writes := os.Getenv(variable) == write
	if err != nil && !(writes && errors.Is(err, fs.ErrNotExist)) {
		t.Fatal(err)
	}
	switch want := change(string(data)); {
	case want == string(data):
	case !writes:
		t.Errorf("%s is out of date; run this test with %s=%s. It is now:\n%s", name, variable, write, shown)
	default:
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// root returns the folder above the test that has the tables.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "bench", "results")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			t.Skip("the folder bench/results is not there")
		}
		dir = above
	}
}

// Count returns a whole number with commas.
func Count(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Percent returns a share with one decimal, "99.9 %". Only all is 100 %.
func Percent(part, all int) string {
	const whole, most = 100, 99.9
	share := whole * float64(part) / float64(max(all, 1))
	if part < all {
		share = min(share, most)
	}
	return fmt.Sprintf("%.1f %%", share)
}
