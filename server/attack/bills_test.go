package attack_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/server"
)

// A billed server runs in this process and charges accounts that the test
// reads.
type billed struct {
	address string
	store   *billing.Store
	logged  records
	number  int // of accounts
}

// records takes the log's record of every request.
type records chan record

type record struct {
	Msg             string
	Status, Credits int
	Error           string
}

func (r records) Write(line []byte) (int, error) {
	var x record
	if err := json.Unmarshal(line, &x); err == nil && x.Msg == "request" {
		r <- x
	}
	return len(line), nil
}

// generous lets everybody call as often as they like.
type generous struct{ server.Accounts }

func (g generous) Enter(ctx context.Context, c billing.Credentials) (billing.Pass, error) {
	pass, err := g.Accounts.Enter(ctx, c)
	if limited := new(billing.RateLimitError); errors.As(err, &limited) {
		err = nil
	}
	return pass, err
}

// bill starts a server over a dataset; "" is the sample.
func bill(t testing.TB, path string) *billed {
	t.Helper()
	db, err := postgeo.OpenSample()
	if path != "" {
		db, err = postgeo.Open(path)
	}
	check(t, err)
	store, err := billing.Open(t.Context(), filepath.Join(t.TempDir(), "accounts.db"), billing.Options{Pepper: []byte(pepperText), Create: true})
	check(t, err)
	b := &billed{store: store, logged: make(records, 100)}
	s, err := server.New(db, server.Config{Accounts: generous{store}, Logger: slog.New(slog.NewJSONHandler(b.logged, nil))})
	check(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	b.address = l.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, tightListener{l}, nil) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-done, store.Audit(context.Background()), store.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	return b
}

// A payer is an account of a billed server.
type payer struct {
	*billed
	account, key string
}

func (b *billed) enroll(t testing.TB) *payer {
	t.Helper()
	b.number++
	id := fmt.Sprintf("acct_%d", b.number)
	return &payer{b, id, open(t, b.store, id, 1)[0]}
}

