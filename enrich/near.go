package enrich

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/edit"
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
	if path == "" || len(path) > edit.Longest {
		return nil
	}
	last := path[strings.LastIndexByte(path, '.')+1:]
	var hits []hit
	for _, f := range Catalog() {
		end := f.Path[strings.LastIndexByte(f.Path, '.')+1:]
		letters := edit.Distance(path, f.Path, edit.Longest)
		var score int
		switch {
		case strings.HasSuffix(f.Path, "."+path):
			score = 0
		case end == last:
			score = 100
		case letters <= 3:
			score = 200
		case edit.Distance(last, end, 2) <= 2 && len(last) > 4:
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
