package foreign

import (
	"context"
	"encoding/json"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/operation"
)

// options are the members of the object that enrich takes, beside rows.
type options struct {
	Kind         string   `values:"code,coordinates,address" default:"code" help:"Kind of the rows."`
	Fields       []string `size:"1000" help:"Paths of the fields."`
	Status       bool     `help:"Add status and reason."`
	RestoreZeros bool     `help:"Restore codes that lost leading zeros."`
	operation.Plans
}

var optionParams = operation.Params(reflect.TypeFor[options]())

// maxRows is the maximum number of rows of a call. Arguments and result are in memory as
// a whole.
const maxRows = 10_000_000

// A column is a column of the result of enrich.
type column struct {
	Name   string          `json:"name"`
	Type   string          `json:"type"`
	Values json.RawMessage `json:"values"`
}

// enrichRows returns columns with a value for each of the rows: a code or an address, a
// coordinate as [latitude, longitude], or null. Results are columns, as data frames have
// them. Each is assembled as JSON while rows are evaluated, so that no value is kept in
// another form.
func enrichRows(ctx context.Context, db *postgeo.DB, arguments string) (any, error) {
	given, err := operation.ParseArguments([]byte(arguments))
	if err != nil {
		return nil, err
	}
	var rows []any
	if err := json.Unmarshal(given["rows"], &rows); err != nil || len(rows) > maxRows {
		return nil, Invalid("rows", "a list of at most "+strconv.Itoa(maxRows)+" codes, coordinates or addresses")
	}
	delete(given, "rows")
	var opt options
	if err := operation.Fill(reflect.ValueOf(&opt).Elem(), optionParams, given); err != nil {
		return nil, err
	}
	kind := enrich.Kind(opt.Kind)
	if !kind.IsValid() {
		return nil, Invalid("kind", "code, coordinates, address or city")
	}
	e, err := enrich.New(db, enrich.Options{
		Kind: kind, Add: opt.Fields, RestoreZeros: opt.RestoreZeros, AsOf: time.Time(opt.AsOf), Plan: opt.Plan,
	})
	if err != nil {
		return nil, err
	}
	columns := []column{}
	for _, c := range e.Columns() {
		columns = append(columns, column{Name: c.Name, Type: string(c.Type)})
	}
	if opt.Status {
		columns = append(columns, column{Name: enrich.StatusColumn, Type: string(enrich.String)}, column{Name: enrich.ReasonColumn, Type: string(enrich.String)})
	}
	parts, err := appendAll(ctx, e, rows, len(columns), opt.Status)
	if err != nil {
		return nil, err
	}
	for i := range columns {
		values := []byte{'['}
		for _, part := range parts {
			values = append(values, part[i]...)
		}
		values = append(values[:max(len(values)-1, 1)], ']') // without the last comma, if there is one
		columns[i].Values = values
	}
	return map[string]any{"columns": columns}, nil
}

// appendAll returns the JSON of the values of each column, each with a comma after it, in
// parts that all processors evaluate. Parts are runs of successive rows, and the error is
// that of the first part that fails. A panic in a goroutine would end the caller's
// process, past any recover of its own: hence Safely.
func appendAll(ctx context.Context, e *enrich.Enricher, rows []any, columns int, status bool) ([][][]byte, error) {
	const few = 512 // rows of a part at least; fewer are not worth a goroutine
	parts := make([][][]byte, min(runtime.GOMAXPROCS(0), 1+len(rows)/few))
	failures := make([]error, len(parts))
	var all sync.WaitGroup
	for i := range parts {
		of := rows[len(rows)*i/len(parts) : len(rows)*(i+1)/len(parts)]
		all.Go(func() {
			failures[i] = Safely(func() (err error) {
				parts[i], err = encodeRows(ctx, e, of, columns, status)
				return err
			})
		})
	}
	all.Wait()
	if i := slices.IndexFunc(failures, func(err error) bool { return err != nil }); i >= 0 {
		return nil, failures[i]
	}
	return parts, nil
}

func encodeRows(ctx context.Context, e *enrich.Enricher, rows []any, columns int, status bool) ([][]byte, error) {
	out := make([][]byte, columns)
	var values []enrich.Value
	for _, row := range rows {
		text, err := key(row)
		if err != nil {
			return nil, err
		}
		var outcome enrich.Outcome
		if values, outcome, err = e.Row(ctx, text, values[:0]); err != nil {
			return nil, err
		}
		for i, v := range values {
			out[i] = append(v.AppendJSON(out[i]), ',')
		}
		if status {
			out[columns-2] = append(encode.AppendString(out[columns-2], string(outcome.Status)), ',')
			out[columns-1] = append(encode.AppendString(out[columns-1], outcome.Reason), ',')
		}
	}
	return out, nil
}

// key returns the key of a row.
func key(row any) (string, error) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	switch v := row.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case float64:
		return number(v), nil
	case []any:
		if len(v) == 2 { // latitude and longitude
			lat, okLat := v[0].(float64)
			lon, okLon := v[1].(float64)
			switch {
			case okLat && okLon:
				return enrich.JoinCoordinates(number(lat), number(lon)), nil
			case (okLat || v[0] == nil) && (okLon || v[1] == nil):
				return "", nil
			}
		}
	}
	return "", Invalid("rows", "codes or addresses as text, or coordinates as [latitude, longitude]")
}
