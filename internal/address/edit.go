package address

// editLimit returns how far a misspelt key may be from a right one, by the
// length of the longer of them.
func editLimit(length int) int {
	switch {
	case length < 4:
		return 0
	case length < 8:
		return 1
	default:
		return 2
	}
}

// sameDigits reports whether two keys hold the same digits in the same order:
// numbers are never misspelt, 28TH is not 29TH.
func sameDigits(a, b string) bool {
	i, j := 0, 0
	for {
		for i < len(a) && !isDigit(a[i]) {
			i++
		}
		for j < len(b) && !isDigit(b[j]) {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i] != b[j] {
			return false
		}
		i, j = i+1, j+1
	}
}
