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
		{"One Microsoft Way, Redmond, WA 98052", " / ONE|MICROSOFT WAY / REDMOND|WA|98052 / "},
		// Suffixes.
		{"100 Avenue H, Ely, MN", " / 100|AVENUE H / ELY|MN / "},
		{"100 Main St St Louis MO 63101", " / 100|MAIN ST / ST LOUIS|MO|63101 / "},
		// Highways.
		{"100 US Hwy 41 S, Ely, MN", " / 100|US HWY 41 S / ELY|MN / "},
		{"100 I-35, Ely, MN", " / 100|I 35 / ELY|MN / "},
		{"100 FM 1960 Rd W, Houston TX", " / 100|FM 1960 RD W / HOUSTON|TX / "},
		{"100 Kentucky 440, Ely, KY", " / 100|KENTUCKY 440 / ELY|KY / "},
		// Units.
		{"100 Main St #4, Ely, MN", " / 100|MAIN ST|# 4 / ELY|MN / "},
		{"100 Main St 4B, Ely, MN", " / 100|MAIN ST|# 4B / ELY|MN / "},
		{"100 Main St Lower Level, Ely, MN", " / 100|MAIN ST|LOWR / ELY|MN / "},
		{"100 Main St Rear, Ely, MN", " / 100|MAIN ST|REAR / ELY|MN / "},
		{"100 Main St PMB 12, Ely, MN", " / 100|MAIN ST|||PMB 12 / ELY|MN / "},
		// Boxes and routes.
		{"p o box 12 ely mn", " / 12|PO BOX / ELY|MN / "},
		{"POB12, Ely, MN", " / 12|PO BOX / ELY|MN / "},
		{"Apartado 12, Ponce, PR 00732", " / 12|PO BOX / PONCE|PR|00732 / "},
		{"100 Main St, PO Box 12, Ely, MN", " / 12|PO BOX / ELY|MN / 100 MAIN ST"},
		{"PO Box 12, 100 Main St, Ely, MN", " / 100|MAIN ST / ELY|MN / PO BOX 12"},
		{"Rural Route 2 #18, Ely, MN", " / 18|RR 2 / ELY|MN / "},
		{"HCR 68 Box 23A, Ely, MN", " / 23A|HC 68 / ELY|MN / "},
		{"Highway Contract Route 68 Box 23, Ely, MN", " / 23|HC 68 / ELY|MN / "},
		// Last lines.
		{"100 Main St, Ely, Minnesota 55731, USA", " / 100|MAIN ST / ELY|MN|55731 / "},
		{"100 Virginia Ave, Norfolk, Virginia", " / 100|VIRGINIA AVE / NORFOLK|VA / "},
		{"350 5th Ave New York 10118", " / 350|5TH AVE / NEW YORK|NY|10118 / "},
		{"100 Main St (corner of Oak), Ely, MN", " / 100|MAIN ST / ELY|MN / CORNER OF OAK"},
		{"(100 Main St, Ely, MN)", " / 100|MAIN ST / ELY|MN / "},
		// No number.
		{"Ely, MN", " /  / ELY|MN / "},
		{"", " /  /  / "},
		// Forms at the limits of the rules, and their neighbors that the rules leave alone.
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
		{"5515 A Reading Ave, Ely, MN", "5515|A READING|AVE"},
		{"100 East Rd 5B, Ely, MN", "100|EAST|RD"},
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
