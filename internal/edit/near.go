package edit

import (
	"cmp"
	"slices"
	"strings"
)

// NearPaths returns up to most of the dotted paths that are similar to a wrong one.
// Paths with the same end or beginning come first, then those that contain all
// its words. Paths that differ by few letters and those with a similar end
// follow.
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
	words := split(wrong)
	few := min(3, len(wrong)/3) // edits: a short word with more of them is another word
	var hits []hit
	for _, path := range paths {
		name := strings.ToLower(path)
		end := name[strings.LastIndexByte(name, '.')+1:]
		// Hundreds are the kinds of similarity. The distance, below 100 for usual paths,
		// orders within them.
		var score int
		switch {
		case name == wrong, strings.HasSuffix(name, "."+wrong), strings.HasPrefix(wrong, name+"."):
			score = 0
		case containsAll(split(name), words):
			score = 100
		case end == last:
			score = 200
		case Distance(wrong, name, few) <= few:
			score = 300
		case len(last) > 4 && Distance(last, end, 2) <= 2:
			score = 400
		case len(last) > 3 && strings.Contains(name, last), len(end) > 2 && strings.HasPrefix(last, end):
			score = 500
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

// split returns the words of a path.
func split(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '_' })
}

// containsAll reports whether each of some words is in a path, in full or as the
// beginning of a longer word.
func containsAll(path, words []string) bool {
	for _, word := range words {
		if !slices.ContainsFunc(path, func(w string) bool { return w == word || len(word) > 3 && strings.HasPrefix(w, word) }) {
			return false
		}
	}
	return true
}
