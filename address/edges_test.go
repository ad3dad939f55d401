package address_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// TestMatchEdges matches addresses at the limits of what corrections may change.
func TestMatchEdges(t *testing.T) {
	m := town(t).engine(t)
	outcomes(t, m, []struct{ text, want string }{
		{"198 N Main St, Springfield, MN 55001", "198 N MAIN ST, SPRINGFIELD MN 55001-1001 (high) MATCHED"},
		{"100 N Main St, Springfield, MN 55001", "100 N MAIN ST, SPRINGFIELD MN 55001-1001 (high) MATCHED"},
		{"98 N Main St, Springfield, MN 55001", "NOT_FOUND"},
		{"200 N Main St, Springfield, MN 55001", "NOT_FOUND"},
		{"8010 Gateway Pkwy, Springfield, MN 55001", "8010 GATEWAY PKWY, SPRINGFIELD MN 55001-1021 (high) MATCHED"},
		{"15 Mtpleasant Rd, Springfield, MN 55001", "15 MOUNT PLEASANT RD, SPRINGFIELD MN 55001-1012 (medium) MATCHED STREET_CORRECTED"},
		{"15 Eleventh St, Springfield, MN 55001", "15 ELEVENTH ST, SPRINGFIELD MN 55001-1013 (high) MATCHED"},
		{"15 Elevnth St, Springfield, MN 55001", "15 ELEVENTH ST, SPRINGFIELD MN 55001-1013 (medium) MATCHED STREET_CORRECTED"},
		{"92-11 Qeens Blvd, Springfield, MN 55001", "92-11 QUEENS BLVD, SPRINGFIELD MN 55001-1018 (medium) MATCHED STREET_CORRECTED"},
		{"92-11 Qens Blvd, Springfield, MN 55001", "NOT_FOUND"}, // two letters of six
		{"410 State Route 12, Springfield, MN 55001", "410 COUNTY ROAD 12, SPRINGFIELD MN 55001-1015 (medium) MATCHED STREET_CORRECTED"},
		{"410 County Road 13, Springfield, MN 55001", "NOT_FOUND"},
		{"12 Wst St, Springfield, MN 55001", "12 WEST ST, SPRINGFIELD MN 55001-1016 (medium) MATCHED STREET_CORRECTED"},
		{"550 Park Ave N, Springfield, MN 55001", "550 PARK AVE N, SPRINGFIELD MN 55001-1017 (high) MATCHED"},
		{"550 Park Ave S, Springfield, MN 55001", "NOT_FOUND"},
		{"210 Oak Ct, Springfield, MN 55001", "210 OAK CT, SPRINGFIELD MN 55001-1006 (high) MATCHED"},
		{"210 Oak Ave, Springfield, MN 55001-1004", "210 OAK AVE, SPRINGFIELD MN 55001-1004 (high) MATCHED"},
		{"110 Cedar Ln, MN 55005", "110 CEDAR LN, SAINT CLOUD MN 55005-1001 (high) MATCHED"},
		{"110 Cedar Ln, Springfield, MN", "110 CEDAR LN, SPRINGFIELD MN 55002-1002 (high) MATCHED"},
		{"PO Box 60, Springfield, MN 55003", "PO BOX 60, SPRINGFIELD MN 55003-0060 (high) MATCHED"},
		{"PO Box 61, Springfield, MN 55003", "PO BOX 61, SPRINGFIELD MN 55003-0061 (high) MATCHED"},
		{"PO Box 101, Springfield, MN 55003", "NOT_FOUND"},
		{"PSC 10 Box 500, APO AE 09012", "PSC 10 BOX 500, APO AE 09012-0001 (high) MATCHED"},
		{"PSC 10 Box 501, APO AE 09012", "NOT_FOUND"},
		{"RR 2 Box 50, Springfield, MN 55001", "RR 2 BOX 50, SPRINGFIELD MN 55001-9202 (high) MATCHED"},
		{"RR 2 Box 51, Springfield, MN 55001", "NOT_FOUND"},
		{"300 Oak Ave Ste 120, Springfield, MN 55001", "300 OAK AVE STE 120, SPRINGFIELD MN 55001-1010 (high) MATCHED"},
		{"300 Oak Ave Ste 121, Springfield, MN 55001", "300 OAK AVE STE 121, SPRINGFIELD MN 55001-1007 (medium) PARTIAL_MATCH SECONDARY_NOT_VERIFIED"},
		{"300 Oak Ave Apt G, Springfield, MN 55001", "300 OAK AVE APT G, SPRINGFIELD MN 55001-1007 (medium) PARTIAL_MATCH SECONDARY_NOT_VERIFIED"},
	})
}

