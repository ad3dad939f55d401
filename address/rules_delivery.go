package address

// Values of the field as in unitRules.
const (
	asDesignator = ""        // the abbreviation of the first word
	asNumber     = "#"       // a number without a designator
	asFloor      = "FL"      // a floor
	asMailbox    = "PMB"     // a private mailbox
	asUnused     = "unused"  // not a unit
	asSkipped    = "skipped" // words without a unit
	asNone       = "none"    // not a unit, and no other rule applies
)

// unitRules recognize a unit at a word. The captured words are its number. The
// scope is the part of the address up to the next comma.
var unitRules = &table{name: "unit", sets: [][]rule{{
	{name: "pound sign before a designator", pattern: "pound !short|digit", as: asSkipped, example: "12 Elm St # Apt 4, Ely MN"},
	{name: "pound sign", pattern: "pound [ any ]", as: asNumber, example: "12 Elm St # 4, Ely MN"},
	{name: "French floor", pattern: "[ ordinal ] ~ETAGE", as: asFloor, example: "12 rue Principale, 2e étage, Gatineau QC J8X 1A1"},
	{name: "SITE", pattern: "SITE [ digit ] <canada>", as: "SITE", example: "RR 2 Site 5 Comp 10, Ely ON P0A 1A0"},
	{name: "COMP", pattern: "COMP|COMPARTMENT|COMPARTIMENT [ digit ] <canada>", as: "COMP", example: "RR 2 Site 5 Comp 10, Ely ON P0A 1A0"},
	{name: "ordinal of a floor", pattern: "[ ordinal ] ~FLOOR|FL|FLR", as: asFloor, example: "12 Elm St 2nd Floor, Ely MN"},
	{name: "number of a floor", pattern: "[ digits&brief ] ~FLOOR|FL|FLR !digit", as: asFloor, example: "12 Elm St 2 Floor, Ely MN"},
	{name: "name of a floor", pattern: "[ GROUND|TOP|MAIN|LOWER|UPPER ] ~FLOOR|FL|FLR", as: asFloor, example: "12 Elm St Ground Floor, Ely MN"},
	{name: "upper or lower level", pattern: "LOWER|LOWR|UPPER|UPPR ~LEVEL", example: "12 Elm St Lower Level, Ely MN"},
	{name: "upper or rear unit", pattern: "unit-ranged ~UNIT|APT|APARTMENT|FRONT|REAR !digit", example: "12 Elm St Upper Unit, Ely MN"},
	{name: "private mailbox", pattern: "PMB|PBM pound? [ any ]", as: asMailbox, example: "12 Elm St PMB 4, Ely MN"},
	{name: "numbered box or flat", pattern: "BOX|BX|NO|NUM|NUMBER|FLAT|MAILBOX pound? [ digit ]", as: asNumber, example: "12 Elm St Box 4, Ely MN"},
	{name: "mail stop", pattern: "MAIL STOP|CODE? digit", as: asUnused, example: "12 Elm St Mail Stop 4, Ely MN"},
	{name: "abbreviated mail stop", pattern: "MS|MSC|MAILSTOP digit", as: asUnused, example: "12 Elm St MSC 4, Ely MN"},
	{name: "number and letter of a unit", pattern: "unit pound|NO|NUMBER|NUM* [ ~digits ~single&alpha-dir ]", example: "12 Elm St Apt 4 B, Ely MN"},
	{name: "letter and number of a unit", pattern: "ranged pound|NO|NUMBER|NUM* [ ~single&alpha ~digits ]", example: "12 Elm St Apt B 4, Ely MN"},
	{name: "number of a unit", pattern: "unit pound|NO|NUMBER|NUM* [ ~digit-ordinal ]", example: "12 Elm St Apt 4, Ely MN"},
	{name: "letter of a unit", pattern: "ranged pound|NO|NUMBER|NUM* [ ~single-pound ]", example: "12 Elm St Apt B, Ely MN"},
	{name: "short name of a unit", pattern: "ranged pound|NO|NUMBER|NUM* [ ~brief&alpha-unit ] $", example: "12 Elm St Apt Bee, Ely MN"},
	{name: "numeral of a unit", pattern: "ranged pound|NO|NUMBER|NUM* [ ~cardinal-unit ]", example: "12 Elm St Apt Three, Ely MN"},
	{name: "two letters of a unit", pattern: "ranged pound|NO|NUMBER|NUM* [ ~short-suffix-dir-unit-pound ]", example: "12 Elm St Apt BB Rear, Ely MN"},
	{name: "suffix that is a designator", pattern: "ranged&suffix|LOT|STOP|SPACE|SLIP|PIER", as: asNone, example: "12 Elm St, Trailer Park, Ely MN"},
	{name: "designator alone", pattern: "ranged", example: "12 Elm St Apt, Ely MN"},
	{name: "last designator", pattern: "unit !~any-pound-NO-NUMBER-NUM", example: "12 Elm St Rear, Ely MN"},
	{name: "designator after a street", pattern: "sure|dir|digit @ unit", example: "12 Elm St Rear Ely MN"},
}}}

