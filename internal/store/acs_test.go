package store_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/diff"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// A survey is a table of the American Community Survey with its rows.
type survey struct {
	Table store.ACSTable
	Rows  []surveyRow
}

type surveyRow struct {
	GEOID uint64
	Cells []store.ACSCell
}

func (s *survey) cells() [][]store.ACSCell {
	var list [][]store.ACSCell
	for _, r := range s.Rows {
		list = append(list, r.Cells)
	}
	return list
}

// Figures for tests.
func num(n int32) store.ACSFigure                        { return store.ACSFigure{N: n, Mark: store.ACSNumber} }
func mark(m store.ACSMark) store.ACSFigure               { return store.ACSFigure{Mark: m} }
func bound(n int32, m store.ACSMark) (f store.ACSFigure) { return store.ACSFigure{N: n, Mark: m} }

var notApplicable = mark(store.ACSNotApplicable)

// columns are one of each class: a total, two shares of it, a median, a
// percentage without a count, and a share of nothing.
func columns() []store.ACSColumn {
	return []store.ACSColumn{
		{Field: "economic.x.total", Number: 1, Denominator: -1, Core: true, Stable: true},
		{Field: "economic.x.part", Number: 2, Class: store.ACSShare, Core: true, Stable: true},
		{Field: "economic.x.none", Number: 3, Class: store.ACSShare, Core: true},
		{Field: "economic.x.median", Number: 62, Decimals: 1, Denominator: -1},
		{Field: "economic.x.rate", Number: 119, Decimals: 1, Class: store.ACSPercentOnly, Denominator: -1},
		{Field: "economic.x.odd", Number: 137, Class: store.ACSShare, Denominator: -1},
	}
}

// smallSurveys returns tables whose rows hold every kind of figure.
func smallSurveys() []survey {
	x := notApplicable
	plain := func(e, m store.ACSFigure) store.ACSCell { return store.ACSCell{Estimate: e, MOE: m} }
	rows := []surveyRow{
		{90210, []store.ACSCell{
			plain(num(20936), num(1262)),
			cell(num(14785), num(879), num(706), num(28)),
			cell(num(0), num(21), num(0), num(1)),
			plain(num(525), num(91)),
			cell(x, x, num(98), num(118)),
			cell(x, x, num(884), num(21)),
		}},
		{10001, []store.ACSCell{
			plain(num(0), num(12)),
			cell(num(0), num(12), mark(store.ACSTooFewSamples), mark(store.ACSNoMargin)),
			cell(mark(store.ACSTooFewCases), mark(store.ACSTooFewCases), mark(store.ACSTooFewCases), mark(store.ACSTooFewCases)),
			plain(bound(2500000, store.ACSAtLeast), mark(store.ACSOpenInterval)),
			cell(x, x, mark(store.ACSTooFewSamples), mark(store.ACSNoMargin)),
			cell(mark(store.ACSFiltered), mark(store.ACSFiltered), mark(store.ACSFiltered), mark(store.ACSFiltered)),
		}},
		{601, []store.ACSCell{
			plain(num(math.MaxInt32), mark(store.ACSControlled)),
			cell(num(math.MaxInt32), mark(store.ACSControlled), num(1000), num(math.MaxInt32)),
			cell(num(5), num(3), num(999), num(7)), // not what the estimates give
			plain(bound(0, store.ACSAtMost), mark(store.ACSOpenInterval)),
			cell(x, x, num(-5), num(0)),
			cell(num(-17), num(math.MaxInt32), mark(store.ACSTooFewSamples), mark(store.ACSNoMargin)),
		}},
		{99999, []store.ACSCell{
			plain(num(-1), num(1)),
			cell(num(0), num(12), num(0), num(1000)),
			cell(num(0), num(12), num(0), mark(store.ACSControlled)),
			plain(mark(store.ACSTooFewSamples), mark(store.ACSNoMargin)),
			cell(x, x, x, x),
			cell(x, x, x, x),
		}},
	}
	return []survey{
		{store.ACSTable{Level: store.ACSZCTA, Year: 2019, Name: "DP03", Columns: columns()}, rows},
		{store.ACSTable{Level: store.ACSZCTA, Year: 2011, Name: "DP03", Columns: columns()[:1]}, []surveyRow{{90210, rows[0].Cells[:1]}}},
		{store.ACSTable{Level: store.ACSTract, Year: 2023, Name: "DP05", Columns: columns()[:2]}, []surveyRow{{48029110100, rows[0].Cells[:2]}, {1001020100, rows[1].Cells[:2]}}},
		{store.ACSTable{Level: store.ACSZCTA, Year: 2020, Name: "DP03", Columns: columns()[:1]}, nil},
	}
}