// TestSuggestEdges completes addresses of a few streets: the parts that may be
// left out, the place, and the numbers.
func TestSuggestEdges(t *testing.T) {
	f := &fixture{}
	for i, name := range []string{"NORTHTOWN", "SOUTHTOWN"} {
		f.AddZIP(postcode.ZIP(23320+i*380), store.General, "", []store.CityName{{Name: name, Mailing: true, Preferred: true, State: "VA"}})
	}
	for _, r := range []store.ZIP4Record{
		{ZIP: 23320, Low: 1000, High: 1000, PreDir: "N", Street: "MAIN", Suffix: "ST", PostDir: "W", AddrLow: "100", AddrHigh: "198", OddEven: 'E', Location: geo.MustLatLng(36, -76)},
		{ZIP: 23320, Low: 1001, High: 1001, Street: "MAIN", Suffix: "ST", AddrLow: "101", AddrHigh: "199", OddEven: 'O', Location: geo.MustLatLng(36, -76.02)},
		{ZIP: 23700, Low: 1002, High: 1002, Street: "MAPLE GROVE", Suffix: "RD", AddrLow: "12", AddrHigh: "18", OddEven: 'B', Location: geo.MustLatLng(36, -75.9)},
		{ZIP: 23700, Low: 1003, High: 1003, Street: "2ND", Suffix: "AVE", AddrLow: "1", AddrHigh: "9", OddEven: 'O'},
		{ZIP: 23700, Low: 1005, High: 1005, Street: "11TH", Suffix: "ST", AddrLow: "111", AddrHigh: "111", OddEven: 'O'},
		{ZIP: 23700, Low: 1006, High: 1006, Street: "TWENTY SECOND", Suffix: "ST", AddrLow: "222", AddrHigh: "222", OddEven: 'E'},
		{ZIP: 23700, Low: 1004, High: 1004, Street: "OAK", Suffix: "RD", AddrLow: "N5400", AddrHigh: "N5499", OddEven: 'B'},
	} {
		r.RecordType, r.State = 'S', "VA"
		f.AddRecord(store.StreetRecord{ZIP4Record: r})
	}
	m := f.engine(t)
	north, main := "150 N MAIN ST W, NORTHTOWN VA 23320", "151 MAIN ST, NORTHTOWN VA 23320"
	maple := "15 MAPLE GROVE RD, SOUTHTOWN VA 23700"
	for _, tt := range []struct {
		text string
		near geo.LatLng
		want []string
	}{
		{"150 n main st w, northtown va 23320", geo.LatLng{}, []string{north}},
		{"150 n main w", geo.LatLng{}, []string{north}},
		{"150 main st", geo.LatLng{}, []string{north}},
		{"150 s main st", geo.LatLng{}, nil},
		{"151 main st northtown va 23320-1001", geo.LatLng{}, []string{main}},
		{"151 main st apt 4 northtown", geo.LatLng{}, []string{main}},
		{"151 main st 4b northtown", geo.LatLng{}, []string{main}},
		{"151 main st 2332", geo.LatLng{}, []string{main}},
		{"151 main st 2332 ", geo.LatLng{}, nil},
		{"151 main st 23700", geo.LatLng{}, nil},
		{"151 main st va north", geo.LatLng{}, nil},
		{"15 maple g", geo.LatLng{}, []string{maple}},
		{"15 maple rd", geo.LatLng{}, nil},
		{"15 maple grove road south", geo.LatLng{}, []string{maple}},
		{"151 main st 99999 northtown", geo.LatLng{}, nil},
		{"n5432 oak", geo.LatLng{}, []string{"N5432 OAK RD, SOUTHTOWN VA 23700"}},
		{"n5532 oak", geo.LatLng{}, nil},
		{"n main", geo.LatLng{}, []string{"N MAIN ST W, NORTHTOWN VA 23320"}},
		{"19 maple grove", geo.LatLng{}, nil},
		{"1 1/2 2nd ave", geo.LatLng{}, []string{"1 1/2 2ND AVE, SOUTHTOWN VA 23700"}},
		{"2nd ave", geo.LatLng{}, []string{"2ND AVE, SOUTHTOWN VA 23700"}},
		{"ma", geo.MustLatLng(36, -75.9), []string{"MAPLE GROVE RD, SOUTHTOWN VA 23700", "MAIN ST, NORTHTOWN VA 23320", "N MAIN ST W, NORTHTOWN VA 23320"}},
		{"ma", geo.MustLatLng(36, -76.1), []string{"MAIN ST, NORTHTOWN VA 23320", "MAPLE GROVE RD, SOUTHTOWN VA 23700", "N MAIN ST W, NORTHTOWN VA 23320"}},
		{"ma", geo.MustLatLng(36.11, -76.01), []string{"MAIN ST, NORTHTOWN VA 23320", "MAPLE GROVE RD, SOUTHTOWN VA 23700", "N MAIN ST W, NORTHTOWN VA 23320"}},
		{"111 elev", geo.LatLng{}, []string{"111 11TH ST, SOUTHTOWN VA 23700"}},
		{"111 11th st", geo.LatLng{}, []string{"111 11TH ST, SOUTHTOWN VA 23700"}},
		{"111 11st st", geo.LatLng{}, nil},
		{"222 twenty second", geo.LatLng{}, []string{"222 TWENTY SECOND ST, SOUTHTOWN VA 23700"}},
		{"22", geo.LatLng{}, []string{"222 TWENTY SECOND ST, SOUTHTOWN VA 23700"}},
		{"13", geo.LatLng{}, []string{"130 N MAIN ST W, NORTHTOWN VA 23320", "131 MAIN ST, NORTHTOWN VA 23320", "13 MAPLE GROVE RD, SOUTHTOWN VA 23700"}},
	} {
		list, err := m.Suggest(t.Context(), tt.text, address.MaxSuggestions, tt.near)
		check(t, err)
		var got []string
		for _, s := range list {
			got = append(got, textOf(s))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q near %v (-want +got):\n%s", tt.text, tt.near, diff)
		}
	}
}