// unitStartRules accept the beginning of a unit after a street. The scope begins
// with the street.
var unitStartRules = &table{name: "unit's start", sets: [][]rule{{
	{name: "sign of a highway's number", pattern: "^ dir? highway @ pound|NO single|digit", weight: -1, example: "12 Highway No 33, Ely MN"},
	{name: "sign of a state highway's number", pattern: "^ dir? <beginning> highway @ pound|NO single|digit", weight: -1, example: "12 State Highway # 33, Ely MN"},
	{name: "pound sign starts", pattern: "pound", weight: 1, example: "12 Elm St # 4, Ely MN"},
	{name: "numbered mailbox starts", pattern: "PMB|PBM|FLAT|MAILSTOP|MSC|MAILBOX pound|NO* ~digit-ordinal", weight: 1, example: "12 Elm St PMB 4, Ely MN"},
	{name: "mailbox as a name", pattern: "PMB|PBM|FLAT|MAILSTOP|MSC|MAILBOX", weight: -1, example: "12 Old Flat Rd, Ely MN"},
	{name: "numbered box starts", pattern: "suffix|dir|digit @ BOX|NO|NUM|NUMBER pound|NO* ~digit-ordinal", weight: 1, example: "12 Elm St Box 4, Ely MN"},
	{name: "box as a name", pattern: "BOX|NO|NUM|NUMBER", weight: -1, example: "12 Old Box Rd, Ely MN"},
	{name: "mail stop starts", pattern: "suffix|dir|digit @ MAIL STOP|CODE", weight: 1, example: "12 Elm St Mail Stop 4, Ely MN"},
	{name: "mail as a name", pattern: "MAIL", weight: -1, example: "12 Royal Mail Rd, Ely MN"},
	{name: "suite", pattern: "any @ STE !~any-digit-brief-cardinal", weight: 1, example: "12 Elm St Ste 4, Ely MN"},
	{name: "saint", pattern: "STE", weight: -1, example: "12 Old Ste Genevieve Rd, Ely MN"},
	{name: "apartment", pattern: "any @ APT|APARTMENT|SUITE|APMT", weight: 1, example: "12 Elm St Apt 4, Ely MN"},
	{name: "numbered penthouse starts", pattern: "any @ PH|PENTHOUSE pound|NO* ~digit-ordinal", weight: 1, example: "12 Kingsway PH1, Ely MN"},
	{name: "numbered building starts", pattern: "UNIT|BLDG|BUILDING|RM|ROOM|DEPT|FLOOR|TRLR pound|NO* ~digit-ordinal", weight: 1, example: "12 Elm Bldg 4, Ely MN"},
	{name: "lettered building starts", pattern: "UNIT|BLDG|BUILDING|RM|ROOM|DEPT|FLOOR|TRLR pound|NO* single", weight: 1, example: "12 Elm Bldg B, Ely MN"},
	{name: "building after a street", pattern: "suffix|dir|digit @ UNIT|BLDG|BUILDING|RM|ROOM|DEPT|FLOOR|TRLR", weight: 1, example: "12 Elm St Bldg Four, Ely MN"},
	{name: "building as a name", pattern: "UNIT|BLDG|BUILDING|RM|ROOM|DEPT|FLOOR|TRLR", weight: -1, example: "12 Old Building Rd, Ely MN"},
	{name: "number after a designator and street", pattern: "suffix|dir|digit @ ranged pound|NO* ~digit-ordinal", weight: 1, example: "12 Elm St Lot 4, Ely MN"},
	{name: "number after a designator", pattern: "any any @ ranged pound|NO* ~digit-ordinal", weight: 1, example: "12 Elm Tudor Lot 4, Ely MN"},
	{name: "floor after a name of one word", pattern: "^ alpha-suffix-dir-highway-kind @ FL|FLOOR|FLR pound|NO* ~digits&brief", weight: 1, example: "110 Broadway Fl 3, New York, NY"},
	{name: "letter after a designator", pattern: "suffix|dir|digit @ ranged pound|NO* ~single", weight: 1, example: "12 Elm St Lot B, Ely MN"},
	{name: "designator as a name", pattern: "ranged", weight: -1, example: "12 Old Slip Rd, Ely MN"},
	{name: "designator after the street", pattern: "suffix|dir|digit @ unit !~any", weight: 1, example: "12 Elm St Rear, Ely MN"},
	{name: "numbered designator", pattern: "suffix|dir|digit @ unit pound|NO* ~digit-ordinal", weight: 1, example: "12 Elm St Side 4, Ely MN"},
	{name: "designator before a suffix", pattern: "suffix|dir|digit @ unit any .. sure", weight: -1, example: "12 N Upper Elm St, Ely MN"},
	{name: "designator before the city", pattern: "suffix|dir|digit @ unit-FRONT-SIDE", weight: 1, example: "12 Elm St Rear Ely MN"},
	{name: "designator at the end", pattern: "any @ unit $", weight: 1, example: "12 Elm Rear, Ely MN"},
	{name: "other designator", pattern: "unit", weight: -1, example: "12 Old Rear Hill, Ely MN"},
	{name: "floor starts", pattern: "ordinal ~FLOOR|FL|FLR", weight: 1, example: "12 Elm St 2nd Floor, Ely MN"},
	{name: "named floor starts", pattern: "suffix|dir|digit @ digits|GROUND|TOP|MAIN ~FLOOR|FL|FLR", weight: 1, example: "12 Elm St Ground Floor, Ely MN"},
}}}

