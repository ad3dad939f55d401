package address_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// TestParseEdges reads forms at the limits of the rules, and their neighbors that
// the rules leave alone.
func TestParseEdges(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		// Telephone numbers and other words after the last line.
		{"100 Main St, Ely, MN 55731 555-0100", " / 100|MAIN ST / ELY|MN|55731 / 555-0100"},
		{"100 Main St, Ely, MN 55731 507 555-0100", " / 100|MAIN ST / ELY|MN|55731 / 507 555-0100"},
		{"100 Main St, Ely, MN 55731 507-555-0100", " / 100|MAIN ST / ELY|MN|55731 / 507-555-0100"},
		{"100 Main St, Ely, MN 55731, Tel 507-555-0100", " / 100|MAIN ST / ELY|MN|55731 / TEL 507-555-0100"},
		{"100 Main St, Ely, MN 55731 ring the bell", " / 100|MAIN ST / ELY|MN|55731 / RING THE BELL"},
		{"100 Main St, Ely, MN 55731-1234 leave at door", " / 100|MAIN ST / ELY|MN|55731|1234 / LEAVE AT DOOR"},
		// ZIP Codes.
		{"100 Main St, Ely, MN 55731 1234", " / 100|MAIN ST / ELY|MN|55731|1234 / "},
		{"100 Main St, Ely, MN 55731.0", " / 100|MAIN ST / ELY|MN|55731 / "},
		{"100 Highway 22314, Ely, MN", " / 100|HIGHWAY 22314 / ELY|MN / "},
		{"100 Main St, Philadelphia, PA 191", " / 100|MAIN ST / PHILADELPHIA|PA / 191"},
		{"100 Main St, Boston, MA 2139 USA", " / 100|MAIN ST / BOSTON|MA|02139 / "},
		{"55731", " /  / ||55731 / "},
		{"100 Highway 22314", " / 100|HIGHWAY 22314 /  / "},
		{"100 US Highway 22314", " / 100|US HIGHWAY 22314 /  / "},
		{"100 Main Highway 22314", " / 100|MAIN HWY / ||22314 / "},
		{"100 M St NW Washington 20001", " / 100|M ST NW / WASHINGTON||20001 / "},
		{"100 Main St Ely MN55731", " / 100|MAIN ST / ELY|MN|55731 / "},
		{"100 Main St Ely MN55731-1234", " / 100|MAIN ST / ELY|MN|55731|1234 / "},
		// Countries.
		{"100 Main St, Ely, MN 55731, United States of America", " / 100|MAIN ST / ELY|MN|55731 / "},
		{"100 Main St, Ely, MN 55731 U.S.A.", " / 100|MAIN ST / ELY|MN|55731 / "},
		{"100 Main St, Ely, MN US", " / 100|MAIN ST / ELY|MN / "},
		{"100 Main St, Ely 55731 US", " / 100|MAIN ST / ELY||55731 / "},
		{"100 US 1, Ely, MN", " / 100|US 1 / ELY|MN / "},
		// Numbers.
		{"No. 100 Main St, Ely, MN", " / 100|MAIN ST / ELY|MN / "},
		{"Number 100 Main St, Ely, MN", " / 100|MAIN ST / ELY|MN / "},
		{"N95 W16915 Main St, Ely, WI", " / N95 W16915|MAIN ST / ELY|WI / "},
		{"10 20 Dorrance St, Ely, MN", " / 10 20|DORRANCE ST / ELY|MN / "},
		{"20 10 Dorrance St, Ely, MN", " / 20|10 DORRANCE ST / ELY|MN / "},
		{"410-1/2 Main St, Ely, MN", " / 410 1/2|MAIN ST / ELY|MN / "},
		{"5515 A Reading Ave, Ely, MN", " / 5515A|READING AVE / ELY|MN / "},
		{"100 B Key, Ely, MN", " / 100|B KY / ELY|MN / "},
		{"100-A Main St, Ely, MN", " / 100-A|MAIN ST / ELY|MN / "},
		{"100-Main St, Ely, MN", " / 100|MAIN ST / ELY|MN / "},
		{"12AB Main St, Ely, MN", " / 12AB|MAIN ST / ELY|MN / "},
		{"A17 Oak Rd, Ely, MN", " / A17|OAK RD / ELY|MN / "},
		{"B-12 Oak Rd, Ely, MN", " / B-12|OAK RD / ELY|MN / "},
		{"1027.0 Main St, Ely, MN", " / 1027|MAIN ST / ELY|MN / "},
		{"115.00 Main St Apt 4.0, Ely, MN 55731.0", " / 115|MAIN ST|APT 4 / ELY|MN|55731 / "},
		{"1917/2 Pike Drive, Ely, MN", " / 1917|PIKE DR|# 2 / ELY|MN / "},
		{"1917/2 Pike Drive", " / 1917|PIKE DR|# 2 /  / "},
		{"14/16 Pike Drive, Ely, MN", " / 14-16|PIKE DR / ELY|MN / "},
		{"36R/2 Pike Drive, Ely, MN", " / 36R|PIKE DR|# 2 / ELY|MN / "},
		{"100 Main St, 4B North Ely MN", " / 100|MAIN ST|# 4B / NORTH ELY|MN / "},
		{"2850N/2120E, Ely, MN", " / 2850N|2120E / ELY|MN / "},
		{"100 Main St, R0ck Ely MN", " / 100|MAIN ST / R0CK ELY|MN / "},
		{"14A-16B Pike Drive, Ely, MN", " / 14A-16B|PIKE DR / ELY|MN / "},
		{"1/2 Pike Drive, Ely, MN", " / |1/2 PIKE DR / ELY|MN / "},
		{"7 O Brien St, Ely, MN", " / 7|O BRIEN ST / ELY|MN / "},
		// Units.
		{"100 Main St, 4B Ely MN", " / 100|MAIN ST|# 4B / ELY|MN / "},
		{"100 Main St - 101 Ely MN", " / 100|MAIN ST|# 101 / ELY|MN / "},
		{"Suite 101 - 6184 Main St, Ely, MN", " / 6184|MAIN ST|STE 101 / ELY|MN / "},
		{"Apt 4B-6184 5th Ave Ely MN", " / 6184|5TH AVE|APT 4B / ELY|MN / "},
		{"# 92-10 Main St, Ely, MN", " / 92-10|MAIN ST / ELY|MN / "},
		{"100 Main St, 29 Palms CA", " / 100|MAIN ST / 29 PALMS|CA / "},
		{"100 Main St, 3rd Ely MN", " / 100|MAIN ST / 3RD ELY|MN / "},
		{"100 Kingsway PH1, Ely, MN", " / 100|KINGSWAY|PH 1 / ELY|MN / "},
		{"100 Main St Apt 4 B, Ely, MN", " / 100|MAIN ST|APT 4B / ELY|MN / "},
		{"100 Main St Fl 3 Ste 300, Ely, MN", " / 100|MAIN ST|STE 300|FL 3 / ELY|MN / "},
		{"100 Main St Ste 300 Fl 3, Ely, MN", " / 100|MAIN ST|STE 300|FL 3 / ELY|MN / "},
		{"100 Main St, Third Floor, Ely, MN", " / 100|MAIN ST|FL 3 / ELY|MN / "},
		{"100 Main St Unit B Ely MN", " / 100|MAIN ST|UNIT B / ELY|MN / "},
		{"100 Main Rd Oakwood Gardens, Ely, MN", " / 100|MAIN RD / ELY|MN / OAKWOOD GARDENS"},
		{"Bldg 2, Apt 4, 100 Main St, Ely, MN", " / 100|MAIN ST|APT 4|BLDG 2 / ELY|MN / "},
		{"100 # G Mary Caroline Cir, Ely, MN", " / 100|MARY CAROLINE CIR|# G / ELY|MN / "},
		{"APT4B 100 Main St, Ely, MN", " / 100|MAIN ST|APT 4B / ELY|MN / "},
		{"100 Main Rd N Oakwood Gardens, Ely, MN", " / 100|MAIN RD N / ELY|MN / OAKWOOD GARDENS"},
		{"100 Oak Rd NW Riverside, Ely, MN", " / 100|OAK RD NW / ELY|MN / RIVERSIDE"},
		{"100 Main St Unit E St Louis MO", " / 100|MAIN ST|UNIT E / ST LOUIS|MO / "},
		{"100 Main St 4B MN", " / 100|MAIN ST|# 4B / |MN / "},
		{"100 Main St 4B", " / 100|MAIN ST|# 4B /  / "},
		// Highways before a city.
		{"100 County Road 9 Ely MN", " / 100|COUNTY ROAD 9 / ELY|MN / "},
		{"100 Old Highway 9 Ely MN", " / 100|OLD HIGHWAY 9 / ELY|MN / "},
		{"100 N Highway 9 Ely MN", " / 100|N HIGHWAY 9 / ELY|MN / "},
		{"100 Oak Road 9 Ely MN", " / 100|OAK RD|# 9 / ELY|MN / "},
		{"100 Highway No 33, Ely, MN", " / 100|HIGHWAY NO 33 / ELY|MN / "},
		{"State Highway No 33, Ely, MN 55731", " / |STATE HIGHWAY NO 33 / ELY|MN|55731 / "},
		{"US Hwy No. 1, Ely, MN", " / |US HWY NO 1 / ELY|MN / "},
		{"7575 County Road ZZZ, Ely, MN 55731", " / 7575|COUNTY ROAD ZZZ / ELY|MN|55731 / "},
		{"7575 County Road ZZ Ely MN", " / 7575|COUNTY ROAD ZZ / ELY|MN / "},
		{"7575 Co Hwy KM Ely MN", " / 7575|CO HWY KM / ELY|MN / "},
		// Words whose meaning depends on their neighbors.
		{"100 Martin Luther King, Jr Blvd, Ely, MN", " / 100|MARTIN LUTHER KING JR BLVD / ELY|MN / "},
		{"100 St-Charles Ave, Ely, MN", " / 100|ST CHARLES AVE / ELY|MN / "},
		{"100 N St-Paul St Ely MN", " / 100|N ST PAUL ST / ELY|MN / "},
		{"100 Main St-Rear, Ely, MN", " / 100|MAIN ST|REAR / ELY|MN / "},
		{"100 Plaza de la Cruz, San Juan, PR", " / 100|PLAZA DE LA CRUZ / SAN JUAN|PR / "},
		{"100 Main St (# 4), Ely, MN", " / 100|MAIN ST|# 4 / ELY|MN / "},
		{"100 Main St (side door), Ely, MN", " / 100|MAIN ST / ELY|MN / SIDE DOOR"},
		// Directions.
		{"100 Main St, NW, Ely, MN", " / 100|MAIN ST NW / ELY|MN / "},
		{"100 Main St, N, Apt 4, Ely, MN", " / 100|MAIN ST N|APT 4 / ELY|MN / "},
		{"100 N W Main St, Ely, MN", " / 100|NW MAIN ST / ELY|MN / "},
		{"100 Main St N E, Ely, MN", " / 100|MAIN ST NE / ELY|MN / "},
		{"100 Avenue E, Ely, MN", " / 100|AVENUE E / ELY|MN / "},
		{"100 E W Main St, Ely, MN", " / 100|E W MAIN ST / ELY|MN / "},
		// Crossings.
		{"Oak Rd & Elm Ave, Ely, MN", " / |OAK RD / ELY|MN / "},
		{"100 Oak Rd & Elm Ave, Ely, MN", " / 100|OAK RD / ELY|MN / "},
		{"Oak Rd & Elm Ave Ely MN", " / |OAK RD / ELY|MN / "},
		{"Oak Rd at Elm Ave", " / |OAK RD /  / "},
		{"Main St Ely MN", " / |MAIN ST / ELY|MN / "},
		{"Highway 9, Ely, MN", " / |HIGHWAY 9 / ELY|MN / "},
		{"Long Beach, CA", " /  / LONG BEACH|CA / "},
		// Boxes and routes.
		{"Box 12 RR 2, Ely, MN", " / 12|RR 2 / ELY|MN / "},
		{"PO Box 12 A, Ely, MN", " / 12A|PO BOX / ELY|MN / "},
		{"RR 2 Bx 18, Ely, MN", " / 18|RR 2 / ELY|MN / "},
		{"RR 2 Box, Ely, MN", " / |RR 2 / ELY|MN / "},
		{"RR 2 #, Ely, MN", " / |RR 2 / ELY|MN / "},
		{"Unit 2050, APO AE 09012", " / |UNIT 2050 / APO|AE|09012 / "},
		{"PO Box 12 Box Elder SD", " / 12|PO BOX / BOX ELDER|SD / "},
		{"100 RR 2, Ely, MN", " / 100|RR 2 / ELY|MN / "},
		{"RR No 2 Box 18, Ely, MN", " / 18|RR 2 / ELY|MN / "},
		{"RR # 2 # 18, Ely, MN", " / 18|RR 2 / ELY|MN / "},
		{"Star Route Box 18, Ely, MN", " / 18|HC / ELY|MN / "},
		{"Unt 2050 Bx 4190, APO AE 09012", " / 4190|UNIT 2050 / APO|AE|09012 / "},
		{"PO Box 12, 100 Oak Ave, Ely, MN", " / 100|OAK AVE / ELY|MN / PO BOX 12"},
		{"100 Oak Ave PO Box 12 Ely MN", " / 12|PO BOX / ELY|MN / 100 OAK AVE"},
		// Puerto Rico.
		{"150 Calle A, Urb Las Gladiolas, San Juan, PR 00926", " / 150|CALLE A / SAN JUAN|PR|00926 / URB LAS GLADIOLAS"},
		{"Maria Diaz, Urb Las Gladiolas, 150 Calle A, San Juan, PR 00926", "MARIA DIAZ;;LAS GLADIOLAS / 150|CALLE A / SAN JUAN|PR|00926 / "},
		// Canada.
		{"12-345 Main St, Ottawa, ON K1A 0B1", " / 345|MAIN ST|# 12 / OTTAWA|ON|K1A 0B1 / "},
		{"#12-345 Main St, Ottawa ON K1A0B1 Canada", " / 345|MAIN ST|# 12 / OTTAWA|ON|K1A 0B1 / "},
		{"345 Main St, Ottawa, Ontario, Canada K1A-0B1", " / 345|MAIN ST / OTTAWA|ON|K1A 0B1 / "},
		{"345 Main St, K1A 0B1, Ottawa, ON", " / 345|MAIN ST / OTTAWA|ON / K1A 0B1"},
		{"123 2e Rue O, Rouyn-Noranda QC J9X 1A1", " / 123|2E RUE O / ROUYN NORANDA|QC|J9X 1A1 / "},
		{"123 4th Avenue SW, Calgary AB T2P 1A1", " / 123|4TH AVE SW / CALGARY|AB|T2P 1A1 / "},
		{"PO Box 12 Stn A, Toronto ON M5W 1A1", " / 12|PO BOX / TORONTO|ON|M5W 1A1 / "},
		{"PO Box 12 Succ Centre Ville Montreal QC H3C 1A1", " / 12|PO BOX / MONTREAL|QC|H3C 1A1 / "},
		{"2519 Kingsway Vancouver BC", " / 2519|KINGSWAY / VANCOUVER|BC / "},
		{"100 Main St, 100 Mile House BC", " / 100|MAIN ST / 100 MILE HOUSE|BC / "},
		{"1917/2 Pike Drive, Ottawa ON", " / 1917|PIKE DR|# 2 / OTTAWA|ON / "},
		{"12-345 Main St, Ely, MN", " / 12-345|MAIN ST / ELY|MN / "},
		// Parentheses, points and slashes.
		{"100 39.2 Rd, Ely, CO", " / 100|39.2 RD / ELY|CO / "},
		{"100 Main St. Ely. MN. 55731.", " / 100|MAIN ST / ELY|MN|55731 / "},
		{"100 Main St (Ste 4) (rear door), Ely, MN", " / 100|MAIN ST|STE 4 / ELY|MN / REAR DOOR"},
		{"100 Main St/Apt 4, Ely, MN", " / 100|MAIN ST|APT 4 / ELY|MN / "},
		{"c/o Jane Doe 100 Main St, Ely, MN", ";JANE DOE / 100|MAIN ST / ELY|MN / "},
	} {
		p, err := address.Parse(tt.text)
		check(t, err)
		if diff := cmp.Diff(tt.want, parts(&p[0])); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

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
