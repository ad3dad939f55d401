package source

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// uspsDetails yields the records with a detail code, mostly D, of a product of
// the Postal Service's Address Information System. It leaves out the copyright
// records (C), which begin each file and occur again in joined files, and those
// whose detail code is in skip. Any other code is a bad value.
func uspsDetails(in *format.Input, length int, detail byte, skip string) iter.Seq2[format.Block, error] {
	return func(yield func(format.Block, error) bool) {
		for blk, err := range format.NewBlocks(in, length).All() {
			if err == nil {
				switch c := blk.Byte(1); {
				case c == detail:
				case c == 'C', strings.IndexByte(skip, c) >= 0:
					continue
				default:
					err = blk.Errorf("detail code", "%q, expected C, %c or one of %q; check that the file is of the product with records of %d bytes", c, detail, skip, length)
				}
			}
			if !yield(blk, err) {
				return
			}
		}
	}
}

// uspsRows turns the records of a product with a detail code into typed rows.
func uspsRows[R any](in *format.Input, length int, detail byte, skip string, parse func(format.Block) (R, error)) iter.Seq2[R, error] {
	return parsed(uspsDetails(in, length, detail, skip), parse)
}

// uspsZIP reads the ZIP Code, which all products have in bytes 2 to 6.
func uspsZIP(b format.Block) (dataset.ZIP, error) {
	z, ok := dataset.ParseZIP(b.Raw(2, 5))
	if !ok {
		return 0, b.Errorf("ZIP Code", "%q, expected five digits", b.Raw(2, 5))
	}
	return z, nil
}

// uspsCode reads one of the allowed letters; a space gives 0 if it is allowed
// too.
func uspsCode(b format.Block, name string, pos int, allowed string, blank bool) (byte, error) {
	c := b.Byte(pos)
	if blank && c == ' ' {
		return 0, nil
	}
	if c == ' ' || strings.IndexByte(allowed, c) < 0 {
		return 0, b.Errorf(name, "%q, expected one of %s", c, allowed)
	}
	return c, nil
}

// uspsPlace reads the state abbreviation and the county number, which stand
// one after the other. A county is blank for military places.
func uspsPlace(b format.Block, start int) (state, county string, err error) {
	state, county = b.Field(start, 2), b.Field(start+2, 3)
	if len(state) != 2 {
		return "", "", b.Errorf("state", "%q, expected two letters", state)
	}
	if county != "" && !isDigits(county, 3) {
		return "", "", b.Errorf("county number", "%q, expected three digits or spaces", county)
	}
	return state, county, nil
}

// A CityStateRow is a detail record (D) of the City State product: one name
// of a ZIP Code's place. Text is in the product's capitals.
type CityStateRow struct {
	ZIP          dataset.ZIP
	Key          string // city state key, six characters
	Class        dataset.Class
	Name         string
	Abbreviation string // at most 13 characters; "" mostly
	Facility     byte   // B C N P S U; 0 blank
	Mailing      bool   // the last line of an address may have the name
	LastLineKey  string // key of the preferred last line
	LastLineName string // name of the preferred last line
	CityDelivery bool   // city carriers deliver here
	Finance      string // finance number, six digits
	State        string // two letters
	CountyFIPS   string // three digits within the state; "" for military
	Record       int    // number of the record in its file, from 1
}

// Preferred reports whether the row's name is the default one of its ZIP.
func (r CityStateRow) Preferred() bool { return r.Key != "" && r.Key == r.LastLineKey }

// cityStateLength is the length of the records of the City State product in
// bytes.
const cityStateLength = 129

// A StreetAliasRow is an alias record (A) of the City State product.
type StreetAliasRow struct {
	ZIP dataset.ZIP
	dataset.StreetAlias
	Record int // number of the record in its file, from 1
}

// ReadStreetAliases reads the alias records of a City State file, which
// [ReadCityState] leaves out, as that reads the others.
func ReadStreetAliases(in *format.Input) iter.Seq2[StreetAliasRow, error] {
	return uspsRows(in, cityStateLength, 'A', "DZNSP", parseStreetAlias)
}

func parseStreetAlias(b format.Block) (StreetAliasRow, error) {
	row := StreetAliasRow{Record: b.Record()}
	var err error
	if row.ZIP, err = uspsZIP(b); err != nil {
		return row, err
	}
	a := &row.StreetAlias
	a.PreDir, a.Street, a.Suffix, a.PostDir = b.Field(7, 2), b.Field(9, 28), b.Field(37, 4), b.Field(41, 2)
	a.BasePreDir, a.BaseStreet, a.BaseSuffix, a.BasePostDir = b.Field(43, 2), b.Field(45, 28), b.Field(73, 4), b.Field(77, 2)
	if a.Street == "" || a.BaseStreet == "" {
		return row, b.Errorf("street name", "%q for %q, expected a name and that of the base", a.Street, a.BaseStreet)
	}
	if a.Type, err = uspsCode(b, "alias type", 79, "ACOP", true); err != nil {
		return row, err
	}
	a.Low, a.High = b.Field(88, 10), b.Field(98, 10)
	a.OddEven, err = uspsCode(b, "range odd/even", 108, "OEB", true)
	return row, err
}

