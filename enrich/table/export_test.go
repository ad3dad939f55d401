package table

// Rows reads the rows of a source of text.
func (s *Source) Rows() (rows []string) {
	var b block
	for s.read(&b) == nil {
		for i := range b.n {
			rows = append(rows, string(b.row(i)))
		}
	}
	return rows
}
