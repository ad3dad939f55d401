package synth

import (
	"context"
	"io"
	"strings"

	"github.com/postgeo/postgeo/dataset"
)

// usTables are the smaller tables of the United States.
func (c *Country) usTables() []mirrorFile {
	areas := c.countZIPs(func(z *ZIP) bool { return z.HasArea })
	inMetro := 0
	for i := range c.Counties {
		if c.Counties[i].CBSA != None {
			inMetro++
		}
	}
	return []mirrorFile{
		{"www2.census.gov/programs-surveys/metro-micro/geographies/reference-files/2023/delineation-files/list1_2023.xlsx", inMetro, c.delineation},
		{"www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt", c.countHeld(dataset.LayerBlockGroup), c.blockGroupCenters},
		{auxDir + "census_regions/regions.csv", len(censusRegions), regionsCSV},
		{auxDir + "census_regions/divisions.csv", len(censusDivisions), divisionsCSV},
		{auxDir + "census_regions/states.csv", len(frames), c.statesCSV},
		{auxDir + "elevation/zip_code_elevations.csv", areas, c.zipElevations},
		{auxDir + "elevation/county_weighted_elevations.csv", len(c.Counties), c.countyElevations},
		{auxDir + "uds/zip_to_zcta_2015.csv.gz", c.countZIPs(inCrosswalk), gzipped(c.crosswalk)},
	}
}

func regionsCSV(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row("ID", "Name")
	for i, name := range censusRegions {
		t.row(itoa(i+1), name)
	}
	return t.flush()
}

func divisionsCSV(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row("ID", "Name", "Region ID")
	for i, d := range censusDivisions {
		t.row(itoa(i+1), d.name, itoa(d.region))
	}
	return t.flush()
}

// statesCSV writes the states; as in the real file the territories' rows end
// before the columns of region and division.
func (c *Country) statesCSV(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row("Name", "Code", "Type", "FIPS", "Region ID", "Division ID")
	for i := range c.States {
		switch s := &c.States[i]; {
		case s.FIPS == "":
		case s.Region == 0:
			t.row(s.Name, s.Abbr, s.Type, s.FIPS)
		default:
			t.row(s.Name, s.Abbr, s.Type, s.FIPS, itoa(s.Region), itoa(s.Division))
		}
	}
	return t.flush()
}

func (c *Country) zipElevations(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row("ZIP Code", "Average Elevation")
	for i := range c.ZIPs {
		if z := &c.ZIPs[i]; z.HasArea {
			t.row(z.Code.String(), decimal(z.Elevation, 5))
		}
	}
	return t.flush()
}

func (c *Country) countyElevations(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row("County_FIPS", "Weighted_Avg_Elevation", "NAME")
	for i := range c.Counties {
		t.row(c.Counties[i].FIPS, decimal(c.Counties[i].Elevation, 6), c.Counties[i].Base)
	}
	return t.flush()
}

// inCrosswalk reports whether the UDS crosswalk knows the ZIP: every ZIP with
// a point does.
func inCrosswalk(z *ZIP) bool { return z.Class != dataset.Military && !z.Decommissioned }

func (c *Country) crosswalk(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.quoteAll = true
	t.row("ZIP", "ReportingYear", "ZIPType", "CityName", "StateName", "StateAbbr", "ENC_ZIP", "ZCTA_USE")
	for i := range c.ZIPs {
		z := &c.ZIPs[i]
		if !inCrosswalk(z) {
			continue
		}
		kind := "ZIP Code Area"
		if z.Class == dataset.POBox || z.Class == dataset.Unique {
			kind = "Post Office or large volume customer"
		}
		enclosing := z.Enclosing.String()
		t.row(z.Code.String(), "2015", kind, strings.ReplaceAll(z.City, `"`, ""), "", c.States[z.State].Abbr, enclosing, enclosing)
	}
	return t.flush()
}
