package store

import (
	"context"
	"errors"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
	"github.com/postgeo/postgeo/internal/store/internal/layers"
	"github.com/postgeo/postgeo/internal/store/internal/roads"
	"github.com/postgeo/postgeo/internal/store/internal/streets"
	"github.com/postgeo/postgeo/internal/store/internal/survey"
)

// The kinds of rows in a comparison.
const (
	KindState      = codes.KindState
	KindCounty     = codes.KindCounty
	KindCBSA       = codes.KindCBSA
	KindDivision   = codes.KindDivision
	KindZone       = codes.KindZone
	KindZIP        = codes.KindZIP
	KindFSA        = codes.KindFSA
	KindPostal     = codes.KindPostal
	KindStateArea  = layers.KindStateArea
	KindCountyArea = layers.KindCountyArea
	KindZIPArea    = layers.KindZIPArea
	KindFSAArea    = layers.KindFSAArea
	KindZIP4       = streets.KindZIP4
	KindRoads      = roads.KindRoads
)

// Other names for tests.
const (
	NumPostalCodes = dataset.NumPostalCodes
)

// TableDigest digests a table.
type TableDigest = file.TableDigest

// Functions for tests.
var (
	KindLayer = layers.KindLayer
	SealPages = file.SealPages
)

// DecodeZIP4Page unpacks and checks a page.
func DecodeZIP4Page(id int64, payload []byte) ([]streets.Record, error) {
	p, err := streets.DecodeZIP4Page(id, payload)
	if err != nil {
		return nil, err
	}
	return p.Check()
}

// DecodeAddOns unpacks a row of the index of add-ons and returns the number of
// its entries.
func DecodeAddOns(id int64, payload []byte) (int, error) {
	list, err := streets.DecodeAddOns(id, payload)
	return len(list), err
}

// DecodeStreetKeys unpacks the list of a ZIP's streets.
var DecodeStreetKeys = streets.DecodeStreetKeys

// EncodeZIP4Pages packs the records of one ZIP; the pages are keyed by their
// numbers.
func EncodeZIP4Pages(records []streets.Record) map[int64][]byte {
	pages := map[int64][]byte{}
	for _, row := range streets.PackStreets(records).Rows[0] {
		pages[row.Id] = row.Payload
	}
	return pages
}

// EncodeStreetRows packs the index of add-ons, keyed by the rows' numbers, and
// the list of streets of the records of one ZIP.
func EncodeStreetRows(records []streets.Record) (addOns map[int64][]byte, keys []byte) {
	rows := streets.PackStreets(records).Rows
	addOns = map[int64][]byte{}
	for _, row := range rows[1] {
		addOns[row.Id] = row.Payload
	}
	for _, row := range rows[2] {
		keys = row.Payload
	}
	return addOns, keys
}

// VerifyIndexes is the part of a verification that looks into the indexes.
func (d *Dataset) VerifyIndexes() error {
	var problems []error
	for _, t := range d.rooms.File.Tables.Resident {
		if t.Verify == nil {
			continue
		}
		if err := t.Verify(); err != nil {
			problems = append(problems, d.rooms.File.Damaged("column %s: %v", t.Name, err))
		}
	}
	return errors.Join(problems...)
}

// A ColumnHead describes a column.
type ColumnHead struct {
	Name        string
	Width, Rows int
}

// Directory decodes the directory of columns.
func Directory(payload []byte) (list []ColumnHead, err error) {
	heads, err := file.DecodeDirectory(payload)
	for _, h := range heads {
		list = append(list, ColumnHead{h.Name, h.Width, h.Rows})
	}
	return list, err
}

// EncodeDirectory encodes the directory of columns.
func EncodeDirectory(list []ColumnHead) []byte {
	var s file.Columns
	for _, h := range list {
		s.Add(file.Column{Name: h.Name, Width: h.Width, Rows: h.Rows})
	}
	return s.Directory()
}

// ColumnIndex returns the number of the column with the name.
func (d *Dataset) ColumnIndex(name string) int { return mustColumns(d).Index(name) }

