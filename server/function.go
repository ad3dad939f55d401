package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/billing"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/function"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/price"
	"github.com/postgeo/postgeo/server/internal/document"
)

// functionPath is the prefix of the paths of functions.
const functionPath = prefix + "/functions/"

// maxRows is the maximum number of rows of a function in a request.
const maxRows = 1000

// A warehouse is a protocol of functions that a data warehouse calls over HTTP.
type warehouse struct {
	name     string
	title    string
	rows     *param // the field with the rows
	replies  string // the field with the results
	numbered bool   // a row begins with its number, and its result is a row, too
}

func warehouses() []*warehouse {
	rows := func(name, help, example string) *param {
		return &param{Name: name, Required: true, Help: help, Kind: operation.Rows, Size: maxRows, Example: example}
	}
	return []*warehouse{
		{
			name: "bigquery", title: "BigQuery", replies: "replies",
			rows: rows("calls", "Rows of arguments, in the order of the function.", `[["90210"], ["10001"]]`),
		},
		{
			name: "snowflake", title: "Snowflake", replies: "data", numbered: true,
			rows: rows("data", "Rows of a number and the arguments, in the order of the function.", `[[0, "90210"], [1, "10001"]]`),
		},
	}
}

// functions returns the routes of functions: one for each warehouse in the documents.
func (s *Server) functions() []*route {
	var list []*route
	for _, w := range warehouses() {
		list = append(list, w.route())
	}
	return list
}

// route returns the route of all functions.
func (w *warehouse) route() *route {
	return &route{Route: document.Route{
		Path:    functionPath + w.name + "/{name}",
		Summary: "Evaluate a function for rows of " + w.title + ".",
		Detail: "Rows without a match have null. Put the key into the query. The functions, as in 'postgeo udf --function' and SQL: " +
			strings.ReplaceAll(function.Names(), ",", ", ") + ".",
		Price: "The credits of each row: " + functionPrices(), Methods: batchMethods, Params: []*param{w.rows}, Batch: true, Items: w.rows,
		Name: &param{Name: "name", Required: true, Help: "The function.", Values: strings.Split(function.Names(), ",")}, Replies: w.replies, Numbered: w.numbered,
		Refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
	}}
}

// functionPrices lists the prices of functions.
func functionPrices() string {
	var names []string
	last := ""
	text := ""
	flush := func() {
		if len(names) > 0 {
			text += strings.Join(names, ", ") + ": " + strings.TrimSuffix(last, ".") + ". "
		}
		names = nil
	}
	for _, f := range function.All() {
		if f.Price != last {
			flush()
			last = f.Price
		}
		names = append(names, f.Name)
	}
	flush()
	return strings.TrimSuffix(text, " ")
}

// addFunctions adds the paths of all functions to the routes.
func (s *Server) addFunctions() {
	for _, w := range warehouses() {
		for _, f := range function.All() {
			rt := w.route()
			rt.serve = (&functionCall{warehouse: w, f: f, meter: s.meter("function/" + f.Name)}).serve
			s.routes[functionPath+w.name+"/"+f.Name] = rt
		}
	}
}

// A functionCall serves a function to a warehouse.
type functionCall struct {
	*warehouse
	f     *function.Function
	meter *admission.Meter
}

// A functionRow is the state of one row.
type functionRow struct {
	number  json.RawMessage
	key, to string
}

func (f *functionCall) serve(c *call) answer {
	if err := c.pin(); err != nil {
		return c.fail(err)
	}
	defer c.unpin()
	in, err := c.decode(document.MaxBatchBytes)
	if err != nil {
		return c.fail(err)
	}
	elements, err := in.elements(f.rows)
	if err != nil {
		return c.fail(err)
	}
	rows := make([]functionRow, len(elements))
	quotes := make([]price.Cost, len(elements))
	for i, el := range elements {
		if rows[i], err = f.row(el); err != nil {
			return c.fail(err)
		}
		quotes[i] = f.f.Quote(rows[i].key, rows[i].to)
	}
	if err := c.permit(func(id *billing.Identity) error { return f.allows(id, rows) }); err != nil {
		return c.fail(err)
	}
	ctx := c.deadline()
	if err := c.admit(f.meter.Expect(len(rows))); err != nil {
		return c.fail(timedOut(ctx, err))
	}
	c.watched.stage(stageParse)
	quote := price.Sum(quotes...)
	if err := c.reserveInTurn(ctx, quote, true); err != nil {
		return c.fail(timedOut(ctx, err))
	}
	c.watched.stage(stageReserve)
	c.meter, c.size = f.meter, len(rows)
	c.worked = true
	stint := c.stint()
	body, cost, err := f.work(ctx, c, rows)
	c.took(stint)
	c.turn.Pause()
	c.watched.stage(stageWork)
	if err != nil {
		return c.fail(timedOut(ctx, err))
	}
	meta := new(envelope.Meta) // not in the response
	if meta.Credits, err = c.settle(ctx, cost, quote); err != nil {
		return c.fail(timedOut(ctx, err))
	}
	c.watched.stage(stageSettle)
	return answer{status: http.StatusOK, body: body, meta: meta}
}

