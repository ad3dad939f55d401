package synth

import (
	"context"
	"io"
	"strconv"

	"github.com/postgeo/postgeo/dataset"
)

// heldFile is the official file of a layer.
type heldFile struct {
	id     dataset.LayerID
	kind   string
	folder string
	base   string
	fields []field
	canada bool
	values func(c *Country, a *HeldArea) []string
}

const shp2024 = tigerDir + "GENZ2024/shp/"

// censusFields are the columns of a cartographic boundary file: the state, the
// parts of the code, and what all of them have.
func censusFields(parts []field, geoid int, rest ...field) []field {
	list := append([]field{text("STATEFP", 2)}, parts...)
	list = append(list, text("GEOIDFQ", geoid+9), text("GEOID", geoid))
	list = append(list, rest...)
	return append(list, number("ALAND", 14), number("AWATER", 14))
}

func measures(a *HeldArea) []string { return []string{itoa(a.Area.Land), itoa(a.Area.Water)} }

func named(names ...string) []field {
	list := make([]field, len(names))
	for i, n := range names {
		list[i] = text(n, 100)
	}
	return list
}

// heldFiles are the files of the layers, in the order of the layers.
func heldFiles() []heldFile {
	tract := func(c *Country, a *HeldArea) []string {
		s := c.States[a.State]
		county := c.countyNamed(a.GEOID[:5])
		return append([]string{a.GEOID[:2], a.GEOID[2:5], a.GEOID[5:11], "1400000US" + a.GEOID, a.GEOID, a.Base, a.Name, s.Abbr, county, s.Name, "CT"}, measures(a)...)
	}
	group := func(_ *Country, a *HeldArea) []string {
		return append([]string{a.GEOID[:2], a.GEOID[2:5], a.GEOID[5:11], a.GEOID[11:], "1500000US" + a.GEOID, a.GEOID, a.Base, a.Name, "BG"}, measures(a)...)
	}
	congress := func(_ *Country, a *HeldArea) []string {
		return append([]string{a.GEOID[:2], a.GEOID[2:], "5001900US" + a.GEOID, a.GEOID, a.Name, "C2", "119"}, measures(a)...)
	}
	legislature := func(prefix string) func(*Country, *HeldArea) []string {
		return func(c *Country, a *HeldArea) []string {
			s := c.States[a.State]
			return append([]string{a.GEOID[:2], a.GEOID[2:], prefix + "US" + a.GEOID, a.GEOID, a.Base, a.Name, "2024", s.Abbr, s.Name, "LU"}, measures(a)...)
		}
	}
	legislatureFields := func(code string) []field {
		return censusFields([]field{text(code, 3)}, 5, text("NAME", 100), text("NAMELSAD", 100), text("LSY", 4), text("STUSPS", 2), text("STATE_NAME", 100), text("LSAD", 2))
	}
	school := func(prefix string) func(*Country, *HeldArea) []string {
		return func(c *Country, a *HeldArea) []string {
			s := c.States[a.State]
			return append([]string{a.GEOID[:2], a.GEOID[2:], prefix + "US" + a.GEOID, a.GEOID, a.Name, s.Abbr, s.Name, "00"}, measures(a)...)
		}
	}
	schoolFields := func(code string) []field {
		return censusFields([]field{text(code, 5)}, 7, text("NAME", 100), text("STUSPS", 2), text("STATE_NAME", 100), text("LSAD", 2))
	}
	schoolFile := func(kind, base, code, prefix string) heldFile {
		return heldFile{dataset.LayerSchoolDistrict, kind, shp2024, base, schoolFields(code), false, school(prefix)}
	}
	return []heldFile{
		{dataset.LayerTract, "", shp2024, "cb_2024_us_tract_500k", censusFields([]field{text("COUNTYFP", 3), text("TRACTCE", 6)}, 11,
			append(named("NAME", "NAMELSAD"), text("STUSPS", 2), text("NAMELSADCO", 100), text("STATE_NAME", 100), text("LSAD", 2))...), false, tract},
		{dataset.LayerBlockGroup, "", shp2024, "cb_2024_us_bg_500k", censusFields([]field{text("COUNTYFP", 3), text("TRACTCE", 6), text("BLKGRPCE", 1)}, 12,
			append(named("NAME", "NAMELSAD"), text("LSAD", 2))...), false, group},
		{dataset.LayerCongressionalDistrict, "", shp2024, "cb_2024_us_cd119_500k", censusFields([]field{text("CD119FP", 2)}, 4,
			append(named("NAMELSAD"), text("LSAD", 2), text("CDSESSN", 3))...), false, congress},
		{dataset.LayerStateUpper, "", shp2024, "cb_2024_us_sldu_500k", legislatureFields("SLDUST"), false, legislature("610U800")},
		{dataset.LayerStateLower, "", shp2024, "cb_2024_us_sldl_500k", legislatureFields("SLDLST"), false, legislature("620L800")},
		schoolFile("unified", "cb_2024_us_unsd_500k", "UNSDLEA", "9700000"),
		schoolFile("elementary", "cb_2024_us_elsd_500k", "ELSDLEA", "9500000"),
		schoolFile("secondary", "cb_2024_us_scsd_500k", "SCSDLEA", "9600000"),
		{dataset.LayerSchoolDistrict, "administrative", tigerDir + "TIGER2024/SDADM/", "tl_2024_50_sdadm", schoolFields("SDADMLEA"), false, school("9800000")},
		statCanFile(dataset.LayerCensusTract, "lct_000b21a_e", "CT", "0507"),
		statCanFile(dataset.LayerMetroArea, "lcma000b21a_e", "CMA", "0503", text("CMATYPE", 3)),
		statCanFile(dataset.LayerEconomicRegion, "ler_000b21a_e", "ER", "0500"),
		statCanFile(dataset.LayerPopulationCentre, "lpc_000b21a_e", "PC", "0510", text("PCTYPE", 2)),
		statCanFile(dataset.LayerConsolidatedSubdivision, "lccs000b21a_e", "CCS", "0502"),
		statCanFile(dataset.LayerDesignatedPlace, "ldpl000b21a_e", "DPL", "0506", text("DPLTYPE", 3)),
		{
			dataset.LayerFederalDistrict, "", statCanDir, "lfed000b21a_e",
			append([]field{text("FEDUID", 5), text("DGUID", 21)}, append(named("FEDNAME", "FEDENAME", "FEDFNAME"), km2Field(), text("PRUID", 2))...),
			true, func(c *Country, a *HeldArea) []string {
				name := a.Base
				if a.French != a.Base {
					name += " / " + a.French
				}
				return []string{a.GEOID, "2013A0004" + a.GEOID, name, a.Base, a.French, squareKilometres(a.Area.Land), c.States[a.State].PRUID}
			},
		},
	}
}

