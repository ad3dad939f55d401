package data

import (
	"cmp"
	"os"
	"os/signal"
	"syscall"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/memory"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/dataset/build"
)

type addLayerFlags struct {
	command.DataFile

	OwnLayers []string `help:"Layer as NAME=FILE: polygons as a shapefile or GeoJSON. Options: id, name, title, license. The layer is layers.NAME. May be repeated." placeholder:"NAME=FILE,OPTION=VALUE" name:"layer" whole:"true" required:""`
	Output    string   `help:"Dataset file to write." short:"o" placeholder:"FILE" type:"path" required:""`
	Format    string   `help:"Format of the report: table or json." enum:"table,json" default:"table" placeholder:"FORMAT" short:"f"`
}

func addLayerCommand() *command.Command {
	return command.New(command.Spec[addLayerFlags, struct{}]{
		Name: "add-layer", Short: "Add user-supplied layers to a dataset without rebuilding it.",
		Examples: command.Examples(
			"postgeo dataset add-layer --data postgeo.db --layer sales=territories.geojson -o with-sales.db", "a copy of the dataset with the layer layers.sales",
		),
		Run: func(o *addLayerFlags, c *command.Call) (command.Result, error) { return command.Result{}, o.run(c) },
	})
}

// run writes a copy of the dataset with the layers.
func (o *addLayerFlags) run(c *command.Call) error {
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
	defer stop()
	memory.LimitTo(c.Getenv, maxMemory)
	opt := build.Options{Output: o.Output, OwnLayers: o.OwnLayers, Offline: true, Cache: cmp.Or(c.CacheDir, os.TempDir()), Builder: "postgeo " + command.ReadVersion().Version}
	if err := build.CheckAdded(opt); err != nil {
		return command.Usage(message.WrongAdded, "layer", err)
	}
	base, err := o.Choose(c.Env)
	if err != nil {
		return err
	}
	if base == "" {
		return command.Usage(message.SampleHasNoLayers)
	}
	opt.SourceDateEpoch, err = sourceDateEpoch(c.Env)
	if err != nil {
		return err
	}
	c.Report(message.Building, opt.Output)
	return (&buildFlags{Format: o.Format}).report(c.Env, func(p build.Progress) (*build.Report, error) {
		opt.Progress = p
		return build.Extend(ctx, base, opt)
	})
}
