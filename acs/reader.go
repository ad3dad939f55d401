package acs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/store"
)

// Members of blocks and aggregates.
const (
	sourceName   = "U.S. Census Bureau, American Community Survey"
	sampleSource = "sample: invented figures in the form of the American Community Survey"
	product      = "ACS 5-Year Estimates Data Profiles"
)

// Options selects fields. The zero value selects the contract's: core fields in
// the years with an unchanged label. Of these, 423 are in every year from 2011
// to 2024.
type Options struct {
	// Bridged adds core fields whose label has another wording or place in the
	// year; 448 are then in every year.
	Bridged bool
	// Extras adds fields that are not core: historical ones, and those that are
	// new in 2024.
	Extras bool
}

func (o Options) takes(c *store.ACSColumn) bool {
	if c.Core {
		return c.Stable || o.Bridged
	}
	return o.Extras
}

// The dataset has a table for each year, level and profile: a row for each area, a column for
// each field that the year has. Columns move from year to year (the registry lists them), so
// a reader maps each table's columns to the fields once. A row then becomes a slice of
// Metrics by the field's place in its profile, which is the same in all years.
//
// Single areas are read as rows. Many areas are read by columns: see aggregate.go.

// A Reader reads the tables of the American Community Survey of one dataset. It
// is safe for concurrent use until the dataset is closed. Only a postgeo.DB has one.
type Reader struct {
	data   *store.Dataset
	source string
	pool   sync.Pool // of *[]store.ACSCell, the room for a row

	loading sync.Mutex               // held while levels is made
	levels  atomic.Pointer[[2]level] // nil until tables are needed; never changed after
}

// A level lists the years of one kind of area.
type level struct {
	years []year // newest first
}

type year struct {
	year   int
	tables [Housing + 1]*table // by profile; nil if the dataset lacks it
}

// A table is a table of the dataset with the places of its columns in the typed
// profile.
type table struct {
	*store.ACSTable
	profile Profile
	metric  []int16 // by column; -1: a field without a type

	// Columns read segment by segment: all estimates, all margins of error, and
	// the estimates that weight fields of other profiles. The dataset's cache knows them by
	// their addresses, so they belong to the table and not to a call.
	estimates, margins, weights store.ACSSelection
}

var _ = door.Offer(newReader)

// newReader returns a reader of the tables of a dataset, which may have none.
// The caller must keep the dataset open.
func newReader(d *store.Dataset) *Reader {
	r := &Reader{data: d, source: sourceName}
	if d.Manifest().Sample {
		r.source = sampleSource
	}
	r.pool.New = func() any { return new([]store.ACSCell) }
	return r
}

// load prepares the tables; they are read when they are first needed. A program that only
// looks up ZIP Codes never reads their section of the file.
func (r *Reader) load(ctx context.Context) error {
	if r.levels.Load() != nil {
		return nil
	}
	if err := r.data.Load(ctx, store.SectionSurvey); err != nil {
		return fmt.Errorf("acs: %w", err)
	}
	r.tables()
	return nil
}

func (r *Reader) tables() *[2]level {
	if levels := r.levels.Load(); levels != nil {
		return levels
	}
	r.loading.Lock()
	defer r.loading.Unlock()
	if levels := r.levels.Load(); levels != nil {
		return levels
	}
	levels := new([2]level)
	all := r.data.ACSTables()
	for i := range all {
		t := &all[i]
		p, ok := profileOfTable(t.Name)
		if !ok {
			continue
		}
		l := &levels[t.Level-1]
		at, found := slices.BinarySearchFunc(l.years, t.Year, func(y year, want int) int { return cmp.Compare(want, y.year) })
		if !found {
			l.years = slices.Insert(l.years, at, year{year: t.Year})
		}
		l.years[at].tables[p] = r.newTable(t, p)
	}
	r.levels.Store(levels)
	return levels
}