func km2Field() field {
	f := number("LANDAREA", 12)
	f.decimals = 4
	return f
}

// statCanFile is a file of Statistics Canada whose columns begin with letters.
func statCanFile(id dataset.LayerID, base, prefix, level string, kind ...field) heldFile {
	fields := append([]field{text(prefix+"UID", 10), text("DGUID", 21), text(prefix+"NAME", 100)}, kind...)
	return heldFile{id, "", statCanDir, base, append(fields, km2Field(), text("PRUID", 2)), true, func(c *Country, a *HeldArea) []string {
		name, province := a.Name, ""
		if a.French != "" {
			name += " / " + a.French
		}
		if a.State != None {
			province = c.States[a.State].PRUID
		}
		values := []string{a.GEOID, "2021A" + level + a.GEOID, name}
		if len(kind) > 0 {
			values = append(values, metroKind(a.Kind))
		}
		return append(values, squareKilometres(a.Area.Land), province)
	}}
}

// metroKind returns the letter that Statistics Canada's files have for the kind
// of a metropolitan area; other kinds stay what they are.
func metroKind(kind string) string {
	switch kind {
	case "CMA":
		return "B"
	case "CA":
		return "D"
	}
	return kind
}

// heldBoundaries are the files of the layers that the country has.
func (c *Country) heldBoundaries() []mirrorFile {
	var files []mirrorFile
	for _, f := range heldFiles() {
		l := c.held(f.id, f.kind)
		if l == nil {
			continue
		}
		files = append(files, mirrorFile{f.folder + f.base + ".zip", len(l.Areas), func(_ context.Context, w io.Writer) error {
			s := newShapefile(f.fields)
			if f.canada {
				s = newCanadianShapefile(f.fields)
			}
			for i, cells := range l.cells() {
				s.add(c.mesh.outline(cells), f.values(c, &l.Areas[i])...)
			}
			return s.write(w, f.base)
		}})
	}
	const ncesDir = "nces.ed.gov/"
	schools := len(c.schools())
	files = append(files,
		mirrorFile{ncesDir + "programs/edge/data/EDGE_GEOCODE_PUBLICLEA_2425.zip", schools, zipped("EDGE_GEOCODE_PUBLICLEA_2425.TXT", c.schoolOffices)},
		mirrorFile{ncesDir + "ccd/Data/zip/ccd_lea_029_2425_w_1a_073025.zip", schools, zipped("ccd_lea_029_2425_w_1a_073025.csv", c.schoolAgencies)})
	return append(files, mirrorFile{shp2024 + "cb_2024_us_cbsa_500k.zip", len(c.CBSAs), func(_ context.Context, w io.Writer) error {
		return c.cbsaShapes().write(w, "cb_2024_us_cbsa_500k")
	}})
}

