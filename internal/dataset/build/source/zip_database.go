package source

import (
	"iter"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A ZIPDatabaseRow is a row of zip_code_database.csv, a file that a user may
// have from its private publisher.
type ZIPDatabaseRow struct {
	ZIP            dataset.ZIP
	Class          dataset.Class
	Decommissioned bool
	City           string
	Acceptable     []string // other names for the last line
	State          string   // two letters
	County         string   // name with its legal description; "" unknown
	AreaCodes      []string // three digits each
	Location       geo.LatLng
	Line           int
}

// ZIPDatabase reads zip_code_database.csv. A row is refused when its ZIP, type
// or state is malformed or its city is blank.
func ZIPDatabase(in *format.Input) iter.Seq2[ZIPDatabaseRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("zip", "type", "decommissioned",
		"primary_city", "acceptable_cities", "state", "county", "area_codes", "latitude", "longitude")}
	return table(in, o, zipDatabaseRow)
}

func zipDatabaseRow(r format.Row) (ZIPDatabaseRow, error) {
	z := ZIPDatabaseRow{
		Decommissioned: r.Get("decommissioned") == "1",
		State:          r.Get("state"),
		County:         r.Get("county"),
		Acceptable:     list(r.Get("acceptable_cities")),
		AreaCodes:      list(r.Get("area_codes")),
		Line:           r.Line(),
	}
	var ok bool
	if z.ZIP, ok = dataset.ParseZIP(r.Get("zip")); !ok {
		return z, r.Errorf("zip", "%q is not five digits", r.Get("zip"))
	}
	switch kind := r.Get("type"); kind {
	case "STANDARD":
		z.Class = dataset.General
	case "PO BOX":
		z.Class = dataset.POBox
	case "UNIQUE":
		z.Class = dataset.Unique
	case "MILITARY":
		z.Class = dataset.Military
	default:
		return z, r.Errorf("type", "%q, expected STANDARD, PO BOX, UNIQUE or MILITARY", kind)
	}
	if len(z.State) != 2 {
		return z, r.Errorf("state", "%q is not two letters", z.State)
	}
	var err error
	if z.City, err = required(r, "primary_city"); err != nil {
		return z, err
	}
	z.Location, err = point(r, "latitude", "longitude")
	return z, err
}

// list splits a list with commas, without spaces and empty entries.
func list(s string) []string {
	var l []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			l = append(l, part)
		}
	}
	return l
}
