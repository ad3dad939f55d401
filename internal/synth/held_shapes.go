package synth

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/store"
)

// A heldFile is the official file of a layer.
type heldFile struct {
	id      store.LayerID
	kind    string
	base    string // path without its extension
	columns string
	canada  bool
	values  func(a *HeldArea) []string
}

// census returns a cartographic boundary file. It has the state, the other
// parts of the code, the code, further columns, and the area. The argument
// parts holds the columns and rest returns the values of the further ones.
func census(id store.LayerID, kind, base, prefix, parts, code, further string, rest func(a *HeldArea) []string) heldFile {
	columns := strings.Join([]string{"STATEFP:2", parts, code, further, "ALAND:N14 AWATER:N14"}, " ")
	cuts := fieldsOf(parts)
	return heldFile{id, kind, base, columns, false, func(a *HeldArea) []string {
		values, at := []string{a.GEOID[:2]}, 2
		for _, f := range cuts {
			values = append(values, a.GEOID[at:at+min(f.size, len(a.GEOID)-at)])
			at += f.size
		}
		return slices.Concat(values, []string{prefix + "US" + a.GEOID, a.GEOID}, rest(a), a.Area.squareMeters())
	}}
}

// heldFiles are the files of the layers, in the order of the layers.
func (c *Country) heldFiles() []heldFile {
	const name, state = "NAME:100", "STUSPS:2 STATE_NAME:100 LSAD:2"
	counties := map[string]string{}
	for _, k := range all(c.Counties) {
		counties[k.FIPS] = k.Name
	}
	legislature := func(id store.LayerID, base, code, prefix string) heldFile {
		return census(id, "", shp2024+base, prefix, code+":3", "GEOIDFQ:14 GEOID:5", name+" NAMELSAD:100 LSY:4 "+state, func(a *HeldArea) []string {
			s := &c.States[a.State]
			return []string{a.Base, a.Name, "2024", s.Abbr, s.Name, "LU"}
		})
	}
	school := func(kind, base, code, prefix string) heldFile {
		return census(store.LayerSchoolDistrict, kind, base, prefix, code+":5", "GEOIDFQ:16 GEOID:7", name+" "+state, func(a *HeldArea) []string {
			s := &c.States[a.State]
			return []string{a.Name, s.Abbr, s.Name, "00"}
		})
	}
	congress := func(id store.LayerID, base, number string) heldFile {
		return census(id, "", base, "5001900", "CD"+number+"FP:2", "GEOIDFQ:13 GEOID:4", "NAMELSAD:100 LSAD:2 CDSESSN:3",
			func(a *HeldArea) []string { return []string{a.Name, "C2", number} })
	}
	return []heldFile{
		census(store.LayerTract, "", shp2024+"cb_2024_us_tract_500k", "1400000", "COUNTYFP:3 TRACTCE:6", "GEOIDFQ:20 GEOID:11",
			name+" NAMELSAD:100 STUSPS:2 NAMELSADCO:100 STATE_NAME:100 LSAD:2", func(a *HeldArea) []string {
				s := &c.States[a.State]
				return []string{a.Base, a.Name, s.Abbr, counties[a.GEOID[:5]], s.Name, "CT"}
			}),
		census(store.LayerBlockGroup, "", shp2024+"cb_2024_us_bg_500k", "1500000", "COUNTYFP:3 TRACTCE:6 BLKGRPCE:1", "GEOIDFQ:21 GEOID:12",
			name+" NAMELSAD:100 LSAD:2", func(a *HeldArea) []string { return []string{a.Base, a.Name, "BG"} }),
		congress(store.LayerCongressionalDistrict, shp2024+"cb_2024_us_cd119_500k", "119"),
		congress(store.PlanLayer(store.LayerCongressionalDistrict, 1), "aux.local/plans/us_cd120_2026", "120"),
		legislature(store.LayerStateUpper, "cb_2024_us_sldu_500k", "SLDUST", "610U800"),
		legislature(store.LayerStateLower, "cb_2024_us_sldl_500k", "SLDLST", "620L800"),
		school("unified", shp2024+"cb_2024_us_unsd_500k", "UNSDLEA", "9700000"),
		school("elementary", shp2024+"cb_2024_us_elsd_500k", "ELSDLEA", "9500000"),
		school("secondary", shp2024+"cb_2024_us_scsd_500k", "SCSDLEA", "9600000"),
		school("administrative", tigerDir+"TIGER2024/SDADM/tl_2024_50_sdadm", "SDADMLEA", "9800000"),
		c.statCanFile(store.LayerCensusTract, "lct_000b21a_e", "CT", "0507", ""),
		c.statCanFile(store.LayerMetroArea, "lcma000b21a_e", "CMA", "0503", "CMATYPE:3"),
		c.statCanFile(store.LayerEconomicRegion, "ler_000b21a_e", "ER", "0500", ""),
		c.statCanFile(store.LayerPopulationCentre, "lpc_000b21a_e", "PC", "0510", "PCTYPE:2"),
		c.statCanFile(store.LayerConsolidatedSubdivision, "lccs000b21a_e", "CCS", "0502", ""),
		c.statCanFile(store.LayerDesignatedPlace, "ldpl000b21a_e", "DPL", "0506", "DPLTYPE:3"),
		{
			store.LayerFederalDistrict, "", statCanDir + "lfed000b21a_e",
			"FEDUID:5 DGUID:21 FEDNAME:100 FEDENAME:100 FEDFNAME:100 LANDAREA:N12.4 PRUID:2", true,
			func(a *HeldArea) []string {
				name := a.Base
				if a.French != a.Base {
					name += " / " + a.French
				}
				return []string{a.GEOID, "2013A0004" + a.GEOID, name, a.Base, a.French, a.Area.squareKilometers(), c.States[a.State].PRUID}
			},
		},
	}
}

