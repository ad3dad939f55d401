package dataset

import (
	"context"
	"errors"
)

// What the tests of the decoders need to reach.
var (
	Unseal = unseal
	Seal   = seal
)

// DetailCoder encodes and decodes details with one numbering of their texts.
type DetailCoder struct{ w codesWriter }

// EncodeZIP encodes a detail.
func (c *DetailCoder) EncodeZIP(t *ZIPDetail) ([]byte, error) { return c.w.encodeZIPDetail(t) }

// DecodeZIP decodes what EncodeZIP wrote.
func (c *DetailCoder) DecodeZIP(b []byte) (*ZIPDetail, error) {
	return (&codesReader{zipTexts: c.w.zipTexts.list}).decodeZIPDetail(b)
}

// EncodeFSA encodes a detail.
func (c *DetailCoder) EncodeFSA(t *FSADetail) ([]byte, error) { return c.w.encodeFSADetail(t) }

// DecodeFSA decodes what EncodeFSA wrote.
func (c *DetailCoder) DecodeFSA(b []byte) (*FSADetail, error) {
	return (&codesReader{fsaTexts: c.w.fsaTexts.list}).decodeFSADetail(b)
}

// DecodeZIP4Page unpacks and checks a page.
func DecodeZIP4Page(id int64, payload []byte) ([]StreetRecord, error) {
	p, err := decodeZIP4Page(id, payload)
	if err != nil {
		return nil, err
	}
	return p.check()
}

// DecodeAddOns unpacks a row of the index of add-ons and returns the number of
// its entries.
func DecodeAddOns(id int64, payload []byte) (int, error) {
	list, err := decodeAddOns(id, payload)
	return len(list), err
}

// DecodeStreetKeys unpacks the list of a ZIP's streets.
var DecodeStreetKeys = decodeStreetKeys

// EncodeZIP4Pages packs the records of one ZIP; the pages are keyed by their
// numbers.
func EncodeZIP4Pages(records []StreetRecord) map[int64][]byte {
	p, pages := packStreets(records), map[int64][]byte{}
	for i, payload := range p.pages {
		pages[p.pageID(i)] = payload
	}
	return pages
}

// EncodeStreetRows packs the index of add-ons, keyed by the rows' numbers, and
// the list of streets of the records of one ZIP.
func EncodeStreetRows(records []StreetRecord) (addOns map[int64][]byte, keys []byte) {
	p, addOns := packStreets(records), map[int64][]byte{}
	for _, row := range p.addOns {
		addOns[row.id] = row.payload
	}
	return addOns, p.keys
}

// VerifyIndexes is the part of a verification that looks into the indexes.
func (d *Dataset) VerifyIndexes(ctx context.Context) error {
	v := verification{f: d.rooms.file}
	err := v.resident(ctx, d.rooms.file)
	return errors.Join(append(v.problems, err)...)
}

// A ColumnHead describes a column.
type ColumnHead struct {
	Name        string
	Width, Rows int
}

// Directory decodes the directory of columns.
func Directory(payload []byte) (list []ColumnHead, err error) {
	heads, err := decodeDirectory(payload)
	for _, h := range heads {
		list = append(list, ColumnHead{h.name, h.width, h.rows})
	}
	return list, err
}

// EncodeDirectory encodes the directory of columns.
func EncodeDirectory(list []ColumnHead) []byte {
	var s columnSet
	for _, h := range list {
		s.add(column{name: h.Name, width: h.Width, rows: h.Rows})
	}
	return s.directory()
}

// ColumnIndex returns the number of the column with the name.
func (d *Dataset) ColumnIndex(name string) int { return mustColumns(d).index(name) }

// NumColumns returns the number of columns of the open file.
func (d *Dataset) NumColumns() int { return len(d.rooms.file.heads) }

// ColumnData returns the number of rows and the bytes of a column.
func (d *Dataset) ColumnData(n int) (rows int, data []byte) {
	c := mustColumns(d).heads[n]
	return c.rows, c.data
}

// WithColumn decodes the columns of the open file with one of them replaced,
// as if its checksum were right. Only what is in memory can be read from the
// result.
func (d *Dataset) WithColumn(n, rows int, data []byte) (*Dataset, error) {
	set := mustColumns(d)
	set.heads[n].rows, set.heads[n].data = rows, data
	other := newDataset()
	other.rooms.file.path = "crafted"
	return other, other.rooms.file.decodeAll(set)
}

