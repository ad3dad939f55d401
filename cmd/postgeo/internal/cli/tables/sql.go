package tables

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
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
	if o.Data != "" {
		if _, err := os.Stat(o.Data); err != nil {
			return err
		}
	}
	program, err := findSQL()
	if err != nil {
		return errors.New(message.NoSQL)
	}
	args := []string{"--data", o.Data, "--db", o.DB}
	if o.CSV {
		args = append(args, "--csv")
	}
	run := exec.CommandContext(c.Context, program, append(append(args, "--"), o.Statements...)...)
	run.Stdin, run.Stdout, run.Stderr = c.Stdin, c.Stdout, c.Stderr
	err = run.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if exit.ExitCode() == command.Misuse {
			return command.ErrMisuseReported
		}
		return command.ErrReported
	}
	return err
}

// findSQL returns the path of postgeo-sql next to this program, else in $PATH.
func findSQL() (string, error) {
	name := "postgeo-sql"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		sibling := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(sibling); err == nil && info.Mode().IsRegular() {
			return sibling, nil
		}
	}
	return exec.LookPath(name)
}