// ReadCityState reads the detail records of a City State file: 129 bytes each,
// without line ends as the product is delivered, or with. It leaves out aliases
// of streets, splits of zones, seasons, combined schemes and lists of PO boxes
// (detail codes A, Z, N, S and P).
//
// An error that matches [format.ErrValue] is about one record, and reading
// continues after it; any other error is the last pair.
func ReadCityState(in *format.Input) iter.Seq2[CityStateRow, error] {
	return uspsRows(in, cityStateLength, 'D', "AZNSP", parseCityState)
}

// parseCityState reads the fields at the positions of the product's layout.
func parseCityState(b format.Block) (CityStateRow, error) {
	row := CityStateRow{Record: b.Record(), Class: dataset.General}
	var err error
	if row.ZIP, err = uspsZIP(b); err != nil {
		return row, err
	}
	class, err := uspsCode(b, "ZIP classification", 13, "MPU", true)
	if err != nil {
		return row, err
	}
	if class != 0 {
		row.Class = dataset.Class(class)
	}
	row.Key, row.Name, row.Abbreviation = b.Field(7, 6), b.Field(14, 28), b.Field(42, 13)
	if row.Name == "" {
		return row, b.Errorf("city state name", "blank, expected a name")
	}
	if row.Facility, err = uspsCode(b, "facility code", 55, "BCNPSUY", true); err != nil {
		return row, err
	}
	mailing, err := uspsCode(b, "mailing name indicator", 56, "YN", false)
	if err != nil {
		return row, err
	}
	row.Mailing = mailing == 'Y'
	row.LastLineKey, row.LastLineName = b.Field(57, 6), b.Field(63, 28)
	delivery, err := uspsCode(b, "city delivery indicator", 91, "YN", true)
	if err != nil {
		return row, err
	}
	row.CityDelivery = delivery == 'Y'
	if _, err = uspsCode(b, "carrier route rate sortation", 92, "ABCD", true); err != nil {
		return row, err
	}
	if row.State, row.CountyFIPS, err = uspsPlace(b, 100); err != nil {
		return row, err
	}
	row.Finance = b.Field(94, 6)
	return row, nil
}

// ZIPDeliveryPoints are the delivery points of a ZIP Code.
type ZIPDeliveryPoints struct {
	ZIP dataset.ZIP
	dataset.DeliveryPoints
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
func SumDeliveryStats(in *format.Input) (points []ZIPDeliveryPoints, rows int64, err error) {
	sums := map[dataset.ZIP]*dataset.DeliveryPoints{}
	for b, err := range uspsDetails(in, deliveryStatsLength, 'D', "") {
		if err != nil {
			return nil, rows, err
		}
		zip, err := uspsZIP(b)
		if err != nil {
			return nil, rows, err
		}
		action, err := uspsCode(b, "action code", 17, "AD", true)
		if err != nil {
			return nil, rows, err
		}
		if action == 'D' {
			continue
		}
		sum := sums[zip]
		if sum == nil {
			sum = &dataset.DeliveryPoints{}
			sums[zip] = sum
		}
		if err := addRoute(b, sum); err != nil {
			return nil, rows, err
		}
		rows++
	}
	points = make([]ZIPDeliveryPoints, 0, len(sums))
	for zip, sum := range sums {
		points = append(points, ZIPDeliveryPoints{ZIP: zip, DeliveryPoints: *sum})
	}
	slices.SortFunc(points, func(a, b ZIPDeliveryPoints) int { return cmp.Compare(a.ZIP, b.ZIP) })
	return points, rows, nil
}

func addRoute(b format.Block, sum *dataset.DeliveryPoints) error {
	var business, residential, boxes int64
	for i := range countKinds {
		n, err := routeCount(b, businessStart+i*countWidth)
		if err != nil {
			return err
		}
		m, err := routeCount(b, residenceStart+i*countWidth)
		if err != nil {
			return err
		}
		business += n
		residential += m
		if isBox[i] {
			boxes += n + m
		}
	}
	general, err := routeCount(b, generalDeliveryStart)
	if err != nil {
		return err
	}
	total := int64(sum.TotalActive) + business + residential + general
	if total > math.MaxInt32 {
		return b.Errorf("active deliveries", "%d in one ZIP Code, more than can be", total)
	}
	sum.TotalActive = int32(total)
	sum.Business += int32(business)
	sum.Residential += int32(residential)
	sum.POBox += int32(boxes)
	return nil
}

// routeCount reads a number of five digits, filled with zeros or spaces on the
// left; all spaces are 0.
func routeCount(b format.Block, start int) (int64, error) {
	var n int64
	digit := false
	for _, c := range []byte(b.Raw(start, countWidth)) {
		switch {
		case c == ' ' && !digit:
		case c >= '0' && c <= '9':
			digit = true
			n = n*10 + int64(c-'0')
		default:
			return 0, b.Errorf("count", "%q at byte %d, expected five digits", b.Raw(start, countWidth), start)
		}
	}
	return n, nil
}
