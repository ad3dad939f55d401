package address

// never is the weight of rules that exclude a reading.
const never = -1000

// numberRules score a span as the house number. The scope is the words before the
// last line.
var numberRules = &table{name: "house number", sets: [][]rule{
	{
		{name: "numeral inside words", pattern: "any ( ~cardinal )", weight: never, example: "The Ten Oaks Inn, 12 Elm St, Ely MN"},
		{name: "numeral without a street", pattern: "( cardinal ) any? $", weight: never, example: "One Plaza, MN 55731"},
		{name: "numeral before a comma", pattern: "( cardinal ) ,any", weight: never, example: "One, 12 Elm St, Ely MN 55731"},
		{name: "number of a unit", pattern: "any ~pound ( ~number-dashed any? )", weight: never, example: "12 Elm St # 4 Ely MN 55731"},
		{name: "unit before a number", pattern: "pound ( ~number-dashed any? ) number", weight: never, example: "# 42 233 S Wacker Dr, Chicago IL"},
		{name: "number of a highway", pattern: "highway|FLAT|I ( ~any any? )", weight: never, example: "12 Highway 61 N, Ely MN 55731"},
		{name: "number after a unit and house number", pattern: "dashed ( ~any any? )", weight: never, example: "12-345 176 St, Ottawa ON"},
		{name: "number of a highway after a sign", pattern: "highway NO|NUMBER|NUM|pound ( ~any any? )", weight: never, example: "State Highway No 33, Ely MN 55731"},
		{name: "unit before a Canadian number", pattern: "( any-dashed ) ~digits ~any-suffix-dir <canada>", weight: never, example: "108 122 Hastings St, Ottawa ON"},
		{name: "unit before a Canadian number and saint", pattern: "( any-dashed ) ~digits ~ST|STE ~alpha-suffix ~sure <canada>", weight: never, example: "108 122 St Clair Ave, Ottawa ON"},
		{name: "unit before a Canadian number and direction", pattern: "( any-dashed ) ~digits ~dir ~any-suffix-unit <canada>", weight: never, example: "108 122 E Hastings St, Ottawa ON"},
		{name: "number after a numbered road", pattern: "digits sure ( ~any any? )", weight: never, example: "10929 Rd 32 Madera CA"},
		{name: "kilometer", pattern: "( any any? ) KM", weight: never, example: "Carr 2 Km 45.6, Manati PR"},
		{name: "number of a crossing", pattern: "( any any? ) join", weight: never, example: "1 and 2 Ave, Ely MN"},
		{name: "numbered street of a crossing", pattern: "( any any? ) suffix join-AT", weight: never, example: "1 St and 2 Ave, Ely MN"},
		{name: "numbered street at another", pattern: "( digits&brief ) suffix AT", weight: never, example: "1 St at 2 Ave, Ely MN"},
		{name: "direction before it", pattern: "dir ( ~any any? )", weight: -40, example: "12 N 400 E, Provo UT 84604"},
	},
	{
		{name: "suffix that is a designator", pattern: "any ranged&suffix ( ~any any? )", weight: 0, example: "5 Palm Key 12 Ely MN 55731"},
		{name: "floor before it", pattern: "ordinal ranged ( ~any any? )", weight: 0, example: "4th Floor 300 Main St, Ely MN"},
		{name: "public building before it", pattern: "alpha-unit ~DEPARTMENT|DEPT|BUILDING|BLDG ( ~any any? )", weight: -10, example: "Fire Department 300 Main St, Ely MN"},
		{name: "unit and house number", pattern: "unit ( ~dashed any? )", weight: 0, example: "Suite 12-345 Elm St, Ottawa ON"},
		{name: "number of a designated unit", pattern: "ranged ( ~any any? )", weight: never, example: "12 Elm St Apt 4, Ely MN 55731"},
	},
	{
		{name: "numeral", pattern: "( alpha )", weight: -20, example: "One Microsoft Way, Redmond WA 98052"},
		{name: "number that begins with a letter", pattern: "( grid any? )", weight: -12, example: "N6W23001 Bluemound Rd, Waukesha WI"},
	},
	{
		{name: "unit after it", pattern: "( any any? ) pound|ranged-suffix", weight: -10, example: "6910 # G Mary Caroline Cir, Alexandria VA"},
	},
	{
		{name: "comma after it", pattern: "( any any? ) ,any", weight: -25, example: "350, 5th Ave, New York NY"},
		{name: "number of a numbered avenue", pattern: "( any ) sure $ <nostate> <nozip>", weight: never, example: "10 Ave"},
		{name: "building before it", pattern: "building ( ~any any? ) any ... ~sure", weight: 24, example: "Union Center 12 Elm St, Ely MN"},
	},
	{
		{name: "first word", pattern: "^ ( any any? )", weight: 20, example: "350 5th Ave, New York NY"},
		{name: "after a comma", pattern: "( ,any any? )", weight: 22, example: "Acme, 350 5th Ave, New York NY"},
		{name: "after a pound sign", pattern: "pound ( any any? )", weight: 7, example: "# 15 Harbor View Dr, Mystic CT"},
		{name: "after other words", pattern: "^ .. ( any any? )", each: -2, example: "Acme 350 5th Ave, New York NY"},
	},
	{
		{name: "direction after an inner number", pattern: "any-pound ( ~any any? ) dir ~any", weight: 30, example: "Acme 12 N Elm St, Ely MN"},
		{name: "French street ahead", pattern: "( any any? ) kind any <canada>", weight: 27, example: "12 rue Principale, Gatineau QC"},
		{name: "sure suffix ahead", pattern: "( any any? ) any ~any-suffix* ~sure", weight: 27, each: -3, example: "12 Elm St, Ely MN"},
		{name: "suffix ahead", pattern: "( any any? ) any ~any-suffix* ~suffix", weight: 15, each: -3, example: "12 Elm Park, Ely MN"},
	},
	{
		{name: "number after it", pattern: "( any any? ) any-dir-highway-unit ~number", weight: -6, example: "12 Oaks 350 Main St, Ely MN"},
		{name: "number ahead", pattern: "( any any? ) any ~any-suffix* ~any-suffix-dir-highway-unit ~number", weight: -6, example: "12 Oaks Inn 350 Main St, Ely MN"},
	},
}}

