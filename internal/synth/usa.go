package synth

// A stateFrame holds the real attributes of an invented state: names, numbers
// and relative size.
type stateFrame struct {
	abbr, name, fips string
	region           int    // of the Census; 0 in the territories
	low, high        int    // range of its ZIP Codes
	counties, zips   int    // of the real state, for proportion
	col, row         int    // its tile on the map; row 0 is the northernmost. -1: a box of islands
	zone, zone2      string // main time zone and the one of its last counties, "" without
	areaCodes        []uint16
}

// frames are the states, the District of Columbia and the territories. On the
// map every state is one tile.
var frames = []stateFrame{
	{"AL", "Alabama", "01", 3, 35004, 36925, 67, 850, 6, 6, "America/Chicago", "", []uint16{205, 251, 256}},
	{"AK", "Alaska", "02", 4, 99501, 99950, 29, 275, -1, 0, "America/Anchorage", "", []uint16{907}},
	{"AZ", "Arizona", "04", 4, 85001, 86556, 15, 570, 1, 5, "America/Phoenix", "", []uint16{480, 520, 602}},
	{"AR", "Arkansas", "05", 3, 71601, 72959, 75, 720, 4, 5, "America/Chicago", "", []uint16{479, 501, 870}},
	{"CA", "California", "06", 4, 90001, 96162, 58, 2650, 0, 4, "America/Los_Angeles", "", []uint16{213, 310, 415}},
	{"CO", "Colorado", "08", 4, 80001, 81658, 64, 670, 2, 4, "America/Denver", "", []uint16{303, 719, 970}},
	{"CT", "Connecticut", "09", 1, 6001, 6928, 9, 440, 9, 3, "America/New_York", "", []uint16{203, 860}},
	{"DE", "Delaware", "10", 3, 19701, 19980, 3, 98, 9, 4, "America/New_York", "", []uint16{302}},
	{"DC", "District of Columbia", "11", 3, 20001, 20599, 1, 290, 8, 5, "America/New_York", "", []uint16{202}},
	{"FL", "Florida", "12", 3, 32003, 34997, 67, 1480, 8, 7, "America/New_York", "America/Chicago", []uint16{305, 786, 850}},
	{"GA", "Georgia", "13", 3, 30002, 31999, 159, 970, 7, 6, "America/New_York", "", []uint16{404, 678, 770}},
	{"HI", "Hawaii", "15", 4, 96701, 96898, 5, 145, -1, 0, "Pacific/Honolulu", "", []uint16{808}},
	{"ID", "Idaho", "16", 4, 83201, 83877, 44, 335, 1, 2, "America/Boise", "America/Los_Angeles", []uint16{208}},
	{"IL", "Illinois", "17", 2, 60001, 62999, 102, 1600, 5, 2, "America/Chicago", "", []uint16{217, 312, 618}},
	{"IN", "Indiana", "18", 2, 46001, 47997, 92, 990, 5, 3, "America/Indiana/Indianapolis", "America/Chicago", []uint16{219, 317, 812}},
	{"IA", "Iowa", "19", 2, 50001, 52809, 99, 1080, 4, 3, "America/Chicago", "", []uint16{319, 515, 712}},
	{"KS", "Kansas", "20", 2, 66002, 67954, 105, 760, 3, 5, "America/Chicago", "America/Denver", []uint16{316, 620, 785}},
	{"KY", "Kentucky", "21", 3, 40003, 42788, 120, 1020, 5, 4, "America/New_York", "America/Chicago", []uint16{270, 502, 606}},
	{"LA", "Louisiana", "22", 3, 70001, 71497, 64, 725, 4, 6, "America/Chicago", "", []uint16{225, 318, 504}},
	{"ME", "Maine", "23", 1, 3901, 4992, 16, 490, 11, 1, "America/New_York", "", []uint16{207}},
	{"MD", "Maryland", "24", 3, 20601, 21930, 24, 620, 8, 4, "America/New_York", "", []uint16{240, 301, 410}},
	{"MA", "Massachusetts", "25", 1, 1001, 2791, 14, 705, 9, 2, "America/New_York", "", []uint16{413, 617, 781}},
	{"MI", "Michigan", "26", 2, 48001, 49971, 83, 1170, 6, 2, "America/Detroit", "America/Menominee", []uint16{248, 313, 906}},
	{"MN", "Minnesota", "27", 2, 55001, 56763, 87, 1030, 4, 2, "America/Chicago", "", []uint16{218, 612, 651}},
	{"MS", "Mississippi", "28", 3, 38601, 39776, 82, 530, 5, 6, "America/Chicago", "", []uint16{228, 601, 662}},
	{"MO", "Missouri", "29", 2, 63001, 65899, 115, 1190, 4, 4, "America/Chicago", "", []uint16{314, 417, 816}},
	{"MT", "Montana", "30", 4, 59001, 59937, 56, 410, 2, 2, "America/Denver", "", []uint16{406}},
	{"NE", "Nebraska", "31", 2, 68001, 69367, 93, 630, 3, 4, "America/Chicago", "America/Denver", []uint16{308, 402}},
	{"NV", "Nevada", "32", 4, 88901, 89883, 17, 260, 1, 3, "America/Los_Angeles", "", []uint16{702, 775}},
	{"NH", "New Hampshire", "33", 1, 3031, 3897, 10, 285, 10, 1, "America/New_York", "", []uint16{603}},
	{"NJ", "New Jersey", "34", 1, 7001, 8989, 21, 735, 8, 3, "America/New_York", "", []uint16{201, 609, 908}},
	{"NM", "New Mexico", "35", 4, 87001, 88439, 33, 440, 2, 5, "America/Denver", "", []uint16{505, 575}},
	{"NY", "New York", "36", 1, 10001, 14975, 62, 2230, 8, 2, "America/New_York", "", []uint16{212, 518, 716}},
	{"NC", "North Carolina", "37", 3, 27006, 28909, 100, 1080, 6, 5, "America/New_York", "", []uint16{336, 704, 919}},
	{"ND", "North Dakota", "38", 2, 58001, 58856, 53, 410, 3, 2, "America/Chicago", "America/Denver", []uint16{701}},
	{"OH", "Ohio", "39", 2, 43001, 45999, 88, 1440, 6, 3, "America/New_York", "", []uint16{216, 330, 614}},
	{"OK", "Oklahoma", "40", 3, 73001, 74966, 77, 780, 3, 6, "America/Chicago", "", []uint16{405, 580, 918}},
	{"OR", "Oregon", "41", 4, 97001, 97920, 36, 490, 0, 3, "America/Los_Angeles", "America/Boise", []uint16{503, 541}},
	{"PA", "Pennsylvania", "42", 1, 15001, 19640, 67, 2240, 7, 3, "America/New_York", "", []uint16{215, 412, 717}},
	{"RI", "Rhode Island", "44", 1, 2801, 2940, 5, 91, 10, 3, "America/New_York", "", []uint16{401}},
	{"SC", "South Carolina", "45", 3, 29001, 29945, 46, 540, 7, 5, "America/New_York", "", []uint16{803, 843, 864}},
	{"SD", "South Dakota", "46", 2, 57001, 57799, 66, 415, 3, 3, "America/Chicago", "America/Denver", []uint16{605}},
	{"TN", "Tennessee", "47", 3, 37010, 38589, 95, 810, 5, 5, "America/Chicago", "America/New_York", []uint16{423, 615, 901}},
	{"TX", "Texas", "48", 3, 75001, 79999, 254, 2650, 3, 7, "America/Chicago", "America/Denver", []uint16{214, 512, 713}},
	{"UT", "Utah", "49", 4, 84001, 84791, 29, 360, 1, 4, "America/Denver", "", []uint16{435, 801}},
	{"VT", "Vermont", "50", 1, 5001, 5907, 14, 310, 9, 1, "America/New_York", "", []uint16{802}},
	{"VA", "Virginia", "51", 3, 22003, 24658, 133, 1240, 7, 4, "America/New_York", "", []uint16{276, 540, 804}},
	{"WA", "Washington", "53", 4, 98001, 99403, 39, 740, 0, 2, "America/Los_Angeles", "", []uint16{206, 360, 509}},
	{"WV", "West Virginia", "54", 3, 24701, 26886, 55, 930, 6, 4, "America/New_York", "", []uint16{304, 681}},
	{"WI", "Wisconsin", "55", 2, 53001, 54990, 72, 915, 5, 1, "America/Chicago", "", []uint16{262, 414, 715}},
	{"WY", "Wyoming", "56", 4, 82001, 83128, 23, 195, 2, 3, "America/Denver", "", []uint16{307}},
	{"PR", "Puerto Rico", "72", 0, 601, 988, 78, 177, -1, 0, "America/Puerto_Rico", "", []uint16{787, 939}},
	{"VI", "U.S. Virgin Islands", "78", 0, 801, 851, 1, 16, -1, 0, "America/St_Thomas", "", []uint16{340}},
	{"GU", "Guam", "66", 0, 96910, 96932, 1, 13, -1, 0, "Pacific/Guam", "", []uint16{671}},
	{"AS", "American Samoa", "60", 0, 96799, 96799, 1, 1, -1, 0, "Pacific/Pago_Pago", "", []uint16{684}},
	{"MP", "Northern Mariana Islands", "69", 0, 96950, 96952, 1, 3, -1, 0, "Pacific/Saipan", "", []uint16{670}},
}

