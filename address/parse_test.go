package address_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
)

// parts writes the parts of a reading: recipient; attention; urbanization,
// number|line|unit|building|mailbox, city|state|ZIP|add-on, what was left over.
func parts(a *address.Address) string {
	who := strings.TrimRight(strings.Join([]string{a.Recipient, a.Attention, a.Urbanization}, ";"), ";")
	line := strings.TrimRight(strings.Join([]string{a.Number, a.Line(), a.Secondary.String(), a.Building.String(), a.Mailbox}, "|"), "|")
	last := strings.TrimRight(strings.Join([]string{a.City, a.State, a.ZIP, a.Plus4}, "|"), "|")
	return strings.Join([]string{who, line, last, strings.Join(a.Unused, ";")}, " / ")
}

// TestParse holds the likeliest readings of what Publication 28 has rules for.
func TestParse(t *testing.T) {
	tests := []struct{ text, want string }{
		// Numbers.
		{"100 Main St, Ely, MN 55731", " / 100|MAIN ST / ELY|MN|55731 / "},
		{"100-102 Main St, Ely, MN 55731", " / 100-102|MAIN ST / ELY|MN|55731 / "},
		{"100 - 102 Main St, Ely, MN 55731", " / 100-102|MAIN ST / ELY|MN|55731 / "},
		{"11½ Main St, Ely, MN 55731", " / 11 1/2|MAIN ST / ELY|MN|55731 / "},
		{"92-10 Roosevelt Ave, Queens, NY 11372", " / 92-10|ROOSEVELT AVE / QUEENS|NY|11372 / "},
		{"N6W23001 Bluemound Rd, Pewaukee, WI 53072", " / N6W23001|BLUEMOUND RD / PEWAUKEE|WI|53072 / "},
		{"36W200 Oak Rd, Elgin, IL", " / 36W200|OAK RD / ELGIN|IL / "},
		{"150 S 300 W, Provo, UT 84601", " / 150|S 300 W / PROVO|UT|84601 / "},
		{"123Main Street, Ely MN", " / 123|MAIN ST / ELY|MN / "},
		{"1234 39.2 Rd, Palisade, CO 81526", " / 1234|39.2 RD / PALISADE|CO|81526 / "},
		{"One Microsoft Way, Redmond, WA 98052", " / ONE|MICROSOFT WAY / REDMOND|WA|98052 / "},
		// Directions.
		{"100 N.E. Main St. S.W., Ely, MN", " / 100|NE MAIN ST SW / ELY|MN / "},
		{"100 North East Main Street, Ely, MN", " / 100|NE MAIN ST / ELY|MN / "},
		{"100 North St, Ely, MN", " / 100|NORTH ST / ELY|MN / "},
		{"100 N St NW, Washington, DC 20001", " / 100|N ST NW / WASHINGTON|DC|20001 / "},
		{"100 M St, NW, Washington, DC 20001", " / 100|M ST NW / WASHINGTON|DC|20001 / "},
		{"100 N West St, Ely, MN", " / 100|N WEST ST / ELY|MN / "},
		{"100 Bay West Dr, Ely, MN", " / 100|BAY WEST DR / ELY|MN / "},
		// Suffixes.
		{"100 Park Avenue Circle, Ely, MN", " / 100|PARK AVENUE CIR / ELY|MN / "},
		{"100 Avenue of the Americas, New York, NY 10013", " / 100|AVENUE OF THE AMERICAS / NEW YORK|NY|10013 / "},
		{"100 Avenue H, Ely, MN", " / 100|AVENUE H / ELY|MN / "},
		{"100 St James St, Ely, MN", " / 100|ST JAMES ST / ELY|MN / "},
		{"100 Main St St Louis MO 63101", " / 100|MAIN ST / ST LOUIS|MO|63101 / "},
		{"100 S St Louis Ave, Chicago IL", " / 100|S ST LOUIS AVE / CHICAGO|IL / "},
		{"12 Oak Ct, Hartford CT 06103", " / 12|OAK CT / HARTFORD|CT|06103 / "},
		// Highways.
		{"100 US Hwy 41 S, Ely, MN", " / 100|US HWY 41 S / ELY|MN / "},
		{"100 I-35, Ely, MN", " / 100|I 35 / ELY|MN / "},
		{"100 County Road 12, Ely, MN", " / 100|COUNTY ROAD 12 / ELY|MN / "},
		{"100 FM 1960 Rd W, Houston TX", " / 100|FM 1960 RD W / HOUSTON|TX / "},
		{"100 Kentucky 440, Ely, KY", " / 100|KENTUCKY 440 / ELY|KY / "},
		{"100 Highway 11 Bypass Apt 4, Ely, MN", " / 100|HIGHWAY 11 BYP|APT 4 / ELY|MN / "},
		// Units.
		{"100 Main St Apartment 4-B, Ely, MN", " / 100|MAIN ST|APT 4-B / ELY|MN / "},
		{"100 Main St #4, Ely, MN", " / 100|MAIN ST|# 4 / ELY|MN / "},
		{"100 Main St Apt # 4, Ely, MN", " / 100|MAIN ST|APT 4 / ELY|MN / "},
		{"100 Main St 4B, Ely, MN", " / 100|MAIN ST|# 4B / ELY|MN / "},
		{"100 Main St, 4B, Ely, MN", " / 100|MAIN ST|# 4B / ELY|MN / "},
		{"Apt 4, 100 Main St, Ely, MN", " / 100|MAIN ST|APT 4 / ELY|MN / "},
		{"100 Main St Bldg 5 Apt 3, Ely, MN", " / 100|MAIN ST|APT 3|BLDG 5 / ELY|MN / "},
		{"100 Main St, 2nd Floor, Ely, MN", " / 100|MAIN ST|FL 2 / ELY|MN / "},
		{"100 Main St Lower Level, Ely, MN", " / 100|MAIN ST|LOWR / ELY|MN / "},
		{"100 Main St Rear, Ely, MN", " / 100|MAIN ST|REAR / ELY|MN / "},
		{"100 Main St PMB 12, Ely, MN", " / 100|MAIN ST|||PMB 12 / ELY|MN / "},
		{"100 Front St, Ely, MN", " / 100|FRONT ST / ELY|MN / "},
		{"100 Key Blvd, Ely, MN", " / 100|KEY BLVD / ELY|MN / "},
		{"100 Upper Valley Rd, Ely, MN", " / 100|UPPER VALLEY RD / ELY|MN / "},
		{"100 Main St Ste 200 Ely MN 55731", " / 100|MAIN ST|STE 200 / ELY|MN|55731 / "},
		{"100 Main St (Apt 4), Ely, MN", " / 100|MAIN ST|APT 4 / ELY|MN / "},
		// Boxes and routes.
		{"P.O. Box 12, Ely, MN", " / 12|PO BOX / ELY|MN / "},
		{"p o box 12 ely mn", " / 12|PO BOX / ELY|MN / "},
		{"POB12, Ely, MN", " / 12|PO BOX / ELY|MN / "},
		{"Caller Service 12, Ely, MN", " / 12|PO BOX / ELY|MN / "},
		{"Lock Box 12-A, Ely, MN", " / 12-A|PO BOX / ELY|MN / "},
		{"Apartado 12, Ponce, PR 00732", " / 12|PO BOX / PONCE|PR|00732 / "},
		{"100 Main St, PO Box 12, Ely, MN", " / 12|PO BOX / ELY|MN / 100 MAIN ST"},
		{"PO Box 12, 100 Main St, Ely, MN", " / 100|MAIN ST / ELY|MN / PO BOX 12"},
		{"RR 02 Box 18, Ely, MN", " / 18|RR 2 / ELY|MN / "},
		{"Rural Route 2 #18, Ely, MN", " / 18|RR 2 / ELY|MN / "},
		{"Box 18 RR 2, Ely, MN", " / 18|RR 2 / ELY|MN / "},
		{"HCR 68 Box 23A, Ely, MN", " / 23A|HC 68 / ELY|MN / "},
		{"Highway Contract Route 68 Box 23, Ely, MN", " / 23|HC 68 / ELY|MN / "},
		{"1200 RR 620, Austin, TX", " / 1200|RR 620 / AUSTIN|TX / "},
		{"General Delivery, Ely, MN 55731-9999", " / |GENERAL DELIVERY / ELY|MN|55731|9999 / "},
		{"Sgt Bilko, PSC 802 Box 74, APO AE 09499", "SGT BILKO / 74|PSC 802 / APO|AE|09499 / "},
		{"Unit 2050 Box 4190, FPO AP 96278-2050", " / 4190|UNIT 2050 / FPO|AP|96278|2050 / "},
		{"CMR 4, DPO, AE 09012", " / |CMR 4 / DPO|AE|09012 / "},
		// Puerto Rico.
		{"Urb Las Gladiolas, 150 Calle A, San Juan, PR 00926", ";;LAS GLADIOLAS / 150|CALLE A / SAN JUAN|PR|00926 / "},
		{"1234 Calle Aurora, Mayagüez PR 00680", " / 1234|CALLE AURORA / MAYAGUEZ|PR|00680 / "},
		// People.
		{"ATTN: Jane Doe\nAcme Inc\n100 Main St\nEly, MN 55731", "ACME INC;JANE DOE / 100|MAIN ST / ELY|MN|55731 / "},
		{"c/o Jane Doe, 100 Main St, Ely, MN", ";JANE DOE / 100|MAIN ST / ELY|MN / "},
		{"% Jane Doe, 100 Main St, Ely, MN", ";JANE DOE / 100|MAIN ST / ELY|MN / "},
		{"7-Eleven, 100 Main St, Ely, MN", "7 ELEVEN / 100|MAIN ST / ELY|MN / "},
		{"Acme Inc 100 Main St Ely MN 55731", "ACME INC / 100|MAIN ST / ELY|MN|55731 / "},
		// Last lines.
		{"100 Main St, Ely, Minnesota 55731, USA", " / 100|MAIN ST / ELY|MN|55731 / "},
		{"100 Main St, Ely 55731 MN", " / 100|MAIN ST / ELY|MN|55731 / "},
		{"100 Main St Ely MN557311234", " / 100|MAIN ST / ELY|MN|55731|1234 / "},
		{"100 Main St, Boston, MA 2139", " / 100|MAIN ST / BOSTON|MA|02139 / "},
		{"100 Main St, West Virginia 25301", " / 100|MAIN ST / |WV|25301 / "},
		{"100 Virginia Ave, Norfolk, Virginia", " / 100|VIRGINIA AVE / NORFOLK|VA / "},
		{"350 5th Ave New York 10118", " / 350|5TH AVE / NEW YORK|NY|10118 / "},
		{"100 Peachtree Rd NE Atlanta GA", " / 100|PEACHTREE RD NE / ATLANTA|GA / "},
		{"420 Main St North Richland Hills TX 76182", " / 420|MAIN ST / NORTH RICHLAND HILLS|TX|76182 / "},
		{"100 Broadway New York NY", " / 100|BROADWAY / NEW YORK|NY / "},
		{"100 Main St, King County, Seattle, WA", " / 100|MAIN ST / SEATTLE|WA / KING COUNTY"},
		{"100 Main St, Seattle, King County, WA", " / 100|MAIN ST / SEATTLE|WA / KING COUNTY"},
		{"100 Main St (corner of Oak), Ely, MN", " / 100|MAIN ST / ELY|MN / CORNER OF OAK"},
		{"(100 Main St, Ely, MN)", " / 100|MAIN ST / ELY|MN / "},
		// No number.
		{"Main St and Second Ave, Ely, MN", " / |MAIN ST / ELY|MN / "},
		{"Ely, MN", " /  / ELY|MN / "},
		{"", " /  /  / "},
	}
	for _, tt := range tests {
		p, err := address.Parse(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if diff := cmp.Diff(tt.want, parts(&p[0])); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestReadings verifies that the further readings include those that only a
// dataset can confirm.
func TestReadings(t *testing.T) {
	tests := []struct{ text, want string }{
		{"100 N Fork Rd, Ely, MN", "100|N FORK|RD"},
		{"100 Quaker Hill, Ely, MN", "100|QUAKER HILL|"},
		{"100 Elm Grove Harbor Town MN", "100|ELM|GRV"},
		{"5515 A Reading Ave, Ely, MN", "5515|A READING|AVE"},
		{"100 Main St Tower, Ely, MN", "100|MAIN ST TOWER|"},
		{"100 East Rd 5B, Ely, MN", "100|EAST|RD"},
		{"100 Quaker Hill N, Ely, MN", "100|QUAKER HILL|"},
		{"100 S Elm Grove N, Ely, MN", "100|ELM GROVE N|"},
		{"20 10 Dorrance St, Ely, MN", "20|10 DORRANCE|ST"},
	}
	for _, tt := range tests {
		p, err := address.Parse(tt.text)
		check(t, err)
		var all []string
		for _, a := range p {
			all = append(all, a.Number+"|"+a.Street+"|"+a.Suffix)
		}
		if !strings.Contains("\n"+strings.Join(all, "\n")+"\n", "\n"+tt.want+"\n") {
			t.Errorf("%q has no reading %q:\n%s", tt.text, tt.want, strings.Join(all, "\n"))
		}
	}
}

func TestClean(t *testing.T) {
	tests := map[string]string{
		"  100  Main St.,\tEly\n": "100 MAIN ST., ELY",
		"Calle José Martí Nº 5":   "CALLE JOSE MARTI N 5",
		"O’Brien’s Rd":            "OBRIENS RD",
		"１００ Ｍａｉｎ":                "100 MAIN",
		"100–102 Main":            "100-102 MAIN",
		"...,,,":                  "",
		"Straße Ø Ł ŵ":            "STRASSE O L W",
		"% Jane":                  "C/O JANE",
		"a\x00b\x7fc":             "A B C",
		"a\xffb":                  "A B",
	}
	for in, want := range tests {
		if got := address.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range badInputs {
		f.Add(text)
	}
	f.Add("100 N.E. Main St. S.W. Apt 4-B, Ely, MN 55731-1234 USA")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := address.Parse(text)
		if err != nil {
			if address.Check(text) == nil {
				t.Errorf("Parse(%q): %v", text, err)
			}
			return
		}
		again, err := address.Parse(address.Clean(text))
		check(t, err)
		if diff := cmp.Diff(p[0].Reading(), again[0].Reading()); diff != "" {
			t.Errorf("%q reads otherwise once it is clean:\n%s", text, diff)
		}
	})
}
