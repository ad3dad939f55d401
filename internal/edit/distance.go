// Package edit measures how far apart two words are by their letters. Misspelt
// streets, places and names of fields are found by it.
//
// # Usage
//
//	edit.Distance("MIAN", "MAIN", 2) // 1: two letters are swapped
package edit

// Longest is the maximum length of a word in bytes.
const Longest = 128

// Distance returns the number of letters to add, drop, change or swap with a
// neighbor to turn one word into the other. No letter is edited twice. It is
// limit+1 if it exceeds limit, or if a word has more than [Longest] bytes. A
// letter is a byte. Nothing is allocated.
//
// This is the optimal string alignment distance (Damerau-Levenshtein with the restriction
// that no letter is edited twice). The restriction makes three rows of the table suffice.
// It is not a metric: CA to ABC has 3, though CA to AC to ABC has 2 steps. Misspelt words
// differ in one or two places, and there the two distances are equal.
func Distance(a, b string, limit int) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if limit < 0 || len(b)-len(a) > limit || len(b) > Longest {
		return limit + 1
	}
	// Common beginnings and ends do not matter.
	for len(a) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 {
		return len(b)
	}
	const short = 48
	if len(b) <= short { // rows that take less to clear
		var rows [3][short + 1]uint8
		return distance(a, b, limit, rows[0][:], rows[1][:], rows[2][:])
	}
	var rows [3][Longest + 1]uint8
	return distance(a, b, limit, rows[0][:], rows[1][:], rows[2][:])
}

// distance works with three rows that have room for the longer word b. row[j] is the
// distance of the first i letters of a from the first j of b; last and before are the
// rows of i-1 and i-2. Numbers up to 128 fit into bytes. A row's least number never falls
// again, so that a row without a number up to the limit ends the comparison.
func distance(a, b string, limit int, before, last, row []uint8) int {
	for j := range len(b) + 1 {
		last[j] = uint8(j)
	}
	for i := 1; i <= len(a); i++ {
		row[0] = uint8(i)
		least := row[0]
		for j := 1; j <= len(b); j++ {
			d := last[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if int(least) > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return min(int(last[len(b)]), limit+1)
}
