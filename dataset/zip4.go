package dataset

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"sort"
)

// zip4PagesTable is the resident list of the pages of street records: for each
// ZIP how many there are, which rows of the index of add-ons, the finance
// number; for each page the hash that it begins with. It lets a look-up name
// the rows it wants, so that one that SQLite does not find is known to be
// missing.
var zip4PagesTable = streetsTable{
	name: "zip4.pages",
	encode: func(w *streetsWriter, c *columnSet) error {
		var zips encoder
		next := uint32(0)
		for _, z := range w.zip4ZIPs {
			zips.uint(uint64(uint32(z.zip) - next))
			zips.uint(uint64(z.pages))
			zips.uint(uint64(z.buckets))
			zips.uint(uint64(z.finance))
			zips.uint(uint64(z.keys))
			next = uint32(z.zip) + 1
		}
		c.add(column{name: "zip4.zips", rows: len(w.zip4ZIPs), data: zips.b})
		var firsts []byte
		for _, f := range w.zip4Firsts {
			firsts = binary.LittleEndian.AppendUint16(firsts, f)
		}
		c.add(column{name: "zip4.firsts", width: 2, rows: len(w.zip4Firsts), data: firsts})
		c.add(column{name: "zip4.filters", width: 1, rows: len(w.zip4Filters), data: w.zip4Filters})
		return nil
	},
	decode: func(d *streetsReader, c *columnSet) error {
		zips, err := c.take("zip4.zips", 0)
		if err != nil {
			return err
		}
		firsts, err := c.take("zip4.firsts", 2)
		if err != nil {
			return err
		}
		filters, err := c.take("zip4.filters", 1)
		if err != nil {
			return err
		}
		d.streetFilters = filters.data
		return d.decodeZIP4Pages(zips, firsts)
	},
}

// A zip4ZIP is what stays in memory of the street records of a ZIP.
type zip4ZIP struct {
	zip     ZIP
	first   int // of its pages, among all
	pages   int
	buckets uint16 // the rows of the index of add-ons that there are
	finance uint32 // 0 where unknown
	keys    int    // streets
	filter  int    // where its filter begins among all
}

// zip4RunOf names a run of records of a ZIP while a file is written.
type zip4RunOf struct {
	zip ZIP
	run uint32
}

const maxFinance = 999_999

func (d *streetsReader) decodeZIP4Pages(zips, firsts column) error {
	if zips.rows > len(zips.data) {
		return fmt.Errorf("column %s: %w", zips.name, errShort)
	}
	list, set := make([]zip4ZIP, 0, zips.rows), newCodeSetBuilder(NumZIPs)
	in, pages, filters := decoder{b: zips.data}, 0, 0
	for i := range zips.rows {
		z := zip4ZIP{zip: ZIP(set.next + uint32(in.max(NumZIPs))), first: pages, filter: filters}
		z.pages = int(in.max(maxPagesOfZIP))
		z.buckets = uint16(in.max(1<<addOnBuckets - 1))
		z.finance = uint32(in.max(maxFinance))
		z.keys = int(in.max(maxZIP4Records))
		filters += filterSize(z.keys)
		if z.keys == 0 || filters > len(d.streetFilters) {
			in.fail(errRange)
		}
		if pages += z.pages; in.err == nil && (z.pages == 0 || pages > firsts.rows) {
			in.fail(errRange)
		}
		if in.err != nil {
			return fmt.Errorf("column %s: row %d: %w", zips.name, i, in.err)
		}
		if err := set.add(uint32(z.zip)); err != nil {
			return fmt.Errorf("column %s: row %d: %w", zips.name, i, err)
		}
		list = append(list, z)
	}
	if err := in.end(); err != nil {
		return fmt.Errorf("column %s: %w", zips.name, err)
	}
	if filters != len(d.streetFilters) {
		return fmt.Errorf("column zip4.filters has %d bytes, expected %d", len(d.streetFilters), filters)
	}
	if pages != firsts.rows {
		return fmt.Errorf("column %s has %d rows, expected %d", firsts.name, firsts.rows, pages)
	}
	starts := make([]uint16, firsts.rows)
	for i := range starts {
		starts[i] = binary.LittleEndian.Uint16(firsts.row(i))
	}
	for _, z := range list {
		of := starts[z.first : z.first+z.pages]
		for i := range of {
			if i > 0 && of[i]>>1 < of[i-1]>>1 || i == 0 && of[i]&1 != 0 {
				return fmt.Errorf("column %s: the pages of ZIP %s are not in order", firsts.name, z.zip)
			}
		}
	}
	d.streetZIPs, d.streetFirsts, d.streetSet = list, starts, set.finish()
	return nil
}

