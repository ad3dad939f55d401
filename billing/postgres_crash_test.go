//go:build unix

package billing_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
)

// PostgreSQL that is killed at any moment, and started again, has lost nothing
// of what was promised, and nobody has paid for what failed.
// POSTGEO_TEST_KILLS is how often it is killed.
func TestPostgresKill(t *testing.T) {
	kills := storetest.Times("POSTGEO_TEST_KILLS", 2)
	server := pgserver.Shared(t)
	s := open(t, server.Address(), billing.Options{})
	enterCrash(t, s)
	var lines []string
	var mu sync.Mutex
	say := func(line string) error {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, line)
		return nil
	}
	// serve does what a server does for one request: it refunds one that fails.
	serve := func(id string, rnd *rand.Rand) {
		err := request(s, say, id, rnd)
		if errors.Is(err, billing.ErrUnavailable) {
			time.Sleep(10 * time.Millisecond)
			if _, err = s.Refund(t.Context(), of(id)); err == nil || errors.Is(err, billing.ErrUnavailable) || errors.Is(err, billing.ErrHoldNotFound) {
				err = say("refunded " + id + " failed")
			}
		}
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for round := range kills {
		stop := make(chan struct{})
		var wg sync.WaitGroup
		for w := range crashWorkers {
			wg.Go(func() {
				rnd := rand.New(rand.NewPCG(uint64(w), uint64(round)))
				for i := 0; t.Context().Err() == nil; i++ {
					select {
					case <-stop:
						return
					default:
						serve(fmt.Sprintf("%04d-%d-%d", round, w, i), rnd)
					}
				}
			})
		}
		time.Sleep(time.Duration(20+rnd.IntN(200)) * time.Millisecond)
		server.Kill()
		time.Sleep(time.Duration(rnd.IntN(50)) * time.Millisecond)
		server.Run()
		time.Sleep(time.Duration(rnd.IntN(50)) * time.Millisecond)
		close(stop)
		wg.Wait()
		if err := s.Audit(t.Context()); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	_, err := s.Sweep(t.Context()) // makes up for refunds that failed
	check(t, err)
	settled, keptByCut, _ := promisesIn(t, lines)
	spent, _, kept := checkAfterKill(t, open(t, server.Address(), billing.Options{Now: late}), lines)
	t.Logf("%d requests, %d of them failed; %d credits were settled, %d kept by cuts and %d by refunds", len(lines), strings.Count(strings.Join(lines, "\n"), "failed"), settled, keptByCut, kept)
	if settled == 0 || spent != settled+keptByCut+kept {
		t.Errorf("%d credits are spent; want %d, more than 0", spent, settled+keptByCut+kept)
	}
}