// cells lists the cells of each area.
func (l *HeldLayer) cells() [][]int32 {
	list := make([][]int32, len(l.Areas))
	for i, o := range l.owner {
		if o != None {
			list[o] = append(list[o], int32(i))
		}
	}
	return list
}

func (c *Country) cbsaShapes() *shapefile {
	s := newShapefile([]field{
		text("CSAFP", 3), text("CBSAFP", 5), text("GEOIDFQ", 14), text("GEOID", 5), text("NAME", 100), text("NAMELSAD", 100), text("LSAD", 2),
		number("ALAND", 14), number("AWATER", 14),
	})
	owner := func(k *Cell) int32 {
		if k.County == None {
			return None
		}
		return int32(c.Counties[k.County].CBSA)
	}
	c.each(len(c.CBSAs), owner, func(i int, p []polygon) {
		m := &c.CBSAs[i]
		words, lsad := " Micro Area", "M2"
		if m.Metropolitan {
			words, lsad = " Metro Area", "M1"
		}
		s.add(p, m.CSA, m.Code, "310M700US"+m.Code, m.Code, m.Title, m.Title+words, lsad, itoa(m.Area.Land), itoa(m.Area.Water))
	})
	return s
}

// countyNamed returns the official name of a county.
func (c *Country) countyNamed(fips string) string {
	for i := range c.Counties {
		if c.Counties[i].FIPS == fips {
			return c.Counties[i].Name
		}
	}
	return ""
}

// metroNames writes the census metropolitan areas and census agglomerations.
func (c *Country) metroNames(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row("dguid", "type", "code", "name")
	if l := c.held(dataset.LayerMetroArea, ""); l != nil {
		for i := range l.Areas {
			a := &l.Areas[i]
			t.row("2021S0503"+a.GEOID, a.Kind, a.GEOID, a.Name)
		}
	}
	return t.flush()
}

// metroOfMunicipality returns for each municipality the code of its
// metropolitan area, "" outside.
func (c *Country) metroOfMunicipality() []string {
	out := make([]string, len(c.Municipalities))
	l := c.held(dataset.LayerMetroArea, "")
	if l == nil {
		return out
	}
	for i, o := range l.owner {
		if o != None {
			out[c.Cells[i].Municipality] = l.Areas[o].GEOID
		}
	}
	return out
}

// cellAt returns the Canadian cell around the point, or None.
func (c *Country) cellAt(p *PostalCode) int {
	for i := range c.Cells {
		if k := &c.Cells[i]; k.Municipality != None && k.Box.Contains(p.Point) {
			return i
		}
	}
	return None
}

// blockColumns are the bilingual headers of the Geographic Attribute File.
var blockColumns = []string{
	"PRUID_PRIDU", "CDUID_DRIDU", "FEDUID_CEFIDU", "FEDNAME_CEFNOM", "CSDUID_SDRIDU", "DPLUID_LDIDU", "DPLNAME_LDNOM", "ERUID_REIDU", "ERNAME_RENOM",
	"CCSUID_SRUIDU", "CCSNAME_SRUNOM", "CMAUID_RMRIDU", "CMANAME_RMRNOM", "CMATYPE_RMRGENRE", "CTUID_SRIDU", "CTNAME_SRNOM",
	"POPCTRRAUID_CTRPOPRRIDU", "POPCTRRANAME_CTRPOPRRNOM", "POPCTRRACLASS_CTRPOPRRCLASSE", "DAUID_ADIDU", "DBUID_IDIDU", "DBPOP2021_IDPOP2021",
}