func addSurveys(t testing.TB, w *storewrite.Writer, surveys []survey) {
	t.Helper()
	for _, s := range surveys {
		id, err := w.AddACSTable(s.Table)
		check(t, err)
		for _, r := range s.Rows {
			check(t, w.AddACSRow(id, r.GEOID, r.Cells))
		}
	}
}

// readSurveys reads all tables with all their rows.
func readSurveys(ctx context.Context, d *store.Dataset) ([]survey, error) {
	var list []survey
	for i := range d.ACSTables() {
		t := &d.ACSTables()[i]
		s := survey{Table: *t}
		for p, geoid := range d.ACSGEOIDs(t.Level) {
			cells, ok, err := d.ACSRow(ctx, t, uint32(p), nil)
			if err != nil {
				return nil, err
			}
			if ok {
				s.Rows = append(s.Rows, surveyRow{geoid, cells})
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// TestACSRows reads many rows at once: in order, those that are there, twice
// where they are asked for twice.
func TestACSRows(t *testing.T) {
	big := bigSurvey(1, 3000)
	c := small()
	c.Surveys = []survey{big}
	d := open(t, c.file(t))
	table := &d.ACSTables()[0]
	byPosition := map[uint32]int{}
	for i, r := range big.Rows {
		p, ok := d.ACSArea(store.ACSZCTA, r.GEOID)
		if !ok {
			t.Fatalf("no area %d", r.GEOID)
		}
		byPosition[p] = i
	}
	rng := rand.New(rand.NewPCG(2, 2))
	var ask []uint32
	for range 1000 {
		ask = append(ask, rng.Uint32N(3100)) // some are of no area
	}
	slices.Sort(ask)
	var want, got []int
	for i, p := range ask {
		if _, ok := byPosition[p]; ok {
			want = append(want, i)
		}
	}
	cells := make([]store.ACSCell, len(table.Columns))
	err := d.ACSRows(t.Context(), table, ask, func(i int, r *store.ACSRow) error {
		got = append(got, i)
		check(t, r.Cells(cells))
		if diff := cmp.Diff(big.Rows[byPosition[ask[i]]].Cells, cells); diff != "" {
			t.Fatalf("position %d (-want +got):\n%s", ask[i], diff)
		}
		figures, margins := make([]store.ACSFigure, len(table.Columns)), make([]store.ACSFigure, len(table.Columns))
		check(t, r.Margins(figures, margins))
		for k, want := range cells {
			if table.Columns[k].Class == store.ACSPercentOnly {
				want.Estimate, want.MOE = want.Percent, want.PercentMOE
			}
			if figures[k] != want.Estimate || margins[k] != want.MOE {
				t.Fatalf("position %d, column %d: %+v ± %+v, want %+v", ask[i], k, figures[k], margins[k], want)
			}
		}
		return nil
	})
	check(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	stop := errors.New("enough")
	if err := d.ACSRows(t.Context(), table, ask, func(int, *store.ACSRow) error { return stop }); !errors.Is(err, stop) || errors.Is(err, store.ErrDamaged) {
		t.Errorf("the caller's error comes back as %v", err)
	}
}

// bigSurvey invents rows that look like those of a profile.
func bigSurvey(seed uint64, n int) survey {
	rng := rand.New(rand.NewPCG(seed, seed))
	s := survey{Table: store.ACSTable{Level: store.ACSZCTA, Year: 2022, Name: "DP02", Columns: []store.ACSColumn{{Field: "social.total", Number: 1, Denominator: -1}}}}
	for i := range 100 {
		s.Table.Columns = append(s.Table.Columns, store.ACSColumn{Field: fmt.Sprintf("social.part_%d", i), Number: uint16(i + 2), Class: store.ACSShare})
	}
	for g := range n {
		total := rng.Int32N(20000)
		r := surveyRow{GEOID: uint64(g) * 31, Cells: []store.ACSCell{{Estimate: num(total), MOE: num(rng.Int32N(900))}}}
		for range 100 {
			e := rng.Int32N(max(total/50, 1))
			c := store.ACSCell{Estimate: num(e), MOE: num(e/5 + 10), Percent: mark(store.ACSTooFewSamples), PercentMOE: mark(store.ACSNoMargin)}
			if total > 0 {
				c.Percent, c.PercentMOE = num(int32((2000*int64(e)+int64(total))/int64(2*total))), num(rng.Int32N(30))
			}
			r.Cells = append(r.Cells, c)
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

func cell(estimate, moe, percent, percentMOE store.ACSFigure) store.ACSCell {
	return store.ACSCell{Estimate: estimate, MOE: moe, Percent: percent, PercentMOE: percentMOE}
}

// TestExtend gives a file other tables: all else stays as it was, and the result is what a
// single build would have written.
func TestExtend(t *testing.T) {
	c := small()
	base := open(t, c.file(t))
	c.Surveys = []survey{bigSurvey(5, 300), c.Surveys[2]}
	path := filepath.Join(t.TempDir(), "extended.db")
	e, err := storewrite.Extend(path, base)
	check(t, err)
	addSurveys(t, e, c.Surveys)
	check(t, e.Finish(base.Manifest()))
	d := open(t, path)
	check(t, d.Verify(t.Context()))
	for change, err := range diff.Changes(t.Context(), base, d) {
		if err != nil || !strings.HasPrefix(change.Table, "acs_") {
			t.Errorf("another table changed: %+v, %v", change, err)
		}
	}
	if single := c.file(t); !slices.Equal(bytesOf(t, single), bytesOf(t, path)) {
		t.Error("the extended file differs from one that was built at once")
	}
}

// FuzzACSRow codes rows of any figures: what is taken comes back.
func FuzzACSRow(f *testing.F) {
	f.Add(uint64(1), uint8(3))
	f.Add(uint64(99), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, wild uint8) {
		rng := rand.New(rand.NewPCG(seed, 7))
		table := smallSurveys()[0].Table
		figure := func() store.ACSFigure {
			if rng.IntN(256) < int(wild) {
				return mark(store.ACSNotApplicable + store.ACSMark(rng.IntN(7)))
			}
			return num(int32(rng.Uint32() >> (1 + rng.IntN(31))))
		}
		var rows [][]store.ACSCell
		for range 3 {
			cells := make([]store.ACSCell, len(table.Columns))
			for i := range cells {
				c := &cells[i]
				c.Estimate, c.MOE = figure(), figure()
				switch table.Columns[i].Class {
				case store.ACSShare:
					c.Percent, c.PercentMOE = figure(), figure()
				case store.ACSPercentOnly:
					c.Percent, c.PercentMOE = c.Estimate, c.MOE
					c.Estimate, c.MOE = notApplicable, notApplicable
				default:
				}
			}
			rows = append(rows, cells)
		}
		got, err := store.DecodeACSPage(&table, store.EncodeACSPage(&table, rows))
		check(t, err)
		for i, want := range rows {
			if diff := cmp.Diff(want, got[uint32(i)]); diff != "" {
				t.Fatalf("row %d (-want +got):\n%s", i, diff)
			}
		}
	})
}

// FuzzACSPage decodes any bytes: it refuses them or gives rows that can be
// coded again.
func FuzzACSPage(f *testing.F) {
	table := smallSurveys()[0].Table
	s := smallSurveys()[0]
	f.Add(store.EncodeACSPage(&table, s.cells()))
	f.Fuzz(func(t *testing.T, payload []byte) {
		rows, err := store.DecodeACSPage(&table, payload)
		if err != nil {
			return
		}
		for _, cells := range rows {
			again := store.EncodeACSPage(&table, [][]store.ACSCell{cells})
			if got, err := store.DecodeACSPage(&table, again); err != nil || !reflect.DeepEqual(got[0], cells) {
				t.Fatalf("%+v comes back as %+v, %v", cells, got, err)
			}
		}
	})
}

// gaps is a table of 700 areas, from zero to beyond three segments, in which
// rows and figures are missing, and whose columns need every width.
func gaps() survey {
	rng := rand.New(rand.NewPCG(8, 8))
	limits := []int32{0, 2, math.MaxUint8, math.MaxUint8 + 1, math.MaxUint16, math.MaxUint16 + 1, math.MaxInt32, -5, math.MinInt32 + 1}
	s := survey{Table: store.ACSTable{Level: store.ACSZCTA, Year: 2023, Name: "DP04"}}
	for i := range 2 * len(limits) {
		s.Table.Columns = append(s.Table.Columns, store.ACSColumn{Field: fmt.Sprintf("housing.part_%d", i), Number: uint16(i + 1), Denominator: -1})
	}
	s.Table.Columns = append(s.Table.Columns, store.ACSColumn{Field: "housing.rate", Number: 99, Decimals: 1, Class: store.ACSPercentOnly, Denominator: -1})
	for g := range uint64(700) {
		r := surveyRow{GEOID: 20_000 + g}
		for i := range 2 * len(limits) {
			f := num(limits[i/2])
			switch {
			case i%2 == 1 && rng.IntN(3) == 0:
				f = mark(store.ACSTooFewSamples)
			case rng.IntN(4) > 0 && f.N > 0:
				f = num(rng.Int32N(f.N))
			case rng.IntN(3) == 0 && f.N > 0:
				f.Mark = store.ACSAtLeast
			}
			r.Cells = append(r.Cells, store.ACSCell{Estimate: f, MOE: num(1)})
		}
		r.Cells = append(r.Cells, store.ACSCell{Estimate: notApplicable, MOE: notApplicable, Percent: num(rng.Int32N(1000)), PercentMOE: num(3)})
		if g%7 != 3 {
			s.Rows = append(s.Rows, r)
		}
	}
	return s
}

// TestACSSegment sums and picks the numbers of segments, which TestACSSelection compares with
// rows, and limits their memory.
func TestACSSegment(t *testing.T) {
	c := small()
	c.Surveys = []survey{gaps()}
	d := openPlain(t, c.file(t))
	table := d.ACSTable(store.ACSZCTA, 2023, "DP04")
	all := &store.ACSSelection{Table: table}
	areas := d.ACSAreas(store.ACSZCTA)
	rng := rand.New(rand.NewPCG(9, 9))
	for at := range uint32((areas + store.ACSSegmentAreas - 1) / store.ACSSegmentAreas) {
		s, err := d.ACSSegment(t.Context(), all, at, true)
		check(t, err)
		var weights store.ACSWeights
		var positions []uint32
		var third store.ACSAreaSet
		for i := range weights {
			weights[i] = rng.Int32N(1001) * rng.Int32N(2)
			positions = append(positions, at*store.ACSSegmentAreas+uint32(i))
			if i%3 == 0 {
				third.Add(i)
			}
		}
		for i := range table.Columns {
			var sum, every3rd int64
			picked := slices.Repeat([]int32{-77}, len(positions))
			s.Pick(i, positions, picked)
			for k := range positions {
				want := int32(-77)
				if s.Known(i).Has(k) {
					want = s.Number(i, k)
				} else if s.Whole(i) && s.Rows().Has(k) {
					t.Fatalf("column %d is said to be whole", i)
				}
				if picked[k] != want {
					t.Errorf("column %d of area %d is picked as %d, want %d", i, k, picked[k], want)
				}
				sum += int64(weights[k]) * int64(s.Number(i, k))
				if k%3 == 0 {
					every3rd += int64(weights[k]) * int64(s.Number(i, k))
				}
			}
			if got := s.Sum(i, &weights); got != sum {
				t.Errorf("column %d comes to %d, want %d", i, got, sum)
			}
			if got := s.SumOf(&third, i, &weights); got != every3rd {
				t.Errorf("column %d comes to %d over a third, want %d", i, got, every3rd)
			}
		}
	}
	limit, used := d.ACSMemory()
	if limit != store.DefaultACSMemory || used == 0 || used > limit {
		t.Errorf("%d of %d bytes are in use", used, limit)
	}
	if s, err := d.ACSSegment(t.Context(), all, 0, false); err != nil || s == nil {
		t.Errorf("what was read is not kept: %v", err)
	}

	d.SetACSMemory(-1)
	if s, err := d.ACSSegment(t.Context(), all, 0, false); err != nil || s != nil {
		t.Errorf("a segment is kept in no memory: %v", err)
	}
	if s, err := d.ACSSegment(t.Context(), all, 0, true); err != nil || s == nil {
		t.Errorf("without memory nothing is read: %v", err)
	}
	if limit, used := d.ACSMemory(); limit != 0 || used != 0 {
		t.Errorf("%d of %d bytes are in use, want none", used, limit)
	}
	_, err := d.ACSSegment(t.Context(), all, uint32(areas/store.ACSSegmentAreas+1), true)
	if err == nil {
		t.Error("there is a segment behind the last one")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.ACSSegment(ctx, all, 0, true); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
	check(t, d.Close())
	_, err = d.ACSSegment(t.Context(), all, 0, true)
	wantError(t, err, store.ErrClosed)
}

// BenchmarkACSSegment reads a segment, and sums its columns up.
func BenchmarkACSSegment(b *testing.B) {
	c := small()
	c.Surveys = []survey{bigSurvey(1, store.ACSSegmentAreas)}
	d := openPlain(b, c.file(b))
	defer d.Close()
	table := &d.ACSTables()[0]
	all := &store.ACSSelection{Table: table}
	b.Run("read", func(b *testing.B) {
		d.SetACSMemory(0)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := d.ACSSegment(b.Context(), all, 0, true); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sum", func(b *testing.B) {
		d.SetACSMemory(1 << 20)
		s, err := d.ACSSegment(b.Context(), all, 0, true)
		check(b, err)
		var weights store.ACSWeights
		for i := range weights {
			weights[i] = int32(i)
		}
		for b.Loop() {
			for c := range table.Columns {
				s.Sum(c, &weights)
			}
		}
		b.ReportMetric(float64(len(table.Columns)*store.ACSSegmentAreas), "figures/op")
	})
}
