package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/geo"
)

// enrichCmd is "postgeo enrich".
type enrichCmd struct {
	Input  string `arg:"" optional:"" help:"Table to read; - is standard input. Default: standard input." default:"-"`
	Output string `help:"File to write; - is standard output." short:"o" default:"-" placeholder:"FILE"`

	Add        []string `help:"Fields to add, by their paths (city,county_fips,census.tract.geoid); NAME=PATH names the column. --list-fields lists them." short:"a" placeholder:"PATH"`
	ListFields bool     `help:"List the fields that can be added, those that contain every word given."`
	Word       []string `help:"With --list-fields: only fields with this word, in the path or in what it is." placeholder:"WORD"`

	Code    string   `help:"Column of ZIP, ZIP+4, FSA or postal codes." placeholder:"NAME" group:"key"`
	Lat     string   `help:"Column of latitudes." placeholder:"NAME" group:"key"`
	Lon     string   `help:"Column of longitudes." placeholder:"NAME" group:"key"`
	Address []string `help:"Columns of a US address, joined in the given order." placeholder:"NAME" group:"key"`
	Text    []string `help:"Columns of what people call places (san francisco ca), joined in the given order. Fields of suggest and of what lies around are told of them." placeholder:"NAME" group:"key"`

	From      string `help:"Format of the input: csv, tsv, ndjson or parquet. Default: by the file's name, else by its beginning." placeholder:"FORMAT"`
	To        string `help:"Format of the output. Default: by the file's name, else that of the input." placeholder:"FORMAT"`
	Gzip      bool   `help:"The input is compressed with gzip, which is also seen at its beginning."`
	Delimiter string `help:"What divides the cells of csv and tsv, e.g. ';', '|' or tab. Default: a comma, of tsv a tab." placeholder:"CHAR"`
	NoHeader  bool   `help:"The first row is no header; columns are named 1, 2 …"`
	Lenient   bool   `help:"Keep rows with too few or too many cells, and lines that are no JSON object, instead of ending at them."`
	MaxRow    int    `help:"Longest row of text, in bytes." default:"1048576" placeholder:"BYTES"`

	RestoreZeros bool   `help:"Read codes that a spreadsheet has taken for numbers: 501 as 00501, 6103.0 as 06103."`
	StatusColumn string `help:"Name of the column with the status of each row." default:"postgeo_status" placeholder:"NAME"`
	ReasonColumn string `help:"Name of the column with the reason for that status." default:"postgeo_reason" placeholder:"NAME"`
	Strict       bool   `help:"Exit with 1 if any row was not answered, not only if none was."`

	DistanceTo     string   `help:"Code or coordinate that fields of distance measure to." placeholder:"CODE"`
	DistanceColumn []string `help:"Columns of the place that fields of distance measure to in each row: one of codes, or latitude,longitude. --distance-to then is for rows that have none." placeholder:"NAME"`
	Within         float64  `help:"Miles around each row that fields of radius tell of." placeholder:"MILES"`
	Spatial        bool     `help:"With --within: take areas, not points."`
	BoundaryOf     string   `help:"ZIP or FSA whose boundary fields of boundary measure to." placeholder:"CODE"`
	AreasFrom      string   `help:"GeoJSON file of your own areas, such as sales territories, that fields of in_area tell of: a feature collection of polygons." placeholder:"FILE" type:"path"`

	enrichNearest
	enrichTexts

	Shard     string `help:"Work only part I of N of a file, a run of rows." placeholder:"I/N"`
	Resume    bool   `help:"Go on where a run that was killed was when it was last known to be on disk."`
	Overwrite bool   `help:"Replace the output if it is there, and give up an unfinished run unless --resume is given too."`
	Workers   int    `help:"Goroutines that answer rows. Default: one for each processor." placeholder:"N"`
	Quiet     bool   `help:"No progress and no summary." short:"q"`

	clockedDataFlag
	formatFlag
}

// Help explains keys and outcomes.
func (enrichCmd) Help() string {
	return "Adds fields of postgeo's answers to every row of a table. Rows keep their order and their text; behind the added columns stand " +
		"postgeo_status (matched, fallback, empty, invalid, not_found, ambiguous, insufficient, unavailable) and postgeo_reason. Without --code, --lat and --lon, " +
		"or --address, the columns are found by what they are called.\n\n" +
		"A file is called FILE.partial while it is written. If the run is killed, the same command with --resume goes on.\n\n" +
		"--format and --columns are those of --list-fields; the table is written in the format of --to.\n\n" +
		"Exit codes: 0 rows were answered (with --strict all of them), 1 none was, or the run failed, 2 wrong use."
}

