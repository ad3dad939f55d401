package synth

import (
	"cmp"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/store"
)

// A provinceFrame holds the real attributes of an invented province.
type provinceFrame struct {
	abbr, name, nameFR, pruid string
	letters                   string // first letters of its FSAs
	fsas                      int    // of the real province, for proportion
	box                       Box
	zone, zone2               string // zone2: of its last FSAs, "" without
}

// provinces are the provinces and territories in the order of their numbers.
// Ontario borders on Michigan and New York along 48.5 N.
var provinces = []provinceFrame{
	{"NL", "Newfoundland and Labrador", "Terre-Neuve-et-Labrador", "10", "A", 35, Box{-64_000_000, 48_500_000, -54_000_000, 56_000_000}, "America/St_Johns", "America/Goose_Bay"},
	{"PE", "Prince Edward Island", "Île-du-Prince-Édouard", "11", "C", 7, Box{-69_000_000, 57_500_000, -64_000_000, 58_500_000}, "America/Halifax", ""},
	{"NS", "Nova Scotia", "Nouvelle-Écosse", "12", "B", 77, Box{-69_000_000, 55_000_000, -64_000_000, 57_500_000}, "America/Halifax", ""},
	{"NB", "New Brunswick", "Nouveau-Brunswick", "13", "E", 110, Box{-69_000_000, 51_900_000, -64_000_000, 55_000_000}, "America/Moncton", ""},
	{"QC", "Quebec", "Québec", "24", "GHJ", 415, Box{-79_000_000, 51_900_000, -69_000_000, 60_000_000}, "America/Toronto", "America/Blanc-Sablon"},
	{"ON", "Ontario", "", "35", "KLMNP", 525, Box{-94_000_000, 48_500_000, -79_000_000, 56_000_000}, "America/Toronto", "America/Winnipeg"},
	{"MB", "Manitoba", "", "46", "R", 66, Box{-104_000_000, 51_900_000, -94_000_000, 60_000_000}, "America/Winnipeg", ""},
	{"SK", "Saskatchewan", "", "47", "S", 48, Box{-109_000_000, 48_500_000, -104_000_000, 60_000_000}, "America/Regina", ""},
	{"AB", "Alberta", "", "48", "T", 156, Box{-114_000_000, 48_500_000, -109_000_000, 60_000_000}, "America/Edmonton", ""},
	{"BC", "British Columbia", "Colombie-Britannique", "59", "V", 191, Box{-124_000_000, 48_500_000, -114_000_000, 60_000_000}, "America/Vancouver", "America/Dawson_Creek"},
	{"YT", "Yukon", "", "60", "Y", 3, Box{-141_000_000, 60_000_000, -124_000_000, 69_000_000}, "America/Whitehorse", ""},
	{"NT", "Northwest Territories", "Territoires du Nord-Ouest", "61", "X", 3, Box{-124_000_000, 60_000_000, -102_000_000, 70_000_000}, "America/Edmonton", ""},
	{"NU", "Nunavut", "", "62", "X", 3, Box{-102_000_000, 60_000_000, -64_000_000, 72_000_000}, "America/Rankin_Inlet", "America/Iqaluit"},
}

// fsaLetters are the possible third letters of FSAs and letters of local
// delivery units.
const fsaLetters = "ABCEGHJKLMNPRSTVWXYZ"

// canadianTables are the tables of Statistics Canada and about Canada.
func (c *Country) canadianTables() []mirrorFile {
	return []mirrorFile{
		form{delimiter: ',', quoted: true, crlf: true, mark: true}.file("www150.statcan.gc.ca/n1/tbl/csv/98100019-eng.zip", "98100019.csv", c.population),
		csv.list(statCanLocal+"csd_2021_attributes.csv", "CSDUID,CSDNAME,CSDTYPE,CDUID,CMAUID,PRUID,PR,POP2021", c.municipalityTable),
		csv.list(statCanLocal+"cma_ca_names.csv", "dguid,type,code,name", func(t *table) {
			for _, a := range all(c.heldAreas(store.LayerMetroArea)) {
				t.row("2021S0503"+a.GEOID, a.Kind, a.GEOID, a.Name)
			}
		}),
		csv.file("www12.statcan.gc.ca/census-recensement/2021/geo/aip-pia/attribute-attribs/files-fichiers/2021_92-151_X.zip", "2021_92-151_X.csv", c.blocks),
		csv.list(statCanLocal+"cduid_eruid.csv", "cduid,eruid,ername", func(t *table) {
			names := map[string]string{}
			for _, a := range all(c.heldAreas(store.LayerEconomicRegion)) {
				names[a.GEOID] = a.Name + " / " + a.French
			}
			for _, d := range all(c.CensusDivisions) {
				t.row(d.UID, regionOf(d.UID), names[regionOf(d.UID)])
			}
		}),
		csv.list(statCanLocal+"opcc/opcc_m2_correspondence.csv.gz", "postal_code,DBUID,DAUID,CTUID,n_observations,n_unique_addresses,n_sources,"+
			"address_weight,best_link,confidence,source_vintage,census_vintage", func(t *table) {
			for _, p := range all(c.PostalCodes) {
				if p.Register {
					t.row(p.Code.String(), itoa(p.DA)+"001", itoa(p.DA), "", "12", "12", "1", "1", "TRUE", "1", c.Label, "2021")
				}
			}
		}),
		quotedCSV.list(statCanLocal+"opcc/opcc_m5_da_correspondence.csv.gz", "postal_code,DAUID,allocation_weight,n_contributing_dbs,"+
			"contributing_dbuids,source_vintages,census_vintages,evidence_classes,best_link", func(t *table) {
			for _, p := range all(c.PostalCodes) {
				if p.Register {
					t.row(p.Code.String(), itoa(p.DA), "1", "1", itoa(p.DA)+"001", c.Label, "2021", "", "TRUE")
				}
			}
		}),
		csv.list(statCanLocal+"da/da2016_popw_centroids.csv.gz", "da2016,lat,lon", func(t *table) {
			for _, p := range c.disseminationAreas() {
				lat, lng := latLng(p.Point)
				t.row(itoa(p.DA), lat, lng)
			}
		}),
		csv.list(statCanLocal+"da/da2021_to_da2016.csv.gz", "da2021,da2016", func(t *table) {
			for _, p := range c.disseminationAreas() {
				t.row(itoa(p.DA), itoa(p.DA))
			}
		}),
	}
}

