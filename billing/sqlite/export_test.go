package sqlite

// RoundTrip decodes the lines of a hold and encodes them again.
func RoundTrip(b []byte) ([]byte, error) {
	lines, err := decodeLines(b)
	return encodeLines(lines), err
}
