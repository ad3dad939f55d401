// Command wordcheck counts phrases that the house style refuses, in comments,
// Markdown, and the strings of Go files that hold help, errors and notices.
//
// # Usage
//
//	go run ./internal/wordcheck             # fail if a count of counts.txt rose
//	go run ./internal/wordcheck -list geo   # print every match below geo
//	go run ./internal/wordcheck -lower      # write counts.txt unless a count rose
//
// The rules are in wordlist.txt. The counts in counts.txt are a ratchet: a test
// fails when one of them rises.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	list := flag.Bool("list", false, "print every match; arguments are folders")
	lower := flag.Bool("lower", false, "write counts.txt unless a count rose")
	flag.Parse()
	if err := run(*list, *lower, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "wordcheck:", err)
		os.Exit(1)
	}
}

func run(list, lower bool, folders []string) error {
	root, err := Root()
	if err != nil {
		return err
	}
	matches, err := Check(root)
	if err != nil {
		return err
	}
	if list {
		for _, m := range matches {
			if len(folders) == 0 || slices.ContainsFunc(folders, func(f string) bool { return inFolder(m.File, f) }) {
				fmt.Println(m)
			}
		}
		return nil
	}
	counts := Count(matches)
	file := filepath.Join(root, "internal", "wordcheck", "counts.txt")
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if rises := Rises(string(old), counts); len(rises) > 0 && err == nil {
		return fmt.Errorf("more refused phrases than before:\n%s", strings.Join(rises, "\n"))
	}
	if lower {
		return os.WriteFile(file, []byte(Table(counts)), 0o644)
	}
	return nil
}

func inFolder(file, folder string) bool {
	folder = filepath.ToSlash(filepath.Clean(folder))
	return folder == "." || file == folder || strings.HasPrefix(file, folder+"/")
}

// A Key identifies one count.
type Key struct {
	Folder string
	Kind   string // comment, doc, string or test
	Level  Level
}

// Count returns the number of matches per folder, kind and level.
func Count(matches []Match) map[Key]int {
	counts := map[Key]int{}
	for _, m := range matches {
		folder := filepath.ToSlash(filepath.Dir(m.File))
		counts[Key{folder, m.Kind, m.Level}]++
	}
	return counts
}

// Table returns counts as lines of folder, kind, level and number, sorted.
func Table(counts map[Key]int) string {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Level, b.Level))
	})
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "%s %s %s %d\n", k.Folder, k.Kind, k.Level, counts[k])
	}
	return b.String()
}

// Rises returns a line for every count that is higher than in table. It
// compares the sums of every kind and level, and the counts of every folder
// that table has. New folders and moved files may hold matches as long as the
// sum falls.
func Rises(table string, counts map[Key]int) []string {
	old := map[Key]int{}
	for line := range strings.Lines(table) {
		var k Key
		var n int
		if _, err := fmt.Sscan(line, &k.Folder, &k.Kind, &k.Level, &n); err == nil {
			old[k] = n
			old[Key{"sum", k.Kind, k.Level}] += n
		}
	}
	now := maps.Clone(counts)
	known := map[string]bool{"sum": true}
	for k := range old {
		known[k.Folder] = true
	}
	for k, n := range counts {
		now[Key{"sum", k.Kind, k.Level}] += n
	}
	var rises []string
	for k, n := range now {
		if known[k.Folder] && n > old[k] {
			folder := k.Folder
			if folder == "sum" {
				folder = "."
			}
			rises = append(rises, fmt.Sprintf("%s: %s %s: %d, was %d (go run ./internal/wordcheck -list %s)", k.Folder, k.Kind, k.Level, n, old[k], folder))
		}
	}
	slices.Sort(rises)
	return rises
}