// streetEndRules score a span as a complete street. The scope is the whole line.
var streetEndRules = &table{name: "street", sets: [][]rule{
	{
		{name: "suffix inside the street", pattern: "( any .. sure any .. any-sure-dir-tail )", weight: -14, example: "74 Roosevelt Ave Jackson Heights NY"},
	},
	{
		{name: "second direction", pattern: "( dir any .. any-digit dir )", weight: -8, example: "842 E 1700 Lake S Salt Lake City UT"},
		{name: "two directions behind", pattern: "( any any .. dir dir )", weight: -8, example: "842 Grand Lake North South Bend IN"},
	},
	{
		{name: "avenue with a letter after a direction", pattern: "( dir sure single )", weight: 26, example: "12 S Avenue H Yuma AZ"},
		{name: "saint's town after a suffix", pattern: "( any .. suffix ST ) saint", weight: 10, example: "12 Pine Valley St Simons GA"},
		{name: "saint's town after a direction", pattern: "( dir sure dir? ) saint", weight: 0, example: "12 N St Louis MO 63101"},
		{name: "direction as a name", pattern: "( dir ST|STREET|AVE|AVENUE dir? )", weight: 22, example: "12 N St Sacramento CA"},
		{name: "direction before a suffix", pattern: "( dir sure dir? )", weight: 8, example: "12 North Rd Ely MN"},
		{name: "letters of a county's road", pattern: "( any any .. <lettered> )", weight: 34, example: "12 County Road ZZ Ely MN"},
		{name: "sure suffix", pattern: "( any .. sure )", weight: 30, example: "12 Elm St Ely MN"},
		{name: "sure suffix and direction", pattern: "( any .. sure dir )", weight: 31, example: "12 Elm St NW Ely MN"},
		{name: "sure suffix and two directions", pattern: "( any .. sure dir&single dir&single )", weight: 31, example: "12 Elm St S E Ely MN"},
		{name: "suffix", pattern: "( any .. suffix )", weight: 12, example: "12 Elm Park Ely MN"},
		{name: "suffix and direction", pattern: "( any .. suffix dir )", weight: 13, example: "12 Elm Park NW Ely MN"},
		{name: "highway and direction", pattern: "( any .. <designation> dir )", weight: 28, example: "12 Highway 61 N Ely MN"},
		{name: "highway", pattern: "( any .. <numbered> tail? )", weight: 28, example: "12 Highway 61 Ely MN"},
		{name: "avenue with a letter", pattern: "( sure single )", weight: 26, example: "12 Avenue H Brooklyn NY"},
		{name: "suffix or direction only", pattern: "( suffix|dir )", weight: -30, example: "12 Park Ely MN"},
		{name: "French street that ends in an article", pattern: "( kind .. DE|LA|DU|DES|LES|AUX|SAINT|ST|STE|SAINTE|NOTRE ) <canada>", weight: -30, example: "12 rue de la Montagne Gatineau QC J8X 1A1"},
		{name: "French street and direction", pattern: "( kind any .. dir ) <canada>", weight: 28, example: "12 rue Principale Ouest Gatineau QC J8X 1A1"},
		{name: "French street", pattern: "( kind any .. ) <canada>", weight: 14, example: "12 rue Principale Gatineau QC J8X 1A1"},
		{name: "ordinal", pattern: "( .. ordinal )", weight: 6, example: "12 W 5th Ely MN"},
	},
	{
		{name: "long street", pattern: "( any any any any any any .. )", weight: -3, each: -3, example: "12 Old Mill Pond Farm Hill Rd Ely MN"},
	},
}}

