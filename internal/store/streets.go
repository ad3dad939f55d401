package store

import (
	"context"
	"iter"
	"sort"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A ZIP4Record is one record of the ZIP+4 product (182 bytes). It has the
// centroid of its delivery points if a points file contains it. Text is in the
// product's capitals with padding removed; ranges keep their zeros.
type ZIP4Record struct {
	ZIP          dataset.ZIP
	Low, High    dataset.Plus4 // the add-ons of the record; equal for most
	RecordType   byte          // S street, H high-rise, P PO box, F firm, G general delivery, R rural route
	CarrierRoute string
	PreDir       string
	Street       string
	Suffix       string
	PostDir      string
	AddrLow      string
	AddrHigh     string
	OddEven      byte // O, E or B; 0 blank
	Building     string
	SecAbbr      string
	SecLow       string
	SecHigh      string
	SecOddEven   byte // O, E or B; 0 blank
	Alternate    bool // true: an alternate form of a base record
	LACS         bool // renumbered or renamed by the Locatable Address Conversion System
	Government   byte // A B C D E F G; 0 blank
	Finance      string
	State        string // two letters
	CountyFIPS   string // three digits within the state; "" for military
	Congress     string // congressional district of the postal service: two digits or AL
	Municipality string // city state keys, six characters
	Urbanization string
	LastLine     string // preferred last line key
	Location     geo.LatLng
}

// A StreetRecord is a range of numbers of a street: a record of the ZIP+4 product, or a
// public range with an unknown add-on.
type StreetRecord struct {
	ZIP4Record
	NoPlus4 bool // Low and High are 0 and mean nothing
}

// hasRecords reports whether the dataset holds street records of any ZIP Code.
func (d *Dataset) hasRecords() bool {
	d.file.Need(sectionRecords)
	return len(d.streets) > 0
}

// hasRecordsIn reports whether the dataset holds street records of the ZIP
// Code, with or without add-ons, from memory.
func (d *Dataset) hasRecordsIn(z dataset.ZIP) bool {
	_, ok := d.streetsOf(z)
	return ok
}

// recordZIPs yields the ZIP Codes that have street records, ascending.
func (d *Dataset) recordZIPs() iter.Seq[dataset.ZIP] {
	d.file.Need(sectionRecords)
	return func(yield func(dataset.ZIP) bool) {
		for i := range d.streets {
			if !yield(d.streets[i].ZIP) {
				return
			}
		}
	}
}

// records appends the records of the ZIP Code whose street has the key, as
// pub28.Key makes it. They include base records and alternates, with and
// without add-ons, in the order of their addition. Streets reads the file at
// most once, or a few times for a street of many hundred records.
func (d *Dataset) records(ctx context.Context, z dataset.ZIP, key string, into []StreetRecord) ([]StreetRecord, error) {
	s, ok := d.streetsOf(z)
	if !ok || !d.mayHaveStreet(s, key) {
		return into, d.file.Usable()
	}
	hash := streetHash(key)
	end := sort.Search(s.Pages, func(i int) bool { return s.firstHash(i)>>1 > hash })
	from := end - 1
	for from > 0 && s.firstHash(from)>>1 == hash && s.firstHash(from)&1 != 0 {
		from--
	}
	if from < 0 {
		return into, d.file.Usable()
	}
	for i := from; i < end; i++ {
		page, err := d.zip4Page(ctx, s, i)
		if err != nil {
			return into, err
		}
		if into, err = page.appendStreet(into, key, hash); err != nil {
			return into, d.file.DamagedRow(zip4Rows, page.id, err)
		}
		d.pageRoom.Put(page)
	}
	return into, nil
}

func (p *streetPage) appendStreet(into []StreetRecord, key string, hash uint16) ([]StreetRecord, error) {
	var failed error
	var room [maxStreet]byte
	at := sort.Search(p.count, func(i int) bool {
		k, h, err := p.streetKey(room[:0], i)
		if err != nil {
			failed = err
		}
		return h > hash || h == hash && string(k) >= key
	})
	for i := at; i < p.count && failed == nil; i++ {
		if i > at && p.texts[textStreet].At(i) == p.texts[textStreet].At(i-1) {
		} else if k, _, err := p.streetKey(room[:0], i); err != nil || string(k) != key {
			return into, err
		}
		r, err := p.record(i)
		if err != nil {
			return into, err
		}
		into = append(into, r)
	}
	return into, failed
}

// recordKeys reads the keys of the ZIP Code's streets, as pub28.Key makes them,
// ascending.
func (d *Dataset) recordKeys(ctx context.Context, z dataset.ZIP) ([]string, error) {
	if err := d.file.Load(ctx, sectionRecords); err != nil {
		return nil, err
	}
	if !d.hasRecordsIn(z) {
		return nil, d.file.Usable()
	}
	return file.ReadRow(ctx, d.file, streetKeyRows, int64(z), decodeStreetKeys)
}

// allRecords yields every street record of the ZIP Code, street by street in
// a fixed order. The records of a street are in the order of their addition. An
// error ends the sequence.
func (d *Dataset) allRecords(ctx context.Context, z dataset.ZIP) iter.Seq2[StreetRecord, error] {
	return func(yield func(StreetRecord, error) bool) {
		if err := d.file.Load(ctx, sectionRecords); err != nil {
			yield(StreetRecord{}, err)
			return
		}
		s, ok := d.streetsOf(z)
		if !ok {
			if err := d.file.Usable(); err != nil {
				yield(StreetRecord{}, err)
			}
			return
		}
		for k := range s.Pages {
			page, err := d.zip4Page(ctx, s, k)
			if err != nil {
				yield(StreetRecord{}, err)
				return
			}
			for i := range page.count {
				r, err := page.record(i)
				if err != nil {
					err = d.file.DamagedRow(zip4Rows, page.id, err)
				}
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}
