package table

import "github.com/postgeo/postgeo/internal/disk"

// NamesCode reports whether the name of a column is likely that of codes.
func NamesCode(name string) bool { return namesCode(name) }

// Rows reads the rows of a source of text.
func (s *Source) Rows() (rows []string) {
	var b block
	for s.read(&b) == nil {
		for i := range b.len() {
			rows = append(rows, string(b.row(i)))
		}
	}
	return rows
}

// WithPalettes runs f with so few bytes of distinct values in Parquet.
func WithPalettes(bytes int64, f func()) {
	defer func(was int64) { paletteBytes = was }(paletteBytes)
	paletteBytes = bytes
	f()
}

// OnDisk returns the output on a disk that is not the operating system's.
func (o Output) OnDisk(d disk.Disk) Output {
	o.disk = d
	return o
}
