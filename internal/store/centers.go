package store

import (
	"database/sql/driver"
	"encoding/binary"
	"iter"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Center is the center of population of a census block group.
type Center struct {
	BlockGroup uint64 // GEOID of the census of 2020, twelve digits with leading zeros
	At         geo.LatLng
	People     int
	ZIP        dataset.ZIP   // ZIP Code of its people but those of Others; 0 without one
	Others     []CenterShare // further ZIP Codes whose people it holds
}

// A CenterShare is the part of the people of a block group in a ZIP Code.
type CenterShare struct {
	ZIP    dataset.ZIP
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

// Both a block group of a state and a block of a county have ten digits more.
const withinPage = 10_000_000_000

// A gridPage holds the centers of a state or the blocks of a county. They are decoded whenever
// they are read.
type gridPage struct {
	fips uint64
	data []byte
}

// A centerRow is a center in the page of its state, before the shares of all.
type centerRow struct {
	Group  uint64 // within the state
	At     geo.LatLng
	People int
	ZIP    dataset.ZIP
	Others uint32 // number of its further shares
}

func (d *Dataset) loadCenters(m *file.Memory) error {
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
	d.file.Need(SectionCenters)
	return func(yield func(Center) bool) {
		for _, page := range d.centers {
			rows, shares, err := decodeCenters(page.data)
			if err != nil {
				panic(d.file.Damaged("the centers of state %02d: %v", page.fips, err))
			}
			for _, r := range rows {
				c := Center{BlockGroup: page.fips*withinPage + r.Group, At: r.At, People: r.People, ZIP: r.ZIP}
				if r.Others > 0 {
					c.Others, shares = shares[:r.Others:r.Others], shares[r.Others:]
				}
				if !yield(c) {
					return
				}
			}
		}
	}
}

// decodeCenters decodes the centers of a state, and the shares of all of them.
func decodeCenters(data []byte) (rows []centerRow, shares []CenterShare, err error) {
	d := file.Decoder{B: data}
	first := d.Take(d.Uint())
	if rows, err = file.DecodeRows[centerRow](first); err != nil {
		return nil, nil, err
	}
	if shares, err = file.DecodeRows[CenterShare](d.B); err != nil {
		return nil, nil, err
	}
	others := uint64(0)
	for i := range rows {
		others += uint64(rows[i].Others)
	}
	if others != uint64(len(shares)) {
		return nil, nil, file.ErrRange
	}
	return rows, shares, nil
}

func checkCenters(row []driver.Value) error {
	data, _ := row[1].([]byte)
	_, _, err := decodeCenters(data)
	return err
}

func checkBlocks(row []driver.Value) error {
	data, _ := row[1].([]byte)
	_, err := file.DecodeRows[CensusBlock](data)
	return err
}

// HasCenterZIPs reports whether the ZIP Codes of centers are known. [SectionCenters] must be
// loaded.
func (d *Dataset) HasCenterZIPs() bool {
	d.file.Need(SectionCenters)
	return len(d.centers) > 0
}

// SetCenters gives the centers of population, ascending by block group, once.
func (w *Writer) SetCenters(list []Center) error {
	return byPage(list, func(c *Center) uint64 { return c.BlockGroup }, func(fips int64, list []Center) error {
		var rows []centerRow
		var shares []CenterShare
		for i := range list {
			c := &list[i]
			if i > 0 && c.BlockGroup == list[i-1].BlockGroup {
				return file.Invalid("the center of block group %012d was given twice", c.BlockGroup)
			}
			rows = append(rows, centerRow{c.BlockGroup % withinPage, c.At, c.People, c.ZIP, uint32(len(c.Others))})
			shares = append(shares, c.Others...)
		}
		data := file.EncodeRows(rows)
		data = append(binary.AppendUvarint(nil, uint64(len(data))), data...)
		return w.out.Insert("center", fips, append(data, file.EncodeRows(shares)...))
	})
}

// byPage calls f with the rows of each page, ascending.
func byPage[T any](list []T, geoid func(*T) uint64, f func(fips int64, list []T) error) error {
	for len(list) > 0 {
		fips, n := geoid(&list[0])/withinPage, 0
		for n < len(list) && geoid(&list[n])/withinPage == fips {
			if n > 0 && geoid(&list[n]) < geoid(&list[n-1]) {
				return file.Invalid("%d after %d; expected ascending GEOIDs", geoid(&list[n]), geoid(&list[n-1]))
			}
			n++
		}
		if err := f(int64(fips), list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// CensusBlocks yields the blocks that users supplied, in ascending order.
// [SectionCenters] must be loaded.
func (d *Dataset) CensusBlocks() iter.Seq[CensusBlock] {
	d.file.Need(SectionCenters)
	return func(yield func(CensusBlock) bool) {
		for _, page := range d.blocks {
			rows, err := file.DecodeRows[CensusBlock](page.data)
			if err != nil {
				panic(d.file.Damaged("the blocks of county %05d: %v", page.fips, err))
			}
			for _, b := range rows {
				b.GEOID += page.fips * withinPage
				if !yield(b) {
					return
				}
			}
		}
	}
}

// SetCensusBlocks gives the census blocks, ascending. In an extended file they
// replace those of the same counties.
func (w *Writer) SetCensusBlocks(list []CensusBlock) error {
	return byPage(list, func(b *CensusBlock) uint64 { return b.GEOID }, func(fips int64, list []CensusBlock) error {
		rows := make([]CensusBlock, len(list))
		for i, b := range list {
			rows[i], rows[i].GEOID = b, b.GEOID%withinPage
		}
		if err := w.out.Exec("DELETE FROM census_block WHERE fips = ?", fips); err != nil {
			return err
		}
		return w.out.Insert("census_block", fips, file.EncodeRows(rows))
	})
}
