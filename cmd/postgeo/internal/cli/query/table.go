package query

import (
	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/operation"
)

type tableOptions struct {
	operation.TableParams

	command.Data
	command.Format
}

func tableCommand() *command.Command {
	return command.New(command.Spec[tableOptions, postgeo.TableRow]{
		Name: "table", Group: areas, Short: operation.Table.Summary,
		Long: operation.Table.Detail + " csv, tsv and table have the values of the newest year.",
		Examples: command.Examples(
			"postgeo table svi zip -f csv", "the table tables.svi by ZIP Code",
			"postgeo table svi cd --id 0636", "the table for a congressional district",
		),
		View: func(o *tableOptions, c *command.Call) (command.View, error) {
			values, err := valueColumns(c, []string{o.Name}, func(string) string { return "" })
			if err != nil {
				return command.View{}, err
			}
			head := command.Columns("id", "id", "name", "name", "weight", "weight", "basis", "basis", "coverage_pct", "values.coverage_pct")
			return command.Table(append(head, values...)), nil
		},
		Run: func(o *tableOptions, c *command.Call) (command.Result, error) {
			return command.Stream(o.All(c.Context, c.DB)), nil
		},
	})
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
