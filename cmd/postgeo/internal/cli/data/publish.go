package data

import (
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/memory"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/dataset/signed"
)

type newKeyOptions struct {
	Output string `help:"File for the private key." short:"o" placeholder:"FILE" required:""`
}

func (o *newKeyOptions) run(*command.Call) error { return signed.NewKey(o.Output) }

type publishOptions struct {
	Files []string      `arg:"" name:"file" help:"Dataset files. A file identity.db is published by the name identity."`
	Key   string        `help:"Private key that signs, of dataset key new or minisign." placeholder:"FILE" required:""`
	To    string        `help:"Folder for the files, which any static host can serve. It is created." placeholder:"DIR" required:""`
	Valid time.Duration `help:"Time until pulls refuse the files unless they are published again. Default: 2400h (100 days)." default:"2400h" placeholder:"SPAN"`

	command.Format
}

func (o *publishOptions) run(c *command.Call) error {
	v := command.View{Array: true, All: output.Columns[signed.Manifest](), Summary: command.Paths("name", "vintage", "size", "compressed_size", "expires")}
	if err := c.View(v); err != nil {
		return err
	}
	if o.Valid <= 0 {
		return command.Usage(`%s: %s`, "--valid", "expected a span of more than 0")
	}
	key, err := signed.ReadKey(o.Key)
	if err != nil {
		return err
	}
	now, err := sourceDateEpoch(c.Env)
	if err != nil {
		return err
	}
	if now.IsZero() {
		now = c.Time()
	}
	display := shown(c)
	all, err := signed.Publish(c.Context, signed.PublishOptions{Files: o.Files, To: o.To, Key: key, Expires: now.Add(o.Valid), Step: display.Step})
	display.Close()
	if err != nil {
		return err
	}
	return command.More(c, all)
}

type pullOptions struct {
	From   string `arg:"" help:"URL or folder with the files of dataset publish."`
	Name   string `help:"Name of the dataset, such as identity. Default: all." default:"all" placeholder:"NAME"`
	Trust  string `help:"Public key of the publisher." placeholder:"FILE.pub" required:""`
	Output string `help:"Dataset file; it is replaced when the new one was verified. Default: postgeo.db in the user's data folder." short:"o" placeholder:"FILE"`
	Force  bool   `help:"Also install a dataset that is older than the installed one."`

	command.Format
}

// maxPullMemory is the memory limit of a pull's heap in bytes. The process takes about
// twice as much. A pull streams, and often runs beside the server that uses the file.
const maxPullMemory = 32 << 20

func (o *pullOptions) run(c *command.Call) error {
	defer c.UntilStopped()()
	memory.Limit(c.Getenv, maxPullMemory)
	if err := c.View(command.View{All: output.Columns[signed.Report]()}); err != nil {
		return err
	}
	if err := signed.CheckName(o.Name); err != nil {
		return command.Usage(`%s: %s`, "--name", err)
	}
	if err := signed.CheckSource(o.From); err != nil {
		return command.Usage("%v", err)
	}
	key, err := signed.ReadTrust(o.Trust)
	if err != nil {
		return err
	}
	if o.Output, err = userFile(c.Env, o.Output); err != nil {
		return err
	}
	display := shown(c)
	p := signed.PullOptions{From: o.From, Name: o.Name, Trust: key, Output: o.Output, Force: o.Force, Now: c.Time}
	p.Fetch.Progress = display
	r, err := signed.Pull(c.Context, p)
	display.Close()
	if err != nil {
		return err
	}
	return c.Write(r)
}
