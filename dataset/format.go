package dataset

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"strings"
)

const (
	applicationID = 0x50474544 // "PGED" at byte 68 of the file
	formatVersion = 5          // user_version, at byte 60 of the file
	pageSize      = 16384
	headerSize    = 100 // of a SQLite file
	sqliteMagic   = "SQLite format 3\x00"
)

// A residentTable is kept in memory and stored as one or more columns. Finish
// calls encode. decode reads the columns and checks every value that lookups rely
// on.
type residentTable struct {
	name    string
	section Sections // 0: read by Open; a table of Open has a column in every file
	encode  func(*Writer, *columnSet) error
	decode  func(*Dataset, *columnSet) error
}

// A rowTable stays in the file: one blob per thing, found by its number.
type rowTable struct {
	name  string
	noun  func(id int64) string                            // names a row in errors
	ids   func(*Dataset) iter.Seq[int64]                   // the rows that the resident tables promise, ascending
	check func(d *Dataset, id int64, payload []byte) error // decodes and discards
}

// residentTables returns all tables that are kept in memory, in the order of
// their columns. A table may refer to those before it. The tables of Open come
// first, each with all its columns; a file may lack the columns of others. The
// manifest has the number of columns, so that none gets lost.
//
// A new table needs its encoder, decoder and checks, a line here and a higher
// formatVersion.
func residentTables() []residentTable {
	list := []residentTable{
		namesTable, statesTable, cbsasTable, divisionsTable, countiesTable, zonesTable,
		zipsTable, fsasTable, zipTextsTable, fsaTextsTable, layersTable, acsYearsTable,
	}
	for _, s := range [...]struct {
		section Sections
		tables  []residentTable
	}{
		{SectionPostalCodes, []residentTable{postalCodesTable}},
		{SectionPoints, []residentTable{codePointsTable, areaPointsTable}},
		{SectionDensity, []residentTable{zipDensityTable, fsaDensityTable}},
		{SectionZoneShares, []residentTable{zipZonesTable, fsaZonesTable}},
		{SectionStateAreas, []residentTable{stateAreasTable}},
		{SectionCountyAreas, []residentTable{countyAreasTable}},
		{SectionZIPAreas, []residentTable{zipAreasTable}},
		{SectionFSAAreas, []residentTable{fsaAreasTable}},
		{SectionZoneAreas, []residentTable{zoneAreasTable}},
		{SectionEntities, []residentTable{entitiesTable}},
		{SectionOverlaps, []residentTable{zipOverlapCodesTable, fsaOverlapCodesTable, postalAreaCodesTable}},
		{SectionStreets, []residentTable{zip4PagesTable, cityNamesTable, streetAliasCodesTable}},
	} {
		for _, t := range s.tables {
			t.section = s.section
			list = append(list, t)
		}
	}
	for id := LayerID(1); id < endOfLayers; id++ {
		list = append(list, layerAreasTable(id))
	}
	acs := acsResidentTable // last, so that a file can be extended by it
	acs.section = SectionSurvey
	return append(list, acs)
}

const (
	zipDetailRows = iota
	fsaDetailRows
	zip4Rows
	zip4AddOnRows
	streetKeyRows
	streetAliasRows
	acsRows
	layerOutlineRows
	zipOverlapRows
	fsaOverlapRows
	layerCodeRows
	schoolRows
	postalAreaRows
	numRowTables
)

func rowTables() [numRowTables]rowTable {
	return [numRowTables]rowTable{
		zipDetailRows: zipDetailTable, fsaDetailRows: fsaDetailTable, zip4Rows: zip4Table,
		zip4AddOnRows: zip4AddOnTable, streetKeyRows: streetKeyTable, streetAliasRows: streetAliasTable, acsRows: acsTable,
		layerOutlineRows: layerOutlinesTable, zipOverlapRows: zipOverlapsTable, fsaOverlapRows: fsaOverlapsTable, layerCodeRows: layerCodesTable,
		schoolRows: schoolDistrictsTable, postalAreaRows: postalAreasTable,
	}
}

