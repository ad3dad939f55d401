package data

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset/builder"
)

type checkOptions struct {
	fileArg
	command.Format
	Mirror string `help:"Folder or URL instead of the official hosts, as of dataset build." placeholder:"DIR|URL"`
	Cache  string `help:"Folder with the downloads of dataset build. Default: the user's cache folder." placeholder:"DIR"`
}

func checkCommand() *cobra.Command {
	return command.New[checkOptions](command.About{
		Name: "check", Short: "Find sources that changed since a dataset was built.",
		Long: "Requests the headers of each source's file and compares entity tag, date and size with those of the file that the dataset was built from; nothing is downloaded. Each source is changed, gone, unknown with the reason, or unchanged. The exit code is 1 if a source changed or if no server can be reached.",
	},
		"postgeo dataset check", "the current dataset",
		"postgeo dataset check new.db --mirror https://mirror.example.org", "against a mirror")
}

// Run implements the command.
func (o *checkOptions) Run(c *command.Call) error {
	defer c.UntilStopped()()
	opt := builder.Options{Mirror: o.Mirror, Cache: cmp.Or(o.Cache, c.CacheDir)}
	if opt.Cache == "" && o.Mirror == "" {
		return command.Usage(noCacheFolder)
	}
	v := command.View{Array: true, All: output.Columns[builder.Freshness](), Summary: command.Paths("source", "vintage", "state", "modified", "note")}
	if err := c.View(v); err != nil {
		return err
	}
	d, _, err := o.dataset(c.Env)
	if err != nil {
		return err
	}
	defer d.Close()
	rows := progress.New(c.Stderr, c.StderrTerminal, progress.Interval)
	list, err := builder.CheckSources(c.Context, opt, d.Manifest().Sources, func(done, total int) { rows.Rows(int64(done), float64(done)/float64(total)) })
	rows.Close()
	if err != nil {
		return err
	}
	changed := 0
	for _, f := range list {
		if f.State == builder.Changed {
			changed++
		}
	}
	if err := command.More(c, list); err != nil || changed == 0 {
		return err
	}
	c.Report(`%d of %d sources changed; run dataset build again`, changed, len(list))
	return command.ErrReported
}
