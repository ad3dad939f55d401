package store

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// AddZIP4 adds a ZIP+4 record, as [Writer.AddStreet] does.
func (w *Writer) AddZIP4(r ZIP4Record) error { return w.AddStreet(StreetRecord{ZIP4Record: r}) }

// AddStreet adds a ZIP+4 record or a public range of street numbers. Records
// may come in any order. Successive records of a ZIP are packed and spooled
// when another ZIP begins, so that any number of them takes little memory. Each
// later run of a ZIP takes a few more entries in memory. A ZIP has at most
// 200,000 records; AddZIP need not have added it. Coordinates are rounded to
// 1e-6 degree.
func (w *Writer) AddStreet(r StreetRecord) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if err := checkStreet(&r); err != nil {
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

func tooManyZIP4(z dataset.ZIP) error {
	return file.Invalid("ZIP %s has more than %d street records", z, maxZIP4Records)
}

// spoolZIP4 packs and spools the successive records of one ZIP.
func (w *Writer) spoolZIP4() error {
	w.zip4Run++
	p := packStreets(w.zip4)
	for i, rows := range p.Rows {
		for _, row := range rows {
			if err := w.out.Rows.Add(rowsOfZIP[i].kind.Name, row.Id, w.zip4Run, row.Payload); err != nil {
				w.out.Err = err
				return err
			}
		}
	}
	if len(w.zip4) > 0 {
		w.finances[zip4RunOf{p.zip, w.zip4Run}] = p.finance
	}
	clear(w.zip4) // let go of the texts
	w.zip4 = w.zip4[:0]
	return nil
}

// packedStreets are the records of one ZIP, packed.
type packedStreets struct {
	zip     dataset.ZIP
	finance uint32 // the first finance number among the records, or 0
	Rows    [3][]numberedRow
}

// The rows of a ZIP.
const (
	rowsOfPages = iota
	rowsOfAddOns
	rowsOfKeys // one
)

// rowsOfZIP are the tables of the rows, with how many numbers each ZIP has there.
var rowsOfZIP = [3]struct {
	kind *file.RowKind
	most int64
}{{zip4Rows, maxPagesOfZIP}, {zip4AddOnRows, addOnBuckets}, {streetKeyRows, 1}}

type numberedRow struct {
	Id      int64
	Payload []byte
}

const maxPagesOfZIP = 10_000

// packStreets cuts the records of one ZIP, in the order of adding, into pages.
func packStreets(records []StreetRecord) *packedStreets {
	p := &packedStreets{}
	if len(records) == 0 {
		return p
	}
	p.zip = records[0].ZIP
	sorted := streetEntries(records)
	for i := range records {
		if p.finance = financeNumber(records[i].Finance); p.finance != 0 {
			break
		}
	}
	p.Rows[rowsOfKeys] = []numberedRow{{int64(p.zip), encodeStreetKeys(sorted)}}
	var index addOnIndex
	last := -1
	for page := 0; len(sorted) > 0; page++ {
		n := pageLength(sorted)
		first := int(sorted[0].hash)
		for _, r := range sorted[:n] {
			if !r.NoPlus4 {
				index.add(r.Low, r.High, page)
			}
		}
		p.Rows[rowsOfPages] = append(p.Rows[rowsOfPages], numberedRow{int64(p.zip)*maxPagesOfZIP + int64(page), encodeZIP4Page(sorted[:n], first == last)})
		last = int(sorted[n-1].hash)
		sorted = sorted[n:]
	}
	p.Rows[rowsOfAddOns] = index.encode(p.zip)
	return p
}

// financeNumber returns a finance number, or 0 if the text is invalid.
func financeNumber(text string) uint32 {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n > maxFinance {
		return 0
	}
	return uint32(n)
}

// streetEntries brings the records of a ZIP into the order of pages.
func streetEntries(records []StreetRecord) []streetEntry {
	sorted := make([]streetEntry, len(records))
	for i := range records {
		r := &records[i]
		sorted[i].StreetRecord = r
		if i > 0 && records[i-1].Street == r.Street {
			sorted[i].key, sorted[i].hash = sorted[i-1].key, sorted[i-1].hash
			continue
		}
		sorted[i].key = pub28.Key(r.Street)
		sorted[i].hash = streetHash(sorted[i].key)
	}
	slices.SortStableFunc(sorted, func(a, b streetEntry) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.key, b.key))
	})
	return sorted
}

