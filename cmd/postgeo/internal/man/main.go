// Command man writes the manual pages of postgeo into a folder: man FOLDER DAY.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("expected a folder and a day, YYYY-MM-DD")
	}
	day, err := time.Parse(time.DateOnly, args[1])
	if err != nil {
		return err
	}
	header := &doc.GenManHeader{Section: "1", Date: &day, Source: "postgeo " + command.ReadVersion().Version, Manual: "User Commands"}
	program := cli.Program()
	plain(program)
	return doc.GenManTree(program, header, args[0])
}

// plain escapes the names of arguments, which the pages' markup would take for tags, and
// lets flags show the names of their values.
func plain(c *cobra.Command) {
	c.Use, c.Long = strings.ReplaceAll(c.Use, "<", `\<`), strings.ReplaceAll(c.Long, "<", `\<`)
	c.Flags().VisitAll(func(f *pflag.Flag) {
		f.DefValue = f.Value.Type()
		if f.NoOptDefVal != "" {
			f.DefValue = f.NoOptDefVal
		}
	})
	for _, child := range c.Commands() {
		plain(child)
	}
}
