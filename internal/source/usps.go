package source

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// Three products of the Postal Service's Address Information System are read: ZIP+4 (182
// bytes a record), City State (129) and Delivery Statistics (309). Fields stand at fixed
// positions. They are counted from 1, as in the technical guide of the products, so that
// the code can be compared with its tables. Text is in capitals and padded with spaces.

// uspsRows reads the records with a detail code, mostly D, of a product of the Postal
// Service's Address Information System, and turns them into typed rows. It leaves out the
// copyright records (C), which begin each file and occur again in joined files, and those
// whose detail code is in skip. Any other code is a bad value. All products have the ZIP
// Code in bytes 2 to 6. The function parse leaves the first error in the record.
func uspsRows[R any](f format.File, length int, detail byte, skip string, parse func(*uspsRecord, postcode.ZIP) R) iter.Seq2[R, error] {
	r := &uspsRecord{} // of all rows, to save memory
	return parsed(f.Rows(format.Options{Width: length}), func(f format.Row) (row R, err error) {
		r.Row, r.text, r.err = f, f.Fields()[0], nil
		if c := r.Byte(1); c != detail {
			if c == 'C' || strings.IndexByte(skip, c) >= 0 {
				return row, errSkip
			}
			return row, r.Errorf("detail code", "%q, expected C, %c or one of %q; check that the file is of the product with records of %d bytes", c, detail, skip, length)
		}
		zip, ok := postcode.ParseZIP(r.Raw(2, 5))
		if !ok {
			return row, r.Errorf("ZIP Code", "%q, expected five digits", r.Raw(2, 5))
		}
		row = parse(r, zip)
		return row, r.err
	})
}

// A uspsRecord is a record with the first error of its fields. Parsers read all fields
// without looking at errors, which a record has rarely, and uspsRows looks once at the
// end.
type uspsRecord struct {
	format.Row
	text string
	err  error
}

// Field returns a field without the spaces around it. start is its first byte, from 1, and
// n its length.
func (r *uspsRecord) Field(start, n int) string { return strings.Trim(r.Raw(start, n), " ") }

// Raw returns an unchanged field, with its spaces.
func (r *uspsRecord) Raw(start, n int) string { return r.text[start-1 : start-1+n] }

// Byte returns the byte at the position, from 1.
func (r *uspsRecord) Byte(at int) byte { return r.text[at-1] }

func (r *uspsRecord) refuse(name, reason string, args ...any) {
	if r.err == nil {
		r.err = r.Errorf(name, reason, args...)
	}
}

// code reads one of the allowed letters; a space gives 0 if it is allowed too.
func (r *uspsRecord) code(name string, pos int, allowed string, blank bool) byte {
	c := r.Byte(pos)
	if blank && c == ' ' {
		return 0
	}
	if c == ' ' || strings.IndexByte(allowed, c) < 0 {
		r.refuse(name, "%q, expected one of %s", c, allowed)
	}
	return c
}

// place reads the state abbreviation and the county number, which stand one after
// the other. A county is blank for military places.
func (r *uspsRecord) place(start int) (state, county string) {
	state, county = r.Field(start, 2), r.Field(start+2, 3)
	if len(state) != 2 {
		r.refuse("state", "%q, expected two letters", state)
	}
	if county != "" && !isDigits(county, 3) {
		r.refuse("county number", "%q, expected three digits or spaces", county)
	}
	return state, county
}

// A CityStateRow is a detail record (D) of the City State product: one name
// of a ZIP Code's place. Text is in the product's capitals.
type CityStateRow struct {
	ZIP postcode.ZIP
	store.CityName
	Class        store.Class
	LastLineName string // name of the preferred last line
	CityDelivery bool   // city carriers deliver here
	Finance      string // finance number, six digits
	Record       int    // number of the record in its file, from 1
}

// cityStateLength is the length of the records of the City State product in
// bytes.
const cityStateLength = 129

// A StreetAliasRow is an alias record (A) of the City State product.
type StreetAliasRow struct {
	ZIP postcode.ZIP
	store.StreetAlias
	Record int // number of the record in its file, from 1
}

// ReadStreetAliases reads the alias records of a City State file, which
// [ReadCityState] leaves out, as that reads the others.
func ReadStreetAliases(f format.File) iter.Seq2[StreetAliasRow, error] {
	return uspsRows(f, cityStateLength, 'A', "DZNSP", parseStreetAlias)
}

func parseStreetAlias(b *uspsRecord, zip postcode.ZIP) StreetAliasRow {
	return StreetAliasRow{ZIP: zip, Record: b.Number, StreetAlias: store.StreetAlias{
		PreDir: b.Field(7, 2), Street: b.required("street name", 9, 28), Suffix: b.Field(37, 4), PostDir: b.Field(41, 2),
		BasePreDir: b.Field(43, 2), BaseStreet: b.required("street name", 45, 28), BaseSuffix: b.Field(73, 4), BasePostDir: b.Field(77, 2),
		Type: b.code("alias type", 79, "ACOP", true), Low: b.Field(88, 10), High: b.Field(98, 10),
		OddEven: b.code("range odd/even", 108, "OEB", true),
	}}
}