// Run enriches the table.
func (c *enrichCmd) Run(ctx context.Context, env *Env) error {
	if c.ListFields {
		return c.listFields(env)
	}
	in, out, err := c.formats()
	if err != nil {
		return err
	}
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := enrich.Check(db, c.Add); err != nil {
		return c.wrong(err)
	}
	if err := checkOutput(env, c.Output, c.Input, path, c.NearestFrom, c.AreasFrom); err != nil {
		return err
	}
	if c.Output != "-" { // there is something to tell of when it is stopped
		var stop context.CancelFunc
		ctx, stop = untilStopped(ctx)
		defer stop()
	}
	reading, stop := context.WithCancel(ctx) // ends a read of a silent stream
	defer stop()
	src, err := openTable(reading, env, c.Input, in)
	if err != nil {
		return err
	}
	defer src.Close()
	keys, err := src.FindKeys(table.Names{Code: c.Code, Lat: c.Lat, Lon: c.Lon, Address: c.Address, Text: c.Text, To: c.DistanceColumn, Prefer: c.preferred()})
	if err != nil {
		return c.wrong(err)
	}
	o, err := c.options(keys.Kind)
	if err != nil {
		return err
	}
	if o.Places, err = c.places(ctx, env, db, c.RestoreZeros, c.Lenient); err != nil {
		return c.wrong(err)
	}
	if o.Areas, err = areasFrom(c.AreasFrom); err != nil {
		return err
	}
	e, err := enrich.New(db, o)
	if err != nil {
		return c.wrong(err)
	}
	c.unused(env, e.Columns())
	sink, err := c.sink(env, src, e, keys, out)
	if err != nil {
		return c.wrong(err)
	}
	opt := table.RunOptions{Workers: c.Workers, Stop: stop}
	return c.work(ctx, env, src, sink, e, keys, opt, path == "")
}

// maxWorkers bounds the goroutines that answer rows, each of which has rows of
// its own in memory.
const maxWorkers = 1024

// formats reads what the input and the output are.
func (c *enrichCmd) formats() (in table.Input, out table.Output, err error) {
	in = table.Input{NoHeader: c.NoHeader, Lenient: c.Lenient, MaxRow: c.MaxRow, Gzip: c.Gzip}
	out = table.Output{
		Status: c.StatusColumn, Reason: c.ReasonColumn, NeutralizeFormulas: c.NeutralizeFormulas,
		Overwrite: c.Overwrite, Resume: c.Resume,
	}
	for _, f := range []struct {
		name string
		to   *table.Format
		flag string
	}{{c.From, &in.Format, "--from"}, {c.To, &out.Format, "--to"}} {
		if f.name == "" {
			continue
		}
		if *f.to, err = table.ParseFormat(f.name); err != nil {
			return in, out, wrongUse("%s %q is no format; expected csv, tsv, ndjson or parquet", f.flag, f.name)
		}
	}
	if in.Delimiter, err = delimiter("--delimiter", c.Delimiter); err != nil {
		return in, out, err
	}
	if c.Shard != "" {
		if _, err := fmt.Sscanf(c.Shard, "%d/%d", &in.Shard, &in.Shards); err != nil || in.Shard < 1 || in.Shard > in.Shards || fmt.Sprintf("%d/%d", in.Shard, in.Shards) != c.Shard {
			return in, out, wrongUse("--shard %q; expected I/N, e.g. 1/4", c.Shard)
		}
	}
	switch {
	case c.Within < 0:
		return in, out, wrongUse("--within %v; expected miles above 0", c.Within)
	case c.Workers < 0 || c.Workers > maxWorkers:
		return in, out, wrongUse("--workers is %d; expected a whole number from 1 to %d", c.Workers, maxWorkers)
	case c.Resume && (c.Output == "-" || c.Input == "-"):
		return in, out, wrongUse("--resume needs an input and an output that are files")
	}
	return in, out, nil
}

// preferred is the kind of keys that the fields need, where they need one.
func (c *enrichCmd) preferred() enrich.Kind {
	if slices.ContainsFunc(c.Add, func(a string) bool {
		_, path, named := strings.Cut(a, "=")
		if !named {
			path = a
		}
		return strings.HasPrefix(strings.TrimSpace(path), "address")
	}) {
		return enrich.Address
	}
	return 0
}

