package source

import (
	"iter"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source/format"
)

// A GazetteerRow is a row of a Gazetteer file of the U.S. Census Bureau. All
// its files share these columns, as far as they apply to the geography.
type GazetteerRow struct {
	State    string     `col:"USPS" miss:"file"` // two letters; "" in the ZCTA file
	GEOID    string     `col:"GEOID"`
	Name     string     `col:"NAME" miss:"file"`     // with its legal description; "" in the ZCTA file
	LSAD     string     `col:"LSAD" miss:"file"`     // legal/statistical area description; only in the place file
	FuncStat string     `col:"FUNCSTAT" miss:"file"` // functional status, e.g. "A" active government; only of places and subdivisions
	Land     int64      `col:"ALAND"`                // square meters
	Water    int64      `col:"AWATER"`               // square meters
	Location geo.LatLng `col:"INTPTLAT;INTPTLONG"`
	Line     int
}

// Gazetteer returns a reader of Gazetteer files whose GEOIDs have so many digits, and
// that must have further columns. ZCTAs and counties have 5, places 7 and county
// subdivisions 10. The delimiter is "|" since 2025 and a tab before. A row is refused
// when its GEOID, an area or its point is malformed.
func Gazetteer(geoidDigits int, columns ...string) func(format.File) iter.Seq2[GazetteerRow, error] {
	return func(f format.File) iter.Seq2[GazetteerRow, error] {
		return rowsOf(f, format.Options{Columns: columns}, func(r format.Row, _ *GazetteerRow) error {
			_, err := digits(r, "GEOID", geoidDigits)
			return err
		})
	}
}

// A CenterRow is the center of population of a block group.
type CenterRow struct {
	GEOID    string     `col:"STATEFP;COUNTYFP;TRACTCE;BLKGRPCE" digits:"2,3,6,1"`
	People   int64      `col:"POPULATION"`
	Location geo.LatLng `col:"LATITUDE;LONGITUDE"`
	Line     int
}

// BlockGroupCenters reads the centers of population of block groups that the
// U.S. Census Bureau publishes with a decennial census. A row is refused when
// a code, the count of people or the point is malformed.
func BlockGroupCenters(f format.File) iter.Seq2[CenterRow, error] {
	return rowsOf[CenterRow](f, format.Options{}, nil)
}

// A DelineationRow is a county and its metropolitan or micropolitan statistical
// area (OMB bulletin, list 1).
type DelineationRow struct {
	CountyFIPS    string `col:"FIPS State Code;FIPS County Code" digits:"2,3"`
	CBSA          string `col:"CBSA Code" digits:"5"`
	CBSATitle     string `col:"CBSA Title"`
	Metropolitan  bool
	Division      string `col:"Metropolitan Division Code" digits:"5" miss:"value"`
	DivisionTitle string `col:"Metropolitan Division Title"`
	CSA           string `col:"CSA Code" digits:"3" miss:"value"` // combined statistical area
	CSATitle      string `col:"CSA Title"`
	Line          int
}

// Delineation reads the delineation file (list 1), an Excel sheet
// with title rows above its header and footnotes below its data. A row is
// refused when a code is malformed or the kind of area is neither of the two.
func Delineation(f format.File) iter.Seq2[DelineationRow, error] {
	const colKind = "Metropolitan/Micropolitan Statistical Area"
	o := format.Options{Columns: []string{colKind}, Key: []string{"CBSA Code", "FIPS County Code"}}
	return rowsOf(f, o, func(r format.Row, d *DelineationRow) error {
		switch kind := r.Get(colKind); kind {
		case "Metropolitan Statistical Area":
			d.Metropolitan = true
		case "Micropolitan Statistical Area":
		default:
			return r.Errorf(colKind, "%q, expected Metropolitan or Micropolitan Statistical Area", kind)
		}
		return nil
	})
}

// An ElevationRow is the mean elevation of a ZCTA or county.
type ElevationRow struct {
	Code   string  `col:"ZIP Code" usual:"zipcode countyfips" digits:"5"`                                   // of the ZCTA or the county
	Meters float64 `col:"Average Elevation" usual:"averageelevation weightedavgelevation" range:"-90,6200"` // above sea level
	Line   int
}

// Elevations reads mean elevations by ZCTA or by county. It refuses elevations that are
// malformed or impossible. Possible are those between Death Valley, the lowest land of
// either country, and the highest summits.
func Elevations(f format.File) iter.Seq2[ElevationRow, error] {
	return rowsOf[ElevationRow](f, format.Options{Quoted: true}, nil)
}

// A SummaryLevel is a kind of area in the summary file of the American
// Community Survey.
type SummaryLevel uint8

// The levels that a build uses.
const (
	CountyLevel SummaryLevel = iota + 1
	SubdivisionLevel
	PlaceLevel
	ZCTALevel
)

// summaryLevels are the prefixes of GEO_IDs of whole areas: three digits of the summary
// level, two of the variant, two of the component (00 is the whole), and US.
var summaryLevels = [...]struct {
	prefix string
	level  SummaryLevel
	digits int
}{
	{"0500000US", CountyLevel, 5},
	{"0600000US", SubdivisionLevel, 10},
	{"1600000US", PlaceLevel, 7},
	{"860Z200US", ZCTALevel, 5},
}

// A SummaryRow is the count of one area.
type SummaryRow struct {
	Level SummaryLevel
	GEOID string // digits of the area
	Count *int64 // nil if blank
	Line  int
}

// SummaryFile reads a table of the table-based summary file, for example
// acsdt5y2024-b01003.dat: text with "|" between GEO_ID, estimates and margins
// of error. It takes the first estimate, which is the total. A row of another
// level is an error that matches [format.ErrOther].
func SummaryFile(f format.File, name string) iter.Seq2[SummaryRow, error] {
	total := name + "_E001"
	return parsed(f.Rows(format.Options{Columns: []string{"GEO_ID", total}}), func(r format.Row) (row SummaryRow, err error) {
		id := r.Get("GEO_ID")
		for _, l := range summaryLevels {
			code, ok := strings.CutPrefix(id, l.prefix)
			if !ok {
				continue
			}
			if !isDigits(code, l.digits) {
				return row, r.Errorf("GEO_ID", "%q is not %s and %d digits", id, l.prefix, l.digits)
			}
			row.Level, row.GEOID, row.Line = l.level, code, r.Number
			row.Count, err = optional(r, total, count)
			return row, err
		}
		return row, &format.Error{File: f.Path, Line: r.Number, Column: "GEO_ID", Reason: id, Err: format.ErrOther}
	})
}