// boxRules recognize the words for a box. Those of a positive weight have no
// other meaning.
var boxRules = &table{name: "box", sets: [][]rule{{
	{name: "PO BOX", pattern: "PO|POSTOFFICE|POSTAL|POB LOCK|FIRM? box SERVICE?", kind: POBox, weight: 1, example: "PO Box 12, Ely MN 55731"},
	{name: "PO number", pattern: "PO pound", kind: POBox, weight: 1, example: "PO # 12, Ely MN 55731"},
	{name: "P O BOX", pattern: "P O LOCK|FIRM? box SERVICE?", kind: POBox, weight: 1, example: "P O Box 12, Ely MN 55731"},
	{name: "P BOX", pattern: "P box SERVICE?", kind: POBox, weight: 1, example: "P Box 12, Ely MN 55731"},
	{name: "P O B", pattern: "P O B", kind: POBox, weight: 1, example: "P O B 12, Ely MN 55731"},
	{name: "POBOX", pattern: "POBOX|PBOX|POBX", kind: POBox, weight: 1, example: "PObox 12, Ely MN 55731"},
	{name: "POST OFFICE BOX", pattern: "POST OFFICE|OFC|OFF LOCK|FIRM? box SERVICE?", kind: POBox, weight: 1, example: "Post Office Box 12, Ely MN 55731"},
	{name: "POB", pattern: "POB", kind: POBox, example: "POB 12, Ely MN 55731"},
	{name: "CP", pattern: "CP <canada>", kind: POBox, weight: 1, example: "CP 12, Gatineau QC J8X 1A1"},
	{name: "C P", pattern: "C P <canada>", kind: POBox, weight: 1, example: "C P 12, Gatineau QC J8X 1A1"},
	{name: "CASE POSTALE", pattern: "CASE POSTALE <canada>", kind: POBox, weight: 1, example: "Case postale 12, Gatineau QC J8X 1A1"},
	{name: "APARTADO", pattern: "APARTADO|APTDO|APDO POSTAL?", kind: POBox, example: "Apartado 12, Ponce PR 00731"},
	{name: "LOCKBOX", pattern: "LBX|LOCKBOX", kind: POBox, example: "Acme Lockbox 12, Ely MN 55731"},
	{name: "first BOX", pattern: "^ @ LOCK|FIRM? BOX|BX|DRAWER|CALLER|BIN|BUZON SERVICE?", kind: POBox, example: "Drawer 12, Ely MN 55731"},
	{name: "BOX after a comma", pattern: ",BOX|BX|DRAWER|CALLER|BIN|BUZON SERVICE?", kind: POBox, example: "Acme, Box 12, Ely MN 55731"},
	{name: "LOCK BOX after a comma", pattern: ",LOCK|FIRM BOX|CALLER", kind: POBox, example: "Acme, Lock Box 12, Ely MN 55731"},
}}}

