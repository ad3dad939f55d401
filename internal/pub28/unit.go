package pub28

// unitTable holds a designator of secondary units a line: its abbreviation, the
// full word, and other spellings. A star marks those without a number.
const unitTable = `APT APARTMENT APMT APTS APPT
*BSMT BASEMENT BMT
BLDG BUILDING BLD BLG
DEPT DEPARTMENT DPT
FL FLOOR FLR
*FRNT FRONT
HNGR HANGER HANGAR
KEY KEY
*LBBY LOBBY
LOT LOT
*LOWR LOWER
*OFC OFFICE
*PH PENTHOUSE PENTHSE
PIER PIER
*REAR REAR
RM ROOM
*SIDE SIDE
SLIP SLIP
SPC SPACE SP
STOP STOP
STE SUITE SUIT SUT
TRLR TRAILER
UNIT UNIT UNT CONDO
*UPPR UPPER
`

var units = spellings(unitTable)

// Unit returns the standard abbreviation of a designator of secondary units in
// any spelling, such as APT for APARTMENT. It also returns whether a number
// must follow. ok is false for other words.
func Unit(word string) (abbr string, ranged, ok bool) {
	u, ok := units[word]
	return u.abbr, ok && !u.starred, ok
}

// SpareUnit reports whether a designator is so general that another may replace
// it: the pound sign, UNIT, APT and STE (Publication 28, section 213).
func SpareUnit(abbr string) bool {
	switch abbr {
	case "#", "UNIT", "APT", "STE", "":
		return true
	default:
		return false
	}
}
