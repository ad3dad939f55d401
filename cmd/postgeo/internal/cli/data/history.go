package data

import (
	"slices"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/lookup"
)

type historyOptions struct {
	fileArg
	command.Format
	Code string `help:"Only changes of this ZIP Code, FSA or postal code, also as a successor." placeholder:"CODE"`
}

func historyCommand() *command.Command {
	return command.New(command.Spec[historyOptions, dataset.CodeEvent]{
		Name: "history", Short: "List codes that began, ended, moved or got another name between editions.",
		Examples: command.Examples("postgeo dataset history", "all changes of the current dataset", "postgeo dataset history --code 12345", "those of a code"),
		View: func(*historyOptions, *command.Call) (command.View, error) {
			return command.View{Array: true, All: output.Columns[dataset.CodeEvent]()}, nil
		},
		Run: func(o *historyOptions, c *command.Call) (command.Result, error) {
			d, _, err := o.dataset(c.Env)
			if err != nil {
				return command.Result{}, err
			}
			defer d.Close()
			if err := d.Load(c.Context, dataset.SectionLedger); err != nil {
				return command.Result{}, err
			}
			events := slices.Clone(d.Ledger())
			if o.Code != "" {
				code, err := lookup.ParseCode(o.Code)
				if err != nil {
					return command.Result{}, command.Usage(message.InFlag, "--code", err)
				}
				name := code.String()
				events = slices.DeleteFunc(events, func(e dataset.CodeEvent) bool { return e.Code != name && !slices.Contains(e.Successors, name) })
			}
			return command.Rows(events), nil
		},
	})
}
