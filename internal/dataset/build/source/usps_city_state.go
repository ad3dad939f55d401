package source

import (
	"iter"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

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
	CarrierSort  byte   // A to D; 0 blank
	UniqueName   bool   // the name belongs to a unique ZIP
	Finance      string // finance number, six digits
	State        string // two letters
	CountyFIPS   string // three digits within the state; "" for military
	County       string // in capitals; "" for military
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
	if row.CarrierSort, err = uspsCode(b, "carrier route rate sortation", 92, "ABCD", true); err != nil {
		return row, err
	}
	row.UniqueName = b.Byte(93) == 'Y'
	if row.State, row.CountyFIPS, err = uspsPlace(b, 100); err != nil {
		return row, err
	}
	row.Finance, row.County = b.Field(94, 6), b.Field(105, 25)
	return row, nil
}
