package store

import (
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// Other names for tests.
const (
	NumPostalCodes = dataset.NumPostalCodes
)

// SealPages gives pages their checksums.
var SealPages = file.SealPages

// DecodeACSPage unpacks a page of a table and checks it; rows are keyed by
// their positions.
func DecodeACSPage(t *ACSTable, first uint32, payload []byte) (map[uint32][]ACSCell, error) {
	rows := map[uint32][]ACSCell{}
	err := t.Walk(payload, first, func(position uint32, r *ACSRow) (bool, error) {
		cells := make([]ACSCell, len(t.Columns))
		rows[position] = cells
		return true, r.Cells(cells)
	})
	return rows, err
}

// EncodeACSPage packs rows into one page, at the positions 0, 1 and so on.
func EncodeACSPage(t *ACSTable, rows [][]ACSCell) (page []byte, err error) {
	p := acsPager{Add: func(_ uint32, payload []byte) error {
		page = payload
		return nil
	}}
	for i, cells := range rows {
		first, rest, err := appendACSRow(t.Columns, cells)
		if err != nil {
			return nil, err
		}
		if err := p.Row(uint32(i), first, rest); err != nil {
			return nil, err
		}
	}
	return page, p.Flush()
}

// An ACSCache keeps pages of the survey's tables.
type ACSCache struct{ c file.Cache[[]byte] }

// Get returns the payload of a page that is kept.
func (c *ACSCache) Get(id uint32) []byte {
	payload, _ := c.c.Get(int64(id))
	return payload
}

// Add offers a page.
func (c *ACSCache) Add(id uint32, payload []byte) { c.c.Add(int64(id), payload, len(payload)) }

// Held returns how many pages are kept, and their bytes.
func (c *ACSCache) Held() (pages, bytes int) { return held(&c.c) }

func held(c *file.Cache[[]byte]) (pages, bytes int) {
	for p := range c.All() {
		pages, bytes = pages+1, bytes+cap(p)
	}
	return pages, bytes
}

// ACSPagesHeld returns how many pages of the survey's tables are in memory.
func (d *Dataset) ACSPagesHeld() int {
	pages, _ := held(&d.acsCache)
	return pages
}

// ForgetACSPages makes the next reads go to the file.
func (d *Dataset) ForgetACSPages() {
	d.acsCache = file.Cache[[]byte]{}
}

// PackACSSegment turns rows of numbers into a segment.
func PackACSSegment(rows [][]int32) *ACSSegment {
	s := &ACSSegment{}
	var numbers []int32
	for i, r := range rows {
		s.Present.Add(i)
		numbers = append(numbers, r...)
	}
	s.Pack(numbers, len(rows[0]), len(rows))
	return s
}

// ACSAreas returns how many areas of a level the tables of the survey hold in all.
func (d *Dataset) ACSAreas(l ACSLevel) int { return len(d.ACSGEOIDs(l)) }