// knownCityRules score a span that the dataset lists as a name of the place.
var knownCityRules = &table{name: "city", sets: [][]rule{{
	{name: "city of the dataset with a direction in full", pattern: "( <listed> dir-short any .. )", weight: 42, example: "12 Elm St North Pine MN"},
	{name: "city of the dataset", pattern: "( <listed> .. )", weight: 40, example: "12 Elm Ely MN"},
}}}

// cityRules score a span as the city of the last line. The scope is the words
// before the state.
var cityRules = &table{name: "city", sets: [][]rule{
	{
		{name: "CITY first", pattern: "( CITY .. )", weight: -40, example: "12 Elm St Union City NJ"},
	},
	{
		{name: "large town with ST", pattern: "( ST <large> .. )", weight: 30, example: "12 Elm St Louis MO"},
		{name: "large town", pattern: "( <large> .. )", weight: 20, example: "12 Elm Park Chicago IL"},
	},
	{
		{name: "words beyond the second", pattern: "( any any any .. )", weight: -3, each: -3, example: "12 Elm St Lake In The Hills IL"},
	},
	{
		{name: "several numbers in the city", pattern: "( .. digit|pound .. digit|pound .. )", weight: -80, example: "12 Elm St 4 5 Ely MN"},
		{name: "number in the city", pattern: "( .. digit|pound .. )", weight: -40, example: "12 Elm St 4 Ely MN"},
	},
	{
		{name: "several suffixes in the city", pattern: "( .. sure-ST-GROVE-PLAZA-BEND .. sure-ST-GROVE-PLAZA-BEND .. )", weight: -24, example: "12 Elm Lane Road Ely MN"},
		{name: "suffix in the city", pattern: "( .. sure-ST-GROVE-PLAZA-BEND .. )", weight: -12, example: "12 Elm Lane Ely MN"},
	},
	{
		{name: "suffix as the city", pattern: "( suffix )", weight: -24, example: "12 Elm Park MN"},
	},
	{
		{name: "direction as the city", pattern: "( dir )", weight: -30, example: "12 Elm St N MN"},
		{name: "town with a direction in full", pattern: "( dir-short <directed> .. )", weight: 30, example: "420 Main St North Richland Hills TX"},
		{name: "town with a direction", pattern: "( dir <directed> .. )", weight: 10, example: "420 Main St N Richland Hills TX"},
		{name: "direction letters after a suffix", pattern: "suffix ( dir&short .. )", weight: -6, example: "12 Elm St N Ely MN"},
		{name: "direction after a name", pattern: "any-suffix ( dir .. )", weight: -4, example: "12 Elm North Ely MN"},
		{name: "direction in full after an abbreviation", pattern: "<abbreviated> ( dir .. )", weight: 6, example: "12 Elm Rd South Harrison NJ"},
		{name: "direction and a word", pattern: "( dir any )", weight: -3, example: "12 Elm Road South Harrison NJ"},
		{name: "direction and words", pattern: "( dir .. )", weight: 0, example: "12 Elm Road South Ely Falls MN"},
		{name: "saint, fort or mount", pattern: "( ST|FT|MT any .. )", weight: 6, example: "12 Elm Lane St Ansgar IA"},
		{name: "usual first word", pattern: "( opening any .. )", weight: 5, example: "12 Elm Lane Fort Ely MN"},
	},
}}

