package cli

// nearName returns the name that is nearest to a wrong one, the first of
// several, or "" where all differ by more than a third of the letters.
func nearName(given string, names []string) string {
	best, least := "", (len(given)+2)/3+1
	for _, name := range names {
		if d := editDistance(given, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// editDistance is how many letters have to be added, dropped or changed to make
// one word of the other.
func editDistance(a, b string) int {
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
