package store_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
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
