package tables

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/radius"
)

type enrichOptions struct {
	Input  string `arg:"" optional:"" help:"Table to read; - is standard input. Default: standard input." default:"-"`
	Output string `help:"File to write; - is standard output." short:"o" default:"-" placeholder:"FILE"`

	Add        []string `help:"Fields to add, by their paths (city,county_fips,census.tract.geoid); NAME=PATH names the column. --list-fields lists them." short:"a" placeholder:"PATH"`
	ListFields bool     `help:"List the fields that can be added, or those with every given word."`
	Word       []string `help:"With --list-fields: only fields with this word in the path or the description." placeholder:"WORD"`

	keyColumns `group:"Columns of the keys, found by their names if none is set"`

	From      string `help:"Format of the input: csv, tsv, ndjson, parquet or xlsx. Default: by the file extension, else by the first bytes." placeholder:"FORMAT"`
	To        string `help:"Format of the output. Default: by the file extension, else the format of the input." placeholder:"FORMAT"`
	Sheet     string `help:"Sheet of an Excel file. Default: the first." placeholder:"NAME"`
	Gzip      bool   `help:"The input is compressed with gzip. Default: by the first bytes."`
	Delimiter string `help:"Delimiter of csv and tsv, such as ';', '|' or tab. Default: tab for tsv; for csv the comma, semicolon, tab or bar that the header has most of." placeholder:"CHAR"`
	Encoding  string `help:"Encoding of text: utf-8, utf-16le, utf-16be or windows-1252. Output is in UTF-8. Default: by the first bytes." placeholder:"NAME"`
	HeaderRow int    `help:"Row with the names of the columns, from 1. Default: the first row with text, or one below titles that names a code, a coordinate or an address." placeholder:"N" least:"1"`
	NoHeader  bool   `help:"The table has no header; columns are named 1, 2 …"`
	Lenient   bool   `help:"Accept rows with too few or too many cells."`

	StatusColumn string `help:"Name of the column for the status of each row." default:"postgeo_status" placeholder:"NAME"`
	ReasonColumn string `help:"Name of the column for the reason of the status." default:"postgeo_reason" placeholder:"NAME"`
	Strict       bool   `help:"Exit with 1 if any row was not answered, instead of only if none was."`

	Within    operation.Miles `help:"Miles of the radius fields around each row." placeholder:"MILES"`
	Spatial   bool            `help:"With --within: search by areas, not locations."`
	AreasFrom string          `help:"GeoJSON feature collection of polygons, such as your sales territories, for the in_area fields." placeholder:"FILE"`

	operation.Plans
	nearestOptions

	Overwrite bool `help:"Replace an existing output."`
	Quiet     bool `help:"No progress and no summary." short:"q"`

	command.ClockedData
	command.Format

	in  table.Input
	out table.Output
}

// keyColumns are the flags that name the columns of the keys.
type keyColumns struct {
	Code    string   `help:"Column of ZIP, ZIP+4, FSA or postal codes." placeholder:"NAME"`
	Lat     string   `help:"Column of latitudes." placeholder:"NAME"`
	Lon     string   `help:"Column of longitudes." placeholder:"NAME"`
	Address []string `help:"Columns of a US address, joined in the given order; or its fields, as in street=NAME,zip=NAME. The fields are street, unit, city, state, zip and country." placeholder:"NAME"`
	Country string   `help:"Column of countries. Rows of others than the US and Canada are invalid. Default: found by its name, such as country or pays." placeholder:"NAME"`
	Key     []string `help:"Instead: a key as zip, lat,lon, city,state, address=street,city,state, coordinates=y,x or city=town,prov. Several need --try-next." whole:"true" placeholder:"KEY"`
	TryNext bool     `help:"Several --key, the preferred one first: a row that lacks a key or has no match uses the next one."`
}

// Offline implements [command.Offline].
func (o *enrichOptions) Offline() bool { return o.ListFields }

func enrichCommand() *cobra.Command {
	return command.New[enrichOptions](command.About{
		Name: "enrich", Group: group, Short: "Add fields to every row of a table: CSV, TSV, NDJSON, Parquet or Excel.",
		Long: "Rows keep their order and their text. After the added columns come " +
			"postgeo_status (matched, fallback, empty, invalid, not_found, ambiguous, insufficient, unavailable, no_data) and postgeo_reason. Without --code, --lat and --lon, " +
			"or --address, the columns are found by their names. If rows have different keys, name each with --key, the preferred one first, and add --try-next.\n\n" +
			"--format and --columns apply to --list-fields; the table is written in the format of --to.\n\n" +
			"Exit codes: 0 rows were answered (with --strict all of them), 1 none was, or the run failed, 2 usage error.",
	},
		"postgeo enrich customers.csv --add state,county_fips,location.lat,location.lon -o out.csv", "columns by the codes of a table",
		"postgeo enrich customers.csv --add census.tract.geoid -o out.parquet", "convert to Parquet",
		"postgeo enrich mixed.csv --key zip --key lat,lon --try-next --add county_fips -o out.csv", "rows with a ZIP, or else coordinates",
		"postgeo enrich --list-fields income", "the available fields",
	)
}