// boxNumberRules recognize the number of a box, which they capture.
var boxNumberRules = &table{name: "box number", sets: [][]rule{{
	{name: "number and letter of a box", pattern: "pound|NO|NUMBER|NUM* [ digits ~single&alpha-dir ]", example: "PO Box 12 A, Ely MN 55731"},
	{name: "number of a box", pattern: "pound|NO|NUMBER|NUM* [ digit ]", example: "PO Box # 12, Ely MN 55731"},
	{name: "letter of a box", pattern: "pound|NO|NUMBER|NUM* [ single&alpha ]", example: "PO Box A, Ely MN 55731"},
}}}

// routeRules recognize the words for a rural or highway contract route.
var routeRules = &table{name: "route", sets: [][]rule{{
	{name: "RFD ROUTE", pattern: "RFD ROUTE|RT", kind: RuralRoute, example: "RFD Route 2 Box 12, Ely MN 55731"},
	{name: "RR", pattern: "RR|RFD", kind: RuralRoute, example: "RR 2 Box 12, Ely MN 55731"},
	{name: "R F D", pattern: "R F D", kind: RuralRoute, example: "R F D 2 Box 12, Ely MN 55731"},
	{name: "R R", pattern: "R R", kind: RuralRoute, example: "R R 2 Box 12, Ely MN 55731"},
	{name: "RURAL ROUTE", pattern: "RURAL ROUTE|RTE|RT|RD|DELIVERY|FREE", kind: RuralRoute, example: "Rural Route 2 Box 12, Ely MN 55731"},
	{name: "ROUTE RURALE", pattern: "ROUTE|RTE RURALE", kind: RuralRoute, example: "Route rurale 2, Gatineau QC J8X 1A1"},
	{name: "SS", pattern: "SS <canada>", kind: RuralRoute, as: "SS", example: "SS 2, Ottawa ON K1A 0B1"},
	{name: "MR", pattern: "MR <canada>", kind: RuralRoute, as: "MR", example: "MR 2, Ottawa ON K1A 0B1"},
	{name: "HC", pattern: "HC|HCR ROUTE|RT|RTE?", kind: HighwayContract, example: "HC 2 Box 12, Ely MN 55731"},
	{name: "H C R", pattern: "H C R", kind: HighwayContract, example: "H C R 2 Box 12, Ely MN 55731"},
	{name: "H C", pattern: "H C", kind: HighwayContract, example: "H C 2 Box 12, Ely MN 55731"},
	{name: "HIGHWAY CONTRACT", pattern: "HIGHWAY|HWY CONTRACT|CONTR ROUTE|RTE|RT?", kind: HighwayContract, example: "Highway Contract Route 2 Box 12, Ely MN 55731"},
	{name: "STAR ROUTE", pattern: "STAR ROUTE|RTE|RT", kind: HighwayContract, example: "Star Route Box 12, Ely MN 55731"},
}}}

// weakRouteRules recognize words that name a route only before its number and a
// box.
var weakRouteRules = &table{name: "route", sets: [][]rule{{
	{name: "ROUTE", pattern: "RT|RTE|ROUTE|RD|R", kind: RuralRoute, example: "Route 2 Box 12, Ely MN 55731"},
	{name: "SR", pattern: "SR", kind: HighwayContract, example: "SR 2 Box 12, Ely MN 55731"},
}}}

// otherRules recognize general delivery and military addresses.
var otherRules = &table{name: "delivery", sets: [][]rule{{
	{name: "GENERAL DELIVERY", pattern: "GENERAL|GEN|GENL|GNRL DELIVERY|DEL|DELIV|DELVRY|DLVRY|DELY|DLVY|DELIVER|DELIVRY|DELVERY", kind: GeneralDelivery, example: "General Delivery, Ely MN 55731"},
	{name: "GENERALDELIVERY", pattern: "GENERALDELIVERY|GENDEL|GENDELIVERY", kind: GeneralDelivery, example: "GenDel, Ely MN 55731"},
	{name: "POSTE RESTANTE", pattern: "POSTE RESTANTE", kind: GeneralDelivery, example: "Poste restante, Gatineau QC J8X 1A1"},
	{name: "GD", pattern: "GD <canada>", kind: GeneralDelivery, example: "GD Stn Main, Ely ON P0A 1A0"},
	{name: "PSC", pattern: "PSC|CMR|UNIT|UNT <overseas>", kind: Military, example: "PSC 12 Box 4, APO AE 09012"},
}}}

