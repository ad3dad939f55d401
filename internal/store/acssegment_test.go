package store_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

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
