package data

import (
	"cmp"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/memory"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/sample"
)

// sourceFlags select where files of publishers come from.
type sourceFlags struct {
	Mirror  string `help:"Folder or URL instead of the official hosts: https://HOST/PATH is read from MIRROR/HOST/PATH." placeholder:"DIR|URL"`
	Offline bool   `help:"Use only the cache and a mirror folder, without the network."`
	Cache   string `help:"Folder for downloads. Default: the user's cache folder." placeholder:"DIR"`
}

// set sets the options of the flags.
func (o *sourceFlags) set(env *command.Env, opt *builder.Options) {
	opt.Mirror, opt.Offline, opt.Cache = o.Mirror, o.Offline, cmp.Or(o.Cache, env.CacheDir)
}

// addedFlags are the data of the user, for a new dataset or a finished one.
type addedFlags struct {
	OwnLayers     []string `help:"User-supplied layer as NAME=FILE: polygons as a shapefile or GeoJSON. Options: id, name, title, license. The layer is layers.NAME. May be repeated; files of one name are joined." placeholder:"NAME=FILE,OPTION=VALUE" name:"layer" whole:"true"`
	Plans         []string `help:"Further plan of districts as NAME=FILE,layer=cd,from=2027-01-03: polygons as a shapefile or GeoJSON. Options: layer=cd|sldu|sldl|fed, from, to, states, id, name, title, evidence, keep, license. May be repeated." placeholder:"NAME=FILE,OPTION=VALUE" name:"plan" whole:"true"`
	Streets       []string `help:"US counties and Canadian provinces whose street segments to add: five digits, two digits of a state, or letters of a state or province. The layer streets adds all." placeholder:"COUNTY"`
	AddrFeat      []string `help:"Street segments that --streets would download: TIGER/Line ADDRFEAT file of a county (tl_YYYY_SSCCC_addrfeat.zip), folder of such files, or road network file of Canada. May be repeated." placeholder:"PATH" terms:"license attribution redistribution" name:"addrfeat"`
	AddressPoints []string `help:"File of address points, or folder of files, for geocoding: the National Address Database, OpenAddresses, Statistics Canada, a state, county or city. May be repeated. PATH,license=TEXT,attribution=TEXT names the terms of the publisher." placeholder:"PATH" terms:"license attribution redistribution" name:"address-points"`
}

// set sets the options of the flags.
func (o *addedFlags) set(opt *builder.Options) (err error) {
	opt.OwnLayers, opt.Plans, opt.Streets = o.OwnLayers, o.Plans, o.Streets
	if err := builder.CheckAdded(builder.Options{Plans: o.Plans}); err != nil {
		return command.Usage(`--%s: %s`, "plan", command.Bare(err))
	}
	if err := builder.CheckAdded(builder.Options{OwnLayers: o.OwnLayers}); err != nil {
		return command.Usage(`--%s: %s`, "layer", err)
	}
	for _, name := range o.Streets {
		if !builder.IsStateOrCounty(name) {
			return command.Usage(`--streets %q is not a state or county; expected two letters or digits of a state, or five digits of a county`, name)
		}
	}
	if opt.AddrFeat, err = tables(o.AddrFeat, []string{"_addrfeat.zip"}); err != nil {
		return err
	}
	opt.AddressPoints, err = tables(o.AddressPoints, pointNames[:])
	return err
}

func (o *addedFlags) isZero() bool {
	return len(o.OwnLayers)+len(o.Plans)+len(o.Streets)+len(o.AddrFeat)+len(o.AddressPoints) == 0
}

type addFlags struct {
	File   string `arg:"" optional:"" help:"Dataset to copy. Default: $POSTGEO_DATA, else the user's dataset, else the embedded sample."`
	Output string `help:"Dataset file to write." short:"o" placeholder:"FILE" required:""`
	Format string `help:"Format of the report: table or json." enum:"table,json" default:"table" placeholder:"FORMAT" short:"f"`

	addedFlags
	sourceFlags
}

func addCommand() *cobra.Command {
	return command.New[addFlags](command.About{Name: "add", Short: "Add layers, plans, streets or address points to a copy of a dataset."},
		"postgeo dataset add postgeo.db --layer sales=territories.geojson -o with-sales.db", "a copy of the dataset with the layer layers.sales",
		"postgeo dataset add postgeo.db --address-points points.csv -o points.db", "a copy with more positions for geocoding",
	)
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

// Run writes a copy of the dataset with the data of the flags.
func (o *addFlags) Run(c *command.Call) error {
	defer c.UntilStopped()()
	memory.LimitTo(c.Getenv, maxMemory)
	if o.isZero() {
		return command.Usage(`nothing to add; use --layer, --plan, --streets, --addrfeat or --address-points`)
	}
	if err := command.CheckOutput(c.Env, o.Output); err != nil {
		return err
	}
	opt := builder.Options{Output: o.Output, Builder: "postgeo " + command.ReadVersion().Version}
	o.sourceFlags.set(c.Env, &opt)
	if err := o.addedFlags.set(&opt); err != nil {
		return err
	}
	opt.Cache = cmp.Or(opt.Cache, os.TempDir())
	if len(o.Streets) == 0 {
		opt.Offline = true // nothing is downloaded
	}
	base, err := (command.DataFile{Data: o.File}).Choose(c.Env)
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
	c.Report(`building %s: finding the files to read`, opt.Output)
	return report(c, o.Format, func(p builder.Progress) (*builder.Report, error) {
		opt.Progress = p
		return builder.Extend(c.Context, base, opt)
	})
}
