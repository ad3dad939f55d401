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

// OnDisk returns the output on a disk that is not the operating system's.
func (o Output) OnDisk(d disk.Disk) Output {
	o.disk = d
	return o
}

// Results is the cache of results.
type Results struct{ *results }

func NewResults() Results { return Results{newResults()} }

func (a Results) Put(key, cells string) { a.put([]byte(key), result{cells: []byte(cells)}) }

func (a Results) Get(key string) (cells string, ok bool) {
	var of result
	ok = a.get([]byte(key), &of)
	return string(of.cells), ok
}

// Size returns the bytes that the cache holds.
func (a Results) Size() (n int) {
	for i := range a.shards {
		s := &a.shards[i]
		n += len(s.text) + s.size
	}
	return n
}
