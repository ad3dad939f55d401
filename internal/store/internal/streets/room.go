package streets

import (
	"sync"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Reader holds what stays in memory of the streets of one file.
type Reader struct {
	file *file.File

	streetSet file.CodeSet // the ZIPs that have street records
	streets   []zip4ZIP
	cities    []cityRow
	aliases   map[dataset.ZIP]bool // the ZIPs whose streets have other names
	rooms     sync.Pool            // of *Page
}

// A Writer collects the streets of a new file.
type Writer struct {
	out *file.Writer

	zip4     []Record // of the ZIP that is being added
	zip4Run  uint32   // counts the runs of records of one ZIP
	finances map[zip4RunOf]uint32
}

// SectionStreets holds the pages of streets, city names and aliases.
const SectionStreets file.Sections = 1 << 62

// New registers the streets with a file.
func New(f *file.File) *Reader {
	d := &Reader{file: f}
	f.Parts = append(f.Parts, d.streetZIPs(), d.cityNames())
	f.Blobs = append(f.Blobs, file.Blobs{Table: "zip4", Check: checkPage})
	return d
}

// NewWriter returns a writer of streets.
func NewWriter(out *file.Writer) *Writer {
	w := &Writer{out: out, finances: map[zip4RunOf]uint32{}}
	out.Flush = append(out.Flush, w.spoolZIP4, w.writeZIP4)
	return w
}