// noCityRules score a street that takes all words before the last line.
var noCityRules = &table{name: "no city", sets: [][]rule{{
	{name: "no city before a state alone", pattern: "( .. ) <state> <nozip>", weight: -25, example: "12 Elm St Ely MN"},
	{name: "no city before a state", pattern: "( .. ) <state>", weight: -18, example: "12 Elm St Ely MN 55731"},
	{name: "no city before a ZIP Code", pattern: "( .. ) <zip>", weight: -4, example: "12 Elm St Ely 55731"},
	{name: "no last line", pattern: "( .. )", weight: 8, example: "12 Elm St Ely"},
}}}

// placeRules accept words before a state as the city alone.
var placeRules = &table{name: "place", sets: [][]rule{{
	{name: "street's suffix", pattern: "( .. sure .. )", weight: -1, example: "Elm St Park, MN 55731"},
	{name: "town that ends as streets do", pattern: "( any any? suffix )", weight: 1, example: "Long Beach, CA 90802"},
}}}

// bareUnitRules accept the last word of a street as a unit without a designator.
// The scope is the street.
var bareUnitRules = &table{name: "bare unit", sets: [][]rule{{
	{name: "letter of an avenue", pattern: "^ dir sure ( single )", weight: -1, example: "12 S Avenue H, Yuma AZ"},
	{name: "letter of a highway", pattern: "<highway> ( single&alpha )", weight: -1, example: "12 County Road A, Ely MN"},
	{name: "letter after a suffix", pattern: "any sure ( single&alpha-dir )", weight: 1, example: "12 Elm Ave A, Ely MN"},
	{name: "name of one word", pattern: "^ ( any )", weight: -1, example: "12 400, Provo UT"},
	{name: "number after a kind of street", pattern: "^ suffix|dir|highway|kind ( any )", weight: -1, example: "12 Highway 61, Ely MN"},
	{name: "number after a number", pattern: "^ any-alpha ( any )", weight: -1, example: "12 5th 4, Ely MN"},
	{name: "word", pattern: "( any-digit )", weight: -1, example: "12 Elm St, Ely MN"},
	{name: "ordinal as a name", pattern: "( ordinal )", weight: -1, example: "12 Tudor 5th, Ely MN"},
	{name: "number of kilometers", pattern: "KM ( any )", weight: -1, example: "12 Carr 2 Km 4, Manati PR"},
	{name: "number after a designator", pattern: "unit|pound-suffix ( any )", weight: -1, example: "12 Old Pier 4, Ely MN"},
	{name: "designation of a highway", pattern: "( <designation> )", weight: -1, example: "12 State Highway 61, Ely MN"},
	{name: "coordinate of a grid", pattern: "any-suffix dir ( any )", weight: -1, example: "12 Tudor N 400, Provo UT"},
	{name: "number after a street", pattern: "( digit )", weight: 1, example: "12 Elm St 4, Ely MN"},
}}}

