package data

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/memory"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/userdata"
)

// Messages of several places.
const (
	noDataFolder  = `this system has no folder for user data; name the dataset file with -o FILE`
	noCacheFolder = `this system has no cache folder; use --cache DIR`
)

// sourceFlags select the origin of the publishers' files.
type sourceFlags struct {
	Mirror  string `help:"Folder or URL instead of the official hosts: https://HOST/PATH is read from MIRROR/HOST/PATH." placeholder:"DIR|URL"`
	Offline bool   `help:"Use only the cache and a mirror folder, without the network."`
	Cache   string `help:"Folder for downloads. Default: the user's cache folder." placeholder:"DIR"`
}

// addedFlags are the data of the user, for a new dataset or a finished one.
type addedFlags struct {
	OwnLayers     []string `help:"User-supplied layer as NAME=FILE: polygons as a shapefile or GeoJSON. Options: id, name, title, license, attribution. The layer is layers.NAME. May be repeated; files of one name are joined." placeholder:"NAME=FILE,OPTION=VALUE" name:"layer" whole:"true"`
	Plans         []string `help:"Further plan of districts as NAME=FILE,layer=cd,from=2027-01-03: polygons as a shapefile or GeoJSON. Options: layer=cd|sldu|sldl|fed, from, to, states, id, name, title, evidence, keep, license, attribution. May be repeated." placeholder:"NAME=FILE,OPTION=VALUE" name:"plan" whole:"true"`
	Streets       []string `help:"US counties and Canadian provinces whose street segments to add: five digits, two digits of a state, or letters of a state or province. The layer streets adds all." placeholder:"COUNTY"`
	AddrFeat      []string `help:"Street segments that --streets would download: TIGER/Line ADDRFEAT file of a county (tl_YYYY_SSCCC_addrfeat.zip), folder of such files, or road network file of Canada. May be repeated." placeholder:"PATH" whole:"true" name:"addrfeat"`
	AddressPoints []string `help:"File of address points, or folder of files, for geocoding: the National Address Database, OpenAddresses, Statistics Canada, a state, county or city. May be repeated. PATH,license=TEXT,attribution=TEXT names the terms of the publisher." placeholder:"PATH" whole:"true" name:"address-points"`
}

// options returns the options of the flags that builds and additions share.
func (o *addedFlags) options(env *command.Env, from sourceFlags) (opt builder.Options, err error) {
	for flag, part := range map[string]builder.Options{"plan": {Plans: o.Plans}, "layer": {OwnLayers: o.OwnLayers}} {
		if err := builder.CheckAdded(part); err != nil {
			return opt, command.Usage(`--%s: %s`, flag, command.Bare(err))
		}
	}
	for _, name := range o.Streets {
		if !builder.IsStateOrCounty(name) {
			return opt, command.Usage(`--streets %q is not a state or county; expected two letters or digits of a state, or five digits of a county`, name)
		}
	}
	opt = builder.Options{
		OwnLayers: o.OwnLayers, Plans: o.Plans, Streets: o.Streets,
		Mirror: from.Mirror, Offline: from.Offline, Cache: cmp.Or(from.Cache, env.CacheDir), Builder: "postgeo " + command.ReadVersion().Version,
	}
	var errs [3]error
	opt.AddrFeat, errs[0] = filesOf(o.AddrFeat, "_addrfeat.zip")
	opt.AddressPoints, errs[1] = filesOf(o.AddressPoints, ".csv", ".csv.gz", ".txt", ".geojson", ".geojson.gz", ".zip")
	opt.SourceDateEpoch, errs[2] = sourceDateEpoch(env)
	return opt, cmp.Or(errs[:]...)
}

type buildFlags struct {
	sourceFlags
	addedFlags

	Output string   `help:"Dataset file to write; an existing file is replaced after the build has succeeded. Default: postgeo.db in the user's data folder." short:"o" placeholder:"FILE"`
	Layers []string `help:"Layers to build: LAYERS, or all. Identity is always built; puma, urban, tribal, vtd, streets and points are not part of all." default:"identity" placeholder:"LAYER"`

	ZIPDatabase       string   `help:"zip_code_database.csv, a ZIP table of a private publisher, in place of GeoNames." placeholder:"FILE" name:"zip-database"`
	ZIPPolygons       string   `help:"Outlines of ZIP Codes, a zipped shapefile or GeoJSON, for the boundaries layer. Missing ZIP Codes get the outline of their ZCTA." placeholder:"FILE" name:"zip-polygons"`
	ACS               []string `help:"Table of the American Community Survey, or folder of tables with subfolders. Tables are data profiles DP02 to DP05 of ZCTAs or tracts (.csv, .json, .csv.gz, .zip). May be repeated." placeholder:"PATH" name:"acs"`
	ACSFetch          years    `help:"Years of data profiles of ZCTAs to download from the Census Bureau's API, such as 2024 or 2011-2024, with the key in CENSUS_API_KEY. The cache keeps them, so that an interrupted run continues." placeholder:"YEARS" name:"acs-fetch"`
	ACSFetchTracts    years    `help:"The same for census tracts." placeholder:"YEARS" name:"acs-fetch-tracts"`
	Blocks            []string `help:"Census blocks of 2020 for crosswalks: outlines as a shapefile (TIGER/Line tabblock20) or GeoJSON, or text with residents. May be repeated." placeholder:"PATH" name:"blocks"`
	USPSZIP4          string   `help:"ZIP+4 product of the USPS." placeholder:"FILE" name:"usps-zip4"`
	USPSCityState     string   `help:"City State product of the USPS." placeholder:"FILE" name:"usps-city-state"`
	USPSDeliveryStats string   `help:"Delivery Statistics product of the USPS." placeholder:"FILE" name:"usps-delivery-stats"`
	ZIP4Points        string   `help:"CSV with a point for each ZIP+4 Code." placeholder:"FILE" name:"zip4-points"`

	Format string `help:"Format of the report: table or json." enum:"table,json" default:"table" placeholder:"FORMAT" short:"f"`
}

