package streets

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"sort"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// zip4PagesTable is the resident list of the pages of street records. Each ZIP
// has the number of its pages, its rows of the index of add-ons and its finance
// number; each page has its first hash. A lookup names the rows that it needs, so
// a row that SQLite does not find is a missing one.
var zip4PagesTable = table{
	Name: "zip4.pages",
	Encode: func(w *Writer, c *file.Columns) error {
		var zips file.Encoder
		next := uint32(0)
		for _, z := range w.zip4ZIPs {
			zips.Uint(uint64(uint32(z.zip) - next))
			zips.Uint(uint64(z.pages))
			zips.Uint(uint64(z.buckets))
			zips.Uint(uint64(z.finance))
			zips.Uint(uint64(z.keys))
			next = uint32(z.zip) + 1
		}
		c.Add(file.Column{Name: "zip4.zips", Rows: len(w.zip4ZIPs), Data: zips.B})
		var firsts []byte
		for _, f := range w.zip4Firsts {
			firsts = binary.LittleEndian.AppendUint16(firsts, f)
		}
		c.Add(file.Column{Name: "zip4.firsts", Width: 2, Rows: len(w.zip4Firsts), Data: firsts})
		c.Add(file.Column{Name: "zip4.filters", Width: 1, Rows: len(w.zip4Filters), Data: w.zip4Filters})
		return nil
	},
	Decode: func(d *Reader, c *file.Columns) error {
		zips, err := c.Take("zip4.zips", 0)
		if err != nil {
			return err
		}
		firsts, err := c.Take("zip4.firsts", 2)
		if err != nil {
			return err
		}
		filters, err := c.Take("zip4.filters", 1)
		if err != nil {
			return err
		}
		d.streetFilters = filters.Data
		return d.decodeZIP4Pages(zips, firsts)
	},
}

// A zip4ZIP is what stays in memory of the street records of a ZIP.
type zip4ZIP struct {
	zip     dataset.ZIP
	first   int // of its pages, among all
	pages   int
	buckets uint16 // the rows of the index of add-ons that there are
	finance uint32 // 0 if unknown
	keys    int    // streets
	filter  int    // where its filter begins among all
}

// zip4RunOf names a run of records of a ZIP while a file is written.
type zip4RunOf struct {
	zip dataset.ZIP
	run uint32
}

const maxFinance = 999_999

func (d *Reader) decodeZIP4Pages(zips, firsts file.Column) error {
	if zips.Rows > len(zips.Data) {
		return fmt.Errorf("column %s: %w", zips.Name, file.ErrShort)
	}
	list, set := make([]zip4ZIP, 0, zips.Rows), file.NewCodeSetBuilder(dataset.NumZIPs)
	in, pages, filters := file.Decoder{B: zips.Data}, 0, 0
	for i := range zips.Rows {
		z := zip4ZIP{zip: dataset.ZIP(set.Next + uint32(in.Max(dataset.NumZIPs))), first: pages, filter: filters}
		z.pages = int(in.Max(maxPagesOfZIP))
		z.buckets = uint16(in.Max(1<<addOnBuckets - 1))
		z.finance = uint32(in.Max(maxFinance))
		z.keys = int(in.Max(maxZIP4Records))
		filters += filterSize(z.keys)
		if z.keys == 0 || filters > len(d.streetFilters) {
			in.Fail(file.ErrRange)
		}
		if pages += z.pages; in.Err == nil && (z.pages == 0 || pages > firsts.Rows) {
			in.Fail(file.ErrRange)
		}
		if in.Err != nil {
			return fmt.Errorf("column %s: row %d: %w", zips.Name, i, in.Err)
		}
		if err := set.Add(uint32(z.zip)); err != nil {
			return fmt.Errorf("column %s: row %d: %w", zips.Name, i, err)
		}
		list = append(list, z)
	}
	if err := in.End(); err != nil {
		return fmt.Errorf("column %s: %w", zips.Name, err)
	}
	if filters != len(d.streetFilters) {
		return fmt.Errorf("column zip4.filters has %d bytes, expected %d", len(d.streetFilters), filters)
	}
	if pages != firsts.Rows {
		return fmt.Errorf("column %s has %d rows, expected %d", firsts.Name, firsts.Rows, pages)
	}
	starts := make([]uint16, firsts.Rows)
	for i := range starts {
		starts[i] = binary.LittleEndian.Uint16(firsts.Row(i))
	}
	for _, z := range list {
		of := starts[z.first : z.first+z.pages]
		for i := range of {
			if i > 0 && of[i]>>1 < of[i-1]>>1 || i == 0 && of[i]&1 != 0 {
				return fmt.Errorf("column %s: the pages of ZIP %s are not in order", firsts.Name, z.zip)
			}
		}
	}
	d.streetZIPs, d.streetFirsts, d.streetSet = list, starts, set.Finish()
	return nil
}