// attentionRules recognize words before the name of a person.
var attentionRules = &table{name: "attention", sets: [][]rule{{
	{name: "ATTN", pattern: "ATTN|ATTENTION|ATT|C/O", example: "Acme, Attn Jane Doe, 12 Elm St, Ely MN"},
	{name: "CARE OF", pattern: "CARE OF", example: "Acme, Care Of Jane Doe, 12 Elm St, Ely MN"},
	{name: "C O", pattern: "C O", example: "Acme, C O Jane Doe, 12 Elm St, Ely MN"},
}}}

// stateRules accept words as the state of the last line. The scope is the words
// before the ZIP Code.
var stateRules = &table{name: "state", sets: [][]rule{{
	{name: "state alone", pattern: "^ ( any .. )", weight: 1, example: "MN 55731"},
	{name: "state of several words", pattern: "( any any .. )", weight: 1, example: "12 Elm St, Minot, North Dakota"},
	{name: "floor", pattern: "ordinal ( ~FL )", weight: -1, example: "12 Elm St 27th FL"},
	{name: "Washington as the city", pattern: "( WASHINGTON|WASH ) <capital>", weight: -1, example: "12 Elm St NW Washington 20001"},
	{name: "letters of a state", pattern: "( short-dir-suffix )", weight: 1, example: "12 Elm St, Ely MN"},
	{name: "state after a comma", pattern: "( ,any-dir-suffix )", weight: 1, example: "12 Elm, Ely, Minnesota"},
	{name: "state of the ZIP Code", pattern: "( any-dir-suffix ) <agrees>", weight: 1, example: "12 Elm Ely Minnesota 55731"},
	{name: "state after a street", pattern: "any .. sure .. ( any-dir-suffix )", weight: 1, example: "12 Elm St Ely Minnesota"},
	{name: "state after a town", pattern: "( any-dir-suffix ) <town>", weight: 1, example: "Ely Minnesota"},
	{name: "state after a highway and a town", pattern: "any .. highway digit alpha-dir .. ( any-dir-suffix )", weight: 1, example: "12 Rte 61 Ely Minnesota"},
	{name: "name of a street", pattern: "( any-dir-suffix )", weight: -1, example: "12 Georgia"},
	{name: "letters after a town", pattern: "( dir|suffix ) <nozip> <town>", weight: 1, example: "Ely, NE"},
	{name: "direction after a suffix", pattern: "suffix ( dir ) <disagrees>", weight: -1, example: "12 Elm St NE 20001"},
	{name: "letters of the ZIP Code's state after a town", pattern: "any .. sure .. any suffix ( dir )", weight: 1, example: "12 Elm St Grand Island NE 68801"},
	{name: "letters after a suffix and a comma", pattern: "suffix ( ,dir )", weight: 1, example: "12 Park, NE 68801"},
	{name: "direction of the street", pattern: "suffix ( dir )", weight: -1, example: "12 Elm St NE 68801"},
	{name: "letters of the ZIP Code's state", pattern: "( dir ) <agrees>", weight: 1, example: "12 Elm St Omaha NE 68101"},
	{name: "letters after a comma", pattern: "( ,dir ) <nozip>", weight: 1, example: "12 Elm St Omaha, NE"},
	{name: "letters after a street and a town", pattern: "any .. sure .. any ( dir ) <nozip>", weight: 1, example: "12 Elm St Omaha NE"},
	{name: "direction", pattern: "( dir )", weight: -1, example: "12 Elm NE"},
	{name: "suffix's letters after a comma", pattern: "( ,suffix )", weight: 1, example: "12 Elm St, Avon, CT"},
	{name: "suffix's letters after a street and a town", pattern: "any .. sure .. any ( suffix )", weight: 1, example: "12 Elm St Avon CT"},
	{name: "suffix's letters after a part", pattern: "any .. ,any .. ( suffix ) <nozip>", weight: 1, example: "12 Broadway, Avon CT"},
	{name: "suffix's letters of the ZIP Code's state", pattern: "any any any any .. ( suffix ) <agrees>", weight: 1, example: "12 Old Broadway Avon CT 06001"},
	{name: "suffix", pattern: "( suffix )", weight: -1, example: "12 Avon CT"},
}}}