// islands are the boxes of the states without a tile.
var islands = map[string]Box{
	"AK": {-160_000_000, 58_000_000, -141_000_000, 68_000_000},
	"HI": {-160_000_000, 19_000_000, -155_000_000, 22_000_000},
	"PR": {-67_300_000, 17_900_000, -65_200_000, 18_550_000},
	"VI": {-65_100_000, 17_650_000, -64_550_000, 18_420_000},
	"GU": {144_600_000, 13_200_000, 145_000_000, 13_700_000},
	"AS": {-171_100_000, -14_600_000, -169_400_000, -14_000_000},
	"MP": {145_000_000, 14_050_000, 146_100_000, 15_400_000},
}

// Tiles are 5 by 3.4 degrees; the north-west corner of column 0, row 2 is
// 48.5 N 124 W.
func (f stateFrame) box() Box {
	if f.col < 0 {
		return islands[f.abbr]
	}
	x := int32(-124_000_000 + 5_000_000*f.col)
	y := int32(48_500_000 - 3_400_000*(f.row-2))
	return Box{x, y - 3_400_000, x + 5_000_000, y}
}

// countyWords are the legal descriptions of counties by state, with their
// LSAD codes (Census, Appendix E of the TIGER/Line documentation).
func countyWords(abbr string) (words, lsad string) {
	switch abbr {
	case "LA":
		return "Parish", "15"
	case "AK":
		return "Borough", "04"
	case "PR":
		return "Municipio", "13"
	case "CT":
		return "Planning Region", "PL"
	case "MP":
		return "Municipality", "12"
	case "VI", "AS":
		return "Island", "10"
	case "GU", "DC":
		return "", "00"
	default:
		return "County", "06"
	}
}
