package export

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/lookup"
)

// TableOptions selects values of a table that a user added to the dataset.
type TableOptions struct {
	Name  string   // of the table, without "tables."
	By    string   // "zip", "fsa", "state", "csa" or the name of a layer
	IDs   []string // of the areas; nil is all
	Years []int    // nil is all of the table
}

// tableFields are the columns of [Table] before those of the table of the user.
var tableFields = slices.Concat(
	columns(enrich.String, "geoid", "name"),
	columns(enrich.Int, "year"), // null if unknown
	columns(enrich.String, "weight", "basis"),
	columns(enrich.Float, "coverage_pct"),
)

// TableFields are the columns of [Table]: geoid, name, year, weight, basis,
// coverage_pct, and those of the table. A column of the table with one of these names
// has the name of the table before it, such as rents.year. It returns the
// errors of [postgeo.DB.Table].
func TableFields(ctx context.Context, db *postgeo.DB, o TableOptions) ([]table.Field, error) {
	columns, err := o.columns(ctx, db)
	if err != nil {
		return nil, err
	}
	fields := slices.Clone(tableFields)
	for _, c := range columns {
		f := table.Field{Name: c.Name, Type: enrich.Float}
		if slices.ContainsFunc(tableFields, func(t table.Field) bool { return t.Name == c.Name }) {
			f.Name = o.Name + "." + c.Name
		}
		if c.Meaning == lookup.MeaningCategory {
			f.Type = enrich.String
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// columns returns the columns of the newest year.
func (o *TableOptions) columns(ctx context.Context, db *postgeo.DB) ([]postgeo.TableColumn, error) {
	for _, err := range db.Table(ctx, o.Name, o.By, o.IDs...) {
		if err != nil {
			return nil, err
		}
		break
	}
	tables, err := db.Tables(ctx)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(tables, func(t postgeo.TableInfo) bool { return t.Name == o.Name })
	if at < 0 { // the dataset changed in between
		return nil, lacks("table " + o.Name)
	}
	for _, year := range o.Years {
		if !slices.Contains(tables[at].Years, year) {
			return nil, &fault.Error{Op: "export", Kind: fault.InvalidParam, Param: "Year", Input: strconv.Itoa(year), Range: "a year of the table: " + strings.Trim(fmt.Sprint(tables[at].Years), "[]")}
		}
	}
	return tables[at].Columns, nil
}

// Table writes a row for each area and year of a table of a user, by area, then newest
// year first. It returns the number of rows. w has the columns of [TableFields].
func Table(ctx context.Context, db *postgeo.DB, o TableOptions, w *table.Writer) (int64, error) {
	columns, err := o.columns(ctx, db)
	if err != nil {
		return 0, err
	}
	var n int64
	var values []enrich.Value
	for row, err := range db.Table(ctx, o.Name, o.By, o.IDs...) {
		if err != nil {
			return n, err
		}
		for i := range 1 + len(row.Years) {
			y := &row.Values
			if i > 0 {
				y = &row.Years[i-1]
			}
			if len(o.Years) > 0 && (y.Year == nil || !slices.Contains(o.Years, *y.Year)) {
				continue
			}
			values = append(values[:0], enrich.StringValue(row.ID), text(row.Name), enrich.Value{}, enrich.StringValue(row.Weight.String()), enrich.StringValue(row.Basis), enrich.FloatValue(y.CoveragePct))
			if y.Year != nil {
				values[2] = enrich.IntValue(int64(*y.Year))
			}
			for _, c := range columns {
				v := y.Columns[c.Name]
				if c.Meaning == lookup.MeaningCategory {
					values = append(values, text(v.Category))
				} else {
					values = append(values, float(v.Value))
				}
			}
			if err := w.Write(values); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

// text returns a text, null for "".
func text(s string) enrich.Value {
	if s == "" {
		return enrich.Value{}
	}
	return enrich.StringValue(s)
}
