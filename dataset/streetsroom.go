package dataset

import "sync"

// A streetsReader holds what stays in memory of the streets of one file.
type streetsReader struct {
	file *file

	streetSet     codeSet // the ZIPs that have street records
	streetZIPs    []zip4ZIP
	streetFirsts  []uint16 // of all pages
	streetFilters []byte
	citySet       codeSet  // the ZIPs that have city names
	cityStarts    []uint32 // of their names in cityNames
	cityNames     []byte
	aliases       codeSet   // the ZIPs whose streets have other names
	zip4Rooms     sync.Pool // of *zip4Page
}

// A streetsWriter collects the streets of a new file.
type streetsWriter struct {
	out *writer

	zip4        []StreetRecord // of the ZIP that is being added
	zip4Run     uint32         // counts the runs of records of one ZIP
	finances    map[zip4RunOf]uint32
	zip4ZIPs    []zip4ZIP // known in Finish
	zip4Firsts  []uint16
	zip4Filters []byte
	cityNames   []zipCities
	aliases     []uint32 // the ZIPs whose streets were given other names
}

// SectionStreets holds the pages of streets, city names and aliases.
const SectionStreets Sections = 1 << 62

type streetsTable = table[*streetsReader, *streetsWriter]

func streetsTables() []streetsTable {
	list := []streetsTable{zip4PagesTable, cityNamesTable, streetAliasCodesTable}
	for i := range list {
		list[i].section = SectionStreets
	}
	return list
}

// newStreets registers the tables of streets with a file.
func newStreets(f *file) *streetsReader {
	d := &streetsReader{file: f}
	var list []boundTable
	for _, t := range streetsTables() {
		list = append(list, t.bind(d, nil))
	}
	f.tables.add(list, []boundRows{zip4Table.bind(d), zip4AddOnTable.bind(d), streetKeyTable.bind(d), streetAliasTable.bind(d)})
	return d
}

// newStreetsWriter registers the tables of streets with a new file.
func newStreetsWriter(out *writer) *streetsWriter {
	w := &streetsWriter{out: out, finances: map[zip4RunOf]uint32{}}
	for _, t := range streetsTables() {
		out.add(t.bind(nil, w))
	}
	out.flush = append(out.flush, w.spoolZIP4)
	out.packed = append(out.packed, packedRows{[]*rowKind{zip4Rows, zip4AddOnRows, streetKeyRows}, w.writeZIP4, true})
	return w
}
