package postgeo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// A twinQuestion is one that two datasets answer differently.
type twinQuestion struct {
	name string
	ask  func(ctx context.Context, db *postgeo.DB) (any, error)
}

// twinCodes are all ZIPs of the twins.
func twinCodes() []string {
	var codes []string
	for i := range lookuptest.TwinZIPs {
		codes = append(codes, (lookuptest.TwinFirst + postcode.ZIP(i)).String())
	}
	return codes
}

// collect joins the answers of a batch.
func collect[R any](answers iter.Seq2[R, error]) (any, error) {
	var list []R
	var errs []error
	for a, err := range answers {
		list, errs = append(list, a), append(errs, err)
	}
	return list, errors.Join(errs...)
}

func twinQuestions() []twinQuestion {
	everything := lookup.Options{Include: lookup.Include{Timezone: true, Census: true, Demographics: true}}
	around := radius.Options{Max: 12}
	byArea := radius.Options{Max: 9, Mode: radius.Spatial}
	codes := twinCodes()
	var addresses []string
	var searches []radius.Query
	for _, c := range codes {
		addresses = append(addresses, "120 Sample St, "+c)
		searches = append(searches, radius.Query{Center: c, Options: around})
	}
	box := orb.Bound{Min: orb.Point{-83.01, 39.99}, Max: orb.Point{-82.85, 40.11}}
	return []twinQuestion{
		{"quick", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.QuickLookup(ctx, "44002", lookup.QuickOptions{Timezone: true})
		}},
		{"quick postal", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.QuickLookup(ctx, "N2L 3G1", lookup.QuickOptions{Timezone: true})
		}},
		{"full", func(ctx context.Context, db *postgeo.DB) (any, error) { return db.Lookup(ctx, "44007", everything) }},
		{"full FSA", func(ctx context.Context, db *postgeo.DB) (any, error) { return db.Lookup(ctx, "N2L", everything) }},
		{"coordinate", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.Lookup(ctx, "40.001,-83.001", everything)
		}},
		{"radius", func(ctx context.Context, db *postgeo.DB) (any, error) { return db.Radius(ctx, "44015", around) }},
		{"radius by area", func(ctx context.Context, db *postgeo.DB) (any, error) { return db.Radius(ctx, "44015", byArea) }},
		{"nearest", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.Nearest(ctx, "44015", radius.NearestOptions{Count: 5})
		}},
		{"in polygon", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.InPolygon(ctx, box.ToPolygon(), radius.PolygonOptions{})
		}},
		{"distance", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.Distance(ctx, "44001", "44030", radius.DistanceOptions{})
		}},
		{"distances", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.DistanceMatrix(ctx, codes[:5], codes[5:9], radius.DistanceOptions{})
		}},
		{"outline", func(ctx context.Context, db *postgeo.DB) (any, error) {
			m, _, err := db.CodeOutline(ctx, "44011")
			return m, err
		}},
		{"neighbors", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.Neighbors(ctx, "44011", lookup.NeighborOptions{})
		}},
		{"crosswalk", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return collect(db.Crosswalk(ctx, "zip", "tract", lookup.CrosswalkOptions{}))
		}},
		{"suggest", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.Suggest(ctx, "sample", suggest.Options{Limit: 10})
		}},
		{"address", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.MatchAddress(ctx, "120 Sample St, 44003", address.Options{})
		}},
		{"quick batch", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return collect(db.QuickLookupBatch(ctx, slices.Values(codes), lookup.QuickOptions{}))
		}},
		{"full batch", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return collect(db.LookupBatch(ctx, slices.Values(codes), everything))
		}},
		{"radius batch", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return collect(db.RadiusBatch(ctx, slices.Values(searches)))
		}},
		{"address batch", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return collect(db.MatchAddressBatch(ctx, slices.Values(addresses), address.Options{}))
		}},
		{"snapshot", func(ctx context.Context, db *postgeo.DB) (any, error) {
			s, err := db.Snapshot()
			if err != nil {
				return nil, err
			}
			version := s.Info().Version
			first, err1 := s.QuickLookup(ctx, "44001", lookup.QuickOptions{})
			last, err2 := s.Lookup(ctx, "44030", everything)
			return []any{version, first, last}, errors.Join(err1, err2, s.Close())
		}},
	}
}

func (q twinQuestion) text(ctx context.Context, db *postgeo.DB) (string, error) {
	answer, err := q.ask(ctx, db)
	if err != nil {
		return "", fmt.Errorf("%s: %w", q.name, err)
	}
	b, err := json.Marshal(answer)
	return string(b), err
}

// TestSwapsDoNotMix replaces a dataset by its twin and back while every kind of
// question is asked: each answer, batches included, is wholly that of the one
// or of the other. POSTGEO_TEST_SWAPS is how often.
func TestSwapsDoNotMix(t *testing.T) {
	questions := twinQuestions()
	var paths [2]string
	var want [2][]string
	for i := range paths {
		paths[i] = filepath.Join(t.TempDir(), "twin.db")
		check(t, lookuptest.WriteTwin(paths[i], i))
		db := sampletest.File(t, paths[i])
		check(t, db.Verify(t.Context()))
		for _, q := range questions {
			text, err := q.text(t.Context(), db)
			check(t, err)
			if strings.Contains(text, lookuptest.Twins[1-i]) {
				t.Errorf("%s: %s has the name of the other: %s", q.name, lookuptest.Twins[i], text)
			}
			want[i] = append(want[i], text)
		}
	}
	for i, q := range questions {
		if want[0][i] == want[1][i] {
			t.Errorf("%s: both answer %s", q.name, want[0][i])
		}
	}
	if t.Failed() {
		t.FailNow()
	}

	db := sampletest.File(t, paths[0])
	swaps := storetest.Times("POSTGEO_TEST_SWAPS", 50)
	answers := make([][2]atomic.Int64, len(questions))
	var readers sync.WaitGroup
	for reader := range 4 {
		readers.Go(func() {
			for i := reader; ; i++ {
				n := i % len(questions)
				switch text, err := questions[n].text(t.Context(), db); {
				case errors.Is(err, postgeo.ErrClosed):
					return
				case err != nil:
					t.Error(err)
					return
				case text == want[0][n]:
					answers[n][0].Add(1)
				case text == want[1][n]:
					answers[n][1].Add(1)
				default:
					t.Errorf("%s is answered by neither: %s", questions[n].name, text)
					return
				}
			}
		})
	}
	for i := range swaps {
		if err := db.Swap(t.Context(), paths[(i+1)%2]); err != nil {
			t.Error(err)
		}
	}
	check(t, db.Close()) // ends the readers with ErrClosed and nothing else
	readers.Wait()
	total := int64(0)
	for n := range questions {
		total += answers[n][0].Load() + answers[n][1].Load()
	}
	if total < int64(swaps) {
		t.Errorf("%d answers during %d swaps: no load", total, swaps)
	}
	t.Logf("%d swaps, %d answers, each wholly of one dataset", swaps, total)
}
