package acs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/postgeo/postgeo/dataset"
)

// The words that blocks and aggregates say of themselves.
const (
	sourceName   = "U.S. Census Bureau, American Community Survey"
	sampleSource = "sample: invented figures in the form of the American Community Survey"
	product      = "ACS 5-Year Estimates Data Profiles"
)

// Options say which fields blocks hold. The zero value takes the contract's:
// core fields in the years in which their label is unchanged, 423 of which are
// in every year from 2011 to 2024.
type Options struct {
	// Bridged also takes core fields whose label was worded differently in the
	// year, or stood elsewhere: 448 are then in every year.
	Bridged bool
	// Extras also takes fields that are not core: historical ones, and those
	// that are new in 2024.
	Extras bool
}

func (o Options) takes(c *dataset.ACSColumn) bool {
	if c.Core {
		return c.Stable || o.Bridged
	}
	return o.Extras
}

// A Reader reads the tables of the American Community Survey of one dataset.
// It may be used by any number of goroutines at once until the dataset is
// closed.
type Reader struct {
	data   *dataset.Dataset
	source string
	levels [2]level
	pool   sync.Pool // of *[]dataset.ACSCell

	weights map[int16]weight     // of the fields that do not add up, by their positions in the built-in list
	foreign [Housing + 1][]int16 // by profile: the fields that weigh those of others
}

// A level is what a dataset holds of one sort of area.
type level struct {
	years []year // newest first
}

type year struct {
	year   int
	tables [Housing + 1]*table // by profile
}

// A table is one of the dataset's with the places of its columns in the typed
// profile.
type table struct {
	*dataset.ACSTable
	profile Profile
	metric  []int16 // by column; -1: a field that this release has no type for

	// What is read of it segment by segment: all estimates, all margins of
	// error, and the estimates of those fields that weigh fields of other
	// profiles, some ten columns a year in all.
	estimates, margins, weights dataset.ACSSelection
}

// NewReader prepares the tables of a dataset, which stays the caller's to
// close. A dataset without any is no error.
func NewReader(d *dataset.Dataset) *Reader {
	r := &Reader{data: d, source: sourceName}
	if d.Manifest().Sample {
		r.source = sampleSource
	}
	r.pool.New = func() any { return new([]dataset.ACSCell) }
	r.weights = builtIn.weights()
	r.foreign = builtIn.foreign(r.weights)
	all := d.ACSTables()
	for i := range all {
		t := &all[i]
		p, ok := ProfileOfTable(t.Name)
		if !ok {
			continue
		}
		l := &r.levels[t.Level-1]
		at, found := slices.BinarySearchFunc(l.years, t.Year, func(y year, want int) int { return cmp.Compare(want, y.year) })
		if !found {
			l.years = slices.Insert(l.years, at, year{year: t.Year})
		}
		l.years[at].tables[p] = r.newTable(t, p)
	}
	return r
}

func (r *Reader) newTable(t *dataset.ACSTable, p Profile) *table {
	n := &table{
		ACSTable: t, profile: p, metric: make([]int16, len(t.Columns)),
		estimates: dataset.ACSSelection{Table: t}, margins: dataset.ACSSelection{Table: t, Margins: true}, weights: dataset.ACSSelection{Table: t, Columns: []int{}},
	}
	for i := range t.Columns {
		n.metric[i] = -1
		if at, ok := builtIn.Find(t.Columns[i].Field); ok && builtIn.fields[at].Profile == p {
			n.metric[i] = int16(at - int(profileStarts[p-1]))
			if _, weighs := slices.BinarySearch(r.foreign[p], int16(at)); weighs {
				n.weights.Columns = append(n.weights.Columns, i)
			}
		}
	}
	return n
}

// Source returns what blocks say of where their figures come from.
func (r *Reader) Source() string { return r.source }

// YearsOf returns the years of which the dataset holds any table of the level,
// newest first.
func (r *Reader) YearsOf(l dataset.ACSLevel) []int {
	years := r.levels[l-1].years
	list := make([]int, len(years))
	for i := range years {
		list[i] = years[i].year
	}
	return list
}

// Newest returns the newest year of the level; 0 where the dataset holds none.
func (r *Reader) Newest(l dataset.ACSLevel) int {
	if years := r.levels[l-1].years; len(years) > 0 {
		return years[0].year
	}
	return 0
}

// Has reports whether the dataset holds the profile of the year at the level.
func (r *Reader) Has(l dataset.ACSLevel, p Profile, year int) bool { return r.table(l, p, year) != nil }

func (r *Reader) table(l dataset.ACSLevel, p Profile, want int) *table {
	years := r.levels[l-1].years
	for i := range years {
		if years[i].year == want {
			return years[i].tables[p]
		}
	}
	return nil
}

// A Result is what a dataset holds of one area.
type Result struct {
	Years       Years // newest first
	Delivered   []Tag // with figures
	Unpublished []Tag // of years in which nothing was published for the area
	Unavailable []Tag // of tables that the dataset does not hold, or not for this area
}

