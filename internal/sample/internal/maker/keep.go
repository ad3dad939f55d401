package maker

import (
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/source"
)

// details are those of layers, by source. Districts that wind through cities stay exact there.
var details = map[string]detail{"cb-states": coarseAll, "statcan-lcd": coarseAll, "timezones": coarseAll, "statcan-lfed": coarseAll, "plan-cd120": exactNear, "cb-congress": exactNear}

// keep is the filter of the build.
func (c *clip) keep(id string, row any) (any, bool) {
	switch r := row.(type) {
	case source.GeoNamesRow:
		return row, c.code(r.Code)
	case source.UDSRow:
		return row, c.zips[r.ZIP]
	case source.ZIPBusinessRow:
		return row, c.zips[r.ZIP]
	case source.CorrespondenceRow:
		return row, c.counted[r.Code.FSA()]
	case source.CodeBlockRow:
		return row, c.counted[r.Code.FSA()]
	case source.FSAPopulationRow:
		return row, c.fsas[r.FSA]
	case source.GazetteerRow:
		return row, c.listed(id, r.GEOID)
	case source.ElevationRow:
		return row, c.listed(id, r.Code)
	case source.CenterRow:
		return row, c.fine[[2]int32{cell(r.Location.Lng()), cell(r.Location.Lat())}]
	case source.DelineationRow:
		return row, c.counties[r.CountyFIPS]
	case source.SSACountyRow:
		return row, c.counties[r.CountyFIPS]
	case source.RatingAreaRow:
		return row, c.counties[r.CountyFIPS] || r.CountyFIPS == ""
	case source.SubdivisionRow:
		return row, c.met["statcan-lcsd"][r.CSD]
	case source.SchoolIDRow:
		return row, c.met["cb-school-unified"][r.LEA]
	case source.SummaryRow:
		switch r.Level {
		case source.ZCTALevel:
			return row, c.zctas[r.GEOID]
		case source.SubdivisionLevel:
			return row, c.counties[r.GEOID[:5]]
		case source.PlaceLevel:
			return row, c.met["cb-places"][r.GEOID]
		default:
			return row, true
		}
	case source.FSALandRow:
		if large(r.Polygon.Bound()) {
			r.Polygon = c.coarse(r.Polygon, details[id])
		}
		return r, c.fsas[r.FSA]
	case source.LayerAreaRow:
		if id == "cb-zctas" {
			zip, ok := dataset.ParseZIP(r.ID)
			return row, ok && c.zips[zip]
		}
		if met, listed := c.met[id]; listed && !met[r.ID] {
			return nil, false
		}
		r.Polygon = c.coarse(r.Polygon, details[id])
		return r, true
	case source.AreaRow: // time zones, census divisions and subdivisions
		if met, listed := c.met[id]; listed && !met[r.ID] {
			return nil, false
		}
		r.Polygon = c.coarse(r.Polygon, details[id])
		return r, true
	}
	return row, true
}

// code reports whether a line of GeoNames is of the sample.
func (c *clip) code(code string) bool {
	if zip, ok := dataset.ParseZIP(code); ok {
		return c.zips[zip]
	}
	if fsa, ok := dataset.ParseFSA(code); ok {
		return c.fsas[fsa]
	}
	postal, ok := dataset.ParsePostalCode(code)
	return ok && c.counted[postal.FSA()]
}

// listed reports whether an area of a table is of the sample.
func (c *clip) listed(id, geoid string) bool {
	switch {
	case strings.HasSuffix(id, "-zcta"):
		return c.zctas[geoid]
	case id == "gazetteer-cbsas":
		return c.met["cb-cbsas"][geoid]
	case id == "gazetteer-places":
		return c.met["cb-places"][geoid]
	default: // counties and their subdivisions
		return c.counties[geoid[:5]]
	}
}
