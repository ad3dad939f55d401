package query

import (
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/operation"
)

type tableOptions struct {
	operation.TableParams
	Column []string `help:"Columns of the table. Default: all." placeholder:"COLUMN"`
	Series bool     `help:"Write a row for each year, the earliest first."`

	command.Data
	command.Format
}

func tableCommand() *command.Command {
	return command.New(command.Spec[tableOptions, postgeo.TableRow]{
		Name: "table", Group: areas, Short: operation.Table.Summary,
		Long: operation.Table.Detail + " csv, tsv and table have the values of the newest year, or with --series of all years.",
		Examples: command.Examples(
			"postgeo table svi zip -f csv", "the table tables.svi by ZIP Code",
			"postgeo table svi cd --id 0636", "the table for a congressional district",
			"postgeo table svi county --id 06037,17031 --column ep_pov150 --series", "the years of a column",
		),
		View: func(o *tableOptions, c *command.Call) (command.View, error) {
			values, err := valueColumns(c, []string{o.Name}, func(string) string { return "" })
			if err != nil {
				return command.View{}, err
			}
			if len(o.Column) > 0 {
				chosen, unknown := output.Find(values, o.Column)
				if unknown != "" {
					return command.View{}, command.Usage(message.InvalidValue, "--column", unknown, "one of "+strings.Join(output.Headers(values), ", "))
				}
				values = chosen
			}
			head := command.Columns("id", "id", "name", "name", "weight", "weight", "basis", "basis", "coverage_pct", "values.coverage_pct")
			if o.Series {
				head = slices.Insert(head, 2, command.Columns("year", "values.year")...)
			}
			return command.Table(append(head, values...)), nil
		},
		Run: func(o *tableOptions, c *command.Call) (command.Result, error) { return command.Stream(o.rows(c)), nil },
	})
}

// rows yields the rows, each year as a row of its own if the series is requested.
func (o *tableOptions) rows(c *command.Call) iter.Seq2[postgeo.TableRow, error] {
	return func(yield func(postgeo.TableRow, error) bool) {
		for row, err := range o.All(c.Context, c.DB) {
			years := []postgeo.OwnYear{row.Values}
			if o.Series {
				years = append(years, row.Years...)
				row.Years = nil
			}
			for _, row.Values = range slices.Backward(years) {
				if !yield(row, err) {
					return
				}
			}
		}
	}
}

// valueColumns returns the columns of tables of the user. The function at returns the
// path of a table.
func valueColumns(c *command.Call, names []string, at func(name string) string) (columns []output.Column, err error) {
	tables, err := c.DB.Tables(c.Context)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		for i := range tables {
			if tables[i].Name != name {
				continue
			}
			for _, col := range tables[i].Columns {
				path := at(name)
				of := path + "values.columns." + col.Name
				columns = append(columns, output.Column{Header: path + col.Name, Paths: []string{of + ".value", of + ".category"}})
			}
		}
	}
	return columns, nil
}
