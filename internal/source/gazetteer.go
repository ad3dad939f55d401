package source

import (
	"iter"

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

// Gazetteer returns a reader of Gazetteer files whose GEOIDs have so many digits.
// ZCTAs and counties have 5, places 7 and county subdivisions 10. The delimiter is "|" since 2025 and a tab before, by the header. A row is refused
// when its GEOID, an area or its point is malformed.
func Gazetteer(geoidDigits int) func(*format.Input) iter.Seq2[GazetteerRow, error] {
	return func(in *format.Input) iter.Seq2[GazetteerRow, error] {
		return rowsOf(in, textOptions(in), func(r format.Row, _ *GazetteerRow) error {
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
func BlockGroupCenters(in *format.Input) iter.Seq2[CenterRow, error] {
	return rowsOf[CenterRow](in, format.TableOptions{}, nil)
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

// Delineation reads the delineation file (list 1) at the path, an Excel sheet
// with title rows above its header and footnotes below its data. A row is
// refused when a code is malformed or the kind of area is neither of the two.
func Delineation(path string) iter.Seq2[DelineationRow, error] {
	const colKind = "Metropolitan/Micropolitan Statistical Area"
	row := newRowReader[DelineationRow](nil)
	return sheet(path, append(row.columns, format.Column{Name: colKind}), []string{"CBSA Code", "FIPS County Code"}, row.parser(func(r format.Row, d *DelineationRow) error {
		switch kind := r.Get(colKind); kind {
		case "Metropolitan Statistical Area":
			d.Metropolitan = true
		case "Micropolitan Statistical Area":
		default:
			return r.Errorf(colKind, "%q, expected Metropolitan or Micropolitan Statistical Area", kind)
		}
		return nil
	}))
}

// sheet reads the rows of an Excel file whose key columns are not blank.
func sheet[R any](path string, columns []format.Column, key []string, parse func(format.Row) (R, error)) iter.Seq2[R, error] {
	return opened(func() (*format.Sheet, error) {
		return format.OpenSheet(path, format.SheetOptions{Columns: columns, Key: key})
	}, (*format.Sheet).Rows, parse)
}
