package synth

import "github.com/postgeo/postgeo/internal/dataset"

// schoolTables are the tables of the National Center for Education Statistics.
func (c *Country) schoolTables() []mirrorFile {
	return []mirrorFile{
		pipes.file(ncesDir+"programs/edge/data/EDGE_GEOCODE_PUBLICLEA_2425.zip", "EDGE_GEOCODE_PUBLICLEA_2425.TXT", c.schoolOffices),
		quotedCSV.file(ncesDir+"ccd/Data/zip/ccd_lea_029_2425_w_1a_073025.zip", "ccd_lea_029_2425_w_1a_073025.csv", c.schoolAgencies),
	}
}

// schoolOffices writes the geocoded offices of school districts, without a
// header.
func (c *Country) schoolOffices(t *table) {
	locales := []string{"11", "12", "13", "21", "22", "23", "31", "32", "33", "41", "42", "43"}
	for _, s := range c.schools() {
		a := s.area
		state := &c.States[a.State]
		county := c.Counties[s.county]
		zip := ""
		if z := c.Cells[s.cell].ZIP; z != None {
			zip = c.ZIPs[z].Code.String()
		}
		lat, lng := latLng(a.Point)
		t.row(a.GEOID, a.Name, state.FIPS, "1 "+county.Base+" School Road", county.Base, state.Abbr, zip, state.FIPS, county.FIPS, county.Name,
			locales[int(s.cell)%len(locales)], lat, lng, "N", "N", "0", "N", "N", "0", "0", "0", "2024-2025")
	}
}

// schoolAgencies writes the directory of local education agencies.
func (c *Country) schoolAgencies(t *table) {
	t.line("SCHOOL_YEAR", "LEAID", "ST_LEAID", "LEA_NAME", "ST", "LEA_TYPE", "LEA_TYPE_TEXT", "GSLO", "GSHI")
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
	for _, l := range all(c.Held) {
		if l.ID != dataset.LayerSchoolDistrict {
			continue
		}
		for k, cells := range l.cells() {
			list = append(list, schoolDistrict{&l.Areas[k], l.Kind, c.Cells[cells[0]].County, cells[0]})
		}
	}
	return list
}
