package function

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// A Table is a function of SQL that returns the rows of an operation's result.
type Table struct {
	Name      string
	Operation *operation.Operation
	Arguments []string // parameters of the operation
	Rows      string   // the member of the result
	Columns   []TableColumn

	fixed map[string]any // further arguments
}

// A TableColumn is a member of the rows.
type TableColumn struct {
	Name   string
	Path   string
	Number bool // else text
}

// Type returns the type of the column in SQL.
func (c TableColumn) Type() string {
	if c.Number {
		return "DOUBLE"
	}
	return "VARCHAR"
}

// Tables returns the functions of tables.
func Tables() []*Table {
	return []*Table{
		{
			Name: "radius_zips", Operation: operation.Radius, Arguments: []string{"code", "max"}, Rows: "matches",
			Columns: []TableColumn{
				{"code", "code", false},
				{"city", "city", false},
				{"state", "state", false},
				{"county_fips", "county_fips", false},
				{"lat", "location.lat", true},
				{"lon", "location.lon", true},
				{"miles", "distance_miles", true},
			},
		},
		{
			Name: "crosswalk", Operation: operation.Crosswalk, Arguments: []string{"from", "to", "weight"}, Rows: "rows",
			fixed: map[string]any{"limit": 1 << 30},
			Columns: []TableColumn{
				{"from_id", "from", false},
				{"from_name", "from_name", false},
				{"to_id", "to", false},
				{"to_name", "to_name", false},
				{"pct_of_from", "pct_of_from", true},
				{"pct_of_to", "pct_of_to", true},
			},
		},
	}
}

// Numeric reports whether the argument with the index is a number.
func (t *Table) Numeric(argument int) bool {
	switch t.Operation.Param(t.Arguments[argument]).Kind {
	case operation.Number, operation.Integer, operation.NumberOrText:
		return true
	default:
		return false
	}
}

// JSON returns the result of the operation.
func (t *Table) JSON(ctx context.Context, db *postgeo.DB, args []any) ([]byte, error) {
	given := maps.Clone(t.fixed)
	if given == nil {
		given = map[string]any{}
	}
	for i, name := range t.Arguments {
		given[name] = args[i]
	}
	arguments, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	res, err := t.Operation.Call(ctx, db, arguments)
	if err != nil {
		return nil, err
	}
	return envelope.Marshal(res)
}
