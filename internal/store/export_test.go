package store

import (
	"slices"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// SealPages gives pages their checksums.
var SealPages = file.SealPages

// DecodeACSPage unpacks a page of a table and checks it; rows are keyed by
// their positions.
func DecodeACSPage(t *ACSTable, payload []byte) (map[uint32][]ACSCell, error) {
	list, err := file.DecodeRows[ACSPageRow](payload)
	rows := map[uint32][]ACSCell{}
	for _, r := range list {
		cells := make([]ACSCell, len(t.Columns))
		rows[r.Position] = cells
		if err := (&ACSRow{t.Columns, r.First, r.Rest}).Cells(cells); err != nil {
			return nil, err
		}
	}
	return rows, err
}

// EncodeACSPage packs rows into one page, at the positions 0, 1 and so on.
func EncodeACSPage(t *ACSTable, rows [][]ACSCell) []byte {
	var page []ACSPageRow
	for i, cells := range rows {
		first, rest := AppendACSRow(t.Columns, cells)
		page = append(page, ACSPageRow{uint32(i), string(first), string(rest)})
	}
	return file.EncodeRows(page)
}

// ACSAreas returns how many areas of a level the tables of the survey hold in all.
func (d *Dataset) ACSAreas(l ACSLevel) int { return len(d.ACSGEOIDs(l)) }

// ACSTable finds a table. It returns nil if the dataset does not have it.
func (d *Dataset) ACSTable(l ACSLevel, year int, name string) *ACSTable {
	d.Need(SectionSurvey)
	i, ok := slices.BinarySearchFunc(d.acsTables, ACSTable{Level: l, Year: year, Name: name}, CompareACSTables)
	if !ok {
		return nil
	}
	return &d.acsTables[i]
}
