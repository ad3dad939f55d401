package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A ZIP4Record is one record of the ZIP+4 product (182 bytes). It has the
// centroid of its delivery points if a points file contains it. Text is in the
// product's capitals with padding removed; ranges keep their zeros.
type ZIP4Record struct {
	ZIP          postcode.ZIP
	Low, High    postcode.Plus4 // the add-ons of the record; equal for most
	RecordType   byte           // S street, H high-rise, P PO box, F firm, G general delivery, R rural route
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

// The records of a ZIP Code lie in pages, street by street in the order of their keys. The
// records of a street keep the order of their addition, and are in one page. The number of
// a page is its ZIP Code times MaxStreetPages plus its position.
//
// A match finds the page of a key without the file: memory has the first key of each page, and
// a filter of all keys. So an address costs one read if the ZIP Code has the street, and none if it
// does not. Memory could not hold the keys of all 60 million records of the product.
//
// A search by add-on (90210-1234) has no street. An index of ten rows a ZIP Code lists
// the pages of the add-ons of each thousand.
const (
	MaxStreetPages = 10_000
	AddOnBuckets   = 10 // rows of an index of add-ons, by their first digits
	AddOnsOfRow    = 10_000 / AddOnBuckets
)

// A StreetRow is a row of a page.
type StreetRow struct {
	Key string // of the street, as pub28.Key makes it
	StreetRecord
}

// The columns of a StreetRow that searches read.
const (
	columnStreetKey = 0
	columnLow       = 2
	columnHigh      = 3
)

// An AddOnRow is a page with records whose add-ons begin and end in a thousand. A range
// over the end of a thousand has a row in each.
type AddOnRow struct {
	Low, High postcode.Plus4
	Page      uint16
}

// A streetZIP is the part of the street records of a ZIP that is kept in memory.
type streetZIP struct {
	ZIP     postcode.ZIP
	Buckets uint16 // the rows of the index of add-ons that there are
	Finance uint32 // 0 if unknown
	Firsts  string // the key of the first street of each page, one a line
	Filter  string // Bloom filter of the keys
}

// streetParts returns the parts of streets.
func (d *Dataset) streetParts() []file.Part {
	return []file.Part{d.streetZIPs(), d.cityNames(), d.roadPart()}
}

// streetZIPs lists the ZIP Codes with street records.
func (d *Dataset) streetZIPs() file.Part {
	return file.Part{
		Section: sectionRecords,
		Queries: []file.Query{
			{Name: "street_zip", SQL: "SELECT CAST(zip AS INTEGER), addons, finance, firsts, filter FROM street_zip ORDER BY zip"},
			{Name: "street_alias", SQL: "SELECT DISTINCT CAST(zip AS INTEGER) FROM street_alias ORDER BY zip"},
		},
		Load: func(m *file.Connection) error {
			rows, err := file.Rows[streetZIP](m, "street_zip")
			if err != nil {
				return err
			}
			for i := range rows {
				if rows[i].Filter == "" {
					return file.ErrRange
				}
			}
			d.streets = rows
			if d.streetSet, err = file.NewCodeSet(postcode.NumZIPs, rows, func(s *streetZIP) uint32 { return uint32(s.ZIP) }); err != nil {
				return err
			}
			zips, err := file.Rows[struct{ ZIP postcode.ZIP }](m, "street_alias")
			d.aliases = make(map[postcode.ZIP]bool, len(zips))
			for _, r := range zips {
				d.aliases[r.ZIP] = true
			}
			return err
		},
	}
}

// streetsOf returns what memory holds of the street records of a ZIP, nil for none.
func (d *Dataset) streetsOf(z postcode.ZIP) *streetZIP {
	d.Need(sectionRecords)
	if row, ok := d.streetSet.Row(uint32(z)); ok {
		return &d.streets[row]
	}
	return nil
}

// segmentsOnly reports whether a ZIP Code has no street records, but ranges of its
// segments, which take their place.
func (d *Dataset) segmentsOnly(z postcode.ZIP) bool {
	return d.streetsOf(z) == nil && d.RoadCoverage(CodeOfZIP(z)).Ranges > 0
}

// HasStreets reports whether the dataset holds street records or ranges of any ZIP
// Code.
func (d *Dataset) HasStreets() bool {
	d.Need(SectionStreets)
	return len(d.streets) > 0 || d.hasRanges
}

// HasStreetsIn reports whether the dataset holds street records of the ZIP Code, or
// ranges of its segments, from memory.
func (d *Dataset) HasStreetsIn(z postcode.ZIP) bool {
	return d.streetsOf(z) != nil || d.segmentsOnly(z)
}

// HasZIP4 reports whether the dataset holds ZIP+4 records of the ZIP Code,
// from memory, without an allocation.
func (d *Dataset) HasZIP4(z postcode.ZIP) bool {
	s := d.streetsOf(z)
	return s != nil && s.Buckets != 0
}

// StreetZIPs yields the ZIP Codes that have street records or ranges, ascending.
func (d *Dataset) StreetZIPs() iter.Seq[postcode.ZIP] {
	d.Need(SectionStreets)
	var list []postcode.ZIP
	for i := range d.streets {
		list = append(list, d.streets[i].ZIP)
	}
	for a := range d.RoadAreas() {
		if z, ok := a.ZIP(); ok && d.segmentsOnly(z) {
			list = append(list, z)
		}
	}
	slices.Sort(list)
	return slices.Values(list)
}

// MayHaveStreet reports whether the ZIP Code may have a street with the key. It
// returns true for all keys of its streets, as pub28.Key makes them. It returns false
// for most other keys of a ZIP Code with street records, from memory, without an allocation.
func (d *Dataset) MayHaveStreet(z postcode.ZIP, key string) bool {
	if s := d.streetsOf(z); s != nil {
		return s.mayHave(key)
	}
	return d.segmentsOnly(z)
}

// page returns the page that has a key if any has it; negative if it is below all. A ZIP Code has
// about a dozen pages, so their keys are read one by one and need no list of offsets.
func (s *streetZIP) page(key string) int {
	n := -1
	for rest := s.Firsts; ; n++ {
		first, more, ok := strings.Cut(rest, "\n")
		if first > key {
			return n
		}
		if rest = more; !ok {
			return n + 1
		}
	}
}

// streetPage reads a page of street records, unless it was read lately.
func (d *Dataset) streetPage(ctx context.Context, z postcode.ZIP, page int) (*tablePage, error) {
	return readPage[StreetRow](ctx, d, d.pages, "zip4", int64(z)*MaxStreetPages+int64(page))
}

// Streets appends the records of the ZIP Code whose street has the key, as
// pub28.Key makes it. These are base records and alternates, with add-ons and without, in
// the order of their addition. A ZIP Code without records has one for each range of its
// segments.
func (d *Dataset) Streets(ctx context.Context, z postcode.ZIP, key string, into []StreetRecord) ([]StreetRecord, error) {
	if err := d.Load(ctx, SectionStreets); err != nil {
		return into, err
	}
	if d.segmentsOnly(z) {
		list, err := d.Roads(ctx, CodeOfZIP(z), key, nil)
		for i := range list {
			into = d.appendRanges(into, z, list[i].RoadName, list[i].Segments.Append(nil))
		}
		return into, err
	}
	s, page := d.streetsOf(z), -1
	if s != nil && s.mayHave(key) {
		page = s.page(key)
	}
	if page < 0 {
		return into, d.Usable()
	}
	t, err := d.streetPage(ctx, z, page)
	if err != nil {
		return into, err
	}
	from, _ := t.Find(columnStreetKey, key)
	to := from
	for to < t.Rows && t.Text(columnStreetKey, to) == key {
		to++
	}
	return appendRecords(into, t.Table, from, to), nil
}

func appendRecords(into []StreetRecord, t *file.Table, from, to int) []StreetRecord {
	return file.AppendRows(into, t.After(columnStreetKey), from, to)
}

// HasBoxesIn reports whether the dataset holds records of post office boxes of the
// ZIP Code.
func (d *Dataset) HasBoxesIn(ctx context.Context, z postcode.ZIP) (bool, error) {
	const boxes = "POBOX"
	if err := d.Load(ctx, SectionStreets); err != nil || d.segmentsOnly(z) || !d.MayHaveStreet(z, boxes) {
		return false, err
	}
	list, err := d.Streets(ctx, z, boxes, nil)
	return len(list) > 0, err
}

// StreetKeys reads the keys of the ZIP Code's streets, as pub28.Key makes them,
// ascending.
func (d *Dataset) StreetKeys(ctx context.Context, z postcode.ZIP) (keys []string, err error) {
	if err := d.Load(ctx, SectionStreets); err != nil {
		return nil, err
	}
	if !d.segmentsOnly(z) {
		err := d.Query(ctx, "the streets of a ZIP Code", "SELECT keys FROM street_zip WHERE zip = ?", func(v []driver.Value) error {
			text, _ := v[0].(string)
			keys = strings.Split(text, "\n")
			return nil
		}, z.String())
		return keys, err
	}
	for key, err := range d.RoadKeys(ctx, CodeOfZIP(z)) {
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// StreetRecords yields the records of the ZIP Code, street by street in the order of
// the file. An error ends it.
func (d *Dataset) StreetRecords(ctx context.Context, z postcode.ZIP) iter.Seq2[StreetRecord, error] {
	return func(yield func(StreetRecord, error) bool) {
		all := func(list []StreetRecord, err error) bool {
			if err != nil {
				yield(StreetRecord{}, err)
				return false
			}
			for i := range list {
				if !yield(list[i], nil) {
					return false
				}
			}
			return true
		}
		if err := cmp.Or(d.Load(ctx, SectionStreets), d.Usable()); err != nil {
			all(nil, err)
			return
		}
		var list []StreetRecord
		if s := d.streetsOf(z); s != nil {
			for k := range strings.Count(s.Firsts, "\n") + 1 {
				page, err := d.streetPage(ctx, z, k)
				if err == nil {
					list = appendRecords(list[:0], page.Table, 0, page.Rows)
				}
				if !all(list, err) {
					return
				}
			}
			return
		}
		for r, err := range d.AllRoads(ctx, CodeOfZIP(z)) {
			if err == nil {
				list = d.appendRanges(list[:0], z, r.RoadName, r.Segments)
			}
			if !all(list, err) {
				return
			}
		}
	}
}

// ZIP4 reads the ZIP+4 records whose range holds the add-on. Base records come
// before alternates. Then records are in the order of their street's key and of
// their addition. If none exists, the slice is empty and the error nil.
func (d *Dataset) ZIP4(ctx context.Context, z postcode.ZIP, p postcode.Plus4) ([]ZIP4Record, error) {
	if err := d.Load(ctx, sectionRecords); err != nil {
		return nil, err
	}
	s := d.streetsOf(z)
	if s == nil || p > 9999 || s.Buckets>>(p/AddOnsOfRow)&1 == 0 {
		return nil, d.Usable()
	}
	rows, err := file.ReadRow(ctx, d.File, "zip4_addon", int64(z)*AddOnBuckets+int64(p/AddOnsOfRow), file.DecodeRows[AddOnRow])
	if err != nil {
		return nil, err
	}
	var pages []int
	for _, r := range rows {
		if r.Low <= p && p <= r.High {
			pages = append(pages, int(r.Page))
		}
	}
	slices.Sort(pages)
	var list []StreetRecord
	for _, k := range slices.Compact(pages) {
		t, err := d.streetPage(ctx, z, k)
		if err != nil {
			return nil, err
		}
		for i := range t.Rows {
			low, _ := t.Number(columnLow, i)
			high, _ := t.Number(columnHigh, i)
			if low <= int64(p) && int64(p) <= high {
				list = appendRecords(list, t.Table, i, i+1)
			}
		}
	}
	list = slices.DeleteFunc(list, func(r StreetRecord) bool { return r.NoPlus4 })
	slices.SortStableFunc(list, func(a, b StreetRecord) int { return file.Flag(a.Alternate) - file.Flag(b.Alternate) })
	records := make([]ZIP4Record, len(list))
	for i := range list {
		records[i] = list[i].ZIP4Record
	}
	return records, nil
}

// appendRanges appends the ranges of a road as records without add-ons.
func (d *Dataset) appendRanges(into []StreetRecord, z postcode.ZIP, r RoadName, segments []RoadSegment) []StreetRecord {
	row, _ := d.ZIP(z)
	state := d.State(row.State).Abbr
	for i := range segments {
		s := &segments[i]
		for _, side := range [...]NumberRange{s.Left, s.Right} {
			if side.Parity == 0 {
				continue
			}
			end := func(v uint32) string {
				if side.Prefix == "" {
					return fmt.Sprintf("%010d", v) // as in the ZIP+4 product
				}
				return HouseNumber{Prefix: side.Prefix, Value: v}.String()
			}
			into = append(into, StreetRecord{NoPlus4: true, ZIP4Record: ZIP4Record{
				ZIP: z, RecordType: 'S', PreDir: r.PreDir, Street: r.Name, Suffix: r.Suffix, PostDir: r.PostDir,
				AddrLow: end(min(side.From, side.To)), AddrHigh: end(max(side.From, side.To)), OddEven: side.Parity,
				State: state, Location: middle(s.Line),
			}})
		}
	}
	return into
}

// middle returns the point halfway along a line.
func middle(line []geo.LatLng) geo.LatLng {
	total := 0.0
	for i := 1; i < len(line); i++ {
		total += float64(geo.Distance(line[i-1], line[i]))
	}
	left := total / 2
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		if d := float64(geo.Distance(a, b)); d > 0 && d >= left {
			t := left / d
			micro := func(x, y float64) int32 { return int32(math.Round((x + float64(t*(y-x))) * 1e6)) }
			return geo.LatLngFromMicrodegrees(micro(a.Lat(), b.Lat()), micro(a.Lng(), b.Lng()))
		}
		left -= float64(geo.Distance(a, b))
	}
	return line[0]
}