var zip4Rows = &file.RowKind{Name: "zip4", Noun: func(id int64) string {
	return fmt.Sprintf("page %d of the streets of ZIP %s", id%maxPagesOfZIP, dataset.ZIP(id/maxPagesOfZIP))
}}

var zip4Table = file.RowTable[*Reader]{
	RowKind: zip4Rows,
	Check: func(d *Reader, id int64, payload []byte) error {
		p, err := DecodeZIP4Page(id, payload)
		if err != nil {
			return err
		}
		if err := d.checkFirst(id, p); err != nil {
			return err
		}
		_, err = p.Check()
		return err
	},
}

// checkFirst compares the first hash of a page with the resident list.
func (d *Reader) checkFirst(id int64, p *Page) error {
	row, ok := d.streetSet.Row(uint32(p.zip))
	if !ok {
		return fmt.Errorf("its ZIP has no records")
	}
	if want := d.streetFirsts[d.streetZIPs[row].first+int(id%maxPagesOfZIP)]; p.first != want {
		return fmt.Errorf("it begins with %#x, expected %#x", p.first, want)
	}
	return nil
}

// streetsOf returns what memory holds of the street records of a ZIP.
func (d *Reader) streetsOf(z dataset.ZIP) (*zip4ZIP, bool) {
	d.file.Need(SectionStreets)
	row, ok := d.streetSet.Row(uint32(z))
	if !ok {
		return nil, false
	}
	return &d.streetZIPs[row], true
}

// HasZIP4 reports whether the dataset holds ZIP+4 records of the ZIP Code,
// from memory, without an allocation.
func (d *Reader) HasZIP4(z dataset.ZIP) bool {
	s, ok := d.streetsOf(z)
	return ok && s.buckets != 0
}

// ZIP4 reads the ZIP+4 records whose range holds the add-on. Base records come
// before alternates. Then records are in the order of their street's key and of
// their addition. If none exists, the slice is empty and the error nil.
func (d *Reader) ZIP4(ctx context.Context, z dataset.ZIP, p dataset.Plus4) ([]ZIP4Record, error) {
	if err := d.file.Load(ctx, SectionStreets); err != nil {
		return nil, err
	}
	s, ok := d.streetsOf(z)
	if !ok || p > 9999 || s.buckets>>(p/addOnsOfRow)&1 == 0 {
		return nil, d.file.Usable()
	}
	id := int64(z)*addOnBuckets + int64(p/addOnsOfRow)
	entries, err := file.ReadRow(ctx, d.file, zip4AddOnRows, id, func(payload []byte) ([]AddOn, error) { return d.addOns(id, payload) })
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

func (d *Reader) appendMatches(list []zip4Match, page *Page, p dataset.Plus4) ([]zip4Match, error) {
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
func (d *Reader) zip4Page(ctx context.Context, s *zip4ZIP, i int) (*Page, error) {
	id := int64(s.zip)*maxPagesOfZIP + int64(i)
	return file.ReadRow(ctx, d.file, zip4Rows, id, func(payload []byte) (*Page, error) {
		p, ok := d.zip4Rooms.Get().(*Page)
		if !ok {
			p = &Page{}
		}
		err := p.decode(id, payload)
		if err == nil {
			err = d.checkFirst(id, p)
		}
		return p, err
	})
}

// ZIP4Records yields every ZIP+4 record of the ZIP Code, street by street in a
// fixed order. The records of a street are in the order of their addition. An
// error ends the sequence.
func (d *Reader) ZIP4Records(ctx context.Context, z dataset.ZIP) iter.Seq2[ZIP4Record, error] {
	return func(yield func(ZIP4Record, error) bool) {
		for r, err := range d.StreetRecords(ctx, z) {
			if !r.NoPlus4 && !yield(r.ZIP4Record, err) {
				return
			}
		}
	}
}
