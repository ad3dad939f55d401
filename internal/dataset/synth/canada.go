package synth

// A provinceFrame holds the real attributes of an invented province.
type provinceFrame struct {
	abbr, name, nameFR, pruid string
	letters                   string // first letters of its FSAs
	fsas                      int    // of the real province, for proportion
	box                       Box
	zone, zone2               string // zone2: of its last FSAs, "" without
	areaCodes                 []uint16
}

// provinces are the provinces and territories in the order of their numbers.
// Ontario borders on Michigan and New York along 48.5 N.
var provinces = []provinceFrame{
	{
		"NL", "Newfoundland and Labrador", "Terre-Neuve-et-Labrador", "10", "A", 35,
		Box{-64_000_000, 48_500_000, -54_000_000, 56_000_000},
		"America/St_Johns", "America/Goose_Bay",
		[]uint16{709},
	},
	{
		"PE", "Prince Edward Island", "Île-du-Prince-Édouard", "11", "C", 7,
		Box{-69_000_000, 57_500_000, -64_000_000, 58_500_000},
		"America/Halifax", "",
		[]uint16{782, 902},
	},
	{
		"NS", "Nova Scotia", "Nouvelle-Écosse", "12", "B", 77,
		Box{-69_000_000, 55_000_000, -64_000_000, 57_500_000},
		"America/Halifax", "",
		[]uint16{782, 902},
	},
	{
		"NB", "New Brunswick", "Nouveau-Brunswick", "13", "E", 110,
		Box{-69_000_000, 51_900_000, -64_000_000, 55_000_000},
		"America/Moncton", "",
		[]uint16{428, 506},
	},
	{
		"QC", "Quebec", "Québec", "24", "GHJ", 415,
		Box{-79_000_000, 51_900_000, -69_000_000, 60_000_000},
		"America/Toronto", "America/Blanc-Sablon",
		[]uint16{418, 514, 819},
	},
	{
		"ON", "Ontario", "", "35", "KLMNP", 525,
		Box{-94_000_000, 48_500_000, -79_000_000, 56_000_000},
		"America/Toronto", "America/Winnipeg",
		[]uint16{416, 519, 613},
	},
	{
		"MB", "Manitoba", "", "46", "R", 66,
		Box{-104_000_000, 51_900_000, -94_000_000, 60_000_000},
		"America/Winnipeg", "",
		[]uint16{204, 431},
	},
	{
		"SK", "Saskatchewan", "", "47", "S", 48,
		Box{-109_000_000, 48_500_000, -104_000_000, 60_000_000},
		"America/Regina", "",
		[]uint16{306, 639},
	},
	{
		"AB", "Alberta", "", "48", "T", 156,
		Box{-114_000_000, 48_500_000, -109_000_000, 60_000_000},
		"America/Edmonton", "",
		[]uint16{403, 587, 780},
	},
	{
		"BC", "British Columbia", "Colombie-Britannique", "59", "V", 191,
		Box{-124_000_000, 48_500_000, -114_000_000, 60_000_000},
		"America/Vancouver", "America/Dawson_Creek",
		[]uint16{236, 250, 604},
	},
	{
		"YT", "Yukon", "", "60", "Y", 3,
		Box{-141_000_000, 60_000_000, -124_000_000, 69_000_000},
		"America/Whitehorse", "",
		[]uint16{867},
	},
	{
		"NT", "Northwest Territories", "Territoires du Nord-Ouest", "61", "X", 3,
		Box{-124_000_000, 60_000_000, -102_000_000, 70_000_000},
		"America/Edmonton", "",
		[]uint16{867},
	},
	{
		"NU", "Nunavut", "", "62", "X", 3,
		Box{-102_000_000, 60_000_000, -64_000_000, 72_000_000},
		"America/Rankin_Inlet", "America/Iqaluit",
		[]uint16{867},
	},
}

// fsaLetters are the possible third letters of FSAs and letters of local
// delivery units.
const fsaLetters = "ABCEGHJKLMNPRSTVWXYZ"
