package pub28

import "strings"

// stateTable has the states, districts, territories and military "states" of
// Publication 28, appendix B. It also has the freely associated states, which the
// Postal Service serves at domestic rates. Each entry has:
//
//   - Its letters and its FIPS code.
//   - The number of its Census division, 0 outside the fifty states and the District of
//     Columbia.
//   - The first three digits of its ZIP Codes, as ranges.
//   - Its name, and other names.
var stateTable = [...]string{
	"AL 01 6 350-369 Alabama,ALA",
	"AK 02 9 995-999 Alaska",
	"AZ 04 8 850-865 Arizona,ARIZ",
	"AR 05 7 716-729+755-755 Arkansas,ARK",
	"CA 06 9 900-961 California,CALIF,CAL",
	"CO 08 8 800-816 Colorado,COLO",
	"CT 09 1 060-069 Connecticut,CONN",
	"DE 10 5 197-199 Delaware,DEL",
	"DC 11 5 200-205+569-569 District of Columbia,DIST OF COLUMBIA",
	"FL 12 5 320-349 Florida,FLA",
	"GA 13 5 300-319+398-399 Georgia",
	"HI 15 9 967-968 Hawaii",
	"ID 16 8 832-838 Idaho",
	"IL 17 3 600-629 Illinois,ILL",
	"IN 18 3 460-479 Indiana",
	"IA 19 4 500-528 Iowa",
	"KS 20 4 660-679 Kansas,KANS",
	"KY 21 6 400-427 Kentucky",
	"LA 22 7 700-714 Louisiana",
	"ME 23 1 039-049 Maine",
	"MD 24 5 206-219 Maryland",
	"MA 25 1 010-027+055-055 Massachusetts,MASS",
	"MI 26 3 480-499 Michigan,MICH",
	"MN 27 4 550-567 Minnesota,MINN",
	"MS 28 6 386-397 Mississippi,MISS",
	"MO 29 4 630-658 Missouri",
	"MT 30 8 590-599 Montana,MONT",
	"NE 31 4 680-693 Nebraska,NEBR",
	"NV 32 8 889-898 Nevada",
	"NH 33 1 030-038 New Hampshire",
	"NJ 34 2 070-089 New Jersey",
	"NM 35 8 870-884 New Mexico",
	"NY 36 2 005-005+063-063+100-149 New York",
	"NC 37 5 270-289 North Carolina,N CAROLINA",
	"ND 38 4 580-588 North Dakota,N DAKOTA",
	"OH 39 3 430-459 Ohio",
	"OK 40 7 730-749 Oklahoma,OKLA",
	"OR 41 9 970-979 Oregon,OREG,ORE",
	"PA 42 2 150-196 Pennsylvania,PENN,PENNA",
	"RI 44 1 028-029 Rhode Island",
	"SC 45 5 290-299 South Carolina,S CAROLINA",
	"SD 46 4 570-577 South Dakota,S DAKOTA",
	"TN 47 6 370-385 Tennessee,TENN",
	"TX 48 7 733-733+750-799+885-885 Texas,TEX",
	"UT 49 8 840-847 Utah",
	"VT 50 1 050-059 Vermont",
	"VA 51 5 201-201+220-246 Virginia",
	"WA 53 9 980-994 Washington,WASH",
	"WV 54 5 247-268 West Virginia,W VIRGINIA",
	"WI 55 3 530-549 Wisconsin,WISC,WIS",
	"WY 56 8 820-831 Wyoming",
	"AS 60 0 967-967 American Samoa",
	"FM 64 0 969-969 Federated States of Micronesia",
	"GU 66 0 969-969 Guam",
	"MH 68 0 969-969 Marshall Islands",
	"MP 69 0 969-969 Northern Mariana Islands",
	"PW 70 0 969-969 Palau",
	"PR 72 0 006-007+009-009 Puerto Rico",
	"VI 78 0 008-008 U.S. Virgin Islands,VIRGIN ISLANDS,US VIRGIN ISLANDS",
	"AA - 0 340-340 Armed Forces Americas",
	"AE - 0 090-098 Armed Forces Europe",
	"AP - 0 962-966 Armed Forces Pacific",
	"UM - 0 - US MINOR OUTLYING ISLANDS",
}

// A USState is a state, a territory or a military "state" with ZIP Codes.
type USState struct {
	Abbr     string
	Name     string
	FIPS     string // two digits; "" for the military
	Division int    // number of the Census division; 0 without
	prefixes [][2]string
}

// stateList has the states with ZIP Codes, byLetters the same, and states the letters
// of all names.
var stateList, byLetters, states = readStates()

func readStates() (list []USState, byLetters map[string]*USState, letters map[string]string) {
	byLetters, letters = map[string]*USState{}, map[string]string{}
	for _, line := range stateTable {
		f := strings.SplitN(line, " ", 5)
		names := strings.Split(f[4], ",")
		s := USState{Abbr: f[0], Name: names[0], FIPS: strings.Trim(f[1], "-"), Division: int(f[2][0] - '0')}
		letters[s.Abbr] = s.Abbr
		for _, name := range names {
			letters[strings.ToUpper(name)] = s.Abbr
		}
		if f[3] == "-" {
			continue
		}
		for r := range strings.SplitSeq(f[3], "+") {
			low, high, _ := strings.Cut(r, "-")
			s.prefixes = append(s.prefixes, [2]string{low, high})
		}
		byLetters[s.Abbr] = &s
		list = append(list, s)
	}
	return list, byLetters, letters
}

// States returns the states that have ZIP Codes: the fifty and the District of
// Columbia, then territories, then the military ones. They must not be changed.
func States() []USState { return stateList }

// State returns the two letters of a state, territory or military region. The
// input is its name, an old abbreviation (CALIF), or the letters themselves.
func State(name string) (abbr string, ok bool) {
	abbr, ok = states[name]
	return abbr, ok
}

// MaxStateWords is the number of words of the longest name that State supports.
const MaxStateWords = 4

// ZIPInState reports whether a ZIP Code with these first three digits or more
// may be one of the state, by the plan of the prefixes.
func ZIPInState(zip, state string) bool {
	s := byLetters[state]
	if s == nil || len(zip) < 3 {
		return false
	}
	for _, r := range s.prefixes {
		if r[0] <= zip[:3] && zip[:3] <= r[1] {
			return true
		}
	}
	return false
}
