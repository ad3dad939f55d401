package data

import (
	"context"
	"fmt"
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
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/store"
)

// Messages of several places.
const (
	makeDataFolder = `make the folder of the dataset: %w; choose another file with -o`
	noDataFolder   = `this system has no folder for user data; name the dataset file with -o FILE`
	noCacheFolder  = `this system has no cache folder; use --cache DIR`
)

type buildFlags struct {
	sourceFlags
	addedFlags

	Output string   `help:"Dataset file to write; an existing file is replaced after the build has succeeded. Default: postgeo.db in the user's data folder." short:"o" placeholder:"FILE"`
	Layers []string `help:"Layers to build: LAYERS, or all. Identity is always built; puma, urban, tribal, vtd, streets and points are not part of all." default:"identity" placeholder:"LAYER"`

	ZIPDatabase       string   `help:"zip_code_database.csv, a ZIP table of a private publisher, in place of GeoNames." placeholder:"FILE" name:"zip-database"`
	ZIPPolygons       string   `help:"Outlines of ZIP Codes, a zipped shapefile or GeoJSON, for the boundaries layer. Missing ZIP Codes get the outline of their ZCTA." placeholder:"FILE" name:"zip-polygons"`
	ACS               []string `help:"Table of the American Community Survey, or folder of tables with subfolders. Tables are data profiles DP02 to DP05 of ZCTAs or tracts (.csv, .json, .csv.gz, .zip). May be repeated." placeholder:"PATH" name:"acs"`
	ACSFetch          string   `help:"Years of data profiles of ZCTAs to download from the Census Bureau's API, such as 2024 or 2011-2024, with the key in CENSUS_API_KEY. The cache keeps them, so that an interrupted run continues." placeholder:"YEARS" name:"acs-fetch"`
	ACSFetchTracts    string   `help:"The same for census tracts." placeholder:"YEARS" name:"acs-fetch-tracts"`
	Blocks            []string `help:"Census blocks of 2020 for crosswalks: outlines as a shapefile (TIGER/Line tabblock20) or GeoJSON, or text with residents. May be repeated." placeholder:"PATH" name:"blocks"`
	USPSZIP4          string   `help:"ZIP+4 product of the USPS." placeholder:"FILE" name:"usps-zip4"`
	USPSCityState     string   `help:"City State product of the USPS." placeholder:"FILE" name:"usps-city-state"`
	USPSDeliveryStats string   `help:"Delivery Statistics product of the USPS." placeholder:"FILE" name:"usps-delivery-stats"`
	ZIP4Points        string   `help:"CSV with a point for each ZIP+4 Code." placeholder:"FILE" name:"zip4-points"`

	Format string `help:"Format of the report: table or json." enum:"table,json" default:"table" placeholder:"FORMAT" short:"f"`
}

func buildCommand() *cobra.Command {
	c := command.New[buildFlags](command.About{Name: "build", Short: "Build a dataset from official source files."},
		"postgeo dataset build --layers all", "the national dataset, into the user's data folder",
		"postgeo dataset build --layers boundaries,census --acs tables/ -o new.db", "some layers, with tables of the survey",
		"postgeo dataset build --mirror /mnt/mirror --offline -o new.db", "from local files",
	)
	layers := c.Flags().Lookup("layers")
	layers.Usage = strings.Replace(layers.Usage, "LAYERS", strings.Join(layerList(), ", "), 1)
	return c
}

// maxMemory is the memory limit of a build, in bytes: the garbage of its largest
// steps is collected before the process takes 3 GB.
const maxMemory = 5 << 29

// Run builds the dataset and writes the report.
func (o *buildFlags) Run(c *command.Call) error {
	defer c.UntilStopped()()
	memory.LimitTo(c.Getenv, maxMemory)
	opt, err := o.options(c.Env)
	if err != nil {
		return err
	}
	c.Report(`building %s: finding the files to read`, opt.Output)
	fetched, err := o.fetchSurvey(c.Context, c.Env, opt)
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

// report runs a build with a display of its progress and writes the report.
func report(c *command.Call, format string, run func(builder.Progress) (*builder.Report, error)) error {
	display := progress.New(c.Stderr, c.StderrTerminal, progress.Interval)
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
		return "", command.Failure(makeDataFolder, err)
	}
	return filepath.Join(env.DataDir, store.UserFile), nil
}

