package function

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// A Table is a function of SQL that returns the rows of an operation's result.
type Table struct {
	Name      string
	Operation *operation.Operation
	Arguments []string // parameters of the operation
	Columns   []TableColumn

	fixed map[string]any // further arguments
	rows  string         // the member of the result
}

// A TableColumn is a member of the rows.
type TableColumn struct {
	Name   string
	Path   string
	Number bool // else text
}

// Tables returns the functions of tables.
func Tables() []*Table {
	return []*Table{
		{
			Name: "radius_zips", Operation: operation.Radius, Arguments: []string{"code", "max"}, rows: "matches",
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
			Name: "crosswalk", Operation: operation.Crosswalk, Arguments: []string{"from", "to", "weight"}, rows: "rows",
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

// Rows returns the values of the columns of each row: strings, numbers and nil.
func (t *Table) Rows(ctx context.Context, db *postgeo.DB, args []any) ([][]any, error) {
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
	text, err := envelope.Marshal(res)
	if err != nil {
		return nil, err
	}
	var whole map[string]json.RawMessage
	var found []map[string]any
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(whole[t.rows], &found); err != nil {
		return nil, fmt.Errorf("%s: %w", t.rows, err)
	}
	rows := make([][]any, len(found))
	for i, row := range found {
		rows[i] = make([]any, len(t.Columns))
		for j, c := range t.Columns {
			rows[i][j] = member(row, c.Path)
		}
	}
	return rows, nil
}

// member returns a member of an object, or nil.
func member(object map[string]any, path string) any {
	name, rest, below := strings.Cut(path, ".")
	if !below {
		return object[name]
	}
	inner, ok := object[name].(map[string]any)
	if !ok {
		return nil
	}
	return member(inner, rest)
}