// ZCTA reads the profiles that the tags ask for of the ZIP Code Tabulation
// Area with the five-digit code. Tags that mean the same count once. An area
// that no table holds has every tag unavailable.
func (r *Reader) ZCTA(ctx context.Context, code string, tags []Tag, opt Options) (*Result, error) {
	return r.area(ctx, dataset.ACSZCTA, code, tags, opt)
}

// Tract reads the profiles that the tags ask for of the census tract with the
// eleven-digit code, as [Reader.ZCTA] does. Blocks of tracts do not say whether
// they were published: what is missing is unavailable.
func (r *Reader) Tract(ctx context.Context, geoid string, tags []Tag, opt Options) (*Result, error) {
	return r.area(ctx, dataset.ACSTract, geoid, tags, opt)
}

func (r *Reader) area(ctx context.Context, l dataset.ACSLevel, code string, tags []Tag, opt Options) (*Result, error) {
	tags = r.Normalize(l, tags)
	res := &Result{}
	position, known := r.position(l, code)
	if !known {
		res.Unavailable = tags
		return res, nil
	}
	cells := r.pool.Get().(*[]dataset.ACSCell)
	defer r.pool.Put(cells)
	for len(tags) > 0 {
		n := 1
		for n < len(tags) && tags[n].Year == tags[0].Year {
			n++
		}
		b := r.block(l, code, tags[0])
		var missing []Tag
		loaded := false
		for _, tag := range tags[:n] {
			b.Asked = b.Asked.With(tag.Profile)
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
		published := b.Profiles != Profiles{}
		switch {
		case l == dataset.ACSTract || !loaded:
			res.Unavailable = append(res.Unavailable, missing...)
		case published:
			b.Published = Yes
			res.Unavailable = append(res.Unavailable, missing...)
		default:
			b.Published = No
			b.Note = "No data was published for ZCTA " + code + " in the " + Vintage(b.Year) + " estimates."
			res.Unpublished = append(res.Unpublished, missing...)
		}
		if published || b.Published == No {
			res.Years = append(res.Years, b)
		}
		tags = tags[n:]
	}
	return res, nil
}

// position finds an area by its digits.
func (r *Reader) position(l dataset.ACSLevel, code string) (uint32, bool) {
	want := 5
	if l == dataset.ACSTract {
		want = 11
	}
	n, err := strconv.ParseUint(code, 10, 64)
	if err != nil || len(code) != want {
		return 0, false
	}
	return r.data.ACSArea(l, n)
}

func (r *Reader) block(l dataset.ACSLevel, code string, tag Tag) Block {
	b := Block{Source: r.source, Product: product, Year: int(tag.Year), Level: l.String(), GeoID: GeoID(l, code, int(tag.Year))}
	if newest := r.Newest(l); tag.Year == 0 {
		b.Year, b.Current, b.GeoID = newest, true, GeoID(l, code, newest)
	}
	return b
}

// GeoID returns the Census Bureau's identifier of an area in the tables of a
// year, e.g. "860Z200US10001" or "1400000US48029110100".
func GeoID(l dataset.ACSLevel, code string, year int) string {
	switch {
	case l == dataset.ACSTract:
		return "1400000US" + code
	case year <= 2019:
		return "8600000US" + code // areas of the 2010 census
	default:
		return "860Z200US" + code
	}
}

// Normalize returns the tags in the order of blocks: newest year first, within
// a year by profile, each once. The newest year of the dataset, or the contract's
// where it holds none, is the year 0.
func (r *Reader) Normalize(l dataset.ACSLevel, tags []Tag) []Tag {
	newest := cmp.Or(r.Newest(l), LastYear)
	list := make([]Tag, 0, len(tags))
	for _, t := range tags {
		if int(t.Year) == newest {
			t.Year = 0
		}
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b Tag) int {
		return cmp.Or(cmp.Compare(b.Year-1, a.Year-1), cmp.Compare(a.Profile, b.Profile)) // 0 wraps round to the newest
	})
	return slices.Compact(list)
}

// fill puts the cells of a row into the typed profile.
func (t *table) fill(into metrics, cells []dataset.ACSCell, opt Options) {
	for i, at := range t.metric {
		col := &t.Columns[i]
		if at < 0 || !opt.takes(col) {
			continue
		}
		c := &cells[i]
		*into.metric(int(at)) = Metric{
			Estimate: value(c.Estimate, col.Decimals), MOE: value(c.MOE, col.Decimals),
			Percent: value(c.Percent, 1), PercentMOE: value(c.PercentMOE, 1),
			number: col.Number, profile: t.profile,
		}
	}
}

func value(f dataset.ACSFigure, decimals uint8) Value {
	if f.Mark.IsNumber() {
		return Value{n: f.N, decimals: decimals, mark: f.Mark}
	}
	return Value{mark: f.Mark}
}
