package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
	"github.com/postgeo/postgeo/server"
	"github.com/postgeo/postgeo/server/client"
)

// many returns n inputs, good and bad.
func many(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = codes[i%len(codes)]
	}
	return list
}

// checkBatch holds the items of a batch against what the library returns, and
// the replies against the number of requests.
func checkBatch[T any](t *testing.T, b *client.Batch[T], err error, n int, requests int64, library func(i int) (*T, error)) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Items) != n || int64(len(b.Replies)) != requests {
		t.Fatalf("%d items in %d replies, want %d in %d", len(b.Items), len(b.Replies), n, requests)
	}
	succeeded, failed, i := 0, 0, 0
	for got, err := range b.All() {
		want, wantErr := library(i)
		switch {
		case wantErr != nil:
			failed++
			e := failure(t, err)
			f := envelope.FaultOf(wantErr)
			if got != nil || e.Status != 200 || e.Input == nil || f == nil || errors.Is(err, envelope.ErrNotFound) != errors.Is(wantErr, envelope.ErrNotFound) {
				t.Errorf("item %d: %v, want %v", i, err, wantErr)
			}
			if e.Code != f.Code && e.Code != envelope.ValidationMissingParam && e.Code != envelope.ValidationInputTooLong {
				t.Errorf("item %d: %v, want %v", i, err, wantErr)
			}
		case err != nil:
			t.Errorf("item %d: %v", i, err)
		default:
			succeeded++
			if diff := cmp.Diff(jsonOf(t, want), jsonOf(t, got)); diff != "" {
				t.Errorf("item %d (-want +got):\n%s", i, diff)
			}
		}
		i++
	}
	var sum envelope.Batch
	for _, r := range b.Replies {
		sum.Requested += r.Meta.Batch.Requested
		sum.Succeeded += r.Meta.Batch.Succeeded
		sum.Failed += r.Meta.Batch.Failed
	}
	if diff := cmp.Diff(envelope.Batch{Requested: n, Succeeded: succeeded, Failed: failed}, sum); diff != "" || failed == 0 || succeeded == 0 {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	for range b.All() {
		break // a loop may end early
	}
}

// TestBatches checks that batches of 250 are divided, with the results of the
// library in order.
func TestBatches(t *testing.T) {
	db := sampletest.Open(t)
	w := serve(t, db, server.Config{})
	c := newClient(t, w.URL, client.Options{})
	ctx := t.Context()
	list := many(250)
	asked := func() int64 { return w.requests.Swap(0) }

	quick := lookup.QuickOptions{Timezone: true}
	places, err := c.QuickLookupBatch(ctx, list, quick)
	checkBatch(t, places, err, len(list), 3, func(i int) (*lookup.QuickRecord, error) {
		v, err := db.QuickLookup(ctx, list[i], quick)
		if v != nil {
			v.SetInput(envelope.Input{Code: list[i]})
		}
		return v, err
	})
	credits := 0
	for _, r := range places.Replies {
		credits += r.Meta.Credits.Used
	}
	if n := asked(); n != 3 || places.Credits() != credits || credits == 0 {
		t.Errorf("%d requests, %d credits, want %d", n, places.Credits(), credits)
	}

	full := lookup.Options{Include: lookup.Include{Timezone: true}, At: day2025}
	records, err := c.LookupBatch(ctx, list, full)
	checkBatch(t, records, err, len(list), 3, func(i int) (*lookup.Record, error) {
		v, err := db.Lookup(ctx, list[i], full)
		if v != nil {
			v.SetInput(envelope.Input{Code: list[i]})
		}
		return v, err
	})

	pairs := make([]client.Pair, len(list))
	for i := range pairs {
		pairs[i] = client.Pair{From: list[i], To: list[len(list)-1-i]}
	}
	distances, err := c.DistanceBatch(ctx, pairs, radius.DistanceOptions{At: day2025})
	checkBatch(t, distances, err, len(list), 3, func(i int) (*radius.DistanceResult, error) {
		v, err := db.Distance(ctx, pairs[i].From, pairs[i].To, radius.DistanceOptions{At: day2025})
		if v != nil {
			v.SetInput(envelope.Input{From: pairs[i].From, To: pairs[i].To})
		}
		return v, err
	})

	asked()
	small := newClient(t, w.URL, client.Options{BatchSize: 7})
	searches := make([]client.RadiusSearch, 2*len(codes))
	for i := range searches {
		o := radius.Options{Max: 10 + geo.Miles(i)/2, Limit: 1 + i, Include: radius.Include{Timezone: i%2 == 0}}
		if i%3 == 0 {
			o.At = day2025
		}
		if i%5 == 4 {
			o = radius.Options{Auto: radius.Density, Min: 1.5}
		}
		searches[i] = client.RadiusSearch{Center: codes[i%len(codes)], Options: o}
	}
	found, err := small.RadiusBatch(ctx, searches)
	checkBatch(t, found, err, len(searches), 6, func(i int) (*radius.Result, error) {
		s := searches[i]
		v, err := db.Radius(ctx, s.Center, s.Options)
		if v != nil {
			at := i % 7
			in := envelope.Input{Index: &at, Code: s.Center, Max: &envelope.RadiusMax{Miles: float64(s.Options.Max)}}
			if s.Options.Auto != "" {
				in.Max = &envelope.RadiusMax{Auto: "auto"}
			}
			v.SetInput(in)
		}
		return v, err
	})
	if n := asked(); n != 6 {
		t.Errorf("%d requests", n)
	}
}

// TestBatchEnds checks the contents of a batch whose second request fails.
func TestBatchEnds(t *testing.T) {
	s, err := server.New(sampletest.Open(t), server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range []int{http.StatusBadGateway, 0} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			asked := 0
			w := newWorld(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				asked++
				switch {
				case asked != 2:
					s.ServeHTTP(rw, r)
				case status == 0:
					io.Copy(io.Discard, r.Body) // until then a server does not see its caller leave
					cancel()
					<-r.Context().Done()
				default:
					rw.WriteHeader(status)
				}
			}))
			b, err := newClient(t, w.URL, client.Options{}).QuickLookupBatch(ctx, many(250), lookup.QuickOptions{})
			if err == nil || len(b.Items) != 250 || asked != 2 {
				t.Fatalf("%d items after %d requests, %v", len(b.Items), asked, err)
			}
			replies := 2
			if status == 0 {
				replies = 1
				if !errors.Is(err, context.Canceled) {
					t.Errorf("error %v, want the context's", err)
				}
			} else if failure(t, err).Status != status {
				t.Errorf("error %v", err)
			}
			if len(b.Replies) != replies || b.Items[0].Value == nil || b.Items[0].Err != nil {
				t.Errorf("%d replies, first item %+v", len(b.Replies), b.Items[0])
			}
			for i, item := range b.Items[100:] {
				if item.Value != nil || !errors.Is(item.Err, err) {
					t.Fatalf("item %d: %+v", 100+i, item)
				}
			}
		})
	}
}
