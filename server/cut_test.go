package server_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/lookup"
)

// TestCutBatches cuts connections of batches at random points: in the header,
// in the body, and while the items are worked. No credit is missing afterwards.
// POSTGEO_TEST_CUTS is how many.
func TestCutBatches(t *testing.T) {
	db := openDB(t)
	random := rand.New(rand.NewPCG(1, 2))
	b := rich()
	// Every batch has an item that is not done before the caller is gone.
	slow := func(ctx context.Context) (*lookup.QuickRecord, error) {
		<-ctx.Done()
		return db.QuickLookup(context.WithoutCancel(ctx), "90210", lookup.QuickOptions{})
	}
	s := newServer(t, brokenDB{DB: db, quick: slow}, realClock, realEntropy, withAccounts(t, b))
	r := run(t, s)

	body := `{"codes":` + repeat(`"90210"`, 100) + `}`
	request := fmt.Sprintf("POST /v2/quick-zip/batch HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nContent-Length: %d\r\n\r\n%s", key("paid"), len(body), body)
	var wg sync.WaitGroup
	whole := 0
	for range storetest.Times("POSTGEO_TEST_CUTS", 200) {
		n := len(request) // half of them arrive whole
		if random.IntN(2) == 0 {
			n = random.IntN(len(request))
		} else {
			whole++
		}
		conn, err := net.Dial("tcp", r.public)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			defer conn.Close()
			if _, err := io.WriteString(conn, request[:n]); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for end := time.Now().Add(10 * time.Second); b.calls() == "" && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // until one batch is read
	}
	r.stop()
	err := <-r.done
	r.done <- err
	if err != nil {
		t.Errorf("Run: %v", err)
	}
	if b.available() != 1000 || len(b.holds) != 0 || len(b.settled) != 0 {
		t.Errorf("%d credits of 1000 are left, %v are held, %v are settled", b.available(), b.holds, b.settled)
	}
	if whole == 0 || b.calls() == "" {
		t.Error("no batch got as far as the ledger")
	}
}