// pageLength returns the number of records on the next page. It keeps a street
// together if a page has room for it.
func pageLength(sorted []streetEntry) int {
	n := 0
	for n < len(sorted) && n < zip4PageRecords {
		m := n + 1
		for m < len(sorted) && sorted[m].hash == sorted[n].hash {
			m++
		}
		if n > 0 && m > 2*zip4PageRecords {
			break
		}
		n = m
	}
	return min(n, zip4PageMost)
}

// writeZIP4 writes the packed records in ascending order of the ZIPs. If the
// records of a ZIP came in several runs, it unpacks and repacks them.
func (w *Writer) writeZIP4() error {
	var of [3][]file.Spooled
	for i, table := range rowsOfZIP {
		of[i] = w.out.Rows.Entries[table.kind.Name]
		slices.SortStableFunc(of[i], func(a, b file.Spooled) int {
			return cmp.Or(cmp.Compare(a.Id/table.most, b.Id/table.most), cmp.Compare(a.Run, b.Run))
		})
	}
	for len(of[rowsOfKeys]) > 0 {
		zip := of[rowsOfKeys][0].Id
		var taken [3][]file.Spooled // off the front
		for i, table := range rowsOfZIP {
			n := 0
			for n < len(of[i]) && of[i][n].Id/table.most == zip {
				n++
			}
			taken[i], of[i] = of[i][:n], of[i][n:]
		}
		var p *packedStreets
		var err error
		if len(taken[rowsOfKeys]) == 1 {
			p, err = w.unspoolZIP4(dataset.ZIP(zip), taken)
		} else {
			p, err = w.mergeZIP4(taken[rowsOfPages])
		}
		if err == nil {
			err = w.insertZIP4(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unspoolZIP4 reads the rows of a ZIP with one run.
func (w *Writer) unspoolZIP4(zip dataset.ZIP, spooled [3][]file.Spooled) (*packedStreets, error) {
	p := &packedStreets{zip: zip, finance: w.finances[zip4RunOf{zip, spooled[rowsOfKeys][0].Run}]}
	for i, list := range spooled {
		for _, e := range list {
			payload, err := w.out.Rows.Read(e)
			if err != nil {
				return nil, err
			}
			p.Rows[i] = append(p.Rows[i], numberedRow{e.Id, payload})
		}
	}
	return p, nil
}

func (w *Writer) mergeZIP4(entries []file.Spooled) (*packedStreets, error) {
	var all []StreetRecord
	for _, e := range entries {
		payload, err := w.out.Rows.Read(e)
		if err != nil {
			return nil, err
		}
		page, err := decodeStreetPage(e.Id, payload)
		if err != nil {
			return nil, err
		}
		for i := range page.count {
			r, err := page.record(i)
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
		if len(all) > maxZIP4Records {
			return nil, tooManyZIP4(all[0].ZIP)
		}
	}
	return packStreets(all), nil
}

// insertZIP4 writes the rows of a ZIP and what stays in memory of them.
func (w *Writer) insertZIP4(p *packedStreets) error {
	var firsts, filter []byte
	buckets, streets := int64(0), 0
	for i, rows := range p.Rows {
		for _, row := range rows {
			switch i {
			case rowsOfPages:
				page, err := decodeStreetPage(row.Id, row.Payload)
				if err != nil {
					return err
				}
				firsts = append(firsts, byte(page.first), byte(page.first>>8))
			case rowsOfAddOns:
				buckets |= 1 << (row.Id % addOnBuckets)
			default:
				keys, err := decodeStreetKeys(row.Payload)
				if err != nil {
					return err
				}
				filter, streets = streetFilter(keys), len(keys)
			}
			if err := w.out.Insert(rowsOfZIP[i].kind.Name, row.Id, row.Payload); err != nil {
				return err
			}
		}
	}
	return w.out.Insert("street_zip", p.zip.String(), int64(len(p.Rows[rowsOfPages])), buckets, int64(p.finance), int64(streets), firsts, filter)
}
