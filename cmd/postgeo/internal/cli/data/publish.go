package data

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset/signed"
)

// keyCommand returns "postgeo dataset key".
func keyCommand() *cobra.Command {
	return command.Group("key", "", "Make a key that signs datasets.",
		command.New(command.Spec[newKeyOptions, struct{}]{
			Name: "new", Short: "Make a key that signs datasets.",
			Long:     "Writes a private key of minisign without a password to FILE, readable by its owner only, and the public key to FILE.pub. Existing files are not replaced. Give FILE.pub to those who pull.",
			Examples: command.Examples("postgeo dataset key new -o publisher.key", "writes publisher.key and publisher.key.pub"),
			Run: func(o *newKeyOptions, _ *command.Call) (command.Result, error) {
				return command.Result{}, signed.NewKey(o.Output)
			},
		}),
	)
}

type newKeyOptions struct {
	Output string `help:"File for the private key." short:"o" placeholder:"FILE" type:"path" required:""`
}

type publishOptions struct {
	Files []string      `arg:"" name:"file" help:"Dataset files. A file identity.db is published by the name identity." type:"path"`
	Key   string        `help:"Private key that signs, of dataset key new or minisign." placeholder:"FILE" type:"path" required:""`
	To    string        `help:"Folder for the files, which any static host can serve. It is created." placeholder:"DIR" type:"path" required:""`
	Valid time.Duration `help:"Time until pulls refuse the files unless they are published again. Default: 2400h (100 days)." default:"2400h" placeholder:"SPAN"`

	command.Format
}

func publishCommand() *cobra.Command {
	return command.New(command.Spec[publishOptions, *signed.Manifest]{
		Name: "publish", Short: "Write datasets as signed files that a static host can serve.",
		Long:     "For each dataset NAME, the folder gets NAME.db.zst, NAME.json and its signature. A dataset with a source whose license does not allow it is refused. The same datasets give the same compressed files.",
		Examples: command.Examples("postgeo dataset publish identity.db all.db --key publisher.key --to site", "two datasets"),
		View: func(*publishOptions, *command.Call) (command.View, error) {
			return command.View{Array: true, All: output.Columns[signed.Manifest](), Summary: command.Paths("name", "vintage", "size", "compressed_size", "expires")}, nil
		},
		Run: (*publishOptions).run,
	})
}

func (o *publishOptions) run(c *command.Call) (a command.Result, err error) {
	if o.Valid <= 0 {
		return a, command.Usage(`%s: %s`, "--valid", "expected a span of more than 0")
	}
	key, err := signed.ReadKey(o.Key)
	if err != nil {
		return a, err
	}
	now, err := sourceDateEpoch(c.Env)
	if err != nil {
		return a, err
	}
	if now.IsZero() {
		now = c.Time()
	}
	display := progress.NewSteps(c.Stderr, c.StderrTerminal, lineInterval)
	all, err := signed.Publish(c.Context, signed.PublishOptions{Files: o.Files, To: o.To, Key: key, Expires: now.Add(o.Valid), Step: display.Step})
	display.Close()
	if err != nil {
		return a, err
	}
	return command.Rows(all), nil
}
