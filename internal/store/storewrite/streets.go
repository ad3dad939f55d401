package storewrite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// pageRecords is the number of records after which a page ends at the first new street. A
// street is never divided, so that all its records are one read.
const pageRecords = 128

// AddZIP4 adds a ZIP+4 record, as [Writer.AddStreet] does.
func (w *Writer) AddZIP4(r store.ZIP4Record) error {
	return w.AddStreet(store.StreetRecord{ZIP4Record: r})
}

// AddStreet adds a ZIP+4 record or a public range of street numbers. Records
// may come in any order. Successive records of a ZIP are spooled when another ZIP
// begins, so that any number of them takes little memory. AddZIP need not have added the
// ZIP. Coordinates are rounded to 1e-6 degree.
func (w *Writer) AddStreet(r store.StreetRecord) error {
	if err := w.usable(); err != nil {
		return err
	}
	if len(w.records) > 0 && w.records[0].ZIP != r.ZIP {
		if err := w.spoolStreets(); err != nil {
			return err
		}
	}
	w.records = append(w.records, store.StreetRow{Key: pub28.Key(r.Street), StreetRecord: r})
	return nil
}

// spoolStreets spools the successive records of one ZIP.
func (w *Writer) spoolStreets() error {
	if len(w.records) == 0 {
		return nil
	}
	err := w.keep("zip4", int64(w.records[0].ZIP), file.EncodeRows(w.records))
	clear(w.records) // let go of the texts
	w.records = w.records[:0]
	return err
}

// writeStreets writes the records in ascending order of the ZIPs.
func (w *Writer) writeStreets() error {
	if err := w.spoolStreets(); err != nil {
		return err
	}
	zips, err := w.spooled("zip4")
	if err != nil {
		return err
	}
	for _, zip := range zips {
		rows, err := readSpooled(w, nil, "zip4", zip, file.DecodeRows[store.StreetRow])
		if err != nil {
			return err
		}
		if err := w.writeStreetsOf(postcode.ZIP(zip), rows); err != nil {
			return err
		}
	}
	return nil
}

// writeStreetsOf writes the records of a ZIP, in the order of their addition.
func (w *Writer) writeStreetsOf(z postcode.ZIP, rows []store.StreetRow) error {
	finance := uint32(0)
	for i := 0; i < len(rows) && finance == 0; i++ {
		finance = financeNumber(rows[i].Finance)
	}
	slices.SortStableFunc(rows, func(a, b store.StreetRow) int { return strings.Compare(a.Key, b.Key) })
	var firsts, keys []string
	var addOns [store.AddOnBuckets][]store.AddOnRow
	for len(rows) > 0 {
		n := 0
		for n < len(rows) && (n < pageRecords || rows[n].Key == rows[n-1].Key) {
			r := &rows[n]
			if n++; n == 1 || r.Key != rows[n-2].Key {
				keys = append(keys, r.Key)
			}
			// A range over several thousands has a row in each, so that a search reads one bucket.
			for low := r.Low; !r.NoPlus4 && low <= r.High; low += store.AddOnsOfRow - low%store.AddOnsOfRow {
				of := &addOns[low/store.AddOnsOfRow]
				*of = append(*of, store.AddOnRow{Low: low, High: min(r.High, low-low%store.AddOnsOfRow+store.AddOnsOfRow-1), Page: uint16(len(firsts))})
			}
		}
		if err := w.insert("zip4", int64(z)*store.MaxStreetPages+int64(len(firsts)), file.EncodeRows(rows[:n])); err != nil {
			return err
		}
		firsts, rows = append(firsts, rows[0].Key), rows[n:]
	}
	buckets := int64(0)
	for i, list := range addOns {
		if len(list) == 0 {
			continue
		}
		buckets |= 1 << i
		slices.SortFunc(list, func(a, b store.AddOnRow) int {
			return cmp.Or(cmp.Compare(a.Low, b.Low), cmp.Compare(a.High, b.High), cmp.Compare(a.Page, b.Page))
		})
		if err := w.insert("zip4_addon", int64(z)*store.AddOnBuckets+int64(i), file.EncodeRows(slices.Compact(list))); err != nil {
			return err
		}
	}
	return w.insert("street_zip", z, len(firsts), buckets, finance,
		strings.Join(keys, "\n"), strings.Join(firsts, "\n"), store.StreetFilter(keys))
}
