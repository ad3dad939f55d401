package address

// provinceRules accept words as the province of the last line. The scope is the
// words before the postal code.
var provinceRules = &table{name: "province", sets: [][]rule{{
	{name: "province of a postal code or country", pattern: "( any .. ) <canada>", weight: 1, example: "12 Elm St, Ottawa ON K1A 0B1"},
	{name: "province after a town", pattern: "number .. ,alpha-unit .. ( any .. )", weight: 1, example: "12 Elm St, Ottawa, Ontario"},
	{name: "province after a listed town", pattern: "( any .. ) <town>", weight: 1, example: "Ely, ON"},
	{name: "province after a town and a comma", pattern: "alpha-unit-dir-suffix-highway ( ,any .. )", weight: 1, example: "PO Box 12 Ottawa, Ontario"},
	{name: "letters of a province after a town", pattern: "alpha-unit-dir-suffix-highway-kind ( short )", weight: 1, example: "RR 2 Ottawa ON"},
	{name: "letters of a province after words", pattern: "^ alpha-sure-dir alpha-sure-dir* ( short )", weight: 1, example: "Grand Falls NB"},
}}}

// canadaKinds recognize kinds of streets before the name. Those of a positive weight
// have no other meaning.
var canadaKinds = &table{name: "kind of street", sets: [][]rule{{
	{name: "kind", pattern: "RUE|RANG|RG|MONTEE|ALLEE|IMPASSE|IMP|RUELLE|RLE|CROISSANT|CROIS|TERRASSE|TSSE|QUAI|SENTIER|SENT|VOIE|AUTOROUTE|AUT|COURS", weight: 1, example: "12 rue Principale, Gatineau QC J8X 1A1"},
	{name: "CHEMIN", pattern: "CHEMIN|CH|CHEM !digit", weight: 1, example: "12 ch. des Pins, Gatineau QC J8X 1A1"},
	{name: "BOULEVARD", pattern: "BOUL|BOULEVARD !sure", weight: 1, example: "12 boul. Laurier, Gatineau QC J8X 1A1"},
	{name: "kind after a number", pattern: "digit @ BLVD|BD|AV|AVENUE|PLACE|COTE|CARRE|CAR|PROMENADE|PROM any", example: "12 av. du Parc, Gatineau QC J8X 1A1"},
}}}

// canadaWords are the standard forms of Canada Post for kinds of streets, directions and
// designators of units in other spellings.
var canadaWords = map[string]string{
	"RG": "RANG", "MONTEE": "MONTÉE", "ALLEE": "ALLÉE", "IMPASSE": "IMP", "RUELLE": "RLE", "CROISSANT": "CROIS", "TERRASSE": "TSSE", "SENTIER": "SENT",
	"AUTOROUTE": "AUT", "CHEMIN": "CH", "CHEM": "CH", "BOULEVARD": "BOUL", "BLVD": "BOUL", "BD": "BOUL", "AVENUE": "AV", "COTE": "CÔTE", "CARRE": "CAR",
	"PROMENADE": "PROM", "SIDEROAD": "SIDERD", "NORD": "N", "SUD": "S", "EST": "E", "OUEST": "O",
	"APPT": "APP", "APPARTEMENT": "APP", "BUR": "BUREAU", "UNITE": "UNITÉ", "STE": "SUITE",
}

// frenchRules recognize the beginning of a French street although the words that follow
// may be other parts.
var frenchRules = &table{name: "French street", sets: [][]rule{{
	{name: "BOUL before words", pattern: "BOUL ~any any", example: "12 boul. St Laurent, Gatineau QC J8X 1A1"},
	{name: "kind before an article", pattern: "number @ AV|AVE|AVENUE|PLACE|BOULEVARD|BLVD|BD|COTE|CARRE|PROMENADE|PROM ~ST|STE|SAINT|SAINTE|DU|DE|DES|LA|LE|LES|D|L any <quebec>", example: "12 av. du Parc, Gatineau QC J8X 1A1"},
}}}

// canadaSuffixes recognize kinds of streets after the name that Publication 28
// lacks.
var canadaSuffixes = &table{name: "Canadian suffix", sets: [][]rule{{
	{name: "kind", pattern: "any @ CLOSE|GATE|LINE|SIDEROAD|SIDERD|BAY", example: "12 Elm Close, Calgary AB T2P 1J9"},
}}}

var canadaDirections = &table{name: "direction", sets: [][]rule{{
	{name: "NORD", pattern: "NORD|SUD|EST", example: "12 rue Principale Nord, Gatineau QC J8X 1A1"},
	{name: "OUEST", pattern: "alpha @ OUEST|O", example: "12 rue Principale O, Gatineau QC J8X 1A1"},
}}}

// canadaUnits recognize designators of units.
var canadaUnits = &table{name: "Canadian unit", sets: [][]rule{{
	{name: "APP", pattern: "APP|APPT|APPARTEMENT", example: "12 rue Principale, app. 4, Gatineau QC J8X 1A1"},
	{name: "BUREAU", pattern: "BUREAU|BUR|UNITE|SUITE|STE|LOCAL digit|single", example: "12 rue Principale bureau 4, Gatineau QC J8X 1A1"},
}}}

// stationRules recognize the designator of a postal installation.
var stationRules = &table{name: "station", sets: [][]rule{{
	{name: "STN", pattern: "STN|STATION", as: "STN", example: "PO Box 12 Stn A, Toronto ON M5W 1E6"},
	{name: "SUCC", pattern: "SUCC|SUCCURSALE", as: "SUCC", example: "CP 12 Succ A, Gatineau QC J8X 1A1"},
	{name: "RPO", pattern: "RPO", as: "RPO", example: "PO Box 12 RPO Broadway, Winnipeg MB R3C 1A1"},
	{name: "CSP", pattern: "CSP", as: "CSP", example: "CP 12 CSP Laurier, Gatineau QC J8X 1A1"},
}}}