// Run implements the command.
func (o *enrichOptions) Run(c *command.Call) error {
	if o.ListFields {
		return command.Rows(c, command.Table(output.Columns[enrich.Field]()), o.fields())
	}
	return o.enrich(c)
}

func (o *enrichOptions) enrich(c *command.Call) error {
	if err := enrich.Check(c.DB, o.Add); err != nil {
		return reason(err)
	}
	if err := command.CheckOutput(c.Env, o.Output, o.Input, c.Path, o.NearestFrom, o.AreasFrom); err != nil {
		return err
	}
	if o.Output != "-" { // the temporary file is removed
		defer c.UntilStopped()()
	}
	ctx := c.Context
	reading, stop := context.WithCancel(ctx) // ends a read of a silent stream
	defer stop()
	src, err := command.OpenTable(reading, c.Env, o.Input, o.in)
	if e := (*table.SheetError)(nil); errors.As(err, &e) {
		return command.Usage(`invalid --sheet %q: %s`, o.Sheet, command.Bare(e))
	}
	if err != nil {
		return err
	}
	defer src.Close()
	keys, err := src.FindKeys(table.Names{Code: o.Code, Lat: o.Lat, Lon: o.Lon, Address: o.Address, Country: o.Country, Keys: o.Key, TryNext: o.TryNext, Prefer: o.preferred()})
	if err != nil {
		return reason(err)
	}
	if c.Getenv("GOGC") == "" && keys.Kind == enrich.Coordinates { // the outlines of a nation need not be doubled
		defer debug.SetGCPercent(debug.SetGCPercent(50))
	}
	opt := o.options(&keys)
	if opt.Places, err = o.places(ctx, c, o.Lenient); err != nil {
		return reason(err)
	}
	if opt.Areas, err = areasFrom(o.AreasFrom); err != nil {
		return err
	}
	e, err := enrich.New(c.DB, opt)
	if err != nil {
		return reason(err)
	}
	job, err := table.NewJob(src, e, keys, o.out)
	switch {
	case err != nil:
		return reason(err)
	case o.Output != "-" && exists(o.Output) && !o.Overwrite:
		return command.Failure(fileExists, o.Output)
	case o.Output == "-" && c.StdoutTerminal && cmp.Or(o.out.Format, src.Format).Binary():
		return command.Usage(binaryTerminal, cmp.Or(o.out.Format, src.Format))
	}
	return o.work(ctx, c.Env, src, job, &keys, table.RunOptions{Stop: stop}, c.Path == "")
}

// Check reads the formats of the input and the output.
func (o *enrichOptions) Check(*command.Env) (err error) {
	if o.ListFields {
		return nil
	}
	in, out := &o.in, &o.out
	*in = table.Input{HeaderRow: o.HeaderRow, NoHeader: o.NoHeader, Lenient: o.Lenient, Gzip: o.Gzip, Sheet: o.Sheet}
	if o.Encoding != "" {
		if in.Encoding, err = table.ParseEncoding(o.Encoding); err != nil {
			return command.Usage(command.InvalidValue, "--encoding", o.Encoding, `utf-8, utf-16le, utf-16be or windows-1252`)
		}
	}
	*out = table.Output{Status: o.StatusColumn, Reason: o.ReasonColumn, NeutralizeFormulas: o.NeutralizeFormulas}
	out.Format, _, _ = table.FormatOf(o.Output)
	for _, f := range []struct {
		name string
		to   *table.Format
		flag string
	}{{o.From, &in.Format, "--from"}, {o.To, &out.Format, "--to"}} {
		if f.name == "" {
			continue
		}
		if *f.to, err = table.ParseFormat(f.name); err != nil {
			return command.Usage(command.InvalidValue, f.flag, f.name, `csv, tsv, ndjson, parquet or xlsx`)
		}
	}
	if err := table.CheckName(o.Output); err != nil {
		return command.Usage("%s", command.Bare(err))
	}
	if in.Delimiter, err = command.Delimiter("--delimiter", o.Delimiter); err != nil {
		return err
	}
	return nil
}

