package store

import (
	"database/sql/driver"
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Center is the center of population of a census block group.
type Center struct {
	BlockGroup uint64 // GEOID of the census of 2020, twelve digits with leading zeros
	At         geo.LatLng
	People     int
	ZIP        postcode.ZIP  // ZIP Code of its people but those of Others; 0 without one
	Others     []CenterShare // further ZIP Codes whose people it holds
}

// A CenterShare is the part of the people of a block group in a ZIP Code.
type CenterShare struct {
	ZIP    postcode.ZIP
	People int // 0 for a ZIP Code that has its point there, and no known people
}

// Shares appends the parts of the people in ZIP Codes. They sum to the people, if there
// are any.
func (c *Center) Shares(into []CenterShare) []CenterShare {
	if c.ZIP != 0 {
		own := c.People
		for _, o := range c.Others {
			own -= o.People
		}
		into = append(into, CenterShare{c.ZIP, own})
	}
	return append(into, c.Others...)
}

// A CensusBlock is a block of the census of 2020 at a point inside.
type CensusBlock struct {
	GEOID   uint64 // fifteen digits with leading zeros; 000 ends that of a part of a block group without a number
	At      geo.LatLng
	People  int
	Housing int   // housing units, or UnknownArea
	Land    int64 // square meters, or UnknownArea
}

// MaxBlockLand is the maximum land of a block in square meters. The sum over all
// blocks of the census fits an int64.
const MaxBlockLand = 1e12

// BlocksOfGroup is the number of GEOIDs of blocks for each block group.
const BlocksOfGroup = 1000

// WithinPage is the number of GEOIDs of a page: both a block group of a state and a block of a
// county have ten digits more.
const WithinPage = 10_000_000_000

// A gridPage holds the centers of a state or the blocks of a county. They are decoded whenever
// they are read: the few operations that read them, such as crosswalks, read all, and 242,000
// decoded centers would stay in the memory of every server for them.
type gridPage struct {
	fips uint64
	data []byte
}

func (d *Dataset) loadCenters(m *file.Connection) error {
	for table, into := range map[string]*[]gridPage{"center": &d.centers, "census_block": &d.blocks} {
		*into = nil
		err := m.Query("SELECT fips, data FROM "+table+" ORDER BY fips", func(v []driver.Value) error {
			fips, _ := v[0].(int64)
			data, _ := v[1].([]byte)
			*into = append(*into, gridPage{uint64(fips), data})
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Centers yields the centers of population in ascending order of their block
// groups. [SectionCenters] must be loaded.
func (d *Dataset) Centers() iter.Seq[Center] {
	return rowsOfPages(d, &d.centers, func(c *Center) *uint64 { return &c.BlockGroup })
}

// rowsOfPages yields the rows of pages, whose GEOIDs are given without that of the page.
func rowsOfPages[T any](d *Dataset, pages *[]gridPage, geoid func(*T) *uint64) iter.Seq[T] {
	d.Need(SectionCenters)
	return func(yield func(T) bool) {
		for _, page := range *pages {
			rows, err := file.DecodeRows[T](page.data)
			if err != nil { // an iterator has no error; see [file.File.Need]
				panic(d.Damaged("the blocks or block groups of %d: %v", page.fips, err))
			}
			for i := range rows {
				*geoid(&rows[i]) += page.fips * WithinPage
				if !yield(rows[i]) {
					return
				}
			}
		}
	}
}

// HasCenterZIPs reports whether the ZIP Codes of centers are known. [SectionCenters] must be
// loaded.
func (d *Dataset) HasCenterZIPs() bool {
	d.Need(SectionCenters)
	return len(d.centers) > 0
}

// CensusBlocks yields the blocks that users supplied, in ascending order.
// [SectionCenters] must be loaded.
func (d *Dataset) CensusBlocks() iter.Seq[CensusBlock] {
	return rowsOfPages(d, &d.blocks, func(b *CensusBlock) *uint64 { return &b.GEOID })
}
