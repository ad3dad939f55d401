package enrich

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/edit"
)

// A FieldError indicates a path that is unknown or lacks an option.
type FieldError struct {
	Path string   // as given
	Near []string // similar paths, most similar first; may be empty
	why  string   // another reason; "" if the path is unknown
}

// Error returns the path and similar ones.
func (e *FieldError) Error() string {
	if e.why != "" {
		return fmt.Sprintf("enrich: field %q %s", e.Path, e.why)
	}
	s := fmt.Sprintf("enrich: unknown field %q", e.Path)
	if len(e.Near) == 0 {
		return s
	}
	return s + "; similar: " + strings.Join(e.Near, ", ")
}

// mostNear is the number of similar paths in an error.
const mostNear = 5

// near returns the paths of the catalog, and of further fields, that are
// similar to an unknown one. Paths with the same end come first, then those
// with the same words, then those that differ by few letters. For a path of
// user-supplied places or areas it returns only such paths, by default the
// first ones.
func near(path string, further []Field) []string {
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
	fields := slices.Concat(further, Catalog())
	root, _, _ := strings.Cut(path, ".")
	own := root == placeRoot || root == areaRoot
	if own {
		fields = slices.DeleteFunc(fields, func(f Field) bool { return !strings.HasPrefix(f.Path, root+".") })
	}
	for _, f := range fields {
		name := strings.ToLower(f.Path)
		end := name[strings.LastIndexByte(name, '.')+1:]
		var score int
		switch {
		case strings.HasSuffix(name, "."+path):
			score = 0
		case end == last:
			score = 100
		case edit.Distance(path, name, 3) <= 3:
			score = 200
		case len(last) > 4 && edit.Distance(last, end, 2) <= 2:
			score = 300
		case len(last) > 3 && strings.Contains(name, last):
			score = 400
		default:
			continue
		}
		hits = append(hits, hit{f.Path, score + edit.Distance(path, name, edit.Longest)})
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.score, b.score) })
	if own && len(hits) == 0 {
		for _, f := range fields {
			hits = append(hits, hit{path: f.Path})
		}
	}
	var paths []string
	for _, h := range hits[:min(mostNear, len(hits))] {
		paths = append(paths, h.path)
	}
	return paths
}