// statCanFile returns a file of Statistics Canada whose columns begin with
// prefix. The column kind may be empty.
func (c *Country) statCanFile(id store.LayerID, base, prefix, level, kind string) heldFile {
	columns := prefix + "UID:10 DGUID:21 " + prefix + "NAME:100 " + kind + " LANDAREA:N12.4 PRUID:2"
	return heldFile{id, "", statCanDir + base, columns, true, func(a *HeldArea) []string {
		name, province := a.Name, ""
		if a.French != "" {
			name += " / " + a.French
		}
		if a.State != None {
			province = c.States[a.State].PRUID
		}
		values := []string{a.GEOID, "2021A" + level + a.GEOID, name}
		if kind != "" {
			values = append(values, metroKind(a.Kind))
		}
		return append(values, a.Area.squareKilometers(), province)
	}}
}

// metroKind returns the letter of Statistics Canada's files for the kind of a
// metropolitan area. It returns other kinds unchanged.
func metroKind(kind string) string {
	switch kind {
	case "CMA":
		return "B"
	case "CA":
		return "D"
	}
	return kind
}

func (c *Country) heldBoundaries() []mirrorFile {
	var files []mirrorFile
	for _, f := range append(c.heldFiles(), c.furtherFiles()...) {
		l := c.held(f.id, f.kind)
		switch {
		case l == nil:
		case inState(f.base, "") != f.base:
			files = append(files, c.byState(f, l)...)
		default:
			files = append(files, c.outlined(f.base, f.columns, f.canada, l.cells, func(i int) []string { return f.values(&l.Areas[i]) }))
		}
	}
	return files
}

// inState returns the path of a state's file. Its pattern has SS in place of the state.
func inState(base, fips string) string { return strings.Replace(base, "_SS_", "_"+fips+"_", 1) }

func (l *HeldLayer) cells() [][]int32 {
	list := make([][]int32, len(l.Areas))
	for i, o := range l.owner {
		if o != None {
			list[o] = append(list[o], int32(i))
		}
	}
	return list
}
