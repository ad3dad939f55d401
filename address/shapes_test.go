package address_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
)

// split writes a reading with every part of the street apart:
//
//	number | direction | kind | name | suffix | direction | unit | building, city ZIP
func split(a *address.Address) string {
	parts := []string{a.Number, a.PreDirectional, a.PreType, a.Street, a.Suffix, a.PostDirectional, a.Secondary.String(), a.Building.String()}
	line := strings.TrimRight(strings.Join(parts, "|"), "|")
	zip := strings.TrimRight(a.ZIP+"-"+a.Plus4, "-")
	last := strings.Join(strings.Fields(a.City+" "+a.State+" "+zip), " ")
	out := line + ", " + last
	for _, extra := range []struct{ sign, text string }{
		{"to", a.Recipient}, {"attn", a.Attention}, {"urb", a.Urbanization}, {"pmb", a.Mailbox}, {"and", a.Cross}, {"unused", strings.Join(a.Unused, "+")},
	} {
		if extra.text != "" {
			out += "; " + extra.sign + " " + extra.text
		}
	}
	return out
}

// TestShapes holds shapes of addresses from all over the country to what they
// are by Publication 28.
func TestShapes(t *testing.T) {
	tests := []struct{ text, want string }{
		// House numbers.
		{"31-10 47th Ave 4th Fl, Long Island City NY 11101", "31-10|||47TH|AVE||FL 4, LONG ISLAND CITY NY 11101"},
		{"5N456 Route 59, Bartlett, IL 60103", "5N456||ROUTE|59, BARTLETT IL 60103"},
		{"17 A Hancock Street, Boston, MA 02114", "17A|||HANCOCK|ST, BOSTON MA 02114"},
		{"#15 Harbor View Dr, Mystic, CT 06355", "15|||HARBOR VIEW|DR, MYSTIC CT 06355"},
		{"Ten Rockefeller Plaza, New York, NY 10020", "TEN|||ROCKEFELLER|PLZ, NEW YORK NY 10020"},
		{"One World Trade Center, New York, NY 10007", "ONE|||WORLD TRADE|CTR, NEW YORK NY 10007"},
		// Grids.
		{"1555 N 200 W Apt 3, Provo, UT 84604", "1555|N||200||W|APT 3, PROVO UT 84604"},
		{"350 W 300 N #12 Logan UT 84321", "350|W||300||N|# 12, LOGAN UT 84321"},
		// Directions.
		{"710 South Ave W, Missoula, MT 59801", "710|||SOUTH|AVE|W, MISSOULA MT 59801"},
		{"4501 NE 21st Ave Fort Lauderdale FL 33308", "4501|NE||21ST|AVE, FORT LAUDERDALE FL 33308"},
		// Names.
		{"2301 Avenue J, Arlington, TX 76006", "2301||AVENUE|J, ARLINGTON TX 76006"},
		{"1502 Ave M, Galveston, TX 77550", "1502||AVE|M, GALVESTON TX 77550"},
		{"2400 N Martin L King Jr Dr Milwaukee WI 53212", "2400|N||MARTIN L KING JR|DR, MILWAUKEE WI 53212"},
		{"1200 Market St St. Louis MO 63103", "1200|||MARKET|ST, ST LOUIS MO 63103"},
		{"1200 Main St Louisville KY 40203", "1200|||MAIN|ST, LOUISVILLE KY 40203"},
		{"27 Camino Real, Boca Raton, FL 33432", "27||CAMINO|REAL, BOCA RATON FL 33432"},
		{"3600 Paseo del Sol, Santa Fe, NM", "3600||PASEO|DEL SOL, SANTA FE NM"},
		{"15 Pier Ave, Hermosa Beach, CA 90254", "15|||PIER|AVE, HERMOSA BEACH CA 90254"},
		{"10 Floor St, Hood River OR", "10|||FLOOR|ST, HOOD RIVER OR"},
		{"1200 Suite Dr, Atlanta GA", "1200|||SUITE|DR, ATLANTA GA"},
		// Highways.
		{"4501 CR 12 N, Durango, CO 81301", "4501||CR|12||N, DURANGO CO 81301"},
		{"820 US Hwy 1 N, St Augustine FL 32095", "820||US HWY|1||N, ST AUGUSTINE FL 32095"},
		{"820 N US Highway 1, Jupiter, FL 33477", "820|N|US HIGHWAY|1, JUPITER FL 33477"},
		{"820 U.S. 1, Key West, FL 33040", "820||US|1, KEY WEST FL 33040"},
		{"2211 FM 1960 Rd W, Houston, TX 77090", "2211||FM|1960|RD|W, HOUSTON TX 77090"},
		{"2211 FM 1960 W, Houston, TX 77090", "2211||FM|1960||W, HOUSTON TX 77090"},
		{"17400 Interstate 35 N, Schertz, TX 78154", "17400||INTERSTATE|35||N, SCHERTZ TX 78154"},
		{"9500 IH-10 W, San Antonio TX 78230", "9500||IH|10||W, SAN ANTONIO TX 78230"},
		{"3301 State Route 31, Baldwinsville, NY 13027", "3301||STATE ROUTE|31, BALDWINSVILLE NY 13027"},
		{"3301 Rte 9W, Newburgh, NY 12550", "3301||RTE|9W, NEWBURGH NY 12550"},
		{"15 Loop 410 NE, San Antonio, TX", "15||LOOP|410||NE, SAN ANTONIO TX"},
		{"2900 W State Road 84, Fort Lauderdale, FL 33312", "2900|W|STATE ROAD|84, FORT LAUDERDALE FL 33312"},
		{"300 State Highway 121 Ste 10 Lewisville TX 75067", "300||STATE HIGHWAY|121|||STE 10, LEWISVILLE TX 75067"},
		{"7788 County Highway MM, Sparta, WI", "7788||COUNTY HIGHWAY|MM, SPARTA WI"},
		{"1440 Hwy 90 East, Lake City, FL 32055", "1440||HWY|90||E, LAKE CITY FL 32055"},
		{"77 Township Road 1217, Ashland OH", "77||TOWNSHIP ROAD|1217, ASHLAND OH"},
		// Units.
		{"2000 Post Rd # 4B, Warwick, RI 02886", "2000|||POST|RD||# 4B, WARWICK RI 02886"},
		{"12 Beacon St Penthouse Boston MA 02108", "12|||BEACON|ST||PH, BOSTON MA 02108"},
		{"12 Beacon St PH 3, Boston MA 02108", "12|||BEACON|ST||PH 3, BOSTON MA 02108"},
		{"88 Pine St, Basement, Albany, NY", "88|||PINE|ST||BSMT, ALBANY NY"},
		{"200 Airport Rd Hangar 7, Concord, NH", "200|||AIRPORT|RD||HNGR 7, CONCORD NH"},
		{"5 Dock St Slip 14 Annapolis MD 21401", "5|||DOCK|ST||SLIP 14, ANNAPOLIS MD 21401"},
		{"1 Lake Rd Lot 22 Ithaca NY 14850", "1|||LAKE|RD||LOT 22, ITHACA NY 14850"},
		{"1 Lake Rd Trailer 9, Ithaca NY", "1|||LAKE|RD||TRLR 9, ITHACA NY"},
		{"1 Lake Rd Spc 9, Hemet CA", "1|||LAKE|RD||SPC 9, HEMET CA"},
		{"500 Campus Dr Bldg 4 Rm 212 Princeton NJ 08540", "500|||CAMPUS|DR||RM 212|BLDG 4, PRINCETON NJ 08540"},
		{"77 Elm St Front, Keene NH 03431", "77|||ELM|ST||FRNT, KEENE NH 03431"},
		{"77 Elm St Rear Apt 2, Keene NH 03431", "77|||ELM|ST||APT 2|REAR, KEENE NH 03431"},
		{"10 Mail Dr Dept 55, Omaha NE 68102", "10|||MAIL|DR||DEPT 55, OMAHA NE 68102"},
		{"2300 Oak St PMB 117, Reno, NV 89501", "2300|||OAK|ST, RENO NV 89501; pmb PMB 117"},
		{"2300 Oak St Ste 5 PMB 117, Reno, NV 89501", "2300|||OAK|ST||STE 5, RENO NV 89501; pmb PMB 117"},
		{"909 Elm Ave A, Modesto, CA", "909|||ELM|AVE||# A, MODESTO CA"},
		{"1350 Bay St No 6, Alameda CA 94501", "1350|||BAY|ST||# 6, ALAMEDA CA 94501"},
		// Boxes and routes.
		{"P. O. Box 1442, Bozeman, MT 59771", "1442|||PO BOX, BOZEMAN MT 59771"},
		{"Post Office Box 99 Juneau AK 99802", "99|||PO BOX, JUNEAU AK 99802"},
		{"Drawer 5, Lake Village AR 71653", "5|||PO BOX, LAKE VILLAGE AR 71653"},
		{"PO Drawer L, Kosciusko MS 39090", "L|||PO BOX, KOSCIUSKO MS 39090"},
		{"Box 1234, Fairbanks, AK 99707", "1234|||PO BOX, FAIRBANKS AK 99707"},
		{"HC 1 Box 33, Big Sandy, TN 38221", "33|||HC 1, BIG SANDY TN 38221"},
		{"HC01 Box 33 Adjuntas PR 00601", "33|||HC 1, ADJUNTAS PR 00601"},
		{"Star Route 2 Box 9, Truth or Consequences NM 87901", "9|||HC 2, TRUTH OR CONSEQUENCES NM 87901"},
		{"General Delivery, Barrow, AK 99723", "|||GENERAL DELIVERY, BARROW AK 99723"},
		{"Gen Del Key West FL 33040", "|||GENERAL DELIVERY, KEY WEST FL 33040"},
		{"John Smith General Delivery Tampa FL 33602-9999", "|||GENERAL DELIVERY, TAMPA FL 33602-9999; to JOHN SMITH"},
		// Military.
		{"USS Nimitz, FPO AP 96620", "|||USS NIMITZ, FPO AP 96620"},
		// Puerto Rico and Spanish.
		{"URB Royal Oak, 123 Calle 1, Bayamon PR 00961-0123", "123||CALLE|1, BAYAMON PR 00961-0123; urb ROYAL OAK"},
		{"450 Ave Ponce de Leon, San Juan, PR 00901", "450||AVE|PONCE DE LEON, SAN JUAN PR 00901"},
		{"450 Avenida Muñoz Rivera, San Juan PR 00918", "450||AVENIDA|MUNOZ RIVERA, SAN JUAN PR 00918"},
		{"Condominio San Martin Apt 4A, 1605 Ave Ponce de Leon, San Juan PR 00909", "1605||AVE|PONCE DE LEON|||APT 4A, SAN JUAN PR 00909; to CONDOMINIO SAN MARTIN"},
		{"Carr 2 Km 45.6, Manati, PR 00674", "||CARR|2 KM 45.6, MANATI PR 00674"},
		// People and firms.
		{"c/o Mary Jones\n14 Elm St\nConcord NH 03301", "14|||ELM|ST, CONCORD NH 03301; attn MARY JONES"},
		{"Jim Roe C/O Acme Corp 14 Elm St Concord NH 03301", "14|||ELM|ST, CONCORD NH 03301; to JIM ROE; attn ACME CORP"},
		// Last lines.
		{"14 Elm St, Concord, New Hampshire", "14|||ELM|ST, CONCORD NH"},
		{"14 Elm St 03301", "14|||ELM|ST, 03301"},
		{"14 Elm St Ste Genevieve MO 63670", "14|||ELM|ST, STE GENEVIEVE MO 63670"},
		{"14 Elm St Sault Ste Marie MI 49783", "14|||ELM|ST, SAULT STE MARIE MI 49783"},
		{"14 Elm Ct Hartford CT", "14|||ELM|CT, HARTFORD CT"},
		{"14 Elm St North Las Vegas NV 89030", "14|||ELM|ST, NORTH LAS VEGAS NV 89030"},
		{"14 Elm St NE Cedar Rapids IA 52402", "14|||ELM|ST|NE, CEDAR RAPIDS IA 52402"},
		{"14 Elm St, Kansas City, Kansas 66101", "14|||ELM|ST, KANSAS CITY KS 66101"},
		{"14 Delaware Ave, Buffalo, New York, 14202, United States", "14|||DELAWARE|AVE, BUFFALO NY 14202"},
		// Lockboxes, complexes, corners and other trials.
		{"310 Quartz Road Lockbox # 512 College Park MD 20740", "310|||QUARTZ|RD, COLLEGE PARK MD 20740; unused LOCKBOX # 512"},
		{"35 Harbor Dr Mailbox 614 Little Rock AR 72201", "35|||HARBOR|DR||# 614, LITTLE ROCK AR 72201"},
		{"640 I 20 W, Abilene TX", "640||I|20||W, ABILENE TX"},
		{"87 Geneva Dr S E Grand Rapids MI 49503", "87|||GENEVA|DR|SE, GRAND RAPIDS MI 49503"},
		{"31 U.S. Highway No 46, Dover NJ 07801", "31||US HIGHWAY NO|46, DOVER NJ 07801"},
		{"Dept 71, 9th Floor 415 East Cedar St Chicago IL 60611", "415|E||CEDAR|ST||DEPT 71|FL 9, CHICAGO IL 60611"},
		{"26 U.S. 52 Business Monroe SC 29461", "26||US|52 BUSINESS, MONROE SC 29461"},
		{"44 Cedar Valley St Marys Hill GA 31558", "44|||CEDAR|VLY, ST MARYS HILL GA 31558"},
		{"330 Lakeside Place Dr North Little Rock AR 72116", "330|||LAKESIDE PLACE|DR, NORTH LITTLE ROCK AR 72116"},
		{"745 Rd 18 Kimball NE 69145", "745||RD|18, KIMBALL NE 69145"},
		{"318 A Devonshire, Waco TX", "318A|||DEVONSHIRE, WACO TX"},
		{"664 Harrison Rd South Hampton NJ 08039", "664|||HARRISON|RD, SOUTH HAMPTON NJ 08039"},
		{"664 Harrison Road South Nashville TN 37210", "664|||HARRISON|RD|S, NASHVILLE TN 37210"},
		{"Dalton Fire Department 26 Depot Rd Dalton MS 38801", "26|||DEPOT|RD, DALTON MS 38801; to DALTON FIRE DEPARTMENT"},
		{"100 Main St Building 4 Oak Park IL 60302", "100|||MAIN|ST||BLDG 4, OAK PARK IL 60302"},
	}
	for _, tt := range tests {
		p, err := address.Parse(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if diff := cmp.Diff(tt.want, split(&p[0])); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}