// population writes table 98-10-0019: Canada, then every FSA with an area. The
// counts of Canada are the sums over all FSAs.
func (c *Country) population(t *table) {
	const counts = "Population and dwelling counts (3):"
	t.line("REF_DATE", "GEO", "DGUID", "Coordinate", counts+"Population, 2021[1]", "Symbols",
		counts+"Total private dwellings, 2021[2]", "Symbols", counts+"Private dwellings occupied by usual residents, 2021[3]", "Symbols")
	var people, dwellings, occupied int64
	for _, f := range all(c.FSAs) {
		people += int64(f.Population)
		dwellings += int64(f.Dwellings)
		occupied += int64(f.Occupied)
	}
	t.row("2021", "Canada", "2021A000011124", "1", itoa(people), "", itoa(dwellings), "", itoa(occupied), "")
	for i, f := range all(c.FSAs) {
		if f.HasArea {
			t.row("2021", f.Code.String(), "2021A0011"+f.Code.String(), itoa(i+2), itoa(f.Population), "", itoa(f.Dwellings), "", itoa(f.Occupied), "")
		}
	}
}

func (c *Country) municipalityTable(t *table) {
	metros := c.metroOfMunicipality()
	for i, m := range all(c.Municipalities) {
		s := &c.States[m.State]
		metro := metros[i]
		if metro != "" {
			metro = s.PRUID + metro
		}
		t.row(m.UID, m.Name, m.Type, c.CensusDivisions[m.Division].UID, metro, s.PRUID, s.Abbr, itoa(m.Population))
	}
}

// disseminationAreas returns one postal code of every dissemination area; all
// codes of an area have the area's point.
func (c *Country) disseminationAreas() []*PostalCode {
	var areas []*PostalCode
	seen := map[int32]bool{}
	for _, p := range all(c.PostalCodes) {
		if p.Register && !seen[p.DA] {
			seen[p.DA] = true
			areas = append(areas, p)
		}
	}
	return areas
}

// metroOfMunicipality returns the code of each municipality's metropolitan
// area, or "".
func (c *Country) metroOfMunicipality() []string {
	out := make([]string, len(c.Municipalities))
	if l := c.held(store.LayerMetroArea, ""); l != nil {
		for i, o := range l.owner {
			if o != None {
				out[c.Cells[i].Municipality] = l.Areas[o].GEOID
			}
		}
	}
	return out
}

// blocks writes the Geographic Attribute File: a dissemination block for every
// dissemination area of the address register.
func (c *Country) blocks(t *table) {
	t.line(strings.Split("PRUID_PRIDU,CDUID_DRIDU,FEDUID_CEFIDU,FEDNAME_CEFNOM,CSDUID_SDRIDU,DPLUID_LDIDU,DPLNAME_LDNOM,ERUID_REIDU,ERNAME_RENOM,"+
		"CCSUID_SRUIDU,CCSNAME_SRUNOM,CMAUID_RMRIDU,CMANAME_RMRNOM,CMATYPE_RMRGENRE,CTUID_SRIDU,CTNAME_SRNOM,"+
		"POPCTRRAUID_CTRPOPRRIDU,POPCTRRANAME_CTRPOPRRNOM,POPCTRRACLASS_CTRPOPRRCLASSE,DAUID_ADIDU,DBUID_IDIDU,DBPOP2021_IDPOP2021", ",")...)
	for _, p := range c.disseminationAreas() {
		cell := c.cellAt(p)
		if cell == None {
			continue
		}
		areaOf := func(id store.LayerID) HeldArea {
			if l := c.held(id, ""); l != nil && l.owner[cell] != None {
				return l.Areas[l.owner[cell]]
			}
			return HeldArea{}
		}
		k := &c.Cells[cell]
		m := &c.Municipalities[k.Municipality]
		federal, place, region := areaOf(store.LayerFederalDistrict), areaOf(store.LayerDesignatedPlace), areaOf(store.LayerEconomicRegion)
		ccs, metro, tract := areaOf(store.LayerConsolidatedSubdivision), areaOf(store.LayerMetroArea), areaOf(store.LayerCensusTract)
		center, class := areaOf(store.LayerPopulationCentre), "2"
		if center.GEOID == "" {
			center, class = HeldArea{GEOID: "9999", Name: "Rural area / Région rurale"}, "1"
		}
		t.row(c.States[k.State].PRUID, c.CensusDivisions[m.Division].UID, federal.GEOID, federal.Name, m.UID, place.GEOID, place.Name, region.GEOID, region.Name,
			ccs.GEOID, ccs.Name, cmp.Or(metro.GEOID, "999"), metro.Name, metroKind(metro.Kind), tract.GEOID, tract.Name,
			center.GEOID, center.Name, class, itoa(p.DA), itoa(p.DA)+"001", "40")
	}
}

// cellAt returns the Canadian cell around the point, or None.
func (c *Country) cellAt(p *PostalCode) int {
	return slices.IndexFunc(c.Cells, func(k Cell) bool { return k.Municipality != None && k.Box.Contains(p.Point) })
}
