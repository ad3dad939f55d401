package data

import (
	"cmp"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset/builder"
)

type checkOptions struct {
	fileArg
	command.Format
	Mirror  string `help:"Folder or URL instead of the official hosts, as of dataset build." placeholder:"DIR|URL"`
	Cache   string `help:"Folder with the downloads of dataset build. Default: the user's cache folder." placeholder:"DIR" type:"path"`
	Catalog string `help:"JSON file with changes of the catalog of sources." placeholder:"FILE" type:"path" name:"catalogue"`
}

func checkCommand() *cobra.Command {
	return command.New(command.Spec[checkOptions, builder.Freshness]{
		Name: "check", Short: "Find sources that changed since a dataset was built.",
		Long: "Requests the headers of each source's file and compares entity tag, date and size with those of the file that the dataset was built from; nothing is downloaded. Each source is changed, gone, unknown with the reason, or unchanged. The exit code is 1 if a source changed or if no server can be reached.",
		Examples: command.Examples("postgeo dataset check", "the current dataset",
			"postgeo dataset check new.db --mirror https://mirror.example.org", "against a mirror"),
		View: func(*checkOptions, *command.Call) (command.View, error) {
			return command.View{Array: true, All: output.Columns[builder.Freshness](), Summary: command.Paths("source", "vintage", "state", "modified", "note")}, nil
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
		return a, command.Usage(noCacheFolder)
	}
	d, _, err := o.dataset(c.Env)
	if err != nil {
		return a, err
	}
	defer d.Close()
	rows := progress.NewRows(c.Stderr, c.StderrTerminal, time.Now)
	rows.Keep()
	list, err := builder.CheckSources(ctx, opt, d.Manifest().Sources, func(done, total int) { rows.Show(int64(done), float64(done)/float64(total)) })
	rows.Close()
	if err != nil {
		return a, err
	}
	changed := 0
	for _, f := range list {
		if f.State == builder.Changed {
			changed++
		}
	}
	if changed > 0 {
		c.Report(`%d of %d sources changed; run dataset build again`, changed, len(list))
	}
	return command.Stream(func(yield func(*builder.Freshness, error) bool) {
		for i := range list {
			if !yield(&list[i], nil) {
				return
			}
		}
		if changed > 0 {
			yield(nil, command.ErrReported)
		}
	}), nil
}