// blocks writes the Geographic Attribute File: a dissemination block for every
// dissemination area of the address register.
func (c *Country) blocks(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row(blockColumns...)
	areaOf := func(id dataset.LayerID, cell int) HeldArea {
		if l := c.held(id, ""); l != nil && l.owner[cell] != None {
			return l.Areas[l.owner[cell]]
		}
		return HeldArea{}
	}
	for _, p := range c.disseminationAreas() {
		cell := c.cellAt(p)
		if cell == None {
			continue
		}
		k := &c.Cells[cell]
		m := &c.Municipalities[k.Municipality]
		federal, place, region := areaOf(dataset.LayerFederalDistrict, cell), areaOf(dataset.LayerDesignatedPlace, cell), areaOf(dataset.LayerEconomicRegion, cell)
		ccs, metro, tract := areaOf(dataset.LayerConsolidatedSubdivision, cell), areaOf(dataset.LayerMetroArea, cell), areaOf(dataset.LayerCensusTract, cell)
		centre := areaOf(dataset.LayerPopulationCentre, cell)
		class := "2"
		if centre.GEOID == "" {
			centre, class = HeldArea{GEOID: "9999", Name: "Rural area / Région rurale"}, "1"
		}
		da := itoa(int(p.DA))
		t.row(c.States[k.State].PRUID, c.CensusDivisions[m.Division].UID, federal.GEOID, federal.Name, m.UID, place.GEOID, place.Name, region.GEOID, region.Name,
			ccs.GEOID, ccs.Name, or(metro.GEOID, "999"), metro.Name, metroKind(metro.Kind), tract.GEOID, tract.Name,
			centre.GEOID, centre.Name, class, da, da+"001", strconv.Itoa(40))
	}
	return t.flush()
}

// schoolOffices writes the geocoded offices of school districts, without a
// header.
func (c *Country) schoolOffices(_ context.Context, w io.Writer) error {
	t := newTable(w, '|')
	for _, s := range c.schools() {
		a := s.area
		state := &c.States[a.State]
		county := c.Counties[s.county]
		zip := ""
		if z := c.Cells[s.cell].ZIP; z != None {
			zip = c.ZIPs[z].Code.String()
		}
		t.row(a.GEOID, a.Name, state.FIPS, "1 "+county.Base+" School Road", county.Base, state.Abbr, zip, state.FIPS, county.FIPS, county.Name,
			locales[int(s.cell)%len(locales)], latText(a.Point), lngText(a.Point), "N", "N", "0", "N", "N", "0", "0", "0", "2024-2025")
	}
	return t.flush()
}

// locales are those of the National Center for Education Statistics.
var locales = []string{"11", "12", "13", "21", "22", "23", "31", "32", "33", "41", "42", "43"}

// schoolAgencies writes the directory of local education agencies.
func (c *Country) schoolAgencies(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.quoteAll = true
	t.row("SCHOOL_YEAR", "LEAID", "ST_LEAID", "LEA_NAME", "ST", "LEA_TYPE", "LEA_TYPE_TEXT", "GSLO", "GSHI")
	for _, s := range c.schools() {
		low, high := "PK", "12"
		switch s.kind {
		case "elementary":
			high = "08"
		case "secondary":
			low = "09"
		}
		a := s.area
		abbr := c.States[a.State].Abbr
		t.row("2024-2025", a.GEOID, abbr+"-"+a.GEOID[2:], a.Name, abbr, "1", "Regular public school district", low, high)
	}
	return t.flush()
}

// A schoolDistrict is a school district with the county and cell of its office.
type schoolDistrict struct {
	area   *HeldArea
	kind   string
	county int32
	cell   int32
}

// schools returns the school districts, type by type.
func (c *Country) schools() []schoolDistrict {
	var list []schoolDistrict
	for i := range c.Held {
		l := &c.Held[i]
		if l.ID != dataset.LayerSchoolDistrict {
			continue
		}
		for k, cells := range l.cells() {
			list = append(list, schoolDistrict{&l.Areas[k], l.Kind, c.Cells[cells[0]].County, cells[0]})
		}
	}
	return list
}
