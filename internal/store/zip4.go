package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"iter"
	"slices"
	"sort"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A zip4ZIP is the part of the street records of a ZIP that is kept in memory.
type zip4ZIP struct {
	ZIP     dataset.ZIP
	Pages   int
	Buckets uint16 // the rows of the index of add-ons that there are
	Finance uint32 // 0 if unknown
	Keys    int    // streets
	Firsts  string // of each page two bytes
	Filter  string // of the streets
}

// streetParts returns the parts of streets.
func (d *Dataset) streetParts() []file.Part {
	return []file.Part{d.streetZIPs(), d.cityNames(), d.roadPart()}
}

// streetZIPs lists the pages of street records.
func (d *Dataset) streetZIPs() file.Part {
	return file.Part{
		Section: sectionRecords,
		Queries: []file.Query{
			{Name: "street_zip", SQL: "SELECT CAST(zip AS INTEGER), pages, addons, finance, streets, firsts, filter FROM street_zip ORDER BY zip"},
			{Name: "street_alias", SQL: "SELECT DISTINCT CAST(zip AS INTEGER) FROM street_alias ORDER BY zip"},
		},
		Load: func(m *file.Memory) error {
			rows, err := file.Rows[zip4ZIP](m, "street_zip")
			if err != nil {
				return err
			}
			set := file.NewCodeSetBuilder(dataset.NumZIPs)
			for i := range rows {
				r := &rows[i]
				if err := set.Add(uint32(r.ZIP)); err != nil {
					return err
				}
				if len(r.Firsts) != 2*r.Pages || len(r.Filter) != filterSize(r.Keys) || r.Keys == 0 {
					return file.ErrRange
				}
			}
			d.streets, d.streetSet = rows, set.Finish()
			zips, err := file.Rows[struct{ ZIP dataset.ZIP }](m, "street_alias")
			d.aliases = make(map[dataset.ZIP]bool, len(zips))
			for _, r := range zips {
				d.aliases[r.ZIP] = true
			}
			return err
		},
	}
}

// firstHash returns the first hash of a page, doubled, plus one if the page before ends with it.
func (s *zip4ZIP) firstHash(page int) uint16 {
	return uint16(s.Firsts[2*page]) | uint16(s.Firsts[2*page+1])<<8
}

// zip4RunOf names a run of records of a ZIP while a file is written.
type zip4RunOf struct {
	zip dataset.ZIP
	run uint32
}

const maxFinance = 999_999

var zip4Rows = &file.RowKind{Name: "zip4", Noun: func(id int64) string {
	return fmt.Sprintf("page %d of the streets of ZIP %s", id%maxPagesOfZIP, dataset.ZIP(id/maxPagesOfZIP))
}}

// checkStreetPage unpacks a page.
func checkStreetPage(row []driver.Value) error {
	id, _ := row[0].(int64)
	data, _ := row[1].([]byte)
	p, err := decodeStreetPage(id, data)
	if err == nil {
		_, err = p.Check()
	}
	return err
}

// streetsOf returns what memory holds of the street records of a ZIP.
func (d *Dataset) streetsOf(z dataset.ZIP) (*zip4ZIP, bool) {
	d.file.Need(sectionRecords)
	row, ok := d.streetSet.Row(uint32(z))
	if !ok {
		return nil, false
	}
	return &d.streets[row], true
}

// HasZIP4 reports whether the dataset holds ZIP+4 records of the ZIP Code,
// from memory, without an allocation.
func (d *Dataset) HasZIP4(z dataset.ZIP) bool {
	s, ok := d.streetsOf(z)
	return ok && s.Buckets != 0
}

// ZIP4 reads the ZIP+4 records whose range holds the add-on. Base records come
// before alternates. Then records are in the order of their street's key and of
// their addition. If none exists, the slice is empty and the error nil.
func (d *Dataset) ZIP4(ctx context.Context, z dataset.ZIP, p dataset.Plus4) ([]ZIP4Record, error) {
	if err := d.file.Load(ctx, sectionRecords); err != nil {
		return nil, err
	}
	s, ok := d.streetsOf(z)
	if !ok || p > 9999 || s.Buckets>>(p/addOnsOfRow)&1 == 0 {
		return nil, d.file.Usable()
	}
	id := int64(z)*addOnBuckets + int64(p/addOnsOfRow)
	entries, err := file.ReadRow(ctx, d.file, zip4AddOnRows, id, func(payload []byte) ([]addOnRange, error) { return decodeAddOns(id, payload) })
	if err != nil {
		return nil, err
	}
	var found []int
	for _, a := range entries[:sort.Search(len(entries), func(i int) bool { return entries[i].low > p })] {
		if p <= a.high {
			found = append(found, a.page)
		}
	}
	slices.Sort(found)
	var list []zip4Match
	for _, i := range slices.Compact(found) {
		page, err := d.zip4Page(ctx, s, i)
		if err != nil {
			return nil, err
		}
		if list, err = d.appendMatches(list, page, p); err != nil {
			return nil, d.file.DamagedRow(zip4Rows, page.id, err)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(list, func(a, b zip4Match) int {
		return cmp.Or(cmp.Compare(file.FlagBits(a.record.Alternate), file.FlagBits(b.record.Alternate)), cmp.Compare(a.key, b.key))
	})
	records := make([]ZIP4Record, len(list))
	for i := range list {
		records[i] = list[i].record
	}
	return records, nil
}

type zip4Match struct {
	record ZIP4Record
	key    string // of its street
}

func (d *Dataset) appendMatches(list []zip4Match, page *streetPage, p dataset.Plus4) ([]zip4Match, error) {
	for i := range page.count {
		if low, high := page.addOns(i); low > uint64(p) || high < uint64(p) {
			continue
		}
		r, err := page.record(i)
		if err != nil {
			return nil, err
		}
		if r.NoPlus4 {
			continue
		}
		key, _, err := page.streetKey(nil, i)
		if err != nil {
			return nil, err
		}
		list = append(list, zip4Match{r.ZIP4Record, string(key)})
	}
	return list, nil
}

// zip4Page reads a page of a ZIP. It may be given to rooms once it is done
// with.
func (d *Dataset) zip4Page(ctx context.Context, s *zip4ZIP, i int) (*streetPage, error) {
	id := int64(s.ZIP)*maxPagesOfZIP + int64(i)
	return file.ReadRow(ctx, d.file, zip4Rows, id, func(payload []byte) (*streetPage, error) {
		p, ok := d.pageRoom.Get().(*streetPage)
		if !ok {
			p = &streetPage{}
		}
		err := p.decode(id, payload)
		return p, err
	})
}

// ZIP4Records yields every ZIP+4 record of the ZIP Code, street by street in a
// fixed order. The records of a street are in the order of their addition. An
// error ends the sequence.
func (d *Dataset) ZIP4Records(ctx context.Context, z dataset.ZIP) iter.Seq2[ZIP4Record, error] {
	return func(yield func(ZIP4Record, error) bool) {
		for r, err := range d.allRecords(ctx, z) {
			if !r.NoPlus4 && !yield(r.ZIP4Record, err) {
				return
			}
		}
	}
}
