package data

import (
	"cmp"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/memory"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/dataset/build"
	"github.com/postgeo/postgeo/internal/dataset/sample"
)

type addLayerFlags struct {
	command.DataFile

	OwnLayers []string `help:"Layer as NAME=FILE: polygons as a shapefile, GeoJSON or GeoParquet. With buffer=MILES points and lines too, or points as text. Options: id, name, title, license, buffer. The layer is layers.NAME. May be repeated; files of one name are joined." placeholder:"NAME=FILE,OPTION=VALUE" name:"layer" whole:"true"`
	Blocks    []string `help:"Census blocks of 2020 for crosswalks: TIGER/Line outlines, P.L. 94-171 files or text. They replace those of the same counties. May be repeated." placeholder:"PATH" type:"path" name:"blocks"`
	Output    string   `help:"Dataset file to write." short:"o" placeholder:"FILE" type:"path" required:""`
	Format    string   `help:"Format of the report: table or json." enum:"table,json" default:"table" placeholder:"FORMAT" short:"f"`
}

func addLayerCommand() *command.Command {
	c := command.New(command.Spec[addLayerFlags, struct{}]{
		Name: "add-layer", Short: "Add user-supplied layers to a dataset without rebuilding it.",
		Examples: command.Examples(
			"postgeo dataset add-layer --data postgeo.db --layer sales=territories.geojson -o with-sales.db", "a copy of the dataset with the layer layers.sales",
		),
		Run: func(o *addLayerFlags, c *command.Call) (command.Result, error) { return command.Result{}, o.run(c) },
	})
	return c
}

// sampleFile writes the sample to a temporary file.
func sampleFile() (path string, err error) {
	from, err := sample.FS().Open(sample.Name)
	if err != nil {
		return "", err
	}
	defer from.Close()
	to, err := os.CreateTemp("", "postgeo-sample-*.db")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Close()); err != nil {
		return "", errors.Join(err, os.Remove(to.Name()))
	}
	return to.Name(), nil
}

// run writes a copy of the dataset with the layers.
func (o *addLayerFlags) run(c *command.Call) error {
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
	defer stop()
	memory.LimitTo(c.Getenv, maxMemory)
	opt := build.Options{Output: o.Output, OwnLayers: o.OwnLayers, Blocks: o.Blocks, Offline: true, Cache: cmp.Or(c.CacheDir, os.TempDir()), Builder: "postgeo " + command.ReadVersion().Version}
	if len(o.OwnLayers)+len(o.Blocks) == 0 {
		return command.Usage(message.NothingToAdd)
	}
	if err := command.CheckOutput(c.Env, o.Output); err != nil {
		return err
	}
	if err := build.CheckAdded(opt); err != nil {
		return command.Usage(message.WrongAdded, "layer", err)
	}
	opt.OpenGeo = openGeo
	base, err := o.Choose(c.Env)
	if err != nil {
		return err
	}
	if base == "" {
		if base, err = sampleFile(); err != nil {
			return err
		}
		defer os.Remove(base)
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