// TestNumbersInNames corrects letters of a street's name, never its digits, and
// prefers the spelling that is given.
func TestNumbersInNames(t *testing.T) {
	f := &fixture{}
	f.AddZIP(23320, store.General, "", []store.CityName{{Name: "NORTHTOWN", Mailing: true, Preferred: true, State: "VA"}})
	for i, name := range []string{"29TH", "CAMP 9 CREEK", "STUD HORSE", "STUDHORSE"} {
		f.AddRecord(store.StreetRecord{ZIP4Record: store.ZIP4Record{
			Government: " B"[min(1, i)],
			ZIP:        23320, Low: postcode.Plus4(1000 + i), High: postcode.Plus4(1000 + i), RecordType: 'S', State: "VA", OddEven: 'B', Street: name, Suffix: "ST", AddrLow: "100", AddrHigh: "198",
		}})
	}
	m := f.engine(t)
	outcomes(t, m, []struct{ text, want string }{
		{"110 29th St, Northtown, VA 23320", "110 29TH ST, NORTHTOWN VA 23320-1000 (high) MATCHED"},
		{"110 28th St, Northtown, VA 23320", "NOT_FOUND"},
		{"110 Camp 9 Crek St, Northtown, VA 23320", "110 CAMP 9 CREEK ST, NORTHTOWN VA 23320-1001 (medium) MATCHED STREET_CORRECTED"},
		{"110 Camp 8 Creek St, Northtown, VA 23320", "NOT_FOUND"},
		{"110 Camp Creek St, Northtown, VA 23320", "NOT_FOUND"},
		{"110 Stud Horse St, Northtown, VA 23320", "110 STUD HORSE ST, NORTHTOWN VA 23320-1002 (high) MATCHED"},
		{"110 Studhorse St, Northtown, VA 23320", "110 STUDHORSE ST, NORTHTOWN VA 23320-1003 (high) MATCHED"},
	})
	for text, government := range map[string]bool{"110 29th St, Northtown, VA": false, "110 Studhorse St, Northtown, VA": true} {
		got, err := m.Match(t.Context(), text, address.Options{})
		check(t, err)
		if d := got.Data.Details; d.GovernmentBuilding != government || d.Facility != nil {
			t.Errorf("%s: government building %t, facility %v; want %t and none", text, d.GovernmentBuilding, d.Facility, government)
		}
	}
}
