package dataset

import (
	"context"
	"iter"
	"sort"
)

// A StreetRecord is a range of numbers of a street: a record of the ZIP+4
// product, or a public range of which the add-on is not known.
type StreetRecord struct {
	ZIP4Record
	NoPlus4 bool // Low and High are 0 and mean nothing
}

// HasStreets reports whether the dataset holds street records of any ZIP Code.
func (d *streetsReader) HasStreets() bool {
	d.file.need(SectionStreets)
	return len(d.streetZIPs) > 0
}

// HasStreetsIn reports whether the dataset holds street records of the ZIP
// Code, with or without add-ons, from memory.
func (d *streetsReader) HasStreetsIn(z ZIP) bool {
	_, ok := d.streetsOf(z)
	return ok
}

// StreetZIPs yields the ZIP Codes that have street records, ascending.
func (d *streetsReader) StreetZIPs() iter.Seq[ZIP] {
	d.file.need(SectionStreets)
	return func(yield func(ZIP) bool) {
		for i := range d.streetZIPs {
			if !yield(d.streetZIPs[i].zip) {
				return
			}
		}
	}
}

// Streets appends the records of the ZIP Code whose street has the key, as
// pub28.Key makes it: base records and alternates, with add-ons and without, in
// the order in which they were added. It costs one read of the file, or none;
// a street of many hundred records a few.
func (d *streetsReader) Streets(ctx context.Context, z ZIP, key string, into []StreetRecord) ([]StreetRecord, error) {
	s, ok := d.streetsOf(z)
	if !ok || !d.mayHaveStreet(s, key) {
		return into, d.file.usable()
	}
	hash := streetHash(key)
	firsts := d.streetFirsts[s.first : s.first+s.pages]
	end := sort.Search(len(firsts), func(i int) bool { return firsts[i]>>1 > hash })
	from := end - 1
	for from > 0 && firsts[from]>>1 == hash && firsts[from]&1 != 0 {
		from--
	}
	if from < 0 {
		return into, d.file.usable()
	}
	for i := from; i < end; i++ {
		page, err := d.zip4Page(ctx, s, i)
		if err != nil {
			return into, err
		}
		if into, err = page.appendStreet(into, key, hash); err != nil {
			return into, d.file.damaged("%s: %v", zip4Rows.noun(page.id), err)
		}
		d.zip4Rooms.Put(page)
	}
	return into, nil
}

// appendStreet appends the records of a street.
func (p *zip4Page) appendStreet(into []StreetRecord, key string, hash uint16) ([]StreetRecord, error) {
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
		if i > at && p.texts[textStreet].at(i) == p.texts[textStreet].at(i-1) {
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

// StreetKeys reads the keys of the ZIP Code's streets, as pub28.Key makes them,
// ascending.
func (d *streetsReader) StreetKeys(ctx context.Context, z ZIP) ([]string, error) {
	if err := d.file.load(ctx, SectionStreets); err != nil {
		return nil, err
	}
	if !d.HasStreetsIn(z) {
		return nil, d.file.usable()
	}
	payload, err := d.file.row(ctx, streetKeyRows, int64(z))
	if err != nil {
		return nil, err
	}
	keys, err := decodeStreetKeys(payload)
	if err != nil {
		return nil, d.file.damaged("%s: %v", streetKeyRows.noun(int64(z)), err)
	}
	return keys, nil
}

// StreetRecords yields every street record of the ZIP Code, street by street in
// an order that stays; those of a street in the order in which they were added.
// An error ends it.
func (d *streetsReader) StreetRecords(ctx context.Context, z ZIP) iter.Seq2[StreetRecord, error] {
	return func(yield func(StreetRecord, error) bool) {
		if err := d.file.load(ctx, SectionStreets); err != nil {
			yield(StreetRecord{}, err)
			return
		}
		s, ok := d.streetsOf(z)
		if !ok {
			if err := d.file.usable(); err != nil {
				yield(StreetRecord{}, err)
			}
			return
		}
		for k := range s.pages {
			page, err := d.zip4Page(ctx, s, k)
			if err != nil {
				yield(StreetRecord{}, err)
				return
			}
			for i := range page.count {
				r, err := page.record(i)
				if err != nil {
					err = d.file.damaged("%s: %v", zip4Rows.noun(page.id), err)
				}
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}
