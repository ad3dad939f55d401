package function

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/operation"
)

// A Table is a function of SQL that returns the rows of an operation's result.
type Table struct {
	Name      string
	Operation *operation.Operation
	Arguments []string // parameters of the operation
	Columns   []TableColumn

	fixed map[string]any // further arguments
	rows  func(result any) iter.Seq[[]enrich.Value]
}

// A TableColumn is a member of the rows.
type TableColumn struct {
	Name   string
	Number bool // else text
}

// Tables returns the functions of tables.
func Tables() []*Table {
	return []*Table{
		{
			Name: "radius_zips", Operation: operation.Radius, Arguments: []string{"code", "max"},
			Columns: []TableColumn{{"code", false}, {"city", false}, {"state", false}, {"county_fips", false}, {"lat", true}, {"lon", true}, {"miles", true}},
			rows: func(result any) iter.Seq[[]enrich.Value] {
				return rows(result.(*postgeo.RadiusResult).Matches, func(m *postgeo.RadiusMatch) []enrich.Value {
					return []enrich.Value{
						enrich.StringValue(m.Code), enrich.StringValue(m.City), enrich.StringValue(m.State), enrich.StringValue(m.CountyFIPS),
						enrich.FloatValue(m.Location.Lat()), enrich.FloatValue(m.Location.Lng()), enrich.FloatValue(float64(m.DistanceMiles)),
					}
				})
			},
		},
		{
			Name: "crosswalk", Operation: operation.Crosswalk, Arguments: []string{"from", "to", "weight"}, fixed: map[string]any{"limit": 1 << 30},
			Columns: []TableColumn{{"from_id", false}, {"from_name", false}, {"to_id", false}, {"to_name", false}, {"pct_of_from", true}, {"pct_of_to", true}},
			rows: func(result any) iter.Seq[[]enrich.Value] {
				return rows(result.(*operation.CrosswalkResult).Rows, func(r *postgeo.CrosswalkRow) []enrich.Value {
					return []enrich.Value{
						enrich.StringValue(r.From), enrich.StringValue(r.FromName), enrich.StringValue(r.To), enrich.StringValue(r.ToName), optional(r.PctOfFrom), optional(r.PctOfTo),
					}
				})
			},
		},
	}
}

func rows[R any](list []R, values func(*R) []enrich.Value) iter.Seq[[]enrich.Value] {
	return func(yield func([]enrich.Value) bool) {
		for i := range list {
			if !yield(values(&list[i])) {
				return
			}
		}
	}
}

func optional(f *float64) enrich.Value {
	if f == nil {
		return enrich.Value{}
	}
	return enrich.FloatValue(*f)
}

// Rows returns the rows of the operation. Codes that are not valid, or not in the dataset,
// have none, as they have null in other functions. Codes may have lost leading zeros.
func (t *Table) Rows(ctx context.Context, db *postgeo.DB, args []string) (iter.Seq[[]enrich.Value], error) {
	given := map[string]any{}
	maps.Copy(given, t.fixed)
	for i, name := range t.Arguments {
		arg := args[i]
		if padded, ok := lookup.RestoreZeros(arg); ok && name == "code" {
			arg = padded
		} else if name == "code" && arg == "" {
			return rows[struct{}](nil, nil), nil
		}
		given[name] = arg
	}
	arguments, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	res, err := t.Operation.Call(ctx, db, arguments)
	switch {
	case errors.Is(err, postgeo.ErrNotFound), errors.Is(err, postgeo.ErrInvalidCode):
		return rows[struct{}](nil, nil), nil
	case err != nil:
		return nil, err
	}
	return t.rows(res), nil
}
