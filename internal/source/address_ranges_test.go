package source_test

import (
	"errors"
	"os"
	"testing"

	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

func street(pre, name, suffix, post string) store.ZIP4Record {
	return store.ZIP4Record{PreDir: pre, Street: name, Suffix: suffix, PostDir: post}
}

// TestAddressRangeStreets divides whole names of streets.
func TestAddressRangeStreets(t *testing.T) {
	tests := map[string]store.ZIP4Record{
		"Main St":             street("", "MAIN", "ST", ""),
		"S Central Ave":       street("S", "CENTRAL", "AVE", ""),
		"5th Ave SW":          street("", "5TH", "AVE", "SW"),
		"E St":                street("", "E", "ST", ""),
		"North Rd":            street("", "NORTH", "RD", ""),
		"N Oak":               street("N", "OAK", "", ""),
		"Newlan Creek Road":   street("", "NEWLAN CREEK", "RD", ""),
		"Hwy 360":             street("", "HIGHWAY 360", "", ""),
		"State Hwy 360":       street("", "STATE HIGHWAY 360", "", ""),
		"Co Rd 12":            street("", "COUNTY ROAD 12", "", ""),
		"St. Paul's Blvd":     street("", "ST PAULS", "BLVD", ""),
		"Broadway":            street("", "BROADWAY", "", ""),
		"Northwest Park Dr.":  street("NW", "PARK", "DR", ""),
		"Avenue C":            street("", "AVENUE C", "", ""),
		"St-James Pl":         street("", "ST JAMES", "PL", ""),
		"Cañon/Mesa (Old) Rd": street("", "CANON MESA OLD", "RD", ""),
		"41 1/2 St":           street("", "41 1/2", "ST", ""),
		"US 1/9":              street("", "US HIGHWAY 1 9", "", ""),
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			rows, errs := rowsAndErrors(source.ReadAddressRanges(uspsInput("ADDR_LOW,ADDR_HIGH,STREET,ZIP\n1,99," + name + ",98101\n")))
			if len(rows) != 1 || len(errs) > 0 {
				t.Fatalf("%v, errors %v; want one row", rows, errs)
			}
			r := rows[0]
			if got := street(r.PreDir, r.Street, r.Suffix, r.PostDir); got != want {
				t.Errorf("got %q %q %q %q, want %q %q %q %q", got.PreDir, got.Street, got.Suffix, got.PostDir, want.PreDir, want.Street, want.Suffix, want.PostDir)
			}
		})
	}
}

// TestStreetKeys compares the keys of names with those of addresses in other writing.
func TestStreetKeys(t *testing.T) {
	for name, other := range map[string]string{
		"St-James": "SAINT JAMES", "Cañon": "CANON", "Winston-Salem": "WINSTON SALEM", "41 1/2": "41 1/2", "O'Neil": "ONEIL", "Ft-Hill": "FORT HILL",
	} {
		rows, errs := rowsAndErrors(source.ReadAddressRanges(uspsInput("ADDR_LOW,ADDR_HIGH,STREET,ZIP\n1,99," + name + " Ave,98101\n")))
		if len(rows) != 1 || len(errs) > 0 {
			t.Errorf("%s: %v, errors %v", name, rows, errs)
		} else if got, want := pub28.Key(rows[0].Street), pub28.Key(other); got != want {
			t.Errorf("%s has the key %s, want %s", name, got, want)
		}
	}
}