// buildCommand returns "dataset build", whose help lists the layers.
func buildCommand() *cobra.Command {
	c := command.New(command.About{Name: "build", Short: "Build a dataset from official source files."}, (*buildFlags).run,
		"postgeo dataset build --layers all", "the national dataset, into the user's data folder",
		"postgeo dataset build --layers boundaries,census --acs tables/ -o new.db", "some layers, with tables of the survey",
		"postgeo dataset build --mirror /mnt/mirror --offline -o new.db", "from local files",
	)
	layers := c.Flags().Lookup("layers")
	layers.Usage = strings.Replace(layers.Usage, "LAYERS", strings.Join(layerList(), ", "), 1)
	return c
}

type addFlags struct {
	File   string `arg:"" optional:"" help:"Dataset to copy. Default: $POSTGEO_DATA, else the user's dataset, else the embedded sample."`
	Output string `help:"Dataset file to write." short:"o" placeholder:"FILE" required:""`
	Format string `help:"Format of the report: table or json." enum:"table,json" default:"table" placeholder:"FORMAT" short:"f"`

	addedFlags
	sourceFlags
}

// maxMemory is the memory limit of a build, in bytes: the garbage of its largest
// steps is collected before the process takes 3 GB.
const maxMemory = 5 << 29

// run builds the dataset and writes the report.
func (o *buildFlags) run(c *command.Call) error {
	defer c.UntilStopped()()
	memory.Limit(c.Getenv, maxMemory)
	opt, err := o.options(c.Env)
	if err != nil {
		return err
	}
	c.Report(`building %s: finding the files to read`, opt.Output)
	fetched, err := o.fetchSurvey(c, opt)
	if err != nil {
		return err
	}
	opt.ACS = append(opt.ACS, fetched...)
	plan, err := builder.Plan(c.Context, opt)
	if err != nil {
		return err
	}
	o.announce(c.Env, plan)
	return report(c, o.Format, func(p builder.Progress) (*builder.Report, error) {
		opt.Progress = p
		return builder.Build(c.Context, opt)
	})
}

// options reads the flags.
func (o *buildFlags) options(env *command.Env) (builder.Options, error) {
	opt, err := o.addedFlags.options(env, o.sourceFlags)
	if err != nil {
		return opt, err
	}
	opt.Layers, opt.Blocks, opt.ZIPDatabase, opt.ZIPPolygons = o.Layers, o.Blocks, o.ZIPDatabase, o.ZIPPolygons
	opt.USPSZIP4, opt.USPSCityState, opt.USPSDeliveryStats, opt.ZIP4Points = o.USPSZIP4, o.USPSCityState, o.USPSDeliveryStats, o.ZIP4Points
	for _, name := range o.Layers {
		if known := append(layerList(), "all"); !slices.Contains(known, strings.ToLower(strings.TrimSpace(name))) {
			return opt, command.Usage(`unknown layer %q in --layers; available: %s`, name, strings.Join(known, ", "))
		}
	}
	if opt.Cache == "" && o.Mirror == "" {
		return opt, command.Usage(noCacheFolder)
	}
	if opt.ACS, err = filesOf(o.ACS, ".csv", ".csv.gz", ".json", ".json.gz", ".zip"); err == nil {
		opt.Output, err = userFile(env, o.Output)
	}
	return opt, err
}

// run writes a copy of the dataset with the data of the flags.
func (o *addFlags) run(c *command.Call) error {
	defer c.UntilStopped()()
	memory.Limit(c.Getenv, maxMemory)
	if len(o.OwnLayers)+len(o.Plans)+len(o.Streets)+len(o.AddrFeat)+len(o.AddressPoints) == 0 {
		return command.Usage(`nothing to add; use --layer, --plan, --streets, --addrfeat or --address-points`)
	}
	if err := command.CheckOutput(c.Env, o.Output); err != nil {
		return err
	}
	opt, err := o.options(c.Env, o.sourceFlags)
	if err != nil {
		return err
	}
	opt.Output, opt.Cache = o.Output, cmp.Or(opt.Cache, os.TempDir())
	opt.Offline = opt.Offline || len(o.Streets) == 0 // nothing is downloaded
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
	c.Report(`building %s: finding the files to read`, opt.Output)
	return report(c, o.Format, func(p builder.Progress) (*builder.Report, error) {
		opt.Progress = p
		return builder.Extend(c.Context, base, opt)
	})
}

