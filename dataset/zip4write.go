package dataset

import (
	"cmp"
	"slices"
)

// AddZIP4 adds a ZIP+4 record. Records may come in any order. Those of a ZIP
// that come together are packed and put aside when another ZIP begins, so that
// any number of them takes little memory; a ZIP that comes back takes one more
// entry in memory each time. A ZIP has at most 200,000 records; it need not be
// one that AddZIP was given. Coordinates are rounded to 1e-6 degree.
func (w *Writer) AddZIP4(r ZIP4Record) error {
	if err := w.open(); err != nil {
		return err
	}
	if err := checkZIP4(&r); err != nil {
		return err
	}
	if len(w.zip4) > 0 && w.zip4[0].ZIP != r.ZIP {
		if err := w.spoolZIP4(); err != nil {
			return err
		}
	}
	if len(w.zip4) >= maxZIP4Records {
		return tooManyZIP4(r.ZIP)
	}
	w.zip4 = append(w.zip4, r)
	return nil
}

func tooManyZIP4(z ZIP) error {
	return invalid("ZIP %s has more than %d ZIP+4 records", z, maxZIP4Records)
}

// spoolZIP4 puts the records that came together aside, as pages.
func (w *Writer) spoolZIP4() error {
	w.zip4Run++
	err := packZIP4(w.zip4, func(id uint32, page []byte) error {
		return w.spool.add(zip4Rows, int64(id), w.zip4Run, page)
	})
	clear(w.zip4) // let go of the texts
	w.zip4 = w.zip4[:0]
	if err != nil {
		w.err = err
	}
	return err
}

// packZIP4 cuts the records of one ZIP, in the order of adding, into pages.
func packZIP4(records []ZIP4Record, page func(id uint32, payload []byte) error) error {
	sorted := make([]zip4Entry, len(records))
	for i := range records {
		sorted[i] = zip4Entry{&records[i], uint64(i)}
	}
	slices.SortStableFunc(sorted, func(a, b zip4Entry) int { return cmp.Compare(a.Low, b.Low) })
	ordered := zip4Overlap(sorted)
	var tops []Plus4 // the highest add-on of each page so far
	for len(sorted) > 0 {
		n := min(zip4PageRecords, len(sorted))
		for n < len(sorted) && sorted[n].Low == sorted[n-1].Low {
			n++
		}
		first := sorted[0]
		reach, top := 0, first.High
		for i, t := range tops {
			if t >= first.Low {
				reach = len(tops) - i
				break
			}
		}
		for _, r := range sorted[:n] {
			top = max(top, r.High)
		}
		tops = append(tops, top)
		if err := page(pageID(first.ZIP, first.Low), encodeZIP4Page(sorted[:n], ordered, reach)); err != nil {
			return err
		}
		sorted = sorted[n:]
	}
	return nil
}

// zip4Overlap reports whether two records with different low add-ons share an
// add-on. Only then must pages tell the order of adding: records with the same
// low add-on stand in it anyway.
func zip4Overlap(sorted []zip4Entry) bool {
	var top Plus4
	for i, r := range sorted {
		if i > 0 && r.Low != sorted[i-1].Low && r.Low <= top {
			return true
		}
		top = max(top, r.High)
	}
	return false
}

// writeZIP4 writes the pages in ascending order. A ZIP whose records came in
// several runs is unpacked and packed anew.
func (w *Writer) writeZIP4() error {
	entries := w.spool.entries[zip4Rows]
	slices.SortStableFunc(entries, func(a, b spooled) int {
		return cmp.Or(cmp.Compare(a.id/10000, b.id/10000), cmp.Compare(a.run, b.run))
	})
	for len(entries) > 0 {
		n := 1
		for n < len(entries) && entries[n].id/10000 == entries[0].id/10000 {
			n++
		}
		var err error
		if of := entries[:n]; of[0].run == of[n-1].run {
			err = w.copyZIP4(of)
		} else {
			err = w.mergeZIP4(of)
		}
		if err != nil {
			return err
		}
		entries = entries[n:]
	}
	return nil
}

func (w *Writer) insertZIP4Page(id uint32, payload []byte) error {
	w.zip4Pages = append(w.zip4Pages, id)
	return w.insertRow(zip4Rows, int64(id), payload)
}

func (w *Writer) copyZIP4(entries []spooled) error {
	for _, e := range entries {
		page, err := w.spool.read(e)
		if err == nil {
			err = w.insertZIP4Page(uint32(e.id), page)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) mergeZIP4(entries []spooled) error {
	var all []ZIP4Record
	for len(entries) > 0 {
		run := entries[0].run
		var list []zip4Match
		for ; len(entries) > 0 && entries[0].run == run; entries = entries[1:] {
			payload, err := w.spool.read(entries[0])
			if err != nil {
				return err
			}
			page, err := decodeZIP4Page(entries[0].id, payload)
			if err != nil {
				return err
			}
			for i := range page.count {
				r, err := page.record(i)
				if err != nil {
					return err
				}
				list = append(list, zip4Match{r, page.order.at(i)})
			}
		}
		slices.SortStableFunc(list, func(a, b zip4Match) int { return cmp.Compare(a.order, b.order) })
		for i := range list {
			all = append(all, list[i].record)
		}
		if len(all) > maxZIP4Records {
			return tooManyZIP4(all[0].ZIP)
		}
	}
	return packZIP4(all, w.insertZIP4Page)
}
