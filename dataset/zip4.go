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

// zip4PagesTable is the resident list of the pages of ZIP+4 records. It lets a
// look-up name the page it wants, so that a page that SQLite does not find is
// known to be missing.
var zip4PagesTable = residentTable{
	name: "zip4.pages",
	encode: func(w *Writer, c *columnSet) error {
		data, rows := encodeCodes(slices.Values(w.zip4Pages))
		c.add(column{name: "zip4.pages", rows: rows, data: data})
		return nil
	},
	decode: func(d *Dataset, c *columnSet) error {
		col, err := c.take("zip4.pages", 0)
		if err != nil {
			return err
		}
		d.zip4Pages, d.zip4Set, err = decodeZIP4Pages(col)
		return err
	},
}

func decodeZIP4Pages(c column) ([]uint32, codeSet, error) {
	if c.rows > len(c.data) {
		return nil, codeSet{}, fmt.Errorf("column %s: %w", c.name, errShort)
	}
	pages, zips := make([]uint32, 0, c.rows), newCodeSetBuilder(NumZIPs)
	data, next := c.data, uint64(0)
	for i := range c.rows {
		gap, k := binary.Uvarint(data)
		if k <= 0 || gap >= NumZIPs*10000 || next+gap >= NumZIPs*10000 {
			return nil, codeSet{}, fmt.Errorf("column %s: row %d: %w", c.name, i, errRange)
		}
		page := uint32(next + gap)
		if z := page / 10000; z >= zips.next {
			if err := zips.add(z); err != nil {
				return nil, codeSet{}, fmt.Errorf("column %s: row %d: %w", c.name, i, err)
			}
		}
		pages = append(pages, page)
		data, next = data[k:], uint64(page)+1
	}
	if len(data) > 0 {
		return nil, codeSet{}, fmt.Errorf("column %s: %w", c.name, errTrailing)
	}
	return pages, zips.finish(), nil
}

var zip4Table = rowTable{
	name: "zip4",
	noun: func(id int64) string {
		return fmt.Sprintf("the page of ZIP+4 records from %s-%s", ZIP(id/10000), Plus4(id%10000))
	},
	ids: func(d *Dataset) iter.Seq[int64] {
		return func(yield func(int64) bool) {
			for _, p := range d.zip4Pages {
				if !yield(int64(p)) {
					return
				}
			}
		}
	},
	check: func(d *Dataset, id int64, payload []byte) error {
		p, err := decodeZIP4Page(id, payload)
		if err != nil {
			return err
		}
		if err := d.checkReach(p); err != nil {
			return err
		}
		_, err = p.check()
		return err
	},
}

func pageID(z ZIP, p Plus4) uint32 { return uint32(z)*10000 + uint32(p) }

func (d *Dataset) pageIndex(id uint32) (int, bool) { return slices.BinarySearch(d.zip4Pages, id) }

// checkReach reports a page that claims to be reached from pages before the
// first of its ZIP.
func (d *Dataset) checkReach(p *zip4Page) error {
	at, _ := d.pageIndex(pageID(p.zip, p.first))
	if p.reach > at || ZIP(d.zip4Pages[at-p.reach]/10000) != p.zip {
		return fmt.Errorf("it is reached from %d pages before it, which is outside its ZIP", p.reach)
	}
	return nil
}

// HasZIP4 reports whether the dataset holds ZIP+4 records of the ZIP Code,
// from memory, without an allocation.
func (d *Dataset) HasZIP4(z ZIP) bool {
	_, ok := d.zip4Set.row(uint32(z))
	return ok
}

// ZIP4 reads the ZIP+4 records whose range holds the add-on: base records
// before alternates, otherwise in the order in which they were added. Without
// one the slice is empty and the error nil.
func (d *Dataset) ZIP4(ctx context.Context, z ZIP, p Plus4) ([]ZIP4Record, error) {
	if z >= NumZIPs || p > 9999 || !d.HasZIP4(z) {
		return nil, d.cold.usable()
	}
	at, found := d.pageIndex(pageID(z, p))
	if !found {
		if at == 0 || ZIP(d.zip4Pages[at-1]/10000) != z {
			return nil, d.cold.usable()
		}
		at--
	}
	page, err := d.zip4Page(ctx, at)
	if err != nil {
		return nil, err
	}
	var list []zip4Match
	for i := at - page.reach; i < at; i++ {
		earlier, err := d.zip4Page(ctx, i)
		if err != nil {
			return nil, err
		}
		if list, err = d.appendMatches(list, earlier, p); err != nil {
			return nil, err
		}
	}
	if list, err = d.appendMatches(list, page, p); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(list, func(a, b zip4Match) int {
		return cmp.Or(cmp.Compare(flagBits(a.record.Alternate), flagBits(b.record.Alternate)), cmp.Compare(a.order, b.order))
	})
	records := make([]ZIP4Record, len(list))
	for i := range list {
		records[i] = list[i].record
	}
	return records, nil
}

type zip4Match struct {
	record ZIP4Record
	order  uint64
}

func (d *Dataset) appendMatches(list []zip4Match, page *zip4Page, p Plus4) ([]zip4Match, error) {
	offset := uint64(p) - uint64(page.first)
	n := sort.Search(page.count, func(i int) bool { return page.low.at(i) > offset })
	for i := range n {
		if low, high := page.addOns(i); low <= uint64(p) && uint64(p) <= high {
			r, err := page.record(i)
			if err != nil {
				return nil, damaged(d.path, "%s: %v", zip4Table.noun(int64(pageID(page.zip, page.first))), err)
			}
			list = append(list, zip4Match{r, page.order.at(i)})
		}
	}
	return list, nil
}

// zip4Page reads the page at a position of the resident list.
func (d *Dataset) zip4Page(ctx context.Context, at int) (*zip4Page, error) {
	id := int64(d.zip4Pages[at])
	payload, err := d.cold.row(ctx, zip4Rows, id)
	if err != nil {
		return nil, err
	}
	p, err := decodeZIP4Page(id, payload)
	if err == nil {
		err = d.checkReach(p)
	}
	if err != nil {
		return nil, damaged(d.path, "%s: %v", zip4Table.noun(id), err)
	}
	return p, nil
}

// ZIP4Records yields every ZIP+4 record of the ZIP Code in ascending order of
// their low add-ons, otherwise in the order in which they were added. An error
// ends it.
func (d *Dataset) ZIP4Records(ctx context.Context, z ZIP) iter.Seq2[ZIP4Record, error] {
	return func(yield func(ZIP4Record, error) bool) {
		if err := d.cold.usable(); err != nil {
			yield(ZIP4Record{}, err)
			return
		}
		at, _ := d.pageIndex(pageID(min(z, NumZIPs-1), 0))
		for ; at < len(d.zip4Pages) && ZIP(d.zip4Pages[at]/10000) == z; at++ {
			page, err := d.zip4Page(ctx, at)
			if err != nil {
				yield(ZIP4Record{}, err)
				return
			}
			for i := range page.count {
				r, err := page.record(i)
				if err != nil {
					err = damaged(d.path, "%s: %v", zip4Table.noun(int64(d.zip4Pages[at])), err)
				}
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}
