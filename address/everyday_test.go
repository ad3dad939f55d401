package address_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// everydayStreets holds ZIP Code, city, state, numbers and street, with bars
// between direction, name, suffix and direction.
const everydayStreets = `
18951 QUAKERTOWN PA 100-298 N|WEST END|BLVD|
18951 QUAKERTOWN PA 100-298 S|EAST END|AVE|
33607 TAMPA FL 1700-1898 N|WEST SHORE|BLVD|
33607 TAMPA FL 100-298 N|EAST RIVER|RD|
12001 ALBANY NY 100-298 |STATE ROUTE 9||
12001 ALBANY NY 100-298 |US HIGHWAY 20||
12001 ALBANY NY 300-398 |COUNTY ROAD 20||
59001 ABSAROKEE MT 100-298 |STATE HIGHWAY 360||
32003 FLEMING FL 100-298 |STATE ROAD 7||
32003 FLEMING FL 100-298 |US HIGHWAY 41||
32003 FLEMING FL 100-298 |STATE ROAD 20||
10006 NEW YORK NY 100-198 |BROADWAY||
33801 LAKELAND FL 100-298 |AVENUE OF CHAMPIONS||
33801 LAKELAND FL 300-398 |AVE OF CHAMPIONS||
07086 WEEHAWKEN NJ 4800-4898 |AVENUE AT PORT IMPERIAL||
30301 ATLANTA GA 100-298 |MARTIN LUTHER KING JR|DR|
28001 ALBEMARLE NC 100-298 |STUD HORSE|RD|
28001 ALBEMARLE NC 300-398 |STUDHORSE|RD|
90802 LONG BEACH CA 100-298 |OCEAN|BLVD|
83402 IDAHO FALLS ID 100-298 |RIVER|PKWY|
57104 SIOUX FALLS SD 100-298 |MAIN|AVE|
23704 PORTSMOUTH VA 100-298 |HIGH|ST|
23704 PORTSMOUTH VA 100-298 |HIGH UNIT B|ST|
23704 PORTSMOUTH VA 100-298 |HIGH ST C||
`

func everyday(t testing.TB) *address.Engine {
	t.Helper()
	f := &fixture{}
	for i, line := range strings.Split(strings.TrimSpace(everydayStreets), "\n") {
		place, street, _ := strings.Cut(line, "|")
		words := strings.Fields(place)
		parts := strings.Split(street, "|")
		pre := ""
		if last := words[len(words)-1]; len(last) == 1 {
			pre, words = last, words[:len(words)-1]
		}
		low, high, _ := strings.Cut(words[len(words)-1], "-")
		z, ok := postcode.ParseZIP(words[0])
		if !ok {
			t.Fatalf("bad ZIP Code in %q", line)
		}
		state, city := words[len(words)-2], strings.Join(words[1:len(words)-2], " ")
		f.AddZIP(z, store.General, "", []store.CityName{{Name: city, Mailing: true, Preferred: true, State: state}})
		f.AddRecord(store.StreetRecord{ZIP4Record: store.ZIP4Record{
			ZIP: z, Low: postcode.Plus4(1000 + i), High: postcode.Plus4(1000 + i), RecordType: 'S', State: state, OddEven: 'B',
			PreDir: pre, Street: parts[0], Suffix: parts[1], PostDir: parts[2], AddrLow: low, AddrHigh: high,
		}})
	}
	return f.engine(t)
}

