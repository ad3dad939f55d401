package tables

import (
	"os"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/foreign"
)

type sqlOptions struct {
	Statements []string `arg:"" optional:"" help:"Statements of SQL. Default: those on stdin."`
	DB         string   `help:"Database of DuckDB. Default: in memory." placeholder:"FILE"`
	CSV        bool     `help:"Print results as CSV."`

	command.DataFile
}

func sqlCommand() *command.Command {
	return command.New(command.Spec[sqlOptions, struct{}]{
		Name: "sql", Group: group, Short: "Run SQL of DuckDB with functions of codes, over CSV and Parquet files.",
		Long: "The program postgeo-sql does the work. It is installed separately, next to postgeo or in $PATH; see docs/udf.md. " +
			"Results of the last statement are printed.",
		Examples: command.Examples(
			`postgeo sql "select zip_county('90210'), zip_lookup('90210').city"`, "functions of codes",
		),
		Run: func(o *sqlOptions, c *command.Call) (command.Result, error) { return command.Result{}, o.run(c) },
	})
}

func (o *sqlOptions) run(c *command.Call) error {
	path, err := o.Choose(c.Env)
	if err != nil {
		return err
	}
	if path == "" {
		path = foreign.Sample
		c.Report(message.UsingSample)
	} else if _, err := os.Stat(path); err != nil {
		return err
	}
	args := []string{"--data", path, "--db", o.DB}
	if o.CSV {
		args = append(args, "--csv")
	}
	return runProgram(c, "postgeo-sql", message.NoSQL, append(append(args, "--"), o.Statements...))
}
