package source

import (
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

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
//
// An error that matches [format.ErrValue] is about one record, and reading
// continues after it; any other error is the last pair.
func ReadZIP4(in *format.Input) iter.Seq2[ZIP4Row, error] {
	return uspsRows(in, zip4Length, 'D', "", parseZIP4)
}

// parseZIP4 reads the fields at the positions of the product's layout.
func parseZIP4(b *uspsRecord, zip postcode.ZIP) ZIP4Row {
	row := ZIP4Row{Record: b.Record()}
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
//
// An error that matches [format.ErrValue] is about one row, and reading
// continues after it; any other error is the last pair.
func ReadZIP4Points(in *format.Input) iter.Seq2[ZIP4Point, error] {
	return rowsOf(in, format.TableOptions{Quoted: true}, func(r format.Row, p *ZIP4Point) error {
		if !p.Location.IsValid() {
			return r.Errorf("lat", "no point, expected degrees")
		}
		return nil
	})
}
