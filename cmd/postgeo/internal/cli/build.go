package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build"
	"github.com/postgeo/postgeo/internal/plain"
)

// buildCmd is "postgeo dataset build".
type buildCmd struct {
	Output  string   `help:"Dataset file to write; it is replaced only when the build has succeeded. Default: postgeo.db in the user's data folder." short:"o" placeholder:"FILE" type:"path"`
	Mirror  string   `help:"Folder or address that stands in for the official hosts: https://HOST/PATH is read from MIRROR/HOST/PATH." placeholder:"DIR|URL"`
	Offline bool     `help:"Take what the cache or a mirror folder holds and ask no server."`
	Cache   string   `help:"Folder that keeps downloads. Default: the user's cache folder." placeholder:"DIR" type:"path"`
	Layers  []string `help:"Layers to build: ${layers}, or all. Identity is always built." default:"identity" placeholder:"LAYER"`

	ZIPDatabase       string   `help:"zip_code_database.csv, a ZIP table of a private publisher, in place of GeoNames." placeholder:"FILE" type:"path" name:"zip-database"`
	ZIPPolygons       string   `help:"Outlines of ZIP Codes, a zipped shapefile or GeoJSON, for the boundaries layer; ZIP Codes that it lacks take the outline of the ZCTA of the same code." placeholder:"FILE" type:"path" name:"zip-polygons"`
	ACS               []string `help:"Table of the American Community Survey, or folder of such, subfolders included: data profiles DP02 to DP05 of ZCTAs or census tracts as downloaded (.csv, .json, .csv.gz, .zip), or a CSV with the columns zcta and pop_YYYY, which gives ZIP Codes their population. May be repeated." placeholder:"PATH" type:"path" name:"acs"`
	ACSFields         string   `help:"List of fields in the form of acs/registry.csv, for data profiles of a year that this release does not know." placeholder:"FILE" type:"path" name:"acs-fields"`
	ACSFetch          string   `help:"Years whose data profiles of ZCTAs are fetched from the Census Bureau's interface, such as 2024 or 2011-2024, with the key in CENSUS_API_KEY. Answers are kept in the cache, so that a run that broke off goes on." placeholder:"YEARS" name:"acs-fetch"`
	ACSFetchTracts    string   `help:"The same for census tracts." placeholder:"YEARS" name:"acs-fetch-tracts"`
	Base              string   `help:"Dataset to extend: the new file holds all of it and the tables of --acs, which take the place of those of the same year. Nothing else is read." placeholder:"FILE" type:"path"`
	USPSZIP4          string   `help:"ZIP+4 product of the USPS." placeholder:"FILE" type:"path" name:"usps-zip4"`
	USPSCityState     string   `help:"City State product of the USPS." placeholder:"FILE" type:"path" name:"usps-city-state"`
	USPSDeliveryStats string   `help:"Delivery Statistics product of the USPS." placeholder:"FILE" type:"path" name:"usps-delivery-stats"`
	ZIP4Points        string   `help:"CSV with a point for each ZIP+4 Code." placeholder:"FILE" type:"path" name:"zip4-points"`
	AddressRanges     []string `help:"Public file of house number ranges with ZIP Codes, with or without add-ons: CSV with a header row, such as the State of Washington's or a Streamlined Sales Tax boundary file. For ZIP Codes that --usps-zip4 does not have. May be repeated." placeholder:"FILE" type:"path" name:"address-ranges"`
	AddrFeat          []string `help:"TIGER/Line ADDRFEAT file of a county (tl_YYYY_SSCCC_addrfeat.zip), or folder of such: house number ranges without add-ons, for ZIP Codes that no other source of streets has. May be repeated." placeholder:"PATH" type:"path" name:"addrfeat"`

	Format string `help:"How to write the report: ${enum}." enum:"table,json" default:"table" placeholder:"FORMAT" short:"f"`
}

// lineInterval is how often progress is told where no bar can be drawn.
const lineInterval = 10 * time.Second

// Run builds the dataset and writes the report.
func (c *buildCmd) Run(ctx context.Context, env *Env) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()

	limitBuildMemory(env)
	o, err := c.buildOptions(env)
	if err != nil {
		return err
	}
	if err := c.makeFolder(o.Output); err != nil {
		return err
	}
	env.say("building %s: looking which files that takes", o.Output)
	fetched, err := c.fetchSurvey(ctx, env, o)
	if err != nil {
		return err
	}
	o.ACS = append(o.ACS, fetched...)
	if c.Base != "" {
		if len(o.ACS) == 0 {
			return wrongUse("--base needs the tables to add; name them with --acs, or have them fetched with --acs-fetch")
		}
		return c.report(env, func(p build.Progress) (*build.Report, error) {
			o.Progress = p
			return build.Extend(ctx, c.Base, o)
		})
	}
	plan, err := build.Plan(ctx, o)
	if err != nil {
		return err
	}
	c.tell(env, plan)

	return c.report(env, func(p build.Progress) (*build.Report, error) {
		o.Progress = p
		return build.Build(ctx, o)
	})
}

// report runs a build under a display of its progress and writes what it did.
func (c *buildCmd) report(env *Env, run func(build.Progress) (*build.Report, error)) error {
	report, err := c.build(env, run)
	if err != nil {
		return err
	}
	if c.Format == "json" {
		return report.WriteJSON(env.Stdout)
	}
	return report.WriteText(env.Stdout)
}