// required reads a name that is not blank.
func (r *uspsRecord) required(name string, pos, width int) string {
	text := r.Field(pos, width)
	if text == "" {
		r.refuse(name, "blank, expected a name")
	}
	return text
}

// ReadCityState reads the detail records of a City State file: 129 bytes each,
// without line ends as the product is delivered, or with. It leaves out aliases
// of streets, splits of zones, seasons, combined schemes and lists of PO boxes
// (detail codes A, Z, N, S and P).
func ReadCityState(f format.File) iter.Seq2[CityStateRow, error] {
	return uspsRows(f, cityStateLength, 'D', "AZNSP", parseCityState)
}

// parseCityState reads the fields at the positions of the product's layout.
func parseCityState(b *uspsRecord, zip postcode.ZIP) CityStateRow {
	row := CityStateRow{ZIP: zip, Record: b.Number, Class: store.General}
	if class := b.code("ZIP classification", 13, "MPU", true); class != 0 {
		row.Class = store.Class(class)
	}
	row.Key, row.Name, row.Abbreviation = b.Field(7, 6), b.required("city state name", 14, 28), b.Field(42, 13)
	row.Facility = b.code("facility code", 55, "BCNPSUY", true)
	row.Mailing = b.code("mailing name indicator", 56, "YN", false) == 'Y'
	row.LastLineKey, row.LastLineName = b.Field(57, 6), b.Field(63, 28)
	row.Preferred = row.Key != "" && row.Key == row.LastLineKey
	row.CityDelivery = b.code("city delivery indicator", 91, "YN", true) == 'Y'
	b.code("carrier route rate sortation", 92, "ABCD", true)
	row.State, row.CountyFIPS = b.place(100)
	row.Finance = b.Field(94, 6)
	return row
}

// ZIPDeliveryPoints are the delivery points of a ZIP Code.
type ZIPDeliveryPoints struct {
	ZIP postcode.ZIP
	store.DeliveryPoints
}

// deliveryStatsLength is the length of the records of the Delivery Statistics
// product in bytes.
const deliveryStatsLength = 309

// The counts of active deliveries: twelve of businesses, twelve of residences,
// one of general delivery, five digits each. The same places among the twelve
// are boxes of a post office: facility, contract and detached box. After the
// non-personnel unit follow caller service, remittance, contest and other box.
const (
	businessStart        = 22
	residenceStart       = 82
	generalDeliveryStart = 142
	countWidth           = 5
	countKinds           = 12
)

var isBox = [countKinds]bool{4: true, 5: true, 6: true, 8: true, 9: true, 10: true, 11: true}

// SumDeliveryStats reads a Delivery Statistics file, 309 bytes a record, and
// adds up the active deliveries of the carrier routes of each ZIP Code. The ZIP
// Codes ascend. rows is the number of detail records that were added, without
// those with the action code D (deleted). One bad record fails the file,
// because sums without it would be wrong.
func SumDeliveryStats(f format.File) (points []ZIPDeliveryPoints, rows int64, err error) {
	sums := map[postcode.ZIP]*store.DeliveryPoints{}
	for _, err := range uspsRows(f, deliveryStatsLength, 'D', "", func(b *uspsRecord, zip postcode.ZIP) (none struct{}) {
		if b.code("action code", 17, "AD", true) == 'D' || b.err != nil {
			return none
		}
		if sums[zip] == nil {
			sums[zip] = &store.DeliveryPoints{}
		}
		addRoute(b, sums[zip])
		rows++
		return none
	}) {
		if err != nil {
			return nil, rows, err
		}
	}
	points = make([]ZIPDeliveryPoints, 0, len(sums))
	for zip, sum := range sums {
		points = append(points, ZIPDeliveryPoints{ZIP: zip, DeliveryPoints: *sum})
	}
	slices.SortFunc(points, func(a, b ZIPDeliveryPoints) int { return cmp.Compare(a.ZIP, b.ZIP) })
	return points, rows, nil
}

func addRoute(b *uspsRecord, sum *store.DeliveryPoints) {
	var business, residential, boxes int64
	for i := range countKinds {
		n, m := b.count(businessStart+i*countWidth), b.count(residenceStart+i*countWidth)
		business += n
		residential += m
		if isBox[i] {
			boxes += n + m
		}
	}
	total := int64(sum.TotalActive) + business + residential + b.count(generalDeliveryStart)
	if total > math.MaxInt32 {
		b.refuse("active deliveries", "%d in one ZIP Code, more than can be", total)
	}
	sum.TotalActive = int32(total)
	sum.Business += int32(business)
	sum.Residential += int32(residential)
	sum.POBox += int32(boxes)
}