// NumColumns returns the number of columns of the open file.
func (d *Dataset) NumColumns() int { return len(d.rooms.File.Heads) }

// ColumnData returns the number of rows and the bytes of a column.
func (d *Dataset) ColumnData(n int) (rows int, data []byte) {
	c := mustColumns(d).Heads[n]
	return c.Rows, c.Data
}

// WithColumn decodes the columns of the open file with one of them replaced,
// as if its checksum were right. Only what is in memory can be read from the
// result.
func (d *Dataset) WithColumn(n, rows int, data []byte) (*Dataset, error) {
	set := mustColumns(d)
	set.Heads[n].Rows, set.Heads[n].Data = rows, data
	other := newDataset(nil)
	other.rooms.File.Path = "crafted"
	return other, other.rooms.File.DecodeAll(set)
}

func mustColumns(d *Dataset) *file.Columns {
	set := &file.Columns{}
	err := d.rooms.File.Cold.Use(context.Background(), func(c *file.Connection) error {
		for i, head := range d.rooms.File.Heads {
			var err error
			if head.Data, err = c.Row(file.ColumnRows, int64(i+1)); err != nil {
				return err
			}
			set.Add(head)
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
func DecodeACSPage(t *survey.Table, first uint32, payload []byte) (map[uint32][]survey.Cell, error) {
	rows := map[uint32][]survey.Cell{}
	err := t.Walk(payload, first, func(position uint32, r *survey.Row) (bool, error) {
		cells := make([]survey.Cell, len(t.Columns))
		rows[position] = cells
		return true, r.Cells(cells)
	})
	return rows, err
}

// EncodeACSPage packs rows into one page, at the positions 0, 1 and so on.
func EncodeACSPage(t *survey.Table, rows [][]survey.Cell) (page []byte, err error) {
	p := survey.AcsPager{Add: func(_ uint32, payload []byte) error {
		page = payload
		return nil
	}}
	for i, cells := range rows {
		first, rest, err := survey.AppendACSRow(t.Columns, cells)
		if err != nil {
			return nil, err
		}
		if err := p.Row(uint32(i), first, rest); err != nil {
			return nil, err
		}
	}
	return page, p.Flush()
}

// Coders of the rows of layers.
var (
	EncodeOverlaps       = layers.EncodeOverlaps
	EncodeSchoolDistrict = layers.EncodeSchoolDistrict
	DecodeSchoolDistrict = layers.DecodeSchoolDistrict
)

func mustLoad(d *Dataset) {
	if err := d.Prepare(context.Background()); err != nil {
		panic(err)
	}
}

// DecodeOverlaps decodes what the row of a code holds.
func (d *Dataset) DecodeOverlaps(payload []byte) (layers.CodeOverlaps, error) {
	mustLoad(d)
	return layers.DecodeOverlaps(d.rooms.Layers, payload)
}

// DecodeLayerCodes decodes the codes of a layer and returns how many there are.
func (d *Dataset) DecodeLayerCodes(id layers.ID, payload []byte) (int, error) {
	mustLoad(d)
	c, err := d.Layer(id).DecodeCodes(payload)
	if err != nil {
		return 0, err
	}
	return len(c.Codes), nil
}

// CheckPostalAreas decodes the areas of the codes of an FSA.
func (d *Dataset) CheckPostalAreas(f dataset.FSA, payload []byte) error {
	mustLoad(d)
	return layers.PostalAreasTable.Check(d.rooms.Layers, int64(f), payload)
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
	pages, _ := held(survey.PagesInMemory(d.rooms.Survey))
	return pages
}

// ForgetACSPages makes the next reads go to the file.
func (d *Dataset) ForgetACSPages() {
	*survey.PagesInMemory(d.rooms.Survey) = file.Cache[[]byte]{}
}

// PackACSSegment turns rows of numbers into a segment.
func PackACSSegment(rows [][]int32) *survey.Segment {
	s := &survey.Segment{}
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