var zip4Rows = &rowKind{name: "zip4", noun: func(id int64) string {
	return fmt.Sprintf("page %d of the streets of ZIP %s", id%maxPagesOfZIP, ZIP(id/maxPagesOfZIP))
}}

var zip4Table = rowTable[*streetsReader]{
	rowKind: zip4Rows,
	ids: func(d *streetsReader) iter.Seq[int64] {
		return func(yield func(int64) bool) {
			for _, z := range d.streetZIPs {
				for i := range z.pages {
					if !yield(int64(z.zip)*maxPagesOfZIP + int64(i)) {
						return
					}
				}
			}
		}
	},
	check: func(d *streetsReader, id int64, payload []byte) error {
		p, err := decodeZIP4Page(id, payload)
		if err != nil {
			return err
		}
		if err := d.checkFirst(id, p); err != nil {
			return err
		}
		_, err = p.check()
		return err
	},
}

// checkFirst reports a page that begins otherwise than the resident list says.
func (d *streetsReader) checkFirst(id int64, p *zip4Page) error {
	row, ok := d.streetSet.row(uint32(p.zip))
	if !ok {
		return fmt.Errorf("its ZIP has no records")
	}
	if want := d.streetFirsts[d.streetZIPs[row].first+int(id%maxPagesOfZIP)]; p.first != want {
		return fmt.Errorf("it begins with %#x, expected %#x", p.first, want)
	}
	return nil
}

// streetsOf returns what memory holds of the street records of a ZIP.
func (d *streetsReader) streetsOf(z ZIP) (*zip4ZIP, bool) {
	d.file.need(SectionStreets)
	row, ok := d.streetSet.row(uint32(z))
	if !ok {
		return nil, false
	}
	return &d.streetZIPs[row], true
}

// HasZIP4 reports whether the dataset holds ZIP+4 records of the ZIP Code,
// from memory, without an allocation.
func (d *streetsReader) HasZIP4(z ZIP) bool {
	s, ok := d.streetsOf(z)
	return ok && s.buckets != 0
}

// ZIP4 reads the ZIP+4 records whose range holds the add-on: base records
// before alternates, then by the key of their street, then in the order in
// which they were added. Without one the slice is empty and the error nil.
func (d *streetsReader) ZIP4(ctx context.Context, z ZIP, p Plus4) ([]ZIP4Record, error) {
	if err := d.file.load(ctx, SectionStreets); err != nil {
		return nil, err
	}
	s, ok := d.streetsOf(z)
	if !ok || p > 9999 || s.buckets>>(p/addOnsOfRow)&1 == 0 {
		return nil, d.file.usable()
	}
	id := int64(z)*addOnBuckets + int64(p/addOnsOfRow)
	payload, err := d.file.row(ctx, zip4AddOnRows, id)
	if err != nil {
		return nil, err
	}
	entries, err := d.addOns(id, payload)
	if err != nil {
		return nil, d.file.damaged("%s: %v", zip4AddOnRows.noun(id), err)
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
			return nil, d.file.damaged("%s: %v", zip4Rows.noun(page.id), err)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(list, func(a, b zip4Match) int {
		return cmp.Or(cmp.Compare(flagBits(a.record.Alternate), flagBits(b.record.Alternate)), cmp.Compare(a.key, b.key))
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

func (d *streetsReader) appendMatches(list []zip4Match, page *zip4Page, p Plus4) ([]zip4Match, error) {
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

// zip4Page reads a page of a ZIP. It may be given to zip4Rooms once it is done
// with.
func (d *streetsReader) zip4Page(ctx context.Context, s *zip4ZIP, i int) (*zip4Page, error) {
	id := int64(s.zip)*maxPagesOfZIP + int64(i)
	payload, err := d.file.row(ctx, zip4Rows, id)
	if err != nil {
		return nil, err
	}
	p, ok := d.zip4Rooms.Get().(*zip4Page)
	if !ok {
		p = &zip4Page{}
	}
	if err = p.decode(id, payload); err == nil {
		err = d.checkFirst(id, p)
	}
	if err != nil {
		return nil, d.file.damaged("%s: %v", zip4Rows.noun(id), err)
	}
	return p, nil
}

// ZIP4Records yields every ZIP+4 record of the ZIP Code, street by street in an
// order that stays; those of a street in the order in which they were added. An
// error ends it.
func (d *streetsReader) ZIP4Records(ctx context.Context, z ZIP) iter.Seq2[ZIP4Record, error] {
	return func(yield func(ZIP4Record, error) bool) {
		for r, err := range d.StreetRecords(ctx, z) {
			if !r.NoPlus4 && !yield(r.ZIP4Record, err) {
				return
			}
		}
	}
}
