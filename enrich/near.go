package enrich

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A FieldError says that no answer has a path.
type FieldError struct {
	Path string   // as given
	Near []string // paths that come near, the nearest first; may be empty
	why  string   // what else is wrong; "" where nothing has the path
}

// Error names the path and what comes near.
func (e *FieldError) Error() string {
	if e.why != "" {
		return fmt.Sprintf("enrich: field %q %s", e.Path, e.why)
	}
	s := fmt.Sprintf("enrich: no answer has a field %q", e.Path)
	if len(e.Near) == 0 {
		return s
	}
	return s + "; near it are " + strings.Join(e.Near, ", ")
}

// mostNear is how many near paths an error names.
const mostNear = 5

// near lists the paths of the catalogue that come nearest to a wrong one: those
// with the same end, then those with the same words, then those that differ by
// few letters.
func near(path string) []string {
	type hit struct {
		path  string
		score int
	}
	path = strings.ToLower(strings.TrimSpace(path))
	if path == "" || len(path) > 200 {
		return nil
	}
	last := path[strings.LastIndexByte(path, '.')+1:]
	var hits []hit
	for _, f := range Catalog() {
		end := f.Path[strings.LastIndexByte(f.Path, '.')+1:]
		letters := distance(path, f.Path)
		var score int
		switch {
		case strings.HasSuffix(f.Path, "."+path):
			score = 0
		case end == last:
			score = 100
		case letters <= 3:
			score = 200
		case distance(last, end) <= 2 && len(last) > 4:
			score = 300
		case len(last) > 3 && strings.Contains(f.Path, last):
			score = 400
		default:
			continue
		}
		hits = append(hits, hit{f.Path, score + letters})
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.score, b.score) })
	var paths []string
	for _, h := range hits[:min(mostNear, len(hits))] {
		paths = append(paths, h.path)
	}
	return paths
}

// distance is how many letters have to be added, dropped or changed to make
// one text of the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := before
			if a[i] != b[j] {
				d++
			}
			before = row[j+1]
			row[j+1] = min(d, row[j]+1, before+1)
		}
	}
	return row[len(b)]
}