// report runs a build with a display of its progress and writes the report.
func report(c *command.Call, format string, run func(builder.Progress) (*builder.Report, error)) error {
	display := shown(c)
	r, err := run(display)
	display.Close()
	switch {
	case err != nil:
		return err
	case format == "json":
		return r.WriteJSON(c.Stdout)
	default:
		return r.WriteText(c.Stdout)
	}
}

// sampleFile writes the sample to a temporary file: the builder copies tables from a file
// by its name, and the sample is embedded in the program.
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

// userFile returns the dataset's file of -o, whose folder must exist so that a typing error
// creates none, or the user's file, whose folder is created.
func userFile(env *command.Env, output string) (string, error) {
	if output != "" {
		return output, command.CheckFolder(output)
	}
	if env.DataDir == "" {
		return "", command.Usage(noDataFolder)
	}
	if err := os.MkdirAll(env.DataDir, 0o755); err != nil {
		return "", command.Failure(`make the folder of the dataset: %w; choose another file with -o`, err)
	}
	return filepath.Join(env.DataDir, userdata.File), nil
}

// filesOf replaces folders by the files in them and in their subfolders whose names
// have one of the endings, in the order of their paths.
func filesOf(paths []string, ends ...string) (files []string, err error) {
	for _, text := range paths {
		path, terms := builder.CutTerms(text)
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, text)
			continue
		}
		before := len(files)
		root := path + string(filepath.Separator) // follows a symbolic link
		err = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) }) {
				files = append(files, name+terms)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, command.Failure(`folder %s has no files of these kinds: %s`, path, strings.Join(ends, ", "))
		}
	}
	return files, nil
}

// sourceDateEpoch reads the build time of reproducible builds
// (reproducible-builds.org/specs/source-date-epoch); zero if it is not set.
func sourceDateEpoch(env *command.Env) (time.Time, error) {
	text := env.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		return time.Time{}, nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	const year10000 = 253402300800 // JSON has no later times
	if err != nil || seconds < 0 || seconds >= year10000 {
		return time.Time{}, command.Usage(`invalid SOURCE_DATE_EPOCH %q: must be %s`, text, `seconds from 1970-01-01 to 9999-12-31, or unset`)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// announce reports the number of the files on standard error, before any download.
func (o *buildFlags) announce(env *command.Env, plan *builder.Forecast) {
	mirrored := o.Mirror != "" && !strings.Contains(o.Mirror, "://")
	local := 0
	for _, f := range plan.Files {
		if f.Local {
			local++
		}
	}
	line := fmt.Sprintf(`%d files to read, %d local`, len(plan.Files), local)
	if local < len(plan.Files) && !mirrored && !o.Offline {
		line += fmt.Sprintf(`; to download, less the files in the cache: %d files, about %s`, len(plan.Files)-local, progress.Bytes(plan.Download))
	}
	env.Report("%s", line)
}

// layerList lists the layers that can be built.
func layerList() []string {
	var names []string
	for _, l := range builder.Layers() {
		names = append(names, string(l.Name))
	}
	return names
}

// fetchSurvey downloads the tables of --acs-fetch and returns their files.
func (o *buildFlags) fetchSurvey(c *command.Call, opt builder.Options) ([]string, error) {
	s := fetch.SurveyOptions{
		Key: c.Getenv("CENSUS_API_KEY"), Folder: filepath.Join(opt.Cache, "acs"), Offline: opt.Offline, Years: o.ACSFetch, TractYears: o.ACSFetchTracts,
		Part: func(name string) { c.Report(`fetching %s`, name) },
	}
	switch {
	case len(o.ACSFetch)+len(o.ACSFetchTracts) == 0:
		return nil, nil
	case opt.Cache == "":
		return nil, command.Usage(`--acs-fetch requires a folder for downloads; use --cache DIR`)
	case s.Key == "" && !s.Offline:
		return nil, command.Usage(`--acs-fetch requires the environment variable CENSUS_API_KEY; get a key at https://api.census.gov/data/key_signup.html`)
	case strings.Contains(opt.Mirror, "://"):
		s.Base = strings.TrimSuffix(opt.Mirror, "/") + "/" + strings.TrimPrefix(fetch.CensusAPI, "https://")
	}
	for _, p := range acs.AllProfiles() {
		s.Tables = append(s.Tables, p.Table())
	}
	return fetch.Survey(c.Context, s)
}

// years are the years of a span.
type years []int

// UnmarshalText reads a year or a span of years.
func (y *years) UnmarshalText(text []byte) error {
	from, to, span := strings.Cut(string(text), "-")
	if !span {
		to = from
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil || first < acs.FirstYear || last < first || last > 2099 {
		return &envelope.Failure{Kind: envelope.KindInvalidParam, Range: fmt.Sprintf(`a year from %d on, or a span such as 2011-2024`, acs.FirstYear)}
	}
	for ; first <= last; first++ {
		*y = append(*y, first)
	}
	return nil
}
