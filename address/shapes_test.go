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
		{"61-41 Fresh Meadow Ln, Fresh Meadows, NY 11365", "61-41|||FRESH MEADOW|LN, FRESH MEADOWS NY 11365"},
		{"147-25 Sanford Avenue Apt 6F, Flushing, NY 11355", "147-25|||SANFORD|AVE||APT 6F, FLUSHING NY 11355"},
		{"31-10 47th Ave 4th Fl, Long Island City NY 11101", "31-10|||47TH|AVE||FL 4, LONG ISLAND CITY NY 11101"},
		{"W156N8480 Pilgrim Rd, Menomonee Falls, WI 53051", "W156N8480|||PILGRIM|RD, MENOMONEE FALLS WI 53051"},
		{"W156 N8480 Pilgrim Rd, Menomonee Falls, WI 53051", "W156 N8480|||PILGRIM|RD, MENOMONEE FALLS WI 53051"},
		{"N95 W16915 Falls Parkway, Menomonee Falls WI 53051", "N95 W16915|||FALLS|PKWY, MENOMONEE FALLS WI 53051"},
		{"5N456 Route 59, Bartlett, IL 60103", "5N456||ROUTE|59, BARTLETT IL 60103"},
		{"29W500 Batavia Rd, Warrenville IL", "29W500|||BATAVIA|RD, WARRENVILLE IL"},
		{"123 1/2 E 4th St, Los Angeles, CA 90012", "123 1/2|E||4TH|ST, LOS ANGELES CA 90012"},
		{"410-1/2 Oak Street, Redlands, CA", "410 1/2|||OAK|ST, REDLANDS CA"},
		{"17 A Hancock Street, Boston, MA 02114", "17A|||HANCOCK|ST, BOSTON MA 02114"},
		{"221B Baker St, Dallas TX 75201", "221B|||BAKER|ST, DALLAS TX 75201"},
		{"12-A Chestnut Street, Salem, MA 01970", "12-A|||CHESTNUT|ST, SALEM MA 01970"},
		{"No. 10 Downing Street, Burlington, VT 05401", "10|||DOWNING|ST, BURLINGTON VT 05401"},
		{"#15 Harbor View Dr, Mystic, CT 06355", "15|||HARBOR VIEW|DR, MYSTIC CT 06355"},
		{"Ten Rockefeller Plaza, New York, NY 10020", "TEN|||ROCKEFELLER|PLZ, NEW YORK NY 10020"},
		{"One World Trade Center, New York, NY 10007", "ONE|||WORLD TRADE|CTR, NEW YORK NY 10007"},
		{"1 World Trade Center Suite 8500, New York, NY 10007", "1|||WORLD TRADE|CTR||STE 8500, NEW YORK NY 10007"},
		{"00045 Main St, Ely, MN 55731", "00045|||MAIN|ST, ELY MN 55731"},
		// Grids.
		{"842 E 1700 S, Salt Lake City, UT 84105", "842|E||1700||S, SALT LAKE CITY UT 84105"},
		{"842 East 1700 South, Salt Lake City, UT 84105", "842|E||1700||S, SALT LAKE CITY UT 84105"},
		{"1555 N 200 W Apt 3, Provo, UT 84604", "1555|N||200||W|APT 3, PROVO UT 84604"},
		{"350 W 300 N #12 Logan UT 84321", "350|W||300||N|# 12, LOGAN UT 84321"},
		{"2150 S 1300 E Ste 500 Salt Lake City UT 84106", "2150|S||1300||E|STE 500, SALT LAKE CITY UT 84106"},
		{"600 E 500 N, Orem UT", "600|E||500||N, OREM UT"},
		// Directions.
		{"1 N Main St NE, Conyers, GA", "1|N||MAIN|ST|NE, CONYERS GA"},
		{"1600 Pennsylvania Avenue Northwest, Washington, DC 20500", "1600|||PENNSYLVANIA|AVE|NW, WASHINGTON DC 20500"},
		{"1600 Pennsylvania Ave., N.W., Washington, D.C. 20500", "1600|||PENNSYLVANIA|AVE|NW, WASHINGTON DC 20500"},
		{"233 Park Ave S, New York, NY 10003", "233|||PARK|AVE|S, NEW YORK NY 10003"},
		{"233 Park Avenue South, New York, NY 10003", "233|||PARK|AVE|S, NEW YORK NY 10003"},
		{"44 East St, Annapolis, MD 21401", "44|||EAST|ST, ANNAPOLIS MD 21401"},
		{"44 E East St, Tucson AZ", "44|E||EAST|ST, TUCSON AZ"},
		{"710 South Avenue, Rochester, NY 14620", "710|||SOUTH|AVE, ROCHESTER NY 14620"},
		{"710 South Ave W, Missoula, MT 59801", "710|||SOUTH|AVE|W, MISSOULA MT 59801"},
		{"18 Northwest Blvd, Nashua NH 03063", "18|||NORTHWEST|BLVD, NASHUA NH 03063"},
		{"5400 Southwest Fwy, Houston, TX 77057", "5400|||SOUTHWEST|FWY, HOUSTON TX 77057"},
		{"100 E North Ave, Baltimore, MD 21202", "100|E||NORTH|AVE, BALTIMORE MD 21202"},
		{"9 W Court St, Doylestown, PA 18901", "9|W||COURT|ST, DOYLESTOWN PA 18901"},
		{"525 Court St, Reading, PA 19601", "525|||COURT|ST, READING PA 19601"},
		{"800 S. W. Broadway, Portland, OR 97205", "800|SW||BROADWAY, PORTLAND OR 97205"},
		{"4501 NE 21st Ave Fort Lauderdale FL 33308", "4501|NE||21ST|AVE, FORT LAUDERDALE FL 33308"},
		{"1200 K St NW Ste 600 Washington DC 20005", "1200|||K|ST|NW|STE 600, WASHINGTON DC 20005"},
		{"225 West Wacker Drive, Chicago, IL 60606", "225|W||WACKER|DR, CHICAGO IL 60606"},
		{"100 No Main St, Providence RI 02903", "100|N||MAIN|ST, PROVIDENCE RI 02903"},
		// Names.
		{"1500 Broadway, New York, NY 10036", "1500|||BROADWAY, NEW YORK NY 10036"},
		{"1500 Broadway Oakland CA 94612", "1500|||BROADWAY, OAKLAND CA 94612"},
		{"2 W Broadway, San Diego, CA", "2|W||BROADWAY, SAN DIEGO CA"},
		{"600 Broadway Ave, Seaside, CA", "600|||BROADWAY|AVE, SEASIDE CA"},
		{"1290 Avenue of the Americas, New York, NY 10104", "1290|||AVENUE OF THE AMERICAS, NEW YORK NY 10104"},
		{"1290 6th Ave, New York, NY 10104", "1290|||6TH|AVE, NEW YORK NY 10104"},
		{"1900 Avenue of the Stars Ste 100, Los Angeles, CA 90067", "1900|||AVENUE OF THE STARS|||STE 100, LOS ANGELES CA 90067"},
		{"2301 Avenue J, Arlington, TX 76006", "2301||AVENUE|J, ARLINGTON TX 76006"},
		{"1502 Ave M, Galveston, TX 77550", "1502||AVE|M, GALVESTON TX 77550"},
		{"11 Martin Luther King Jr Blvd, Lansing MI 48915", "11|||MARTIN LUTHER KING JR|BLVD, LANSING MI 48915"},
		{"11 Dr. Martin Luther King, Jr. Blvd, Newark, NJ 07102", "11|||DR MARTIN LUTHER KING JR|BLVD, NEWARK NJ 07102"},
		{"2400 N Martin L King Jr Dr Milwaukee WI 53212", "2400|N||MARTIN L KING JR|DR, MILWAUKEE WI 53212"},
		{"12 O'Brien Ct, Bedford, MA", "12|||OBRIEN|CT, BEDFORD MA"},
		{"77 D'Angelo Way, Cranston, RI", "77|||DANGELO|WAY, CRANSTON RI"},
		{"900 St. Charles Ave, New Orleans, LA 70130", "900|||ST CHARLES|AVE, NEW ORLEANS LA 70130"},
		{"900 Saint Charles Avenue, New Orleans, LA 70130", "900|||SAINT CHARLES|AVE, NEW ORLEANS LA 70130"},
		{"1200 Market St St. Louis MO 63103", "1200|||MARKET|ST, ST LOUIS MO 63103"},
		{"1200 Main St Louisville KY 40203", "1200|||MAIN|ST, LOUISVILLE KY 40203"},
		{"455 St Paul St, Denver CO", "455|||ST PAUL|ST, DENVER CO"},
		{"14 Street Rd, Southampton, PA 18966", "14|||STREET|RD, SOUTHAMPTON PA 18966"},
		{"30 The Circle, Georgetown, DE 19947", "30|||THE|CIR, GEORGETOWN DE 19947"},
		{"8 Circle Dr, Ithaca, NY", "8|||CIRCLE|DR, ITHACA NY"},
		{"400 Lane Ave, Columbus OH 43201", "400|||LANE|AVE, COLUMBUS OH 43201"},
		{"1 Boulevard of the Allies, Pittsburgh, PA 15222", "1|||BOULEVARD OF THE ALLIES, PITTSBURGH PA 15222"},
		{"50 Rue de la Paix, Slidell, LA", "50|||RUE DE LA PAIX, SLIDELL LA"},
		{"100 Via Verde, San Dimas, CA 91773", "100|||VIA VERDE, SAN DIMAS CA 91773"},
		{"27 Camino Real, Boca Raton, FL 33432", "27||CAMINO|REAL, BOCA RATON FL 33432"},
		{"1000 El Camino Real, Menlo Park, CA 94025", "1000|||EL CAMINO REAL, MENLO PARK CA 94025"},
		{"3600 Paseo del Sol, Santa Fe, NM", "3600||PASEO|DEL SOL, SANTA FE NM"},
		{"5 Fifth St, Cambridge, MA", "5|||FIFTH|ST, CAMBRIDGE MA"},
		{"1021 Twenty Second St, Moline IL", "1021|||TWENTY SECOND|ST, MOLINE IL"},
		{"200 Second Avenue South, Nashville TN 37201", "200|||SECOND|AVE|S, NASHVILLE TN 37201"},
		{"7 Hill Park Ave, Great Neck, NY", "7|||HILL PARK|AVE, GREAT NECK NY"},
		{"12 Key Largo Dr, Tampa FL", "12|||KEY LARGO|DR, TAMPA FL"},
		{"15 Pier Ave, Hermosa Beach, CA 90254", "15|||PIER|AVE, HERMOSA BEACH CA 90254"},
		{"10 Floor St, Hood River OR", "10|||FLOOR|ST, HOOD RIVER OR"},
		{"16 Rear Range Rd, Lewes DE", "16|||REAR RANGE|RD, LEWES DE"},
		{"901 Office Park Cir, Birmingham, AL 35223", "901|||OFFICE PARK|CIR, BIRMINGHAM AL 35223"},
		{"1200 Suite Dr, Atlanta GA", "1200|||SUITE|DR, ATLANTA GA"},
		{"35 Lot Ln, Athens GA", "35|||LOT|LN, ATHENS GA"},
		// Highways.
		{"4501 County Road 12, Durango, CO 81301", "4501||COUNTY ROAD|12, DURANGO CO 81301"},
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
		{"1155 Highway 71 W, Bastrop TX 78602", "1155||HIGHWAY|71||W, BASTROP TX 78602"},
		{"66 Old Highway 52, Moncks Corner, SC", "66|||OLD HIGHWAY 52, MONCKS CORNER SC"},
		{"15 Loop 410 NE, San Antonio, TX", "15||LOOP|410||NE, SAN ANTONIO TX"},
		{"2900 W State Road 84, Fort Lauderdale, FL 33312", "2900|W|STATE ROAD|84, FORT LAUDERDALE FL 33312"},
		{"300 State Highway 121 Ste 10 Lewisville TX 75067", "300||STATE HIGHWAY|121|||STE 10, LEWISVILLE TX 75067"},
		{"N5432 County Road K, Fond du Lac WI 54937", "N5432||COUNTY ROAD|K, FOND DU LAC WI 54937"},
		{"7788 County Highway MM, Sparta, WI", "7788||COUNTY HIGHWAY|MM, SPARTA WI"},
		{"1440 Hwy 90 East, Lake City, FL 32055", "1440||HWY|90||E, LAKE CITY FL 32055"},
		{"77 Township Road 1217, Ashland OH", "77||TOWNSHIP ROAD|1217, ASHLAND OH"},
		// Units.
		{"2000 Post Rd # 4B, Warwick, RI 02886", "2000|||POST|RD||# 4B, WARWICK RI 02886"},
		{"Apt B2 123 Main St, Ithaca, NY 14850", "123|||MAIN|ST||APT B2, ITHACA NY 14850"},
		{"Suite 200, 1 Market Plaza, San Francisco, CA 94105", "1|||MARKET|PLZ||STE 200, SAN FRANCISCO CA 94105"},
		{"6910 Elm St Apt. No. 12, Wichita KS", "6910|||ELM|ST||APT 12, WICHITA KS"},
		{"4450 Arapahoe Ave, Suite #100, Boulder, CO 80303", "4450|||ARAPAHOE|AVE||STE 100, BOULDER CO 80303"},
		{"4450 Arapahoe Ave Ste100 Boulder CO 80303", "4450|||ARAPAHOE|AVE||STE 100, BOULDER CO 80303"},
		{"12 Beacon St Unit 4 Boston MA 02108", "12|||BEACON|ST||UNIT 4, BOSTON MA 02108"},
		{"12 Beacon St Penthouse Boston MA 02108", "12|||BEACON|ST||PH, BOSTON MA 02108"},
		{"12 Beacon St PH 3, Boston MA 02108", "12|||BEACON|ST||PH 3, BOSTON MA 02108"},
		{"88 Pine St, Basement, Albany, NY", "88|||PINE|ST||BSMT, ALBANY NY"},
		{"200 Airport Rd Hangar 7, Concord, NH", "200|||AIRPORT|RD||HNGR 7, CONCORD NH"},
		{"5 Dock St Slip 14 Annapolis MD 21401", "5|||DOCK|ST||SLIP 14, ANNAPOLIS MD 21401"},
		{"1 Lake Rd Lot 22 Ithaca NY 14850", "1|||LAKE|RD||LOT 22, ITHACA NY 14850"},
		{"1 Lake Rd Trailer 9, Ithaca NY", "1|||LAKE|RD||TRLR 9, ITHACA NY"},
		{"1 Lake Rd Spc 9, Hemet CA", "1|||LAKE|RD||SPC 9, HEMET CA"},
		{"30 Rockefeller Plz Fl 12, New York NY 10112", "30|||ROCKEFELLER|PLZ||FL 12, NEW YORK NY 10112"},
		{"30 Rockefeller Plz, 12th Floor, New York NY 10112", "30|||ROCKEFELLER|PLZ||FL 12, NEW YORK NY 10112"},
		{"500 Campus Dr Bldg 4 Rm 212 Princeton NJ 08540", "500|||CAMPUS|DR||RM 212|BLDG 4, PRINCETON NJ 08540"},
		{"500 Campus Dr, Building C, Suite 3, Princeton, NJ 08540", "500|||CAMPUS|DR||STE 3|BLDG C, PRINCETON NJ 08540"},
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
		{"P.O.Box 77 Hilo HI 96721-0077", "77|||PO BOX, HILO HI 96721-0077"},
		{"Box 1234, Fairbanks, AK 99707", "1234|||PO BOX, FAIRBANKS AK 99707"},
		{"RR 2 Box 18A, Gallipolis, OH 45631", "18A|||RR 2, GALLIPOLIS OH 45631"},
		{"R.R. #3, Box 41, Vinton IA 52349", "41|||RR 3, VINTON IA 52349"},
		{"Route 4 Box 12B, Mena, AR 71953", "12B|||RR 4, MENA AR 71953"},
		{"RFD 1, Box 220, Barre, VT 05641", "220|||RR 1, BARRE VT 05641"},
		{"HC 1 Box 33, Big Sandy, TN 38221", "33|||HC 1, BIG SANDY TN 38221"},
		{"HC01 Box 33 Adjuntas PR 00601", "33|||HC 1, ADJUNTAS PR 00601"},
		{"Star Route 2 Box 9, Truth or Consequences NM 87901", "9|||HC 2, TRUTH OR CONSEQUENCES NM 87901"},
		{"General Delivery, Barrow, AK 99723", "|||GENERAL DELIVERY, BARROW AK 99723"},
		{"Gen Del Key West FL 33040", "|||GENERAL DELIVERY, KEY WEST FL 33040"},
		{"John Smith General Delivery Tampa FL 33602-9999", "|||GENERAL DELIVERY, TAMPA FL 33602-9999; to JOHN SMITH"},
		// Military.
		{"PSC 3 Box 1200, APO AE 09021", "1200|||PSC 3, APO AE 09021"},
		{"Capt Jane Roe Unit 45013 Box 2666 APO AP 96338", "2666|||UNIT 45013, APO AP 96338; to CAPT JANE ROE"},
		{"CMR 415 Box 3333, APO, AE 09114-3333", "3333|||CMR 415, APO AE 09114-3333"},
		{"Unit 9900 Box 0500, DPO AE 09701-0500", "0500|||UNIT 9900, DPO AE 09701-0500"},
		{"USS Nimitz, FPO AP 96620", "|||USS NIMITZ, FPO AP 96620"},
		// Puerto Rico and Spanish.
		{"URB Royal Oak, 123 Calle 1, Bayamon PR 00961-0123", "123||CALLE|1, BAYAMON PR 00961-0123; urb ROYAL OAK"},
		{"Urb. Las Lomas\n1234 Calle 5 SO\nSan Juan, PR 00921", "1234||CALLE|5||S, SAN JUAN PR 00921; urb LAS LOMAS"},
		{"1234 Urb Los Olmos, Ponce, PR 00731", "1234|||URB LOS OLMOS, PONCE PR 00731"},
		{"B17 Calle 12, Caguas, PR 00725", "B17||CALLE|12, CAGUAS PR 00725"},
		{"A-17 Calle Amapola, Carolina, PR 00979", "A-17||CALLE|AMAPOLA, CAROLINA PR 00979"},
		{"450 Ave Ponce de Leon, San Juan, PR 00901", "450||AVE|PONCE DE LEON, SAN JUAN PR 00901"},
		{"450 Avenida Muñoz Rivera, San Juan PR 00918", "450||AVENIDA|MUNOZ RIVERA, SAN JUAN PR 00918"},
		{"Condominio San Martin Apt 4A, 1605 Ave Ponce de Leon, San Juan PR 00909", "1605||AVE|PONCE DE LEON|||APT 4A, SAN JUAN PR 00909; to CONDOMINIO SAN MARTIN"},
		{"Carr 2 Km 45.6, Manati, PR 00674", "||CARR|2 KM 45.6, MANATI PR 00674"},
		// People and firms.
		{"c/o Mary Jones\n14 Elm St\nConcord NH 03301", "14|||ELM|ST, CONCORD NH 03301; attn MARY JONES"},
		{"Jim Roe C/O Acme Corp 14 Elm St Concord NH 03301", "14|||ELM|ST, CONCORD NH 03301; to JIM ROE; attn ACME CORP"},
		{"Acme Corp, Attn: Accounts Payable, 14 Elm St, Concord, NH 03301", "14|||ELM|ST, CONCORD NH 03301; to ACME CORP; attn ACCOUNTS PAYABLE"},
		{"1st National Bank, 5 Main St, Ames IA 50010", "5|||MAIN|ST, AMES IA 50010; to 1ST NATIONAL BANK"},
		{"3M Company, 2501 Hudson Rd, Maplewood MN 55144", "2501|||HUDSON|RD, MAPLEWOOD MN 55144; to 3M COMPANY"},
		{"The Oaks, 17 Ridge Rd, Lenox, MA 01240", "17|||RIDGE|RD, LENOX MA 01240; to THE OAKS"},
		// Last lines.
		{"14 Elm St\nConcord\tNH 03301", "14|||ELM|ST, CONCORD NH 03301"},
		{"14 Elm St\r\nConcord, NH\r\n03301", "14|||ELM|ST, CONCORD NH 03301"},
		{"14 Elm St Concord NH 033011234", "14|||ELM|ST, CONCORD NH 03301-1234"},
		{"14 Elm St, Concord NH 03301 1234", "14|||ELM|ST, CONCORD NH 03301-1234"},
		{"14 Elm St, Concord 03301 NH", "14|||ELM|ST, CONCORD NH 03301"},
		{"14 Elm St, Concord, N.H. 03301", "14|||ELM|ST, CONCORD NH 03301"},
		{"14 Elm St, Concord, New Hampshire", "14|||ELM|ST, CONCORD NH"},
		{"14 Elm St 03301", "14|||ELM|ST, 03301"},
		{"14 Elm St, Winston-Salem, NC 27101", "14|||ELM|ST, WINSTON SALEM NC 27101"},
		{"14 Elm St, Coeur d'Alene, ID 83814", "14|||ELM|ST, COEUR DALENE ID 83814"},
		{"14 Elm St Ste Genevieve MO 63670", "14|||ELM|ST, STE GENEVIEVE MO 63670"},
		{"14 Elm St Sault Ste Marie MI 49783", "14|||ELM|ST, SAULT STE MARIE MI 49783"},
		{"14 Elm St Fort Worth TX 76102", "14|||ELM|ST, FORT WORTH TX 76102"},
		{"14 Elm Ct Hartford CT", "14|||ELM|CT, HARTFORD CT"},
		{"14 Elm St La Place LA 70068", "14|||ELM|ST, LA PLACE LA 70068"},
		{"14 Elm St North Las Vegas NV 89030", "14|||ELM|ST, NORTH LAS VEGAS NV 89030"},
		{"14 Elm St NE Cedar Rapids IA 52402", "14|||ELM|ST|NE, CEDAR RAPIDS IA 52402"},
		{"14 Elm St, Washington, DC", "14|||ELM|ST, WASHINGTON DC"},
		{"14 Elm St, Kansas City, Kansas 66101", "14|||ELM|ST, KANSAS CITY KS 66101"},
		{"14 Delaware Ave, Buffalo, New York, 14202, United States", "14|||DELAWARE|AVE, BUFFALO NY 14202"},
		{"500 Oregon Trail, Boise ID", "500|||OREGON|TRL, BOISE ID"},
		{"500 Texas St, Fort Worth", "500|||TEXAS|ST, FORT WORTH"},
		{"100 Court Square, Charlottesville, VA 22902", "100|||COURT|SQ, CHARLOTTESVILLE VA 22902"},
		{"100 Park Plaza Boston MA 02116", "100|||PARK|PLZ, BOSTON MA 02116"},
		{"18 Cherry Hill Rd Cherry Hill NJ 08002", "18|||CHERRY HILL|RD, CHERRY HILL NJ 08002"},
		{"18 Oak Grove Ave Oak Grove MN 55011", "18|||OAK GROVE|AVE, OAK GROVE MN 55011"},
		{"18 Lake Shore Dr Lake Forest IL 60045", "18|||LAKE SHORE|DR, LAKE FOREST IL 60045"},
		// Lockboxes, complexes, corners and other trials.
		{"310 Quartz Road Lockbox # 512 College Park MD 20740", "310|||QUARTZ|RD, COLLEGE PARK MD 20740; unused LOCKBOX # 512"},
		{"35 Harbor Dr Mailbox 614 Little Rock AR 72201", "35|||HARBOR|DR||# 614, LITTLE ROCK AR 72201"},
		{"72 Orchard Rd Linden Gardens, Elkins Park, PA 19027", "72|||ORCHARD|RD, ELKINS PARK PA 19027; unused LINDEN GARDENS"},
		{"640 I 20 W, Abilene TX", "640||I|20||W, ABILENE TX"},
		{"418 R C M Fwy, Waco TX", "418|||R C M|FWY, WACO TX"},
		{"55 B and R Farm Rd, Concord NC", "55|||B AND R FARM|RD, CONCORD NC"},
		{"87 Geneva Dr S E Grand Rapids MI 49503", "87|||GENEVA|DR|SE, GRAND RAPIDS MI 49503"},
		{"360 County Road KK, Wausau, WI 54401", "360||COUNTY ROAD|KK, WAUSAU WI 54401"},
		{"31 U.S. Highway No 46, Dover NJ 07801", "31||US HIGHWAY NO|46, DOVER NJ 07801"},
		{"Dept 71, 9th Floor 415 East Cedar St Chicago IL 60611", "415|E||CEDAR|ST||DEPT 71|FL 9, CHICAGO IL 60611"},
		{"26 U.S. 52 Business Monroe SC 29461", "26||US|52 BUSINESS, MONROE SC 29461"},
		{"44 Cedar Valley St Marys Hill GA 31558", "44|||CEDAR|VLY, ST MARYS HILL GA 31558"},
		{"212 Willow Dr N La Marque TX 77568", "212|||WILLOW|DR|N, LA MARQUE TX 77568"},
		{"330 Lakeside Place Dr North Little Rock AR 72116", "330|||LAKESIDE PLACE|DR, NORTH LITTLE ROCK AR 72116"},
		{"745 Rd 18 Kimball NE 69145", "745||RD|18, KIMBALL NE 69145"},
		{"48 Walnut Rd NW Condo B3 Macon GA 31201", "48|||WALNUT|RD|NW|UNIT B3, MACON GA 31201"},
		{"318 A Devonshire, Waco TX", "318A|||DEVONSHIRE, WACO TX"},
		{"100 A St, Hayward CA 94541", "100|||A|ST, HAYWARD CA 94541"},
		{"100 E St, Hayward CA 94541", "100|||E|ST, HAYWARD CA 94541"},
		{"100 A Ave, Coronado CA", "100|||A|AVE, CORONADO CA"},
		{"130 E Airline Hgwy, La Place LA 70068", "130|E||AIRLINE|HWY, LA PLACE LA 70068"},
		{"1 Plaza de la Cruz, Santa Fe NM", "1|||PLAZA DE LA CRUZ, SANTA FE NM"},
		{"1234 Oak La, Ardmore PA 19003", "1234|||OAK|LN, ARDMORE PA 19003"},
		{"77 Sunset Strip, Los Angeles CA 90069", "77|||SUNSET STRIP, LOS ANGELES CA 90069"},
		{"3000 Kahala Pl, Honolulu HI 96816", "3000|||KAHALA|PL, HONOLULU HI 96816"},
		{"94-1234 Kamehameha Hwy, Waipahu HI 96797", "94-1234|||KAMEHAMEHA|HWY, WAIPAHU HI 96797"},
		{"57 Broadway Union Beach NJ 07735", "57|||BROADWAY, UNION BEACH NJ 07735"},
		{"664 Harrison Rd South Hampton NJ 08039", "664|||HARRISON|RD, SOUTH HAMPTON NJ 08039"},
		{"664 Harrison Road South Nashville TN 37210", "664|||HARRISON|RD|S, NASHVILLE TN 37210"},
		{"Dalton Fire Department 26 Depot Rd Dalton MS 38801", "26|||DEPOT|RD, DALTON MS 38801; to DALTON FIRE DEPARTMENT"},
		{"100 Main St Building 4 Oak Park IL 60302", "100|||MAIN|ST||BLDG 4, OAK PARK IL 60302"},
		{"83 Juniper Ave, Philadelphia, PA 191", "83|||JUNIPER|AVE, PHILADELPHIA PA; unused 191"},
		{"61 8th St NW, Great Falls, MT 59404.0", "61|||8TH|ST|NW, GREAT FALLS MT 59404"},
		{"19 Summit Rd & Laurel Ave, Media, PA 19063", "19|||SUMMIT|RD, MEDIA PA 19063; and LAUREL AVE"},
		{"2nd & Main St, Dayton OH", "|||2ND, DAYTON OH; and MAIN ST"},
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