func TestReadAddressRanges(t *testing.T) {
	rows, errs := rowsAndErrors(source.ReadAddressRanges(uspsInput(
		"addrPrimaryHighNo,addrPrimaryLowNo,addrPrmryOddEvenCod,streetPreDir,streetName,streetSuffixAbbrev,zipCode,zipExtension,other\n" +
			"98,2,E,N,Oak,St,98101,1234,x\n" +
			"1,99,,,Elm,Ave,98101,,x\n" +
			"1A,9A,b,,Elm,Ave,98102,0000,x\n" +
			"1,99,B,,Elm,Ave,9810,,x\n" +
			",99,B,,Elm,Ave,98101,,x\n" +
			"1,99,B,,,Ave,98101,,x\n" +
			"1,99,B,,Elm,Ave,98101,12,x\n")))
	want := []source.StreetRange{
		{Record: 2, StreetRecord: store.StreetRecord{ZIP4Record: store.ZIP4Record{
			ZIP: 98101, Low: 1234, High: 1234, RecordType: 'S', PreDir: "N", Street: "OAK", Suffix: "ST", AddrLow: "0000000002", AddrHigh: "0000000098", OddEven: 'E',
		}}},
		{Record: 3, StreetRecord: store.StreetRecord{NoPlus4: true, ZIP4Record: store.ZIP4Record{
			ZIP: 98101, RecordType: 'S', Street: "ELM", Suffix: "AVE", AddrLow: "0000000001", AddrHigh: "0000000099", OddEven: 'O',
		}}},
		{Record: 4, StreetRecord: store.StreetRecord{NoPlus4: true, ZIP4Record: store.ZIP4Record{
			ZIP: 98102, RecordType: 'S', Street: "ELM", Suffix: "AVE", AddrLow: "1A", AddrHigh: "9A", OddEven: 'B',
		}}},
	}
	if len(rows) != len(want) || len(errs) != 4 {
		t.Fatalf("%d rows, errors %v; want %d rows and 4 errors", len(rows), errs, len(want))
	}
	for i := range want {
		if rows[i] != want[i] {
			t.Errorf("row %d is %+v, want %+v", i, rows[i], want[i])
		}
	}
	for _, err := range errs {
		if !errors.Is(err, format.ErrValue) {
			t.Errorf("error %v, want one that matches ErrValue", err)
		}
	}
	_, errs = rowsAndErrors(source.ReadAddressRanges(uspsInput("2,98,E,OAK ST,WA,98101,1234\n")))
	if len(errs) != 1 || !errors.Is(errs[0], format.ErrColumns) {
		t.Errorf("a file without header: errors %v, want one that matches ErrColumns", errs)
	}
}

// TestRoadPiecesReal reads a county of TIGER/Line.
func TestRoadPiecesReal(t *testing.T) {
	path := "../../../shared/data/address/tl_2021_30059_addrfeat.zip"
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there; the test needs the shared data beside the repository", path)
	}
	rows, errs := rowsAndErrors(source.RoadPieces(path))
	if len(errs) > 0 || len(rows) < 670 {
		t.Fatalf("%d of 677 segments, errors %v", len(rows), errs)
	}
	names := map[string]int{}
	for _, r := range rows {
		if r.Left.Has() != (r.Segment.Left.Parity != 0) || !r.Left.Has() && !r.Right.Has() || r.Left.Province != "" {
			t.Errorf("record %d is %+v", r.Record, r)
		}
		if lat, lng := r.Segment.Line[0].Lat(), r.Segment.Line[0].Lng(); lat < 46 || lat > 47.3 || lng < -111.8 || lng > -109.8 {
			t.Errorf("record %d is at %v, want Meagher County", r.Record, r.Segment.Line[0])
		}
		names[r.Name.String()]++
	}
	if names["E MAIN ST"] == 0 || names["STATE HIGHWAY 360"] == 0 {
		t.Errorf("streets %v; want E MAIN ST and STATE HIGHWAY 360 among them", names)
	}
}

// FuzzAddressRanges checks that no row of a range file panics the reader, and
// that a writer takes the accepted rows.
func FuzzAddressRanges(f *testing.F) {
	f.Add("1", "99", "N Main St", "98101", "1234")
	f.Add("1A", "9Z", "Hwy 12 Bus", "98101", "")
	f.Add("0", "4294967296", "North", "00000", "0000")
	f.Add("0", "0", "'", "00000", "") // a street of signs only
	f.Fuzz(func(t *testing.T, low, high, name, zip, plus4 string) {
		text := "low,high,street,zip,plus4\n" + low + "," + high + "," + name + "," + zip + "," + plus4 + "\n"
		for r, err := range source.ReadAddressRanges(uspsInput(text)) {
			if err == nil && (r.Street == "" || r.AddrLow == "" || r.AddrHigh == "" || r.NoPlus4 && r.High != 0) {
				t.Errorf("%q gives %+v", text, r)
			}
		}
	})
}