func (r *Reader) newTable(t *store.ACSTable, p Profile) *table {
	n := &table{
		ACSTable: t, profile: p, metric: make([]int16, len(t.Columns)),
		estimates: store.ACSSelection{Table: t}, margins: store.ACSSelection{Table: t, Margins: true}, weights: store.ACSSelection{Table: t, Columns: []int{}}, // nil would be all
	}
	for i := range t.Columns {
		n.metric[i] = -1 // a dataset of a later release can have fields that this one does not know
		if at, ok := builtIn().find(t.Columns[i].Field); ok && builtIn().fields[at].Profile == p {
			n.metric[i] = int16(at - builtIn().start(p))
			if _, weighs := slices.BinarySearch(builtIn().foreign[p], int16(at)); weighs {
				n.weights.Columns = append(n.weights.Columns, i)
			}
		}
	}
	return n
}

// yearsOf returns the years with tables of the level, newest first.
func (r *Reader) yearsOf(l Level) []int {
	return slices.Clone(r.data.ACSYears(l))
}

// newest returns the newest year of the level, or 0.
func (r *Reader) newest(l Level) int {
	if years := r.data.ACSYears(l); len(years) > 0 {
		return years[0]
	}
	return 0
}

func (r *Reader) table(l Level, p Profile, want int) *table {
	years := r.tables()[l-1].years
	for i := range years {
		if years[i].year == want {
			return years[i].tables[p]
		}
	}
	return nil
}

// A Result holds the profiles of one area.
type Result struct {
	Years       Years[Block] // newest first
	Delivered   []Tag        // with figures
	Unpublished []Tag        // of years without data for the area
	Unavailable []Tag        // of tables that the dataset lacks, or that lack this area
}

// Area reads the requested profiles of an area: the five digits of a ZIP Code Tabulation
// Area, or the eleven of a census tract. Equivalent tags count once. All tags of an
// unknown area are unavailable. Blocks of tracts have no Published; missing profiles
// are unavailable.
func (r *Reader) Area(ctx context.Context, l Level, code string, tags []Tag, opt Options) (*Result, error) {
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	tags = r.normalize(l, tags)
	res := &Result{}
	position, known := r.position(l, code)
	if !known {
		res.Unavailable = tags
		return res, nil
	}
	cells := r.pool.Get().(*[]store.ACSCell)
	defer r.pool.Put(cells)
	for len(tags) > 0 { // those of one year, which follow each other, make a block
		n := 1
		for n < len(tags) && tags[n].Year == tags[0].Year {
			n++
		}
		b := r.block(l, code, tags[0])
		var missing []Tag
		loaded := false
		for _, tag := range tags[:n] {
			b.Requested = append(b.Requested, tag.Profile)
			t := r.table(l, tag.Profile, b.Year)
			if t == nil {
				res.Unavailable = append(res.Unavailable, tag)
				continue
			}
			loaded = true
			var found bool
			var err error
			if *cells, found, err = r.data.ACSRow(ctx, t.ACSTable, position, *cells); err != nil {
				return nil, fmt.Errorf("acs: %s of %s: %w", t.ACSTable, code, err)
			}
			if !found {
				missing = append(missing, tag)
				continue
			}
			t.fill(b.add(tag.Profile), *cells, opt)
			res.Delivered = append(res.Delivered, tag)
		}
		// "Not published" is only true if a table of the year was there to have the area
		// (D33). Tracts have no such member in the contract.
		published := !b.empty()
		switch {
		case l == Tract || !loaded:
			res.Unavailable = append(res.Unavailable, missing...)
		case published:
			b.Published = &published
			res.Unavailable = append(res.Unavailable, missing...)
		default:
			b.Published = &published
			b.Note = "No data was published for ZCTA " + code + " in the " + Vintage(b.Year) + " estimates."
			res.Unpublished = append(res.Unpublished, missing...)
		}
		if published || b.Published != nil {
			res.Years = append(res.Years, b)
		}
		tags = tags[n:]
	}
	return res, nil
}