// schema returns the statements that create the file's tables. Open refuses a
// file that holds any others.
func schema() []string {
	s := []string{
		"CREATE TABLE manifest (id INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL)",
		"CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL," +
			" vintage TEXT NOT NULL, licence TEXT NOT NULL, attribution TEXT NOT NULL, refresh TEXT NOT NULL," +
			" user_supplied INTEGER NOT NULL, note TEXT NOT NULL, row_count INTEGER NOT NULL, sha256 TEXT NOT NULL)",
		"CREATE TABLE gap (id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount INTEGER NOT NULL)",
		"CREATE TABLE content (id INTEGER PRIMARY KEY, name TEXT NOT NULL, row_count INTEGER NOT NULL, sha256 TEXT NOT NULL)",
		"CREATE TABLE column_data (id INTEGER PRIMARY KEY, name TEXT NOT NULL, width INTEGER NOT NULL," +
			" row_count INTEGER NOT NULL, crc32c INTEGER NOT NULL, data BLOB NOT NULL)",
	}
	for _, t := range rowTables() {
		s = append(s, "CREATE TABLE "+t.name+" (id INTEGER PRIMARY KEY, data BLOB NOT NULL)")
	}
	return s
}

func tableName(createStatement string) string {
	return strings.Fields(createStatement)[2]
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// sealBytes is the size of a row's checksum, its last bytes.
const sealBytes = 4

// seal appends to a row's payload the CRC-32C of its table, number and
// payload, so that a row cannot stand in for another.
func seal(table string, id int64, payload []byte) []byte {
	return binary.LittleEndian.AppendUint32(payload, rowChecksum(table, id, payload))
}

// unseal returns the payload of a sealed row.
func unseal(table string, id int64, data []byte) ([]byte, error) {
	n := len(data) - sealBytes
	if n < 0 {
		return nil, fmt.Errorf("it has %d bytes, too few for a checksum", len(data))
	}
	if got, want := rowChecksum(table, id, data[:n]), binary.LittleEndian.Uint32(data[n:]); got != want {
		return nil, fmt.Errorf("its CRC-32C is %08x, expected %08x", got, want)
	}
	return data[:n:n], nil
}

func rowChecksum(table string, id int64, payload []byte) uint32 {
	var b [64]byte
	key := append(b[:0], table...)
	key = append(key, 0)
	key = binary.LittleEndian.AppendUint64(key, uint64(id))
	return crc32.Update(crc32.Checksum(key, castagnoli()), castagnoli(), payload)
}

// checkHeader looks at the first bytes of a file, before SQLite sees it.
func checkHeader(path string, header []byte, size int64) error {
	switch {
	case size == 0:
		return fmt.Errorf("%w: %s is empty; expected a file that \"postgeo dataset build\" wrote", ErrNotDataset, path)
	case len(header) < len(sqliteMagic) || string(header[:len(sqliteMagic)]) != sqliteMagic:
		return fmt.Errorf("%w: %s begins with %q, expected %q; give a file that \"postgeo dataset build\" wrote",
			ErrNotDataset, path, header[:min(len(header), len(sqliteMagic))], sqliteMagic)
	case len(header) < headerSize:
		return damaged(path, "it ends after %d bytes, inside its header", size)
	}
	if id := binary.BigEndian.Uint32(header[68:]); id != applicationID {
		return fmt.Errorf("%w: %s is a SQLite file with application id %#x, expected %#x; give a file that \"postgeo dataset build\" wrote",
			ErrNotDataset, path, id, uint32(applicationID))
	}
	if v := binary.BigEndian.Uint32(header[60:]); v != formatVersion {
		return fmt.Errorf("%w: %s has format version %d, this release reads version %d; build it again with this release, or use the release that wrote it",
			ErrVersion, path, v, formatVersion)
	}
	if p := binary.BigEndian.Uint16(header[16:]); p != pageSize {
		return damaged(path, "its page size is %d bytes, expected %d", p, pageSize)
	}
	if want := int64(binary.BigEndian.Uint32(header[28:])) * pageSize; size != want {
		return damaged(path, "it has %d bytes, expected %d", size, want)
	}
	return nil
}

func readHeader(r io.Reader) ([]byte, error) {
	b := make([]byte, headerSize)
	n, err := io.ReadFull(r, b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return b[:n], err
}
