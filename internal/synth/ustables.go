package synth

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/xlsx"
)

// usTables are the smaller tables of the United States.
func (c *Country) usTables() []mirrorFile {
	bom := csv
	bom.mark = true
	return []mirrorFile{
		{"www2.census.gov/programs-surveys/metro-micro/geographies/reference-files/2023/delineation-files/list1_2023.xlsx", c.delineation},
		bom.list("www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt",
			"STATEFP,COUNTYFP,TRACTCE,BLKGRPCE,POPULATION,LATITUDE,LONGITUDE", c.blockGroupCenters),
		csv.list(auxDir+"elevation/zip_code_elevations.csv", "ZIP Code,Average Elevation", func(t *table) {
			for _, z := range all(c.ZIPs) {
				if z.HasArea {
					t.row(z.Code.String(), decimal(z.Elevation, 5))
				}
			}
		}),
		csv.list(auxDir+"elevation/county_weighted_elevations.csv", "County_FIPS,Weighted_Avg_Elevation,NAME", func(t *table) {
			for _, k := range all(c.Counties) {
				t.row(k.FIPS, decimal(k.Elevation, 6), k.Base)
			}
		}),
		quotedCSV.list(auxDir+"uds/zip_to_zcta_2015.csv.gz", "ZIP,ReportingYear,ZIPType,CityName,StateName,StateAbbr,ENC_ZIP,ZCTA_USE", func(t *table) {
			for _, z := range all(c.ZIPs) {
				if z.Class == store.Military || z.Decommissioned {
					continue
				}
				kind := "ZIP Code Area"
				if z.Class == store.POBox || z.Class == store.Unique {
					kind = "Post Office or large volume customer"
				}
				enclosing := z.Enclosing.String()
				t.row(z.Code.String(), "2015", kind, strings.ReplaceAll(z.City, `"`, ""), "", c.States[z.State].Abbr, enclosing, enclosing)
			}
		}),
	}
}

func (c *Country) gazetteer() []mirrorFile {
	file := func(name, columns string, add func(row func(a Area, p geo.LatLng, first ...string))) mirrorFile {
		member := "2025_Gaz_" + name + "_national"
		return pipes.file(gazetteerDir+member+".zip", member+".txt", func(t *table) {
			t.line(strings.Split(columns+" ALAND AWATER ALAND_SQMI AWATER_SQMI INTPTLAT INTPTLONG", " ")...)
			add(func(a Area, p geo.LatLng, first ...string) {
				lat, lng := latLng(p)
				t.row(slices.Concat(first, a.squareMeters(), a.squareMiles(), []string{lat, lng})...)
			})
		})
	}
	return []mirrorFile{
		file("zcta", "GEOID GEOIDFQ", func(row func(Area, geo.LatLng, ...string)) {
			for _, z := range all(c.ZIPs) {
				if z.HasArea {
					row(z.Area, z.Point, z.Code.String(), "860Z200US"+z.Code.String())
				}
			}
		}),
		file("counties", "USPS GEOID GEOIDFQ ANSICODE NAME", func(row func(Area, geo.LatLng, ...string)) {
			for i, k := range all(c.Counties) {
				row(k.Area, k.Point, c.States[k.State].Abbr, k.FIPS, "0500000US"+k.FIPS, ansi(i), k.Name)
			}
		}),
		file("cbsa", "CSAFP GEOID GEOIDFQ NAME CBSA_TYPE", func(row func(Area, geo.LatLng, ...string)) {
			for _, m := range all(c.CBSAs) {
				name, kind := m.Title+" Micro Area", "2"
				if m.Metropolitan {
					name, kind = m.Title+" Metro Area", "1"
				}
				row(m.Area, m.Point, m.CSA, m.Code, "310M700US"+m.Code, name, kind)
			}
		}),
		file("place", "USPS GEOID GEOIDFQ ANSICODE NAME LSAD FUNCSTAT", func(row func(Area, geo.LatLng, ...string)) {
			for i, p := range all(c.Places) {
				row(p.Area, p.Point, c.States[p.State].Abbr, p.GEOID, "1600000US"+p.GEOID, ansi(i), p.Name, p.LSAD, functional(p.Active))
			}
		}),
		file("cousubs", "USPS GEOID GEOIDFQ ANSICODE NAME FUNCSTAT", func(row func(Area, geo.LatLng, ...string)) {
			for i, s := range all(c.Subdivisions) {
				row(s.Area, s.Point, c.States[c.Counties[s.County].State].Abbr, s.GEOID, "0600000US"+s.GEOID, ansi(i), s.Name, functional(s.Active))
			}
		}),
	}
}

// ansi returns an invented eight-digit feature number.
func ansi(i int) string {
	s := itoa(90_000_001 + i)
	return s[len(s)-8:]
}

// functional returns the functional status: A for an active government, S for
// a statistical entity.
func functional(active bool) string {
	if active {
		return "A"
	}
	return "S"
}

// delineation writes list 1 of the metropolitan delineations: two title rows,
// a header, a row for every county of an area, and footnotes.
func (c *Country) delineation(_ context.Context, w io.Writer) (int, error) {
	areas := c.delineationRows()
	rows := slices.Concat([][]string{
		{"Table with row headers in column A and column headers in row 3"},
		{"List 1. CBSAs, metropolitan divisions and CSAs of an " + c.Label + " country"},
		{
			"CBSA Code", "Metropolitan Division Code", "CSA Code", "CBSA Title", "Metropolitan/Micropolitan Statistical Area",
			"Metropolitan Division Title", "CSA Title", "County/County Equivalent", "State Name", "FIPS State Code", "FIPS County Code", "Central/Outlying County",
		},
	}, areas, [][]string{{"Note: " + c.Label + " data."}, {"Source: not the publisher's file."}})
	return len(areas), xlsx.Write(w, "List 1", rows)
}

func (c *Country) delineationRows() [][]string {
	var rows [][]string
	for _, k := range all(c.Counties) {
		if k.CBSA == None {
			continue
		}
		m, s := &c.CBSAs[k.CBSA], &c.States[k.State]
		kind, role := "Micropolitan Statistical Area", "Outlying"
		if m.Metropolitan {
			kind = "Metropolitan Statistical Area"
		}
		if k.Central {
			role = "Central"
		}
		division, divisionTitle := "", ""
		if k.Division != None {
			division, divisionTitle = c.Divisions[k.Division].Code, c.Divisions[k.Division].Title
		}
		rows = append(rows, []string{
			m.Code, division, m.CSA, m.Title, kind, divisionTitle, m.CSATitle, k.Name, s.Name, k.FIPS[:2], k.FIPS[2:], role,
		})
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return rows
}

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
		if l.ID != store.LayerSchoolDistrict {
			continue
		}
		for k, cells := range l.cells() {
			list = append(list, schoolDistrict{&l.Areas[k], l.Kind, c.Cells[cells[0]].County, cells[0]})
		}
	}
	return list
}
