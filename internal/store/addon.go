package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// Add-ons of a ZIP are indexed in rows of a thousand: which pages hold records
// of an add-on. A row's number is its ZIP times 10 plus the add-on's first
// digit. It holds
//
//	count    entries
//	pages    packed: page of the ZIP
//	entries  difference to the low add-on of the entry before, twice, plus one
//	         where the entry is a range; its length then
//
// A range that reaches over the end of a row has an entry in each.
const (
	addOnBuckets = 10
	addOnsOfRow  = 10_000 / addOnBuckets
)

// An addOnRange is a range of add-ons with a page of its ZIP.
type addOnRange struct {
	low, high dataset.Plus4
	page      int
}

type addOnIndex struct{ entries []addOnRange }

func (x *addOnIndex) add(low, high dataset.Plus4, page int) {
	for low/addOnsOfRow < high/addOnsOfRow {
		end := low - low%addOnsOfRow + addOnsOfRow - 1
		x.entries = append(x.entries, addOnRange{low, end, page})
		low = end + 1
	}
	x.entries = append(x.entries, addOnRange{low, high, page})
}

func compareAddOns(a, b addOnRange) int {
	return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high), cmp.Compare(a.page, b.page))
}

func (x *addOnIndex) encode(z dataset.ZIP) []numberedRow {
	slices.SortFunc(x.entries, compareAddOns)
	list := slices.Compact(x.entries)
	var rows []numberedRow
	for len(list) > 0 {
		bucket := list[0].low / addOnsOfRow
		n := 1
		for n < len(list) && list[n].low/addOnsOfRow == bucket {
			n++
		}
		rows = append(rows, numberedRow{int64(z)*addOnBuckets + int64(bucket), encodeAddOns(list[:n])})
		list = list[n:]
	}
	return rows
}

func encodeAddOns(list []addOnRange) []byte {
	var e file.Encoder
	pages := make([]uint64, len(list))
	for i := range list {
		pages[i] = uint64(list[i].page)
	}
	e.Uint(uint64(len(list)))
	e.Packed(pages)
	last := list[0].low - list[0].low%addOnsOfRow
	for _, a := range list {
		e.Uint(uint64(a.low-last)<<1 | file.FlagBits(a.low != a.high))
		if a.low != a.high {
			e.Uint(uint64(a.high - a.low))
		}
		last = a.low
	}
	return e.B
}

var errAddOnOrder = errors.New("its entries are not in order")

// decodeAddOns returns the entries of a row.
func decodeAddOns(id int64, payload []byte) ([]addOnRange, error) {
	d := file.Decoder{B: payload}
	count := d.Count()
	pages := d.Packed(count)
	low := uint64(id%addOnBuckets) * addOnsOfRow
	end := low + addOnsOfRow
	if d.Err == nil && count == 0 {
		d.Fail(file.ErrRange)
	}
	list := make([]addOnRange, 0, count)
	for i := 0; i < count && d.Err == nil; i++ {
		gap := d.Max(2 * addOnsOfRow)
		low += gap >> 1
		high := low
		if gap&1 != 0 {
			high += d.Max(addOnsOfRow)
		}
		page := pages.At(i)
		if high >= end || page >= maxPagesOfZIP {
			d.Fail(file.ErrRange)
			break
		}
		a := addOnRange{dataset.Plus4(low), dataset.Plus4(high), int(page)}
		if i > 0 && compareAddOns(list[i-1], a) >= 0 {
			d.Fail(errAddOnOrder)
		}
		list = append(list, a)
	}
	if err := d.End(); err != nil {
		return nil, err
	}
	return list, nil
}

var zip4AddOnRows = &file.RowKind{Name: "zip4_addon", Noun: func(id int64) string {
	return fmt.Sprintf("the index of add-ons %dxxx of ZIP %s", id%addOnBuckets, dataset.ZIP(id/addOnBuckets))
}}
