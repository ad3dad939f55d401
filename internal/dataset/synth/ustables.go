package synth

import (
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
)

// usTables are the smaller tables of the United States.
func (c *Country) usTables() []mirrorFile {
	bom := csv
	bom.mark = true
	return []mirrorFile{
		{"www2.census.gov/programs-surveys/metro-micro/geographies/reference-files/2023/delineation-files/list1_2023.xlsx", c.delineation},
		bom.list("www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt",
			"STATEFP,COUNTYFP,TRACTCE,BLKGRPCE,POPULATION,LATITUDE,LONGITUDE", c.blockGroupCenters),
		csv.list(auxDir+"census_regions/regions.csv", "ID,Name", func(t *table) {
			for i, name := range censusRegions {
				t.row(itoa(i+1), name)
			}
		}),
		csv.list(auxDir+"census_regions/divisions.csv", "ID,Name,Region ID", func(t *table) {
			for i, d := range censusDivisions {
				t.row(itoa(i+1), d.name, itoa(d.region))
			}
		}),
		csv.list(auxDir+"census_regions/states.csv", "Name,Code,Type,FIPS,Region ID,Division ID", func(t *table) {
			for _, s := range all(c.States) {
				switch {
				case s.FIPS == "":
				case s.Region == 0: // as in the real file, rows of territories end before the region
					t.row(s.Name, s.Abbr, s.Type, s.FIPS)
				default:
					t.row(s.Name, s.Abbr, s.Type, s.FIPS, itoa(s.Region), itoa(s.Division))
				}
			}
		}),
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
				if z.Class == dataset.Military || z.Decommissioned {
					continue
				}
				kind := "ZIP Code Area"
				if z.Class == dataset.POBox || z.Class == dataset.Unique {
					kind = "Post Office or large volume customer"
				}
				enclosing := z.Enclosing.String()
				t.row(z.Code.String(), "2015", kind, strings.ReplaceAll(z.City, `"`, ""), "", c.States[z.State].Abbr, enclosing, enclosing)
			}
		}),
	}
}