// makeFolder makes the folder of the user's data where no file is named with
// -o. The folder of a named file must be there, so that a slip of the pen makes
// none.
func (c *buildCmd) makeFolder(output string) error {
	folder := filepath.Dir(output)
	if c.Output == "" {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return fmt.Errorf("make the folder of the dataset: %w; choose another file with -o", err)
		}
		return nil
	}
	if st, err := os.Stat(folder); err != nil || !st.IsDir() {
		return wrongUse("-o names a file in %s, which is no folder; make it first or choose another file", folder)
	}
	return nil
}

func (c *buildCmd) build(env *Env, run func(build.Progress) (*build.Report, error)) (*build.Report, error) {
	var display interface {
		build.Progress
		Close()
	}
	if env.StderrTerminal {
		display = progress.NewBars(env.Stderr)
	} else {
		display = progress.NewLines(env.Stderr, lineInterval)
	}
	defer display.Close()
	return run(display)
}

func (c *buildCmd) buildOptions(env *Env) (build.Options, error) {
	o := build.Options{
		Output: c.Output, Mirror: c.Mirror, Offline: c.Offline, Cache: c.Cache, Layers: c.Layers,
		ZIPDatabase: c.ZIPDatabase, ZIPPolygons: c.ZIPPolygons, USPSZIP4: c.USPSZIP4, USPSCityState: c.USPSCityState,
		USPSDeliveryStats: c.USPSDeliveryStats, ZIP4Points: c.ZIP4Points, AddressRanges: c.AddressRanges,
		ACSFields: c.ACSFields, Builder: "postgeo " + readVersion().Version,
	}
	for _, name := range c.Layers {
		if known := append(layerList(), "all"); !slices.Contains(known, strings.ToLower(strings.TrimSpace(name))) {
			return o, wrongUse("--layers has no %q; choose from %s", name, strings.Join(known, ", "))
		}
	}
	if o.Output == "" {
		if env.DataDir == "" {
			return o, wrongUse("this system has no folder for the user's data; name the dataset file with -o FILE")
		}
		o.Output = filepath.Join(env.DataDir, dataset.UserFile)
	}
	if o.Cache == "" {
		o.Cache = env.CacheDir
	}
	if o.Cache == "" && o.Mirror == "" {
		return o, wrongUse("this system has no cache folder; name one for downloads with --cache DIR")
	}
	if c.ACSFields != "" {
		if _, err := os.Stat(c.ACSFields); err != nil {
			return o, fmt.Errorf("--acs-fields: %w", err)
		}
	}
	var err error
	if o.ACS, err = tables(c.ACS, tableNames[:]); err != nil {
		return o, err
	}
	if o.AddrFeat, err = tables(c.AddrFeat, []string{"_addrfeat.zip"}); err != nil {
		return o, err
	}
	o.SourceDateEpoch, err = sourceDateEpoch(env)
	return o, err
}

var tableNames = [...]string{".csv", ".csv.gz", ".json", ".json.gz", ".zip"}

// tables replaces folders by the files in them and in their folders whose names
// end so, in the order of their paths.
func tables(paths, ends []string) (files []string, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		before := len(files)
		root := path + string(filepath.Separator) // follows a symbolic link
		err = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) }) {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("the folder %s has no such files (%s)", path, strings.Join(ends, ", "))
		}
	}
	return files, nil
}

// sourceDateEpoch reads the build time that reproducible builds agree on
// (reproducible-builds.org/specs/source-date-epoch); zero when it is not set.
func sourceDateEpoch(env *Env) (time.Time, error) {
	text := env.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		return time.Time{}, nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 {
		return time.Time{}, wrongUse("SOURCE_DATE_EPOCH is %q; give seconds since 1970-01-01, or unset it", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// tell says on standard error what will be read, before anything is
// downloaded.
func (c *buildCmd) tell(env *Env, plan *build.Forecast) {
	local := c.Mirror != "" && !strings.Contains(c.Mirror, "://")
	var atHand, unknown int
	for _, f := range plan.Files {
		switch {
		case f.AtHand:
			atHand++
		case f.Size == 0:
			unknown++
		}
	}
	others := len(plan.Files) - atHand
	line := fmt.Sprintf("%d files to read, %d at hand", len(plan.Files), atHand)
	switch {
	case others == 0:
		line += ", nothing to download"
	case local:
		line += fmt.Sprintf(", nothing to download; the mirror lacks %d", others)
	case c.Offline:
		line += fmt.Sprintf("; the other %d come from the cache, nothing is downloaded", others)
	default:
		line += fmt.Sprintf("; to download: %d files, about %s", others, progress.Bytes(plan.Download))
		if unknown > 0 {
			line += fmt.Sprintf(" and %d of unknown size", unknown)
		}
		line += ", less what the cache holds"
	}
	env.say("%s", line)
	for _, f := range plan.Files {
		where, size := f.Source.URL, "size unknown"
		switch {
		case f.Path != "":
			where = f.Path
		case where == "":
			where = "no official address, only a mirror holds it"
		case local && !f.AtHand:
			where += " (not in the mirror)"
		}
		if f.Size > 0 {
			size = progress.Bytes(f.Size)
		}
		_ = plain.Linef(env.Stderr, "  %-22s %12s  %s", f.Source.ID, size, where)
	}
}

// layerList names the layers that can be built.
func layerList() []string {
	var names []string
	for _, l := range build.Layers() {
		names = append(names, string(l.Name))
	}
	return names
}