func (c *enrichCmd) options(kind enrich.Kind) (o enrich.Options, err error) {
	o = enrich.Options{Kind: kind, Add: c.Add, RestoreZeros: c.RestoreZeros, DistanceTo: c.DistanceTo, DistanceToRow: len(c.DistanceColumn) > 0, BoundaryOf: c.BoundaryOf}
	o.Radius.Max = geo.Miles(c.Within)
	if c.Spatial {
		o.Radius.Mode = postgeo.Spatial
	}
	if o.Nearest, err = c.nearest(); err != nil {
		return o, err
	}
	o.Suggest, err = c.texts()
	return o, err
}

func (c *enrichCmd) sink(env *Env, src *table.Source, e *enrich.Enricher, keys table.Keys, out table.Output) (*table.Sink, error) {
	if c.Output == "-" {
		if f := out.Format; env.StdoutTerminal && (f == table.Parquet || f == 0 && src.Format() == table.Parquet) {
			return nil, wrongUse("Parquet is not written to a terminal; name a file with -o, or another format with --to")
		}
		return table.Stream(env.table(), src, e, out)
	}
	return table.Create(c.Output, src, e, keys, out)
}

// work runs the table and sums up.
func (c *enrichCmd) work(ctx context.Context, env *Env, src *table.Source, sink *table.Sink, e *enrich.Enricher, keys table.Keys, opt table.RunOptions, sample bool) error {
	if opt.Workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	var rows *progress.Rows
	if !c.Quiet {
		env.say("looking rows up by %s in %s", keys.Kind, strings.Join(keys.Names, ", "))
		rows = progress.NewRows(env.Stderr, env.StderrTerminal, time.Now)
		rows.Keep()
		opt.Progress = func(p table.Progress) { rows.Show(p.Rows, p.Resumed, p.Begun, p.Done) }
	}
	began := time.Now()
	sum, err := table.Run(ctx, src, sink, e, keys, opt)
	if rows != nil {
		rows.Close()
		c.summary(env, &sum, time.Since(began), sample)
		if sum.Statuses[enrich.Empty.String()] > 0 {
			otherKeys(env, src, keys.Kind)
		}
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = ctx.Err() // wherever it was met
	}
	switch {
	case err != nil && c.Output != "-" && src.Resumable():
		return fmt.Errorf("%w; %s.partial has the rows before it, and the same command with --resume goes on from the last checkpoint", err, c.Output)
	case err != nil && c.Output != "-":
		return fmt.Errorf("%w; %s.partial has the rows before it; a stream cannot be read again, so that the next run begins anew with --overwrite", err, c.Output)
	case err != nil:
		return err
	case sum.Rows > 0 && sum.Answered() == 0, c.Strict && sum.Answered() < sum.Rows:
		return errReported
	default:
		return nil
	}
}

// summary tells what became of the rows.
func (c *enrichCmd) summary(env *Env, sum *table.Summary, took time.Duration, sample bool) {
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
	if sum.Resumed > 0 {
		text += fmt.Sprintf("; %d of them in earlier runs", sum.Resumed)
	}
	env.say("%d rows in %v%s", sum.Rows, took.Round(10*time.Millisecond), text)
	if sum.LostZeros > 0 && !c.RestoreZeros {
		env.say("%d codes look like numbers that have lost their leading zeros; --restore-zeros reads 501 as 00501", sum.LostZeros)
	}
	if sample && sum.Answered() < sum.Rows {
		env.say("the sample holds few codes and addresses; for the rest build the real dataset with 'postgeo dataset build'")
	}
}

// otherKeys names the columns that rows without a key of one kind may be
// looked up by in another run.
func otherKeys(env *Env, src *table.Source, used enrich.Kind) {
	for _, kind := range []enrich.Kind{enrich.Code, enrich.Coordinates, enrich.Address} {
		if kind == used {
			continue
		}
		if other, err := src.FindKeys(table.Names{Prefer: kind}); err == nil && other.Kind == kind {
			env.say("rows that have no %s may be looked up by %s in %s, in a run of their own", used, kind, strings.Join(other.Names, ", "))
		}
	}
}

// listFields lists the catalogue.
func (c *enrichCmd) listFields(env *Env) error {
	words := slices.Clone(c.Word)
	if c.Input != "-" {
		words = append(words, c.Input)
	}
	all := output.Columns[enrich.Field]()
	opts, err := c.formatFlag.options(env, view{all: all, summary: all, array: true})
	if err != nil {
		return err
	}
	w := output.NewWriter(env.Stdout, opts)
	for _, f := range enrich.Catalog() {
		text := strings.ToLower(f.Path + " " + f.About)
		if slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) }) {
			continue
		}
		if err := w.Write(&f); err != nil {
			return err
		}
	}
	return w.Close()
}