// TestEveryday matches forms that people type.
func TestEveryday(t *testing.T) {
	tests := []struct{ text, want string }{
		{"195 N West End Blvd, Quakertown, PA 18951", "195 N WEST END BLVD"},
		{"195 n west end blvd quakertown pa", "195 N WEST END BLVD"},
		{"196 S East End Ave, Quakertown, PA", "196 S EAST END AVE"},
		{"1802 N West Shore Blvd, Tampa, FL 33607", "1802 N WEST SHORE BLVD"},
		{"110 N East River Rd, Tampa, FL", "110 N EAST RIVER RD"},
		{"110 Route 9, Albany, NY 12001", "110 STATE ROUTE 9"},
		{"110 Rt 9, Albany, NY", "110 STATE ROUTE 9"},
		{"110 Rte 9 Albany NY 12001", "110 STATE ROUTE 9"},
		{"110 Hwy 9, Albany, NY 12001", "110 STATE ROUTE 9"},
		{"110 NY 9, Albany, NY 12001", "110 STATE ROUTE 9"},
		{"110 NY-9, Albany, NY 12001", "110 STATE ROUTE 9"},
		{"110 State Hwy 9, Albany, NY 12001", "110 STATE ROUTE 9"},
		{"110 Route 20, Albany, NY 12001", "110 US HIGHWAY 20"},
		{"310 Route 20, Albany, NY 12001", "310 COUNTY ROAD 20"},
		{"310 US Highway 20, Albany, NY 12001", "NOT_FOUND"},
		{"110 County Road 9, Albany, NY 12001", "110 STATE ROUTE 9"},
		{"110 Route 21, Albany, NY 12001", "NOT_FOUND"},
		{"510 Route 9, Albany, NY 12001", "NOT_FOUND"},
		{"110 MT-360, Absarokee, MT 59001", "110 STATE HIGHWAY 360"},
		{"110 Hwy 360, Absarokee, MT", "110 STATE HIGHWAY 360"},
		{"110 FL-7, Fleming, FL 32003", "110 STATE ROAD 7"},
		{"110 Route 41, Fleming, FL 32003", "110 US HIGHWAY 41"},
		{"110 State Road 20, Fleming, FL", "110 STATE ROAD 20"},
		{"110 State Route 20, Fleming, FL", "110 STATE ROAD 20"},
		{"110 Broadway Fl 3, New York, NY 10006", "110 BROADWAY FL 3"},
		{"110 broadway fl 3 new york ny 10006", "110 BROADWAY FL 3"},
		{"110 Broadway, Fl 3, New York, NY", "110 BROADWAY FL 3"},
		{"110 Ave of Champions, Lakeland, FL 33801", "110 AVENUE OF CHAMPIONS"},
		{"310 Avenue of Champions, Lakeland, FL 33801", "310 AVE OF CHAMPIONS"},
		{"4800 Avenue at Port Imperial, Weehawken, NJ 07086", "4800 AVENUE AT PORT IMPERIAL"},
		{"4800 Ave at Port Imperial, Weehawken, NJ", "4800 AVENUE AT PORT IMPERIAL"},
		{"110 M L King Jr Dr, Atlanta, GA 30301", "110 MARTIN LUTHER KING JR DR"},
		{"110 ML King Jr Dr, Atlanta, GA 30301", "110 MARTIN LUTHER KING JR DR"},
		{"110 MLK Jr Dr, Atlanta, GA 30301", "110 MARTIN LUTHER KING JR DR"},
		{"110 Martin L King Jr Dr, Atlanta, GA 30301", "110 MARTIN LUTHER KING JR DR"},
		{"110 Studhorse Rd, Albemarle, NC", "110 STUD HORSE RD"},
		{"310 Stud Horse Rd, Albemarle, NC", "310 STUDHORSE RD"},
		{"Long Beach, CA 90802", "INSUFFICIENT_INPUT"},
		{"Idaho Falls, ID 83402", "INSUFFICIENT_INPUT"},
		{"Sioux Falls, SD 57104", "INSUFFICIENT_INPUT"},
		{"110 High Unit B St, Portsmouth, VA 23704", "110 HIGH UNIT B ST"},
		{"110 high unit b st portsmouth va", "110 HIGH UNIT B ST"},
		{"110 High St C, Portsmouth, VA 23704", "110 HIGH ST C"},
		{"110 High St Unit B, Portsmouth, VA 23704", "110 HIGH ST UNIT B"},
		{"110 High St D, Portsmouth, VA 23704", "110 HIGH ST # D"},
		{"Sioux Falls SD", "INSUFFICIENT_INPUT"},
	}
	m := everyday(t)
	for _, tt := range tests {
		line, _, _ := strings.Cut(outcome(t, m, tt.text), ",")
		if diff := cmp.Diff(tt.want, line); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}
