package store

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// AddZIP4 adds a ZIP+4 record, as [Writer.AddStreet] does.
func (w *Writer) AddZIP4(r ZIP4Record) error { return w.AddStreet(StreetRecord{ZIP4Record: r}) }

// AddStreet adds a ZIP+4 record or a public range of street numbers. Records
// may come in any order. Successive records of a ZIP are spooled when another ZIP
// begins, so that any number of them takes little memory. AddZIP need not have added the
// ZIP. Coordinates are rounded to 1e-6 degree.
func (w *Writer) AddStreet(r StreetRecord) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if err := r.check(); err != nil {
		return err
	}
	if len(w.records) > 0 && w.records[0].ZIP != r.ZIP {
		if err := w.spoolStreets(); err != nil {
			return err
		}
	}
	w.records = append(w.records, streetRow{pub28.Key(r.Street), r})
	return nil
}

// spoolStreets spools the successive records of one ZIP.
func (w *Writer) spoolStreets() error {
	if len(w.records) == 0 {
		return nil
	}
	err := w.out.Spool("zip4", int64(w.records[0].ZIP), file.EncodeRows(w.records))
	clear(w.records) // let go of the texts
	w.records = w.records[:0]
	return err
}

// writeStreets writes the records in ascending order of the ZIPs.
func (w *Writer) writeStreets() error {
	if err := w.spoolStreets(); err != nil {
		return err
	}
	for _, zip := range w.out.Spooled("zip4") {
		rows, err := file.ReadSpooled(w.out, nil, "zip4", zip, file.DecodeRows[streetRow])
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
func (w *Writer) writeStreetsOf(z postcode.ZIP, rows []streetRow) error {
	finance := uint32(0)
	for i := 0; i < len(rows) && finance == 0; i++ {
		finance = financeNumber(rows[i].Finance)
	}
	slices.SortStableFunc(rows, func(a, b streetRow) int { return strings.Compare(a.Key, b.Key) })
	var firsts, keys []string
	var addOns [addOnBuckets][]addOnRow
	for len(rows) > 0 {
		n := 0
		for n < len(rows) && (n < pageRecords || rows[n].Key == rows[n-1].Key) {
			r := &rows[n]
			if n++; n == 1 || r.Key != rows[n-2].Key {
				keys = append(keys, r.Key)
			}
			for low := r.Low; !r.NoPlus4 && low <= r.High; low += addOnsOfRow - low%addOnsOfRow {
				of := &addOns[low/addOnsOfRow]
				*of = append(*of, addOnRow{low, min(r.High, low-low%addOnsOfRow+addOnsOfRow-1), uint16(len(firsts))})
			}
		}
		if err := w.out.Insert("zip4", int64(z)*maxStreetPages+int64(len(firsts)), file.EncodeRows(rows[:n])); err != nil {
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
		slices.SortFunc(list, func(a, b addOnRow) int {
			return cmp.Or(cmp.Compare(a.Low, b.Low), cmp.Compare(a.High, b.High), cmp.Compare(a.Page, b.Page))
		})
		if err := w.out.Insert("zip4_addon", int64(z)*addOnBuckets+int64(i), file.EncodeRows(slices.Compact(list))); err != nil {
			return err
		}
	}
	return w.out.Insert("street_zip", z.String(), int64(len(firsts)), buckets, int64(finance),
		strings.Join(keys, "\n"), strings.Join(firsts, "\n"), streetFilter(keys))
}

// financeNumber returns a finance number, or 0 if the text is invalid.
func financeNumber(text string) uint32 {
	const most = 999_999
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n > most {
		return 0
	}
	return uint32(n)
}