// available returns what the account can spend once nothing is held.
func (p *payer) available(t testing.TB) int {
	t.Helper()
	for range 500 {
		b, err := p.store.Balance(t.Context(), p.account)
		check(t, err)
		if b.Held == 0 {
			return b.Available
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%s: credits stay held", p.account)
	return 0
}

// A billedRoute is a request of a route of the contract.
type billedRoute struct {
	name, path, body string
	invented         bool // the large dataset answers it
}

func (r *billedRoute) batch() bool { return r.body != "" }

// billedRoutes returns a request of each route of the contract that charges.
func billedRoutes(codes []string) []billedRoute {
	items := func(key, item string, n int, more string) string {
		return `{` + more + `"` + key + `":[` + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + `]}`
	}
	const flags = `"include":["census","cd","state_leg","school_district","timezone","acs_social","acs_economic","acs_housing"],`
	return []billedRoute{
		{"quick-zip", "/v2/quick-zip?code=90210", "", false},
		{"zip", "/v2/zip?code=98101&include=census,cd,state_leg,school_district,timezone", "", false},
		{"radius, 25 mi", "/v2/radius?code=10001&max=25", "", false},
		{"radius, 500 mi", heavySearch, "", true},
		{"distance", "/v2/distance?from=90210&to=10001", "", false},
		{"suggest", "/v2/suggest?q=los+ang&limit=50", "", false},
		{"address", "/v2/address?address=100+e+oak+blvd+new+york+ny+10001&include=coordinates,census", "", false},
		{"100 quick-zip", "/v2/quick-zip/batch", items("codes", `"90210"`, 100, ""), false},
		{"zip batch", "/v2/zip/batch", items("codes", `"10001"`, lasting(40, 100), flags), false},
		{"radius batch", "/v2/radius/batch", radiusBatch(codes[:lasting(2, 10)], 500), true},
		{"100 distances", "/v2/distance/batch", items("pairs", `{"from":"90210","to":"10001"}`, 100, ""), false},
		{"250 addresses", "/v2/address/batch", items("addresses", `"100 e oak blvd new york ny 10001"`, 250, ""), false},
	}
}

// An exchanged request is a request with its outcome.
type exchanged struct {
	size     int64 // bytes of the answer that came out of the server
	status   int   // 0: no answer
	whole    bool  // the caller has the whole answer
	used     int   // meta.credits.used of a whole answer
	left     int   // meta.credits.remaining of a whole answer
	charged  int   // by the ledger
	balance  int   // by the ledger, afterwards
	reported record
	err      error
}

func (x *exchanged) String() string {
	used := "-"
	if x.whole {
		used = fmt.Sprint(x.used)
	}
	return fmt.Sprintf("%.1f KB | %d | %v | %s | %d | %d", float64(x.size)/1000, x.status, x.whole, used, x.charged, x.reported.Credits)
}

// exchange sends a request through a proxy with a fault.
func (p *payer) exchange(t testing.TB, r *billedRoute, f fault, size int64, zipped bool) *exchanged {
	t.Helper()
	before := p.available(t)
	way := newProxy(t, p.address, f, f.position(size))
	x := &exchanged{}
	x.request(t, way.address, p.key, r, zipped)
	x.size = <-way.done
	select {
	case x.reported = <-p.logged:
	case <-time.After(time.Minute):
		t.Errorf("%s, %s: the server does not finish the request", r.name, f.name)
	}
	x.balance = p.available(t)
	x.charged = before - x.balance
	return x
}

// request sends the request and reads as much of the answer as comes.
func (x *exchanged) request(t testing.TB, address, key string, r *billedRoute, zipped bool) {
	t.Helper()
	transport := &http.Transport{DisableCompression: !zipped}
	defer transport.CloseIdleConnections()
	method := http.MethodGet
	if r.batch() {
		method = http.MethodPost
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, "http://"+address+r.path, strings.NewReader(r.body))
	check(t, err)
	req.Header.Set("X-Api-Key", key)
	resp, err := transport.RoundTrip(req)
	if err != nil {
		x.err = err
		return
	}
	defer resp.Body.Close()
	x.status = resp.StatusCode
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		x.err = err
		return
	}
	x.whole = true
	var answer struct {
		Meta struct {
			Credits struct {
				Used      int `json:"used"`
				Remaining int `json:"remaining"`
			} `json:"credits"`
		} `json:"meta"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		x.err = fmt.Errorf("an answer of %d bytes is complete by its header: %w", len(text), err)
	}
	x.used, x.left = answer.Meta.Credits.Used, answer.Meta.Credits.Remaining
}

// faults are what the proxy does, each to every route.
var faults = []fault{
	{name: "none", times: lasting(1, 50)},
	{name: "slow reader", pause: 10 * time.Millisecond, piece: 64 << 10},
	{name: "half-close after the request", halfClose: true, times: lasting(1, 50)},
	{name: "half-close after 512 bytes", halfClose: true, at: 512, times: lasting(1, 50)},
	{name: "half-close at 98 %", halfClose: true, part: 0.98},
	{name: "close after the request", closed: true},
	{name: "close at 50 %", closed: true, part: 0.5},
	{name: "close after the last byte", closed: true, part: 1},
	{name: "reset after the request", reset: true},
	{name: "reset after 1 byte", reset: true, at: 1},
	{name: "reset after 512 bytes", reset: true, at: 512},
	{name: "reset at 50 %", reset: true, part: 0.5},
	{name: "reset at 98 %", reset: true, part: 0.98},
	{name: "reset after the last byte", reset: true, part: 1},
}

// TestBills sends every route's request through a proxy with every fault and
// compares what arrived, meta.credits, the log and the ledger.
func TestBills(t *testing.T) {
	invented, sample := bill(t, dataFile), bill(t, "")
	codes := searched(t, invented)
	t.Log("| route | fault | times | out of the server | status | whole | meta.credits.used | ledger | log |")
	for _, zipped := range []bool{false, true} {
		for _, r := range billedRoutes(codes) {
			if zipped && (!long || !r.batch()) {
				continue
			}
			t.Run(fmt.Sprintf("%s, zipped %v", r.name, zipped), func(t *testing.T) {
				b := sample
				if r.invented {
					b = invented
				}
				var price int
				var size int64
				for _, f := range faults {
					seen := map[string]int{}
					for range max(f.times, 1) {
						p := b.enroll(t)
						x := p.exchange(t, &r, f, size, zipped)
						seen[x.String()]++
						if price == 0 {
							price, size = x.used, x.size
						}
						x.judge(t, &r, f, price, size)
					}
					for _, text := range slices.Sorted(maps.Keys(seen)) {
						t.Logf("| %s | %s | %d times | %s |", r.name, f.name, seen[text], text)
					}
				}
			})
		}
	}
}

// judge holds an exchange to decision D52.
func (x *exchanged) judge(t *testing.T, r *billedRoute, f fault, price int, size int64) {
	t.Helper()
	complain := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s, %s: %s (%v)", r.name, f.name, fmt.Sprintf(format, args...), x)
	}
	if x.charged != x.reported.Credits {
		complain("the log has another number of credits than the ledger")
	}
	if x.charged != 0 && x.charged != price {
		complain("neither free nor the price of %d", price)
	}
	if x.whole {
		switch {
		case x.err != nil:
			complain("%v", x.err)
		case x.status != http.StatusOK:
			complain("no answer")
		case x.used != x.charged || x.left != x.balance:
			complain("meta.credits and the ledger disagree: %d used, %d remaining of %d", x.used, x.left, x.balance)
		}
	}
	switch {
	case f.whole() && f.halfClose && f.at == 0 && f.part == 0:
		if !x.whole && x.status != 0 { // else: the whole answer, or a reset connection
			complain("half an answer: %v", x.err)
		}
		if !x.whole && x.charged != 0 {
			complain("nothing arrived and it is charged")
		}
	case f.whole() && !x.whole:
		complain("the answer did not arrive: %v", x.err)
	case !x.whole && size-f.position(size) > inKernel && x.charged != 0:
		complain("an answer that was cut is charged although refunds are below their bound")
	}
}

// searched returns codes of the dataset of a server.
func searched(t testing.TB, b *billed) []string {
	t.Helper()
	s := &target{address: b.address, customers: []customer{{keys: []string{b.enroll(t).key}}}}
	codes := s.codes(t, 100)
	<-b.logged
	return codes
}

// TestRefundBound has a caller reset every answer. Refunds of single requests
// end at the bound; batches are always refunded, and worked last from the bound
// on. The list of refunds agrees with the balance.
func TestRefundBound(t *testing.T) {
	b := bill(t, dataFile)
	routes := billedRoutes(searched(t, b))
	search, batch := routes[3], routes[9]
	for _, test := range []struct {
		name string
		r    billedRoute
		part float64 // of the answer, after which it is reset
		n    int
	}{
		{"single, reset at 2 %", search, 0.02, lasting(20, 1000)},
		{"single, reset at 90 %", search, 0.9, lasting(20, 1000)},
		{"batch, reset at 50 %", batch, 0.5, lasting(8, 40)},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := b.enroll(t)
			first := p.exchange(t, &test.r, fault{}, 0, false)
			start := p.available(t)
			var received int64
			unnoticed := 0 // credits of answers that the system had accepted before the reset
			for range test.n {
				x := p.exchange(t, &test.r, fault{name: "reset", reset: true, part: test.part}, first.size, false)
				received += x.size
				if x.reported.Error == "" {
					unnoticed += x.charged
				}
				if x.charged != x.reported.Credits {
					t.Errorf("the log has %d credits, the ledger %d", x.reported.Credits, x.charged)
				}
			}
			price, charged := test.n*first.used, start-p.available(t)
			days, err := p.store.Refunds(t.Context(), p.account, time.Now().Add(-time.Hour))
			check(t, err)
			var sum billing.RefundDay // two days at midnight
			for _, day := range days {
				sum.Cut.Credits += day.Cut.Credits
				sum.Kept.Credits += day.Kept.Credits
				sum.Batch.Credits += day.Batch.Credits
				sum.LastInTurn = sum.LastInTurn || day.LastInTurn
			}
			t.Logf("%d answers reset, %d of %d MB received, %d of %d credits charged, %d unnoticed; refunds %+v", test.n, received>>20, int64(test.n)*first.size>>20, charged, price, unnoticed, sum)
			bound := max(100, (price+first.used)/50)
			if test.r.batch() {
				if charged != 0 || sum.Batch.Credits < price || sum.LastInTurn != (price > bound) {
					t.Errorf("%d of %d credits are charged; want none, all of them listed, and the account last in turn past %d", charged, price, bound)
				}
				return
			}
			if refunded := price - charged; refunded > bound || refunded < min(100, price)-first.used {
				t.Errorf("%d of %d credits were refunded; want the bound of %d", refunded, price, bound)
			}
			if sum.Cut.Credits != price-charged || sum.Kept.Credits != charged-unnoticed {
				t.Errorf("%d credits are listed as refunded, %d as kept; the balance has %d and %d", sum.Cut.Credits, sum.Kept.Credits, price-charged, charged-unnoticed)
			}
		})
	}
}

var check = checktest.Check
