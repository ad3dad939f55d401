package store_test

import (
	"math/rand/v2"
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

// TestACSSelection holds segments of margins of error and of some columns
// against the rows that they were read from.
func TestACSSelection(t *testing.T) {
	c := small()
	some := gaps()
	rng := rand.New(rand.NewPCG(10, 10))
	margins := []store.ACSFigure{num(0), num(7), num(70_000), mark(store.ACSControlled), mark(store.ACSNoMargin), mark(store.ACSOpenInterval)}
	for i := range some.Rows {
		for k := range some.Rows[i].Cells {
			cell, m := &some.Rows[i].Cells[k], margins[rng.IntN(len(margins))]
			if cell.MOE = m; some.Table.Columns[k].Class == store.ACSPercentOnly {
				cell.MOE, cell.PercentMOE = notApplicable, m
			}
		}
	}
	c.Surveys = []survey{some}
	d := openPlain(t, c.file(t))
	table := d.ACSTable(store.ACSZCTA, 2023, "DP04")
	for name, sel := range map[string]*store.ACSSelection{
		"all":            {Table: table},
		"some":           {Table: table, Columns: []int{1, 2, 7, len(table.Columns) - 1}},
		"none":           {Table: table, Columns: []int{}},
		"margins":        {Table: table, Margins: true},
		"margins of one": {Table: table, Columns: []int{5}, Margins: true},
	} {
		t.Run(name, func(t *testing.T) {
			columns := sel.Columns
			if columns == nil {
				for i := range table.Columns {
					columns = append(columns, i)
				}
			}
			if sel.NumColumns() != len(columns) {
				t.Fatalf("%d columns, want %d", sel.NumColumns(), len(columns))
			}
			numbers, bounds := 0, 0
			for segment := range uint32(d.ACSAreas(store.ACSZCTA)+store.ACSSegmentAreas-1) / store.ACSSegmentAreas {
				s, err := d.ACSSegment(t.Context(), sel, segment, true)
				check(t, err)
				for i := range store.ACSSegmentAreas {
					cells, has, err := d.ACSRow(t.Context(), table, segment*store.ACSSegmentAreas+uint32(i), nil)
					check(t, err)
					if s.Rows().Has(i) != has {
						t.Fatalf("area %d has a row: %v", i, !has)
					}
					for k, column := range columns {
						f, moe := store.ACSFigure{}, store.ACSFigure{}
						if has {
							if f, moe = cells[column].Estimate, cells[column].MOE; table.Columns[column].Class == store.ACSPercentOnly {
								f, moe = cells[column].Percent, cells[column].PercentMOE
							}
						}
						want, known, bound := f.N, f.Mark.IsNumber(), false
						if sel.Margins {
							want, known = moe.Margin()
							bound = f.Mark == store.ACSAtLeast || f.Mark == store.ACSAtMost
						}
						areas := s.Bounds(k)
						if got := s.Known(k).Has(i); got != known || known && s.Number(k, i) != want || areas.Has(i) != bound {
							t.Fatalf("column %d of area %d is %d, %v, a bound %v; want %d, %v, %v", column, i, s.Number(k, i), got, areas.Has(i), want, known, bound)
						}
						if known {
							numbers++
						}
						if bound {
							bounds++
						}
					}
				}
			}
			if numbers == 0 && len(columns) > 0 || (bounds > 0) != sel.Margins {
				t.Errorf("%d numbers and %d bounds were compared", numbers, bounds)
			}
		})
	}
	if _, used := d.ACSMemory(); used == 0 {
		t.Error("selections are kept in no memory")
	}
}
