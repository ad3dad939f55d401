package edit

import (
	"cmp"
	"slices"
	"strings"
)

// NearPaths returns up to most of the dotted paths that are similar to a wrong one.
// Paths with the same end come first, then those that differ by few letters, then
// those with a similar end.
func NearPaths(wrong string, paths []string, most int) []string {
	wrong = strings.ToLower(strings.TrimSpace(wrong))
	if wrong == "" || len(wrong) > Longest {
		return nil
	}
	type hit struct {
		path  string
		score int
	}
	last := wrong[strings.LastIndexByte(wrong, '.')+1:]
	var hits []hit
	for _, path := range paths {
		name := strings.ToLower(path)
		end := name[strings.LastIndexByte(name, '.')+1:]
		var score int
		switch {
		case strings.HasSuffix(name, "."+wrong):
			score = 0
		case end == last:
			score = 100
		case Distance(wrong, name, 3) <= 3:
			score = 200
		case len(last) > 4 && Distance(last, end, 2) <= 2:
			score = 300
		case len(last) > 3 && strings.Contains(name, last), len(end) > 2 && strings.HasPrefix(last, end):
			score = 400
		default:
			continue
		}
		hits = append(hits, hit{path, score + Distance(wrong, name, Longest)})
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.score, b.score) })
	var found []string
	for _, h := range hits[:min(most, len(hits))] {
		found = append(found, h.path)
	}
	return found
}
