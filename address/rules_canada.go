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
// have no other meaning. The field as is the abbreviation of Canada Post.
var canadaKinds = &table{name: "kind of street", sets: [][]rule{{
	{name: "RUE", pattern: "RUE", as: "RUE", weight: 1, example: "12 rue Principale, Gatineau QC J8X 1A1"},
	{name: "CHEMIN", pattern: "CHEMIN|CH|CHEM !digit", as: "CH", weight: 1, example: "12 ch. des Pins, Gatineau QC J8X 1A1"},
	{name: "BOULEVARD", pattern: "BOUL|BOULEVARD !sure", as: "BOUL", weight: 1, example: "12 boul. Laurier, Gatineau QC J8X 1A1"},
	{name: "BLVD", pattern: "digit @ BLVD|BD any", as: "BOUL", example: "12 blvd St-Laurent, Gatineau QC J8X 1A1"},
	{name: "AVENUE", pattern: "digit @ AV|AVENUE any", as: "AV", example: "12 av. du Parc, Gatineau QC J8X 1A1"},
	{name: "PLACE", pattern: "digit @ PLACE any", as: "PLACE", example: "12 place Laurier, Gatineau QC J8X 1A1"},
	{name: "RANG", pattern: "RANG|RG", as: "RANG", weight: 1, example: "12 rang Double, Gatineau QC J8X 1A1"},
	{name: "MONTEE", pattern: "MONTEE", as: "MONTÉE", weight: 1, example: "12 montée Paiement, Gatineau QC J8X 1A1"},
	{name: "COTE", pattern: "digit @ COTE any", as: "CÔTE", weight: 1, example: "12 côte Abraham, Gatineau QC J8X 1A1"},
	{name: "ALLEE", pattern: "ALLEE", as: "ALLÉE", weight: 1, example: "12 allée Verte, Gatineau QC J8X 1A1"},
	{name: "IMPASSE", pattern: "IMPASSE|IMP", as: "IMP", weight: 1, example: "12 impasse Verte, Gatineau QC J8X 1A1"},
	{name: "RUELLE", pattern: "RUELLE|RLE", as: "RLE", weight: 1, example: "12 ruelle Verte, Gatineau QC J8X 1A1"},
	{name: "CROISSANT", pattern: "CROISSANT|CROIS", as: "CROIS", weight: 1, example: "12 croissant Vert, Gatineau QC J8X 1A1"},
	{name: "CARRE", pattern: "digit @ CARRE|CAR any", as: "CAR", example: "12 carré Vert, Gatineau QC J8X 1A1"},
	{name: "TERRASSE", pattern: "TERRASSE|TSSE", as: "TSSE", weight: 1, example: "12 terrasse Dufferin, Gatineau QC J8X 1A1"},
	{name: "PROMENADE", pattern: "digit @ PROMENADE|PROM any", as: "PROM", example: "12 promenade du Portage, Gatineau QC J8X 1A1"},
	{name: "QUAI", pattern: "QUAI", as: "QUAI", weight: 1, example: "12 quai Royal, Gatineau QC J8X 1A1"},
	{name: "SENTIER", pattern: "SENTIER|SENT", as: "SENT", weight: 1, example: "12 sentier Vert, Gatineau QC J8X 1A1"},
	{name: "VOIE", pattern: "VOIE", as: "VOIE", weight: 1, example: "12 voie Camillien, Gatineau QC J8X 1A1"},
	{name: "AUTOROUTE", pattern: "AUTOROUTE|AUT", as: "AUT", weight: 1, example: "12 autoroute Laurentienne, Gatineau QC J8X 1A1"},
	{name: "COURS", pattern: "COURS", as: "COURS", weight: 1, example: "12 cours Vert, Gatineau QC J8X 1A1"},
}}}

// frenchRules recognize the beginning of a French street although the words that follow
// may be other parts.
var frenchRules = &table{name: "French street", sets: [][]rule{{
	{name: "BOUL before words", pattern: "BOUL ~any any", example: "12 boul. St Laurent, Gatineau QC J8X 1A1"},
	{name: "kind before an article", pattern: "number @ AV|AVE|AVENUE|PLACE|BOULEVARD|BLVD|BD|COTE|CARRE|PROMENADE|PROM ~ST|STE|SAINT|SAINTE|DU|DE|DES|LA|LE|LES|D|L any <quebec>", example: "12 av. du Parc, Gatineau QC J8X 1A1"},
}}}

// canadaSuffixes recognize kinds of streets after the name that Publication 28
// lacks.
var canadaSuffixes = &table{name: "Canadian suffix", sets: [][]rule{{
	{name: "CLOSE", pattern: "any @ CLOSE", as: "CLOSE", example: "12 Elm Close, Calgary AB T2P 1J9"},
	{name: "GATE", pattern: "any @ GATE", as: "GATE", example: "12 Elm Gate, Calgary AB T2P 1J9"},
	{name: "LINE", pattern: "any @ LINE", as: "LINE", example: "12 Town Line, Calgary AB T2P 1J9"},
	{name: "SIDEROAD", pattern: "any @ SIDEROAD|SIDERD", as: "SIDERD", example: "12 15th Sideroad, King ON L7B 1A3"},
	{name: "BAY", pattern: "any @ BAY", as: "BAY", example: "12 Elm Bay, Calgary AB T2P 1J9"},
}}}

var canadaDirections = &table{name: "direction", sets: [][]rule{{
	{name: "NORD", pattern: "NORD", as: "N", example: "12 rue Principale Nord, Gatineau QC J8X 1A1"},
	{name: "SUD", pattern: "SUD", as: "S", example: "12 rue Principale Sud, Gatineau QC J8X 1A1"},
	{name: "EST", pattern: "EST", as: "E", example: "12 rue Principale Est, Gatineau QC J8X 1A1"},
	{name: "OUEST", pattern: "alpha @ OUEST|O", as: "O", example: "12 rue Principale O, Gatineau QC J8X 1A1"},
}}}

// canadaUnits recognize designators of units.
var canadaUnits = &table{name: "Canadian unit", sets: [][]rule{{
	{name: "APP", pattern: "APP|APPT|APPARTEMENT", as: "APP", example: "12 rue Principale, app. 4, Gatineau QC J8X 1A1"},
	{name: "BUREAU", pattern: "BUREAU|BUR digit|single", as: "BUREAU", example: "12 rue Principale bureau 4, Gatineau QC J8X 1A1"},
	{name: "UNITE", pattern: "UNITE digit|single", as: "UNITÉ", example: "12 rue Principale unité 4, Gatineau QC J8X 1A1"},
	{name: "SUITE", pattern: "SUITE|STE digit|single", as: "SUITE", example: "12 Elm St Suite 4, Ottawa ON K1A 0B1"},
	{name: "LOCAL", pattern: "LOCAL digit|single", as: "LOCAL", example: "12 rue Principale local 4, Gatineau QC J8X 1A1"},
}}}

// stationRules recognize the designator of a postal installation.
var stationRules = &table{name: "station", sets: [][]rule{{
	{name: "STN", pattern: "STN|STATION", as: "STN", example: "PO Box 12 Stn A, Toronto ON M5W 1E6"},
	{name: "SUCC", pattern: "SUCC|SUCCURSALE", as: "SUCC", example: "CP 12 Succ A, Gatineau QC J8X 1A1"},
	{name: "RPO", pattern: "RPO", as: "RPO", example: "PO Box 12 RPO Broadway, Winnipeg MB R3C 1A1"},
	{name: "CSP", pattern: "CSP", as: "CSP", example: "CP 12 CSP Laurier, Gatineau QC J8X 1A1"},
}}}
