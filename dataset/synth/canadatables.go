package synth

import (
	"context"
	"io"

	"github.com/postgeo/postgeo/dataset"
)

// canadianTables are the tables of Statistics Canada and about Canada.
func (c *Country) canadianTables() []mirrorFile {
	areas := 0
	for i := range c.FSAs {
		if c.FSAs[i].HasArea {
			areas++
		}
	}
	return []mirrorFile{
		{"www150.statcan.gc.ca/n1/tbl/csv/98100019-eng.zip", areas + 1, zipped("98100019.csv", c.population)},
		{statCanLocal + "csd_2021_attributes.csv", len(c.Municipalities), c.municipalityTable},
		{statCanLocal + "cd_2021_attributes.csv", len(c.CensusDivisions), c.divisionTable},
		{statCanLocal + "cma_ca_names.csv", c.countHeld(dataset.LayerMetroArea), c.metroNames},
		{"www12.statcan.gc.ca/census-recensement/2021/geo/aip-pia/attribute-attribs/files-fichiers/2021_92-151_X.zip", len(c.disseminationAreas()), zipped("2021_92-151_X.csv", c.blocks)},
		{statCanLocal + "cduid_eruid.csv", len(c.CensusDivisions), c.economicRegions},
		{statCanLocal + "opcc/opcc_m2_correspondence.csv.gz", c.countPostal(true), gzipped(c.correspondence)},
		{statCanLocal + "opcc/opcc_m5_da_correspondence.csv.gz", c.countPostal(true), gzipped(c.areaCorrespondence)},
		{statCanLocal + "da/da2016_popw_centroids.csv.gz", len(c.disseminationAreas()), gzipped(c.areaPoints)},
		{statCanLocal + "da/da2021_to_da2016.csv.gz", len(c.disseminationAreas()), gzipped(c.areaLinks)},
		{auxDir + "npa/ca-area-code-cities.csv", len(c.FSAs), c.areaCodeCities},
	}
}

func (c *Country) countHeld(id dataset.LayerID) int {
	if l := c.held(id, ""); l != nil {
		return len(l.Areas)
	}
	return 0
}

// population writes table 98-10-0019: Canada, then every FSA. The counts of
// Canada are the sums.
func (c *Country) population(_ context.Context, w io.Writer) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	t := newTable(w, ',')
	t.quoteAll, t.end = true, "\r\n"
	const counts = "Population and dwelling counts (3):"
	t.row("REF_DATE", "GEO", "DGUID", "Coordinate", counts+"Population, 2021[1]", "Symbols",
		counts+"Total private dwellings, 2021[2]", "Symbols", counts+"Private dwellings occupied by usual residents, 2021[3]", "Symbols")
	var people, dwellings, occupied int64
	for i := range c.FSAs {
		people += int64(c.FSAs[i].Population)
		dwellings += int64(c.FSAs[i].Dwellings)
		occupied += int64(c.FSAs[i].Occupied)
	}
	t.row("2021", "Canada", "2021A000011124", "1", itoa(people), "", itoa(dwellings), "", itoa(occupied), "")
	for i := range c.FSAs {
		f := &c.FSAs[i]
		if !f.HasArea {
			continue // the census knows areas only
		}
		t.row("2021", f.Code.String(), "2021A0011"+f.Code.String(), itoa(i+2), itoa(f.Population), "", itoa(f.Dwellings), "", itoa(f.Occupied), "")
	}
	return t.flush()
}

func (c *Country) municipalityTable(_ context.Context, w io.Writer) error {
	metros := c.metroOfMunicipality()
	t := newTable(w, ',')
	t.row("CSDUID", "CSDNAME", "CSDTYPE", "CDUID", "CMAUID", "PRUID", "PR", "POP2021")
	for i := range c.Municipalities {
		m := &c.Municipalities[i]
		s := &c.States[m.State]
		metro := metros[i]
		if metro != "" {
			metro = s.PRUID + metro
		}
		t.row(m.UID, m.Name, m.Type, c.CensusDivisions[m.Division].UID, metro, s.PRUID, s.Abbr, itoa(m.Population))
	}
	return t.flush()
}