// row reads the arguments of a row.
func (f *functionCall) row(el element) (row functionRow, err error) {
	var values []json.RawMessage
	if json.Unmarshal(el.raw, &values) != nil {
		return row, invalidRequest(wording.WrongType(el.at, "a list"))
	}
	if f.numbered {
		if len(values) == 0 {
			return row, invalidRequest(wording.WrongType(el.at, "a list that begins with its number"))
		}
		row.number, values = values[0], values[1:]
	}
	cells := make([]string, len(values))
	for i, v := range values {
		switch {
		case string(v) == "null":
		case v[0] == '"':
			if cells[i], err = unquote(el.at, v); err != nil {
				return row, err
			}
		case v[0] == '-', v[0] >= '0' && v[0] <= '9':
			cells[i] = string(v)
			if padded, ok := lookup.RestoreZeros(cells[i]); ok && f.f.Kind == enrich.Code {
				cells[i] = padded // a column of numbers, as in SQL
			}
		default:
			return row, invalidRequest(wording.WrongType(el.at, "a list of strings and numbers"))
		}
		if err := checkLength(longestCell, cells[i], longestCell.Chars); err != nil {
			return row, err
		}
	}
	key, to := f.f.Split(cells)
	key1, ok := function.Key(f.f.Kind, key)
	if !ok || len(cells) > len(f.f.Arguments) && f.f.Kind == enrich.Code {
		return row, invalidRequest(wording.WrongType(el.at, "a list with "+strings.Join(f.f.Arguments, " and ")))
	}
	row.key, row.to = key1, to
	return row, nil
}

// longestCell describes an argument.
var longestCell = operation.Address.Param("address")

// allows checks the caller's limits for every row.
func (f *functionCall) allows(id *billing.Identity, rows []functionRow) error {
	if id.Kind == billing.Live {
		return nil
	}
	for _, row := range rows {
		switch f.f.Kind {
		case enrich.Address:
			if err := id.CheckAddress(row.key); err != nil {
				return err
			}
		case enrich.Text:
			return id.CheckLive()
		default:
			for _, text := range []string{row.key, row.to} {
				code, err := lookup.ParseCode(text)
				if err != nil {
					continue
				}
				if err := id.CheckCode(code); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// replies is the body of a response.
type replies []byte

// AppendJSON implements envelope.Appender.
func (r replies) AppendJSON(dst []byte) ([]byte, error) { return append(dst, r...), nil }

// work evaluates the rows.
func (f *functionCall) work(ctx context.Context, c *call, rows []functionRow) (replies, price.Cost, error) {
	library, ok := c.db.(*postgeo.DB)
	if !ok {
		return nil, price.Cost{}, &fault.Error{Op: f.f.Name, Kind: fault.Unavailable, Thing: fault.Area, Lacks: "codes"}
	}
	e, err := enrich.New(library, f.f.Options())
	if err != nil {
		return nil, price.Cost{}, err
	}
	out := replies(`{"` + f.replies + `":[`)
	costs := make([]price.Cost, len(rows))
	var values []enrich.Value
	for i, row := range rows {
		if err := c.turn.Yield(ctx); err != nil {
			return nil, price.Cost{}, err
		}
		var outcome enrich.Outcome
		if f.f.IsValid(row.key, row.to) {
			if values, outcome, err = e.RowTo(ctx, row.key, row.to, values[:0]); err != nil {
				return nil, price.Cost{}, errors.Join(err, ctx.Err())
			}
			costs[i] = f.f.Cost(row.key, row.to, outcome)
		}
		if i > 0 {
			out = append(out, ',')
		}
		if f.numbered {
			out = append(append(append(out, '['), row.number...), ',')
		}
		if outcome.Status.Answered() {
			out = function.AppendJSON(out, e.Columns(), values)
		} else {
			out = append(out, "null"...)
		}
		if f.numbered {
			out = append(out, ']')
		}
	}
	return append(out, "]}"...), price.Sum(costs...), nil
}
