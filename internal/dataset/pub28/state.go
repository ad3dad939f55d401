package pub28

import "strings"

const stateTable = `
AL ALABAMA,ALA
AK ALASKA
AS AMERICAN SAMOA
AZ ARIZONA,ARIZ
AR ARKANSAS,ARK
CA CALIFORNIA,CALIF,CAL
CO COLORADO,COLO
CT CONNECTICUT,CONN
DE DELAWARE,DEL
DC DISTRICT OF COLUMBIA,DIST OF COLUMBIA
FM FEDERATED STATES OF MICRONESIA
FL FLORIDA,FLA
GA GEORGIA
GU GUAM
HI HAWAII
ID IDAHO
IL ILLINOIS,ILL
IN INDIANA
IA IOWA
KS KANSAS,KANS
KY KENTUCKY
LA LOUISIANA
ME MAINE
MH MARSHALL ISLANDS
MD MARYLAND
MA MASSACHUSETTS,MASS
MI MICHIGAN,MICH
MN MINNESOTA,MINN
MS MISSISSIPPI,MISS
MO MISSOURI
MT MONTANA,MONT
NE NEBRASKA,NEBR
NV NEVADA
NH NEW HAMPSHIRE
NJ NEW JERSEY
NM NEW MEXICO
NY NEW YORK
NC NORTH CAROLINA,N CAROLINA
ND NORTH DAKOTA,N DAKOTA
MP NORTHERN MARIANA ISLANDS
OH OHIO
OK OKLAHOMA,OKLA
OR OREGON,OREG,ORE
PW PALAU
PA PENNSYLVANIA,PENN,PENNA
PR PUERTO RICO
RI RHODE ISLAND
SC SOUTH CAROLINA,S CAROLINA
SD SOUTH DAKOTA,S DAKOTA
TN TENNESSEE,TENN
TX TEXAS,TEX
UT UTAH
VT VERMONT
VI VIRGIN ISLANDS,US VIRGIN ISLANDS
VA VIRGINIA
WA WASHINGTON,WASH
WV WEST VIRGINIA,W VIRGINIA
WI WISCONSIN,WISC,WIS
WY WYOMING
AE ARMED FORCES EUROPE
AP ARMED FORCES PACIFIC
AA ARMED FORCES AMERICAS
UM US MINOR OUTLYING ISLANDS
`

var states = func() map[string]string {
	m := make(map[string]string, 160)
	for line := range strings.Lines(stateTable) {
		abbr, names, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		m[abbr] = abbr
		for name := range strings.SplitSeq(names, ",") {
			m[name] = abbr
		}
	}
	return m
}()

// State returns the two letters of a state, territory or military region. The
// input is its name, an old abbreviation (CALIF), or the letters themselves.
func State(name string) (abbr string, ok bool) {
	abbr, ok = states[name]
	return abbr, ok
}

// MaxStateWords is the number of words of the longest name that State supports.
const MaxStateWords = 4

// zipPrefixes holds the first three digits of the ZIP Codes of a state, as
// ranges.
const zipPrefixes = `
AL 350-369
AK 995-999
AS 967-967
AZ 850-865
AR 716-729 755-755
CA 900-961
CO 800-816
CT 060-069
DE 197-199
DC 200-205 569-569
FL 320-349
FM 969-969
GA 300-319 398-399
GU 969-969
HI 967-968
ID 832-838
IL 600-629
IN 460-479
IA 500-528
KS 660-679
KY 400-427
LA 700-714
ME 039-049
MH 969-969
MD 206-219
MA 010-027 055-055
MI 480-499
MN 550-567
MS 386-397
MO 630-658
MP 969-969
MT 590-599
NE 680-693
NV 889-898
NH 030-038
NJ 070-089
NM 870-884
NY 005-005 063-063 100-149
NC 270-289
ND 580-588
OH 430-459
OK 730-749
OR 970-979
PA 150-196
PR 006-007 009-009
PW 969-969
RI 028-029
SC 290-299
SD 570-577
TN 370-385
TX 733-733 750-799 885-885
UT 840-847
VT 050-059
VI 008-008
VA 201-201 220-246
WA 980-994
WV 247-268
WI 530-549
WY 820-831
AE 090-098
AA 340-340
AP 962-966
`

// statesByPrefix holds the ranges by state.
var statesByPrefix = func() map[string][][2]string {
	m := make(map[string][][2]string, 64)
	for line := range strings.Lines(zipPrefixes) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		for _, r := range f[1:] {
			low, high, _ := strings.Cut(r, "-")
			m[f[0]] = append(m[f[0]], [2]string{low, high})
		}
	}
	return m
}()

// ZIPInState reports whether a ZIP Code with these first three digits or more
// may be one of the state, by the plan of the prefixes.
func ZIPInState(zip, state string) bool {
	if len(zip) < 3 {
		return false
	}
	for _, r := range statesByPrefix[state] {
		if r[0] <= zip[:3] && zip[:3] <= r[1] {
			return true
		}
	}
	return false
}
