package streets

import (
	"sync"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Reader holds what stays in memory of the streets of one file.
type Reader struct {
	file *file.File

	streetSet     file.CodeSet // the ZIPs that have street records
	streetZIPs    []zip4ZIP
	streetFirsts  []uint16 // of all pages
	streetFilters []byte
	citySet       file.CodeSet // the ZIPs that have city names
	cityStarts    []uint32     // of their names in cityNames
	cityNames     []byte
	aliases       file.CodeSet // the ZIPs whose streets have other names
	zip4Rooms     sync.Pool    // of *Page
}

// A Writer collects the streets of a new file.
type Writer struct {
	out *file.Writer

	zip4        []Record // of the ZIP that is being added
	zip4Run     uint32   // counts the runs of records of one ZIP
	finances    map[zip4RunOf]uint32
	zip4ZIPs    []zip4ZIP // known in Finish
	zip4Firsts  []uint16
	zip4Filters []byte
	cityNames   []zipCities
	aliases     []uint32 // the ZIPs whose streets were given other names
}

// SectionStreets holds the pages of streets, city names and aliases.
const SectionStreets file.Sections = 1 << 62

type table = file.ResidentTable[*Reader, *Writer]

func tables() []table {
	list := []table{zip4PagesTable, cityNamesTable, streetAliasCodesTable}
	for i := range list {
		list[i].Section = SectionStreets
	}
	return list
}

// New registers the tables of streets with a file.
func New(f *file.File) *Reader {
	d := &Reader{file: f}
	var list []file.Bound
	for _, t := range tables() {
		list = append(list, t.Bind(d, nil))
	}
	f.Tables.Add(list, []file.BoundRows{zip4Table.Bind(d), zip4AddOnTable.Bind(d), streetKeyTable.Bind(d), streetAliasTable.Bind(d)})
	return d
}

// NewWriter registers the tables of streets with a new file.
func NewWriter(out *file.Writer) *Writer {
	w := &Writer{out: out, finances: map[zip4RunOf]uint32{}}
	for _, t := range tables() {
		out.Add(t.Bind(nil, w))
	}
	out.Flush = append(out.Flush, w.spoolZIP4)
	out.Packed = append(out.Packed, file.PackedRows{Kinds: []*file.RowKind{zip4Rows, zip4AddOnRows, streetKeyRows}, Write: w.writeZIP4, Kept: true})
	return w
}
