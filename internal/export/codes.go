package export

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/lookup"
)

// A codeColumn is a column of codes: a field of the quick record, or of the full record
// with its quality.
type codeColumn struct {
	name, path string
	typ        enrich.Type
}

// Columns of codes. The code_type is ZIP, FSA or Postal; the parent_code is the FSA of a
// postal code.
var (
	codeColumns = []codeColumn{
		{"code", "code", enrich.String},
		{"code_type", "code_type", enrich.String},
		{"country", "country", enrich.String},
		{"parent_code", "parent_code", enrich.String},
		{"city", "city", enrich.String},
		{"state", "state", enrich.String},
		{"state_name", "state_name", enrich.String},
		{"state_fips", "state_fips", enrich.String},
		{"county", "county", enrich.String},
		{"county_fips", "county_fips", enrich.String},
		{"multi_county", "multi_county", enrich.Bool},
		{"classification", "classification", enrich.String},
		{"classification_name", "classification_name", enrich.String},
		{"municipality", "municipality", enrich.String},
		{"lat", "location.lat", enrich.Float},
		{"lon", "location.lon", enrich.Float},
		{"timezone", "timezone.iana_name", enrich.String},
	}
	qualityColumns = []codeColumn{
		{"point_source", "quality.point_source", enrich.String},
		{"outline_source", "quality.outline_source", enrich.String},
		{"outline_area_ratio", "quality.outline_area_ratio", enrich.Float}, // drawn by stated area
		{"population_source", "quality.population_source", enrich.String},
		{"population_year", "quality.population_year", enrich.Int},
		{"housing_units", "quality.housing_units", enrich.Int},
		{"housing_source", "quality.housing_source", enrich.String},
		{"classification_basis", "quality.classification_basis", enrich.String},
	}
)

// CodeOptions selects the columns of [Codes].
type CodeOptions struct {
	Quality bool // add the sources and reliability of each code's data
}

// Codes writes a row for every ZIP, FSA and full Canadian postal code, in this
// order. It returns the number of rows. w has the columns of
// [CodeOptions.Fields].
func Codes(ctx context.Context, db *postgeo.DB, w *table.Writer, opt CodeOptions) (int64, error) {
	var paths []string
	for _, c := range opt.columns() {
		paths = append(paths, c.path)
	}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: paths})
	if err != nil {
		return 0, err
	}
	var n int64
	var values []enrich.Value
	for _, kind := range []lookup.CodeType{lookup.ZIP, lookup.FSA, lookup.Postal} {
		for code, err := range db.Codes(ctx, kind) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return n, err
			}
			var out enrich.Outcome
			if values, out, err = e.Row(ctx, code, values[:0]); err != nil {
				return n, err
			}
			if out.Status != enrich.Matched {
				return n, fmt.Errorf("export: code %s is listed and not found: %s", code, out.Reason)
			}
			if err := w.Write(values); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

func (o CodeOptions) columns() []codeColumn {
	if o.Quality {
		return slices.Concat(codeColumns, qualityColumns)
	}
	return codeColumns
}

// Fields returns the columns of [Codes].
func (o CodeOptions) Fields() (fields []table.Field) {
	for _, c := range o.columns() {
		fields = append(fields, table.Field{Name: c.name, Type: c.typ})
	}
	return fields
}

// CrosswalkFields are the columns of [Crosswalk] with a weight. pct_of_code is the
// percentage of the ZIP or FSA, pct_of_area that of the area. A code without an outline
// has neither, and its basis is contains_point.
func CrosswalkFields(weight lookup.Weight) []table.Field {
	measure := columns(enrich.Float, "intersection_sq_mi")
	switch weight {
	case lookup.WeightPeople:
		measure = columns(enrich.Int, "people")
	case lookup.WeightHousing:
		measure = columns(enrich.Int, "housing_units")
	default:
	}
	return slices.Concat(columns(enrich.String, "layer", "code", "code_type", "geoid", "name", "basis"), measure, columns(enrich.Float, "pct_of_code", "pct_of_area"))
}

// CrosswalkLayers returns the layers that the dataset holds codes against. For
// a dataset without any the error matches [postgeo.ErrUnavailable].
func CrosswalkLayers(ctx context.Context, db *postgeo.DB) ([]lookup.Layer, error) {
	var ids []lookup.Layer
	for _, id := range lookup.Layers() {
		for _, err := range db.AreaIDs(ctx, id) {
			if errors.Is(err, postgeo.ErrUnavailable) {
				break
			}
			if err != nil {
				return nil, err
			}
			ids = append(ids, id)
			break
		}
	}
	if len(ids) == 0 {
		return nil, errNoPairs()
	}
	return ids, nil
}

// Crosswalk writes a row for each overlapping pair of a code and an area, by
// layer, code and descending share. It returns the number of rows. If the
// dataset has no pairs, the error is a [postgeo.ErrUnavailable].
func Crosswalk(ctx context.Context, db *postgeo.DB, layers []lookup.Layer, opt lookup.CrosswalkOptions, w *table.Writer) (int64, error) {
	var n int64
	var values []enrich.Value
	for _, id := range layers {
		for _, from := range [...]struct {
			name lookup.Layer
			kind lookup.CodeType
			in   string
		}{{"fsa", lookup.FSA, "CA"}, {"zip", lookup.ZIP, "US"}} {
			byArea := opt.Weight == "" || opt.Weight == lookup.WeightArea
			country := id.Country()
			if country != "" && country != from.in || from.in == "CA" && !byArea && country != "CA" {
				continue // Canada has no people of small areas
			}
			for row, err := range db.Crosswalk(ctx, from.name, id, opt) {
				if err != nil {
					return n, err
				}
				measure := float(row.IntersectionSqMi)
				if row.HousingUnits != nil {
					measure = enrich.IntValue(*row.HousingUnits)
				} else if row.People != nil {
					measure = enrich.IntValue(int64(*row.People))
				}
				values = append(values[:0],
					enrich.StringValue(string(id)), enrich.StringValue(row.From), enrich.StringValue(string(from.kind)),
					enrich.StringValue(row.To), enrich.StringValue(row.ToName), enrich.StringValue(row.Basis), measure, float(row.PctOfFrom), float(row.PctOfTo))
				if err := w.Write(values); err != nil {
					return n, err
				}
				n++
			}
		}
	}
	if n == 0 && opt.State == "" {
		return 0, errNoPairs()
	}
	return n, nil
}

func errNoPairs() error { return lacks("areas that codes share something with") }

func float(f *float64) enrich.Value {
	if f == nil {
		return enrich.Value{}
	}
	return enrich.FloatValue(*f)
}