// options reads the flags.
func (o *buildFlags) options(env *command.Env) (builder.Options, error) {
	opt := builder.Options{
		Output: o.Output, Layers: o.Layers,
		ZIPDatabase: o.ZIPDatabase, ZIPPolygons: o.ZIPPolygons, USPSZIP4: o.USPSZIP4, USPSCityState: o.USPSCityState,
		USPSDeliveryStats: o.USPSDeliveryStats, ZIP4Points: o.ZIP4Points,
		Blocks: o.Blocks, Builder: "postgeo " + command.ReadVersion().Version,
	}
	o.sourceFlags.set(env, &opt)
	if err := o.addedFlags.set(&opt); err != nil {
		return opt, err
	}
	for _, name := range o.Layers {
		if known := append(layerList(), "all"); !slices.Contains(known, strings.ToLower(strings.TrimSpace(name))) {
			return opt, command.Usage(`unknown layer %q in --layers; available: %s`, name, strings.Join(known, ", "))
		}
	}
	if o.Output == "" && env.DataDir == "" {
		return opt, command.Usage(noDataFolder)
	}
	if opt.Cache == "" && o.Mirror == "" {
		return opt, command.Usage(noCacheFolder)
	}
	var err error
	if opt.ACS, err = tables(o.ACS, tableNames[:]); err != nil {
		return opt, err
	}
	if opt.SourceDateEpoch, err = sourceDateEpoch(env); err != nil {
		return opt, err
	}
	opt.Output, err = userFile(env, o.Output)
	return opt, err
}

var tableNames = [...]string{".csv", ".csv.gz", ".json", ".json.gz", ".zip"}

var pointNames = [...]string{".csv", ".csv.gz", ".txt", ".geojson", ".geojson.gz", ".zip"}

// tables replaces folders by the files in them and in their subfolders whose names
// have one of the endings, in the order of their paths.
func tables(paths, ends []string) (files []string, err error) {
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

// announce lists the files on standard error, before any download.
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
	for _, f := range plan.Files {
		where, size := f.Source.URL, "size unknown"
		switch {
		case f.Path != "":
			where = f.Path
		case where == "":
			where = "no official address, only in a mirror"
		case mirrored && !f.Local:
			where += " (not in the mirror)"
		}
		if f.Size > 0 {
			size = progress.Bytes(f.Size)
		}
		_ = plain.Linef(env.Stderr, "  %-22s %12s  %s", f.Source.ID, size, where)
	}
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
func (o *buildFlags) fetchSurvey(ctx context.Context, env *command.Env, opt builder.Options) ([]string, error) {
	if o.ACSFetch == "" && o.ACSFetchTracts == "" {
		return nil, nil
	}
	if opt.Cache == "" {
		return nil, command.Usage(`--acs-fetch requires a folder for downloads; use --cache DIR`)
	}
	s := fetch.SurveyOptions{
		Key: env.Getenv("CENSUS_API_KEY"), Folder: filepath.Join(opt.Cache, "acs"), Offline: opt.Offline,
		Part: func(name string) { env.Report(`fetching %s`, name) },
	}
	if strings.Contains(opt.Mirror, "://") {
		s.Base = strings.TrimSuffix(opt.Mirror, "/") + "/" + strings.TrimPrefix(fetch.CensusAPI, "https://")
	}
	for _, p := range acs.AllProfiles() {
		s.Tables = append(s.Tables, p.Table())
	}
	var err error
	if s.Years, err = yearSpan("--acs-fetch", o.ACSFetch); err != nil {
		return nil, err
	}
	if s.TractYears, err = yearSpan("--acs-fetch-tracts", o.ACSFetchTracts); err != nil {
		return nil, err
	}
	if s.Key == "" && !s.Offline {
		return nil, command.Usage(`--acs-fetch requires the environment variable CENSUS_API_KEY; get a key at https://api.census.gov/data/key_signup.html`)
	}
	return fetch.Survey(ctx, s)
}

// yearSpan reads a year or a span of years.
func yearSpan(flag, text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	from, to, span := strings.Cut(text, "-")
	if !span {
		to = from
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil || first < acs.FirstYear || last < first || last > 2099 {
		return nil, command.Usage(command.InvalidValue, flag, text, fmt.Sprintf(`a year from %d on, or a span such as 2011-2024`, acs.FirstYear))
	}
	years := make([]int, 0, last-first+1)
	for y := first; y <= last; y++ {
		years = append(years, y)
	}
	return years, nil
}