// preferred returns the kind of keys that the fields require, if any.
func (o *enrichOptions) preferred() enrich.Kind {
	if slices.ContainsFunc(o.Add, func(a string) bool {
		_, path, named := strings.Cut(a, "=")
		if !named {
			path = a
		}
		return strings.HasPrefix(strings.TrimSpace(path), "address")
	}) {
		return enrich.Address
	}
	return ""
}

func (o *enrichOptions) options(keys *table.Keys) enrich.Options {
	opt := enrich.Options{Kind: keys.Kind, Kinds: keys.Kinds(), Add: o.Add, Plans: o.Options()}
	opt.Radius.Max = geo.Miles(o.Within)
	if o.Spatial {
		opt.Radius.Mode = radius.Spatial
	}
	opt.Nearest = o.nearest()
	return opt
}

func (o *enrichOptions) work(ctx context.Context, env *command.Env, src *table.Source, job *table.Job, keys *table.Keys, opt table.RunOptions, sample bool) error {
	var rows *progress.Display
	if !o.Quiet {
		if text := o.found(src); text != "" {
			env.Report(`reading %s`, text)
		}
		env.Report(`using %s`, keysFound(keys))
		rows = progress.New(env.Stderr, env.StderrTerminal, progress.Interval)
		rows.Rows(0, -1)
		opt.Progress = func(p table.Progress) { rows.Rows(p.Rows, p.Done) }
	}
	began := time.Now()
	var sum table.Summary
	run := func(w io.Writer) (err error) {
		sum, err = job.Run(ctx, w, opt)
		return err
	}
	var err error
	if o.Output == "-" {
		err = run(env.Table())
	} else {
		err = writeFile(o.Output, run)
	}
	if rows != nil {
		rows.Close()
		o.summary(env, &sum, time.Since(began), sample)
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = ctx.Err()
	}
	switch {
	case err != nil:
		return command.Kind("table", err)
	case sum.Rows > 0 && sum.Answered() == 0, o.Strict && sum.Answered() < sum.Rows:
		return command.ErrReported
	default:
		return nil
	}
}

// found names the encoding and the delimiter that were found, if they are not the
// usual ones of the format, and the sheet of several.
func (o *enrichOptions) found(src *table.Source) string {
	var parts []string
	if name := src.Encoding; o.Encoding == "" && name != "" && name != "utf-8" {
		parts = append(parts, "text in "+name)
	}
	if d := src.Delimiter; o.Delimiter == "" && src.Format == table.CSV && d != ',' {
		parts = append(parts, "cells divided by "+map[byte]string{';': "semicolons", '\t': "tabs", '|': "bars"}[d])
	}
	if n := len(src.Sheets); o.Sheet == "" && n > 1 {
		parts = append(parts, fmt.Sprintf("sheet %q of %d", src.Sheet, n))
	}
	return strings.Join(parts, ", ")
}

// summary reports the number of rows of each status.
func (o *enrichOptions) summary(env *command.Env, sum *table.Summary, took time.Duration, sample bool) {
	var parts []string
	for _, s := range enrich.Statuses() {
		if n := sum.Statuses[s.String()]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	text := ""
	if len(parts) > 0 {
		text = ": " + strings.Join(parts, ", ")
	}
	env.Report(`%d rows in %v%s`, sum.Rows, took.Round(10*time.Millisecond), text)
	if sum.Repaired > 0 {
		env.Report(`%d codes that a spreadsheet had changed were repaired; their reason is CODE_REPAIRED, CODE_ROUNDED or ZEROS_RESTORED`, sum.Repaired)
	}
	if sample && sum.Answered() < sum.Rows {
		env.Report(command.SampleIsSmall)
	}
}

func (o *enrichOptions) fields() []enrich.Field {
	words := slices.Clone(o.Word)
	if o.Input != "-" {
		words = append(words, o.Input)
	}
	return slices.DeleteFunc(enrich.Catalog(), func(f enrich.Field) bool {
		text := strings.ToLower(f.Path + " " + f.About)
		return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) })
	})
}

// keysFound names the columns of each key.
func keysFound(keys *table.Keys) string {
	var parts []string
	for _, k := range append([]table.Keys{*keys}, keys.Next...) {
		parts = append(parts, fmt.Sprintf(`%[2]s as the %[1]s`, k.Kind, strings.Join(k.Names, ", ")))
	}
	return strings.Join(parts, ", else ")
}
