package data

import (
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/memory"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset/signed"
	"github.com/postgeo/postgeo/internal/store"
)

type pullOptions struct {
	From   string `arg:"" help:"URL or folder with the files of dataset publish."`
	Name   string `help:"Name of the dataset, such as identity. Default: all." default:"all" placeholder:"NAME"`
	Trust  string `help:"Public key of the publisher." placeholder:"FILE.pub" type:"path" required:""`
	Output string `help:"Dataset file; it is replaced when the new one was verified. Default: postgeo.db in the user's data folder." short:"o" placeholder:"FILE" type:"path"`
	Force  bool   `help:"Also install a dataset that is older than the installed one."`

	command.Format
}

func pullCommand() *cobra.Command {
	return command.New(command.Spec[pullOptions, *signed.Report]{
		Name: "pull", Short: "Install or update a published dataset.",
		Long: "The signature, the date of expiry, sizes and hashes are verified before the file gets its name. An interrupted pull continues. After any failure, an installed file stays as it is.",
		Examples: command.Examples(
			"postgeo dataset pull https://data.example.org --trust publisher.key.pub", "into the user's data folder",
			"postgeo dataset pull /media/usb --name identity --trust publisher.key.pub -o new.db", "from a folder, the ZIP Codes only",
		),
		View: func(*pullOptions, *command.Call) (command.View, error) {
			return command.View{All: output.Columns[signed.Report]()}, nil
		},
		Run: (*pullOptions).run,
	})
}

// maxPullMemory is the memory limit of a pull's heap in bytes. The process takes about
// twice as much.
const maxPullMemory = 32 << 20

func (o *pullOptions) run(c *command.Call) (a command.Result, err error) {
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
	defer stop()
	memory.LimitTo(c.Getenv, maxPullMemory)
	if err := signed.CheckName(o.Name); err != nil {
		return a, command.Usage(`%s: %s`, "--name", err)
	}
	if err := signed.CheckSource(o.From); err != nil {
		return a, command.Usage("%v", err)
	}
	key, err := signed.ReadTrust(o.Trust)
	if err != nil {
		return a, err
	}
	if o.Output == "" {
		if c.DataDir == "" {
			return a, command.Usage(noDataFolder)
		}
		o.Output = filepath.Join(c.DataDir, store.UserFile)
		if err := os.MkdirAll(c.DataDir, 0o755); err != nil {
			return a, command.Failure(makeDataFolder, err)
		}
	}
	display := progress.NewSteps(c.Stderr, c.StderrTerminal, lineInterval)
	p := signed.PullOptions{From: o.From, Name: o.Name, Trust: key, Output: o.Output, Force: o.Force, Now: c.Time}
	p.Fetch.Progress = display
	r, err := signed.Pull(ctx, p)
	display.Close()
	if err != nil {
		return a, err
	}
	return command.Row(r)
}
