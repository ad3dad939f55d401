package command

import "github.com/postgeo/postgeo/internal/edit"

// NearName returns the name nearest to a wrong one, or "" if all differ by more than
// a third of the letters.
func NearName(given string, names []string) string {
	best, least := "", (len(given)+2)/3+1
	for _, name := range names {
		if d := edit.Distance(given, name, least); d < least {
			best, least = name, d
		}
	}
	return best
}