// position finds an area by its digits.
func (r *Reader) position(l Level, code string) (uint32, bool) {
	level, n, err := ParseArea(code)
	if err != nil || level != l {
		return 0, false
	}
	return r.data.ACSArea(l, n)
}

func (r *Reader) block(l Level, code string, tag Tag) Block {
	b := Block{Source: r.source, Product: product, Year: tag.Year, Level: l.String(), GeoID: geoID(l, code, tag.Year)}
	if last := r.newest(l); tag.Year == 0 {
		b.Year, b.Current, b.GeoID = last, true, geoID(l, code, last)
	}
	return b
}

// geoID returns the Census Bureau's identifier of an area in the tables of a
// year, e.g. "860Z200US10001" or "1400000US48029110100".
func geoID(l Level, code string, year int) string {
	switch {
	case l == Tract:
		return "1400000US" + code
	case year <= 2019:
		return "8600000US" + code // areas of the 2010 census
	default: // of the 2020 census
		return "860Z200US" + code
	}
}

// normalize returns the tags in the order of blocks: newest year first, then by
// profile, without duplicates. Year 0 replaces the newest year of the dataset,
// or the contract's if the dataset has none.
func (r *Reader) normalize(l Level, tags []Tag) []Tag {
	last := cmp.Or(r.newest(l), LastYear)
	keys := make([]int, 0, len(tags)) // in the order of the tags
	for _, t := range tags {
		if t.Year == last {
			t.Year = 0
		}
		// In 16 bits, the negative of a later year is smaller, and that of 0, the newest, is 0. So
		// ascending numbers are the order of blocks. A sort of structs would add 9 kB to every
		// program.
		keys = append(keys, int(uint16(-t.Year))<<8|int(t.Profile))
	}
	slices.Sort(keys)
	list := make([]Tag, 0, len(tags))
	for _, k := range slices.Compact(keys) {
		list = append(list, Tag{Profile: Profile(k & 0xff), Year: int(-uint16(k >> 8))})
	}
	return list
}

// fill puts the cells of a row into the typed profile.
func (t *table) fill(into []Metric, cells []store.ACSCell, opt Options) {
	for i, at := range t.metric {
		col := &t.Columns[i]
		if at < 0 || !opt.takes(col) {
			continue
		}
		c := &cells[i]
		into[at] = Metric{
			Estimate: value(c.Estimate, col.Decimals), MOE: value(c.MOE, col.Decimals),
			Percent: value(c.Percent, 1), PercentMOE: value(c.PercentMOE, 1), // one decimal in all tables
			number: col.Number, profile: t.profile,
		}
	}
}

func value(f store.ACSFigure, decimals uint8) Value {
	if f.Mark.IsNumber() {
		return Value{n: f.N, decimals: decimals, mark: f.Mark}
	}
	return Value{mark: f.Mark}
}

var _ = door.Offer(layout)

// layout returns the table of a profile of a year, with one column for each field, the
// fields, and the columns that add up: each total with its parts after it. A year without
// fields has no columns.
func layout(level Level, p Profile, year int) (t store.ACSTable, fields []*Field, sums [][]int) {
	fields = builtIn().columns(p, year)
	t = store.ACSTable{Level: level, Year: year, Name: p.Table()}
	for _, f := range fields {
		c := store.ACSColumn{
			Field: f.Key(), Number: f.Number(year), Decimals: f.Decimals, Class: store.ACSPlain, Denominator: -1,
			Core: f.Core, Stable: f.isStable(year),
		}
		switch {
		case f.Kind == PercentOnly:
			c.Class = store.ACSPercentOnly
		case f.Denominator != "":
			c.Class = store.ACSShare
			c.Denominator = slices.IndexFunc(fields, func(d *Field) bool { return d.Section+"."+d.Name == f.Denominator })
		}
		t.Columns = append(t.Columns, c)
	}
	return t, fields, builtIn().identities(p, year, fields)
}