// count reads a number of five digits, filled with zeros or spaces on the left; all
// spaces are 0.
func (r *uspsRecord) count(start int) (n int64) {
	digit := false
	for _, c := range []byte(r.Raw(start, countWidth)) {
		switch {
		case c == ' ' && !digit:
		case c >= '0' && c <= '9':
			digit = true
			n = n*10 + int64(c-'0')
		default:
			r.refuse("count", "%q at byte %d, expected five digits", r.Raw(start, countWidth), start)
		}
	}
	return n
}

// zip4Length is the length of the records of the ZIP+4 product in bytes.
const zip4Length = 182

// A ZIP4Row is a detail record of the ZIP+4 product.
type ZIP4Row struct {
	store.ZIP4Record
	// NoDelivery means that the record has no usable add-on (its segment is
	// ND): Low and High are 0 and have no meaning.
	NoDelivery bool
	// Record is the number of the record in its file, from 1.
	Record int
}

// ReadZIP4 reads the detail records of a ZIP+4 file: 182 bytes each, without
// line ends as the product is delivered, or with. It leaves out the copyright
// record at the beginning, and records with the action code D (deleted).
func ReadZIP4(f format.File) iter.Seq2[ZIP4Row, error] {
	return uspsRows(f, zip4Length, 'D', "", parseZIP4)
}

// parseZIP4 reads the fields at the positions of the product's layout.
func parseZIP4(b *uspsRecord, zip postcode.ZIP) ZIP4Row {
	row := ZIP4Row{Record: b.Number}
	r := &row.ZIP4Record
	r.ZIP = zip
	if b.code("action code", 17, "AD", true) == 'D' {
		b.err = errSkip
		return row
	}
	r.RecordType = b.code("record type", 18, "SHFPRG", false)
	r.CarrierRoute = b.Field(19, 4)
	r.PreDir, r.Street, r.Suffix, r.PostDir = b.Field(23, 2), b.Field(25, 28), b.Field(53, 4), b.Field(57, 2)
	r.AddrLow, r.AddrHigh = b.Field(59, 10), b.Field(69, 10)
	r.OddEven = b.code("primary odd/even", 79, "OEB", true)
	r.Building, r.SecAbbr = b.Field(80, 40), b.Field(120, 4)
	r.SecLow, r.SecHigh = b.Field(124, 8), b.Field(132, 8)
	r.SecOddEven = b.code("secondary odd/even", 140, "OEB", true)
	row.NoDelivery = parseAddOns(b, r)
	r.Alternate = b.code("base/alternate code", 149, "BA", true) == 'A'
	r.LACS = b.Byte(150) == 'L'
	r.Government = b.code("government building", 151, "ABCDEFG", true)
	r.State, r.CountyFIPS = b.place(158)
	r.Finance, r.Congress = b.Field(152, 6), b.Field(163, 2)
	r.Municipality, r.Urbanization, r.LastLine = b.Field(165, 6), b.Field(171, 6), b.Field(177, 6)
	return row
}

// parseAddOns reads the low and high add-on: sector and segment, two
// characters each. The segment ND, in either, means that the record has none.
func parseAddOns(b *uspsRecord, r *store.ZIP4Record) (noDelivery bool) {
	low, high := b.Raw(141, 4), b.Raw(145, 4)
	if low[2:] == "ND" || high[2:] == "ND" {
		return true
	}
	addOn := func(name, text string) postcode.Plus4 {
		p, ok := postcode.ParsePlus4(text)
		if !ok {
			b.refuse(name, "%q, expected four digits or ND as the segment", text)
		}
		return p
	}
	if r.Low, r.High = addOn("+4 low", low), addOn("+4 high", high); r.High < r.Low {
		b.refuse("+4 high", "%q is below +4 low %q", high, low)
	}
	return false
}

// A ZIP4Point is the centroid of the delivery points of a ZIP+4 Code.
type ZIP4Point struct {
	ZIP      postcode.ZIP   `col:"zip"`
	Plus4    postcode.Plus4 `col:"plus4"`
	Location geo.LatLng     `col:"lat;lon"` // valid
	Line     int            // in its file, from 1
}

// ReadZIP4Points reads a CSV with the columns zip, plus4, lat and lon in
// degrees, and any others, in the order of the file. A row without a point, or
// with 0, 0, is refused.
func ReadZIP4Points(f format.File) iter.Seq2[ZIP4Point, error] {
	return rowsOf(f, format.Options{Quoted: true}, func(r format.Row, p *ZIP4Point) error {
		if !p.Location.IsValid() {
			return r.Errorf("lat", "no point, expected degrees")
		}
		return nil
	})
}