// numberLetterRules accept a single letter after a house number as a part of it: A of 12 A
// ELM ST, but not the first letter of L B J FWY, O BRIEN ST, C AND N RD, I 10 or A ST.
var numberLetterRules = &table{name: "letter of a number", sets: [][]rule{{
	{name: "letter before words", pattern: "digits ( single&alpha-dir-O ) any-sure-single-join-digits any", weight: 1, example: "12 A Elm St, Ely MN"},
	{name: "letter before a name", pattern: "digits ( single&alpha-dir-O ) alpha-sure-single-join-suffix-dir-unit $", weight: 1, example: "12 A Broadway, Ely MN"},
}}}

// streetPartRules accept a part without a house number as a street. The scope is the part.
var streetPartRules = &table{name: "part", sets: [][]rule{{
	{name: "sure suffix in the part", pattern: "( any .. sure .. )", weight: 1, example: "Elm St Oakwood, Ely MN"},
	{name: "suffix at the end of the part", pattern: "( any .. suffix )", weight: 1, example: "Elm Park, Ely MN"},
	{name: "suffix before a direction", pattern: "( any .. suffix dir .. )", weight: 1, example: "Elm Park N, Ely MN"},
	{name: "number of a highway in the part", pattern: "( any .. <numbered> .. )", weight: 1, example: "Highway 61, Ely MN"},
	{name: "avenue with a letter in the part", pattern: "( sure single .. )", weight: 1, example: "Avenue H, Ely MN"},
}}}

// besideRules accept words beside a box as a street with a house number.
var besideRules = &table{name: "street beside a box", sets: [][]rule{{
	{name: "first number", pattern: "( number any .. sure|dir .. )", weight: 1, example: "350 Main St, PO Box 12, Ely MN 55731"},
	{name: "number after a comma", pattern: "( .. ,number any .. sure|dir .. )", weight: 1, example: "Acme, 350 Main St, PO Box 12, Ely MN 55731"},
}}}

// A form is a way to divide an address that no table decides alone.
const (
	formRoute = iota
	formBesideBox
	formBeforeBox
	formBesideLockbox
	formNumberAlone
	formBareUnit
	formUnitAfterRoad
	formTrailing
	formOpenUnit
	formUnitInName
	formUnnumbered
	formFirstPart
)

// forms holds the weights of the forms.
var forms = [...]rule{
	formRoute:         {name: "box or route", weight: 100, example: "PO Box 12, Ely MN 55731"},
	formBesideBox:     {name: "street after a box", weight: 60, example: "PO Box 12, 350 Main St, Ely MN 55731"},
	formBeforeBox:     {name: "street before a box", weight: -60, example: "350 Main St, PO Box 12, Ely MN 55731"},
	formBesideLockbox: {name: "street of a lockbox", weight: 60, example: "350 Main St, Lockbox 12, Ely MN 55731"},
	formNumberAlone:   {name: "letter of the street", weight: -12, example: "5515 A Reading Ave, Alexandria VA"},
	formBareUnit:      {name: "unit without a designator", weight: 2, example: "12 Elm St 4, Ely MN"},
	formUnitAfterRoad: {name: "unit after a road of a direction", weight: -2, example: "12 East Rd 5B, Ely MN"},
	formTrailing:      {name: "words after the suffix in the name", weight: -1, example: "12 Elm St Oakwood, Ely MN"},
	formOpenUnit:      {name: "unit before the city", weight: 6, example: "12 Elm St 4 Ely MN"},
	formUnitInName:    {name: "unit in the name", weight: -6, example: "12 High Unit B St, Ely MN"},
	formUnnumbered:    {name: "no house number", weight: -50, example: "Elm St, Ely MN 55731"},
	formFirstPart:     {name: "first part as the street", weight: -20, example: "Elm, Ely MN 55731"},
}