func mustColumns(d *Dataset) *columnSet {
	set := &columnSet{}
	err := d.rooms.file.cold.use(context.Background(), func(c *connection) error {
		for i, head := range d.rooms.file.heads {
			var err error
			if head.data, err = c.row(columnRows, int64(i+1)); err != nil {
				return err
			}
			set.add(head)
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return set
}

// DecodeACSPage unpacks a page of a table and checks it; rows are keyed by
// their positions.
func DecodeACSPage(t *ACSTable, first uint32, payload []byte) (map[uint32][]ACSCell, error) {
	rows := map[uint32][]ACSCell{}
	err := t.walk(payload, first, func(position uint32, r *ACSRow) (bool, error) {
		cells := make([]ACSCell, len(t.Columns))
		rows[position] = cells
		return true, r.Cells(cells)
	})
	return rows, err
}

// EncodeACSPage packs rows into one page, at the positions 0, 1 and so on.
func EncodeACSPage(t *ACSTable, rows [][]ACSCell) (page []byte, err error) {
	p := acsPager{add: func(_ uint32, payload []byte) error {
		page = payload
		return nil
	}}
	for i, cells := range rows {
		first, rest, err := appendACSRow(t.Columns, cells)
		if err != nil {
			return nil, err
		}
		if err := p.row(uint32(i), first, rest); err != nil {
			return nil, err
		}
	}
	return page, p.flush()
}

// Coders of the rows of layers.
var (
	EncodeOverlaps       = encodeOverlaps
	EncodeSchoolDistrict = encodeSchoolDistrict
	DecodeSchoolDistrict = decodeSchoolDistrict
)

func mustLoad(d *Dataset) {
	if err := d.Prepare(context.Background()); err != nil {
		panic(err)
	}
}

// DecodeOverlaps decodes what the row of a code holds.
func (d *Dataset) DecodeOverlaps(payload []byte) (CodeOverlaps, error) {
	mustLoad(d)
	return d.layersReader.decodeOverlaps(payload)
}

// DecodeLayerCodes decodes the codes of a layer and returns how many there are.
func (d *Dataset) DecodeLayerCodes(id LayerID, payload []byte) (int, error) {
	mustLoad(d)
	c, err := d.rooms.layers.layers[id].decodeCodes(payload)
	if err != nil {
		return 0, err
	}
	return len(c.codes), nil
}

// CheckPostalAreas decodes the areas of the codes of an FSA.
func (d *Dataset) CheckPostalAreas(f FSA, payload []byte) error {
	mustLoad(d)
	return postalAreasTable.check(d.rooms.layers, int64(f), payload)
}

// An ACSCache is what keeps the pages of the survey's tables.
type ACSCache = acsCache

// Get returns the payload of a page that is kept.
func (c *acsCache) Get(id uint32) []byte { return c.get(id) }

// Add offers a page.
func (c *acsCache) Add(id uint32, payload []byte) { c.add(id, payload) }

// Held returns how many pages are kept, and their bytes.
func (c *acsCache) Held() (pages, bytes int) {
	for i := range c.sets {
		for _, p := range c.sets[i].pages {
			if p.payload != nil {
				pages, bytes = pages+1, bytes+cap(p.payload)
			}
		}
	}
	return pages, bytes
}

// ACSPagesHeld returns how many pages of the survey's tables are in memory.
func (d *Dataset) ACSPagesHeld() int {
	pages, _ := d.acsCache.Held()
	return pages
}

// ForgetACSPages makes the next reads go to the file.
func (d *Dataset) ForgetACSPages() {
	for i := range d.acsCache.sets {
		d.acsCache.sets[i].pages = [acsCacheWays]cachedACSPage{}
	}
}

// ACSSegments are the segments of the survey's tables that are kept.
type ACSSegments = acsSegments

// NewACSSegments keeps segments in so many bytes.
func NewACSSegments(limit int64) *ACSSegments { return &acsSegments{limit: limit} }

// Get returns a segment by its number, and loads it if need be.
func (c *acsSegments) Get(ctx context.Context, segment uint32, load func() (*ACSSegment, error)) (*ACSSegment, error) {
	return c.get(ctx, acsSegmentID{segment: segment}, load)
}

// Held returns how many bytes the segments that are kept have, by their own
// count and by that of the whole.
func (c *acsSegments) Held() (segments int, bytes, counted int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.used.next; e != nil && e != &c.used; e = e.next {
		segments++
		bytes += e.segment.size()
	}
	return segments, bytes, c.bytes
}

// PackACSSegment turns rows of numbers into a segment.
func PackACSSegment(rows [][]int32) *ACSSegment {
	s := &ACSSegment{}
	var numbers []int32
	for i, r := range rows {
		s.rows.Add(i)
		numbers = append(numbers, r...)
	}
	s.pack(numbers, len(rows[0]), len(rows))
	return s
}
