package export

import (
	"context"
	"errors"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/dataset"
)

// CrosswalkFields are the columns of [Crosswalk]. pct_of_code is the percentage
// of the ZIP or FSA, pct_of_area that of the area. A code without an outline
// has neither, and its basis is contains_point.
func CrosswalkFields(population bool) []table.Field {
	fields := []table.Field{
		{Name: "layer", Type: enrich.String},
		{Name: "code", Type: enrich.String},
		{Name: "code_type", Type: enrich.String},
		{Name: "geoid", Type: enrich.String},
		{Name: "name", Type: enrich.String},
		{Name: "basis", Type: enrich.String},
		{Name: "intersection_sq_mi", Type: enrich.Float},
		{Name: "pct_of_code", Type: enrich.Float},
		{Name: "pct_of_area", Type: enrich.Float},
	}
	if population {
		fields = append(fields,
			table.Field{Name: "population", Type: enrich.Int},
			table.Field{Name: "pct_of_population", Type: enrich.Float},
			table.Field{Name: "pct_of_area_people", Type: enrich.Float},
		)
	}
	return fields
}

// CrosswalkLayers returns the layers that the dataset holds codes against. For
// a dataset without any the error matches [postgeo.ErrUnavailable].
func CrosswalkLayers(ctx context.Context, db *postgeo.DB) ([]postgeo.LayerID, error) {
	var ids []postgeo.LayerID
	for _, id := range dataset.LayerIDs() {
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
func Crosswalk(ctx context.Context, db *postgeo.DB, layers []postgeo.LayerID, opt postgeo.CrosswalkOptions, w *table.Writer) (int64, error) {
	var n int64
	var values []enrich.Value
	for _, id := range layers {
		for row, err := range db.Crosswalk(ctx, id, opt) {
			if err != nil {
				return n, err
			}
			part := row.PctOfZIP
			if part == nil {
				part = row.PctOfFSA
			}
			values = append(values[:0],
				enrich.StringValue(row.Layer.String()), enrich.StringValue(row.Code), enrich.StringValue(row.CodeType.String()),
				enrich.StringValue(row.GEOID), enrich.StringValue(row.Name), enrich.StringValue(string(row.Basis)), float(row.IntersectionSqMi), float(part), float(row.PctOfArea))
			if opt.Population {
				people := enrich.Value{}
				if row.Population != nil {
					people = enrich.IntValue(int64(*row.Population))
				}
				values = append(values, people, float(row.PctOfPopulation), float(row.PctOfAreaPeople))
			}
			if err := w.Write(values); err != nil {
				return n, err
			}
			n++
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