func (c *Country) divisionTable(_ context.Context, w io.Writer) error {
	people := make([]int32, len(c.CensusDivisions))
	for i := range c.Municipalities {
		people[c.Municipalities[i].Division] += c.Municipalities[i].Population
	}
	t := newTable(w, ',')
	t.row("CDUID", "CDNAME", "CDTYPE", "PRUID", "PR", "POP2021")
	for i := range c.CensusDivisions {
		d := &c.CensusDivisions[i]
		s := &c.States[d.State]
		t.row(d.UID, d.Name, d.Type, s.PRUID, s.Abbr, itoa(people[i]))
	}
	return t.flush()
}

func (c *Country) economicRegions(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row("cduid", "eruid", "ername")
	names := map[string]string{}
	if l := c.held(dataset.LayerEconomicRegion, ""); l != nil {
		for _, a := range l.Areas {
			names[a.GEOID] = a.Name + " / " + a.French
		}
	}
	for i := range c.CensusDivisions {
		d := &c.CensusDivisions[i]
		t.row(d.UID, regionOf(d.UID), names[regionOf(d.UID)])
	}
	return t.flush()
}

func (c *Country) correspondence(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row("postal_code", "DBUID", "DAUID", "CTUID", "n_observations", "n_unique_addresses", "n_sources", "address_weight",
		"best_link", "confidence", "source_vintage", "census_vintage")
	for i := range c.PostalCodes {
		if p := &c.PostalCodes[i]; p.Register {
			da := itoa(int(p.DA))
			t.row(p.Code.String(), da+"001", da, "", "12", "12", "1", "1", "TRUE", "1", c.Label, "2021")
		}
	}
	return t.flush()
}

func (c *Country) areaCorrespondence(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.quoteAll = true
	t.row("postal_code", "DAUID", "allocation_weight", "n_contributing_dbs", "contributing_dbuids", "source_vintages",
		"census_vintages", "evidence_classes", "best_link")
	for i := range c.PostalCodes {
		if p := &c.PostalCodes[i]; p.Register {
			da := itoa(int(p.DA))
			t.row(p.Code.String(), da, "1", "1", da+"001", c.Label, "2021", "", "TRUE")
		}
	}
	return t.flush()
}

// disseminationAreas returns one postal code of every dissemination area; all
// codes of an area have the area's point.
func (c *Country) disseminationAreas() []*PostalCode {
	var areas []*PostalCode
	seen := map[int32]bool{}
	for i := range c.PostalCodes {
		if p := &c.PostalCodes[i]; p.Register && !seen[p.DA] {
			seen[p.DA] = true
			areas = append(areas, p)
		}
	}
	return areas
}

func (c *Country) areaPoints(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row("da2016", "lat", "lon")
	for _, p := range c.disseminationAreas() {
		t.row(itoa(p.DA), latText(p.Point), lngText(p.Point))
	}
	return t.flush()
}

func (c *Country) areaLinks(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row("da2021", "da2016")
	for _, p := range c.disseminationAreas() {
		t.row(itoa(p.DA), itoa(p.DA))
	}
	return t.flush()
}

// areaCodeCities writes telephone area codes at the FSAs' points, without
// header.
func (c *Country) areaCodeCities(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	for i := range c.FSAs {
		f := &c.FSAs[i]
		s := &c.States[f.State]
		name := s.Name
		if s.Abbr == "QC" {
			name = s.NameFR
		}
		for _, code := range f.AreaCodes {
			t.row(itoa(int(code)), f.City, name, dataset.CA.String(), latText(f.Point), lngText(f.Point))
		}
	}
	return t.flush()
}
