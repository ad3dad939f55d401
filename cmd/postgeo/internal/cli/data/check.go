package data

import (
	"cmp"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
)

type checkOptions struct {
	fileArg
	command.Format
	Mirror  string `help:"Folder or URL instead of the official hosts, as of dataset build." placeholder:"DIR|URL"`
	Cache   string `help:"Folder with the downloads of dataset build. Default: the user's cache folder." placeholder:"DIR" type:"path"`
	Catalog string `help:"JSON file with changes of the catalog of sources." placeholder:"FILE" type:"path" name:"catalogue"`
}

func checkCommand() *command.Command {
	return command.New(command.Spec[checkOptions, builder.Freshness]{
		Name: "check", Short: "Find sources with newer editions than a dataset has.",
		Long: "Requests the headers of each source's file and of its next editions; no file is downloaded. The exit code is 1 if a source has a newer edition or a renewed file, or if no server can be reached. Without a dataset the editions of the catalog are checked.",
		Examples: command.Examples("postgeo dataset check", "the current dataset",
			"postgeo dataset check new.db --mirror https://mirror.example.org", "against a mirror"),
		View: func(*checkOptions, *command.Call) (command.View, error) {
			return command.View{Array: true, All: output.Columns[builder.Freshness](), Summary: command.Paths("source", "have", "newest", "state", "note")}, nil
		},
		Run: (*checkOptions).run,
	})
}

func (o *checkOptions) run(c *command.Call) (a command.Result, err error) {
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
	defer stop()
	opt := builder.Options{Mirror: o.Mirror, Cache: o.Cache, Catalog: o.Catalog}
	opt.Cache = cmp.Or(opt.Cache, c.CacheDir)
	if opt.Cache == "" && o.Mirror == "" {
		return a, command.Usage(message.NoCacheFolder)
	}
	d, _, err := o.dataset(c.Env)
	if err != nil {
		return a, err
	}
	defer d.Close()
	var held []dataset.Source
	if m := d.Manifest(); !m.Sample {
		held = m.Sources
	}
	rows := progress.NewRows(c.Stderr, c.StderrTerminal, time.Now)
	rows.Keep()
	list, err := builder.CheckSources(ctx, opt, held, func(done, total int) { rows.Show(int64(done), float64(done)/float64(total)) })
	rows.Close()
	if err != nil {
		return a, err
	}
	newer, refused := 0, 0
	for _, f := range list {
		switch {
		case f.IsNewer():
			newer++
		case f.State == builder.Unreachable:
			refused++
		}
	}
	if refused > 0 && refused == len(list) {
		return a, command.Failure(message.NoSourceReached, list[0].Note)
	}
	if newer > 0 {
		c.Report(message.NewerSources, newer, len(list))
	}
	return command.Stream(func(yield func(*builder.Freshness, error) bool) {
		for i := range list {
			if !yield(&list[i], nil) {
				return
			}
		}
		if newer > 0 {
			yield(nil, command.ErrReported)
		}
	}), nil
}
