package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server"
)

// A book is a ledger in memory: enough of one to see what the server asks.
type book struct {
	mu      sync.Mutex
	grants  []billing.Part // what is left, in the order of spending
	holds   map[string]int // open holds
	settled map[string]int
	log     []string
	err     map[string]error // by the name of a call
}

func newBook(grants ...billing.Part) *book {
	return &book{grants: grants, holds: map[string]int{}, settled: map[string]int{}, err: map[string]error{}}
}

func (b *book) available() (n int) {
	for _, g := range b.grants {
		n += g.Credits
	}
	return n
}

func (b *book) take(n int) (parts []billing.Part) {
	for i := range b.grants {
		part := min(n, b.grants[i].Credits)
		if part > 0 {
			parts = append(parts, billing.Part{Source: b.grants[i].Source, Credits: part})
		}
		b.grants[i].Credits -= part
		n -= part
	}
	return parts
}

func (b *book) Reserve(_ context.Context, h billing.Hold) (billing.Receipt, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = append(b.log, "reserve")
	if err := b.err["reserve"]; err != nil {
		return billing.Receipt{}, err
	}
	held := 0
	for _, n := range b.holds {
		held += n
	}
	if free := b.available() - held; h.Credits > free {
		return billing.Receipt{}, &billing.InsufficientError{Account: h.Account, Need: h.Credits, Available: free, Batch: h.Batch}
	}
	b.holds[h.ID] = h.Credits
	return billing.Receipt{Credits: h.Credits}, nil
}

func (b *book) Settle(_ context.Context, id string, used int) (billing.Receipt, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = append(b.log, "settle")
	if err := b.err["settle"]; err != nil {
		return billing.Receipt{}, err
	}
	most, ok := b.holds[id]
	if !ok || used > most {
		return billing.Receipt{}, billing.ErrHoldClosed
	}
	delete(b.holds, id)
	b.settled[id] = used
	return billing.Receipt{Credits: used, Parts: b.take(used), Remaining: b.available()}, nil
}

func (b *book) Refund(_ context.Context, id string) (billing.Receipt, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = append(b.log, "refund")
	if err := b.err["refund"]; err != nil {
		return billing.Receipt{}, err
	}
	if n, ok := b.settled[id]; ok {
		b.grants[len(b.grants)-1].Credits += n
		delete(b.settled, id)
	} else if _, ok := b.holds[id]; !ok {
		return billing.Receipt{}, billing.ErrHoldNotFound
	}
	delete(b.holds, id)
	return billing.Receipt{}, nil
}

func (b *book) Ping(context.Context) error { return b.err["ping"] }

func (b *book) calls() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.log, " ")
}

// people are the keys of the tests, by name; each name is spread to 32
// characters.
type people map[string]*billing.Holder

func key(name string) string { return name + strings.Repeat("0", billing.KeyLength-len(name)) }

func (p people) FindKey(_ context.Context, hash billing.KeyHash) (*billing.Holder, error) {
	for name, h := range p {
		if pepper.Hash(key(name)) == hash {
			return h, nil
		}
	}
	return nil, billing.ErrKeyNotFound
}

func (people) Revision(context.Context) (int64, error) { return 1, nil }

var pepper = func() *billing.Pepper {
	p, err := billing.NewPepper(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		panic(err)
	}
	return p
}()

var gateTime = time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)

func holder(plan billing.Plan, kind billing.KeyKind, set ...func(*billing.Holder)) *billing.Holder {
	h := &billing.Holder{
		Key:     billing.Key{ID: "key_" + plan.String() + "_" + kind.String(), Account: "acct_1", Kind: kind},
		Account: billing.Account{ID: "acct_1", Plan: plan},
	}
	for _, f := range set {
		f(h)
	}
	return h
}

// everybody are holders in every state.
func everybody(t testing.TB) people {
	addrs, err := billing.ParseAddrList([]string{"198.51.100.0/24"})
	if err != nil {
		t.Fatal(err)
	}
	origins, err := billing.ParseOrigins([]string{"https://app.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	return people{
		"free":       holder(billing.Free, billing.Live),
		"restricted": holder(billing.Restricted, billing.Live),
		"paid":       holder(billing.Developer, billing.Live),
		"debug":      holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Scopes = billing.ScopeDebug }),
		"test":       holder(billing.Developer, billing.Test),
		"free-test":  holder(billing.Free, billing.Test),
		"off":        holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Off = true }),
		"expired":    holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Expires = gateTime.Add(-time.Second) }),
		"rotating":   holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Rotated, h.Key.Expires = true, gateTime.Add(time.Hour) }),
		"suspended":  holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Account.Suspended = true }),
		"at-home":    holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Addrs = addrs }),
		"in-page":    holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Origins = origins }),
	}
}

// withAccounts makes a server ask for keys and charge them to the book.
func withAccounts(t testing.TB, b *book) func(*server.Config) {
	t.Helper()
	gate, err := billing.NewGate(billing.GateOptions{
		Directory: everybody(t), Pepper: pepper, DemoKey: key("demo"),
		Now: func() time.Time { return gateTime },
	})
	if err != nil {
		t.Fatal(err)
	}
	proxies, err := billing.ParseAddrList([]string{"10.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	return func(c *server.Config) {
		c.Accounts = &server.Accounts{Gate: gate, Ledger: b, TrustedProxies: proxies}
	}
}

// rich is a book with enough of everything.
func rich() *book { return newBook(billing.Part{Source: billing.SubscriptionCredits, Credits: 1000}) }

// as sends the key of a name in the header.
func as(name string, r *http.Request) *http.Request {
	r.Header.Set("X-Api-Key", key(name))
	return r
}

func with(r *http.Request, name, value string) *http.Request {
	r.Header.Set(name, value)
	return r
}

// TestGoldenAccounts holds whole answers to callers with keys, without, and
// with the wrong ones.
func TestGoldenAccounts(t *testing.T) {
	db := openDB(t)
	quick := func() *http.Request { return get("/v2/quick-zip?code=90210") }
	twoCodes := func() *http.Request { return post("/v2/zip/batch", `{"codes":["90210","K1A"],"include":"timezone"}`) }
	some := func(parts ...billing.Part) func() *book { return func() *book { return newBook(parts...) } }
	tests := map[string]struct {
		r    *http.Request
		book func() *book // nil: rich
	}{
		"key":            {r: as("paid", quick())},
		"key-query":      {r: get("/v2/quick-zip?code=90210&key=" + key("paid"))},
		"key-free":       {r: as("free", quick()), book: some(billing.Part{Source: billing.DailyCredits, Credits: 2500})},
		"key-restricted": {r: as("restricted", quick()), book: some(billing.Part{Source: billing.DailyCredits, Credits: 2500})},
		"key-mixed": {r: as("paid", get("/v2/zip?code=90210&include=timezone")), book: some(
			billing.Part{Source: billing.SubscriptionCredits, Credits: 1}, billing.Part{Source: billing.PackCredits, Credits: 25000})},
		"key-not-found":   {r: as("paid", get("/v2/quick-zip?code=00000"))},
		"key-unavailable": {r: as("paid", get("/v2/zip?code=90210&include=census"))},
		"key-invalid":     {r: as("paid", get("/v2/quick-zip?code=9021"))},
		"key-batch":       {r: as("paid", twoCodes())},
		"key-rotating":    {r: as("rotating", quick())},
		"key-test":        {r: as("test", get("/v2/quick-zip?code=90210&include=timezone"))},
		"key-demo":        {r: as("demo", get("/v2/distance?from=90210&to=10001"))},
		"key-debug":       {r: as("debug", get("/v2/quick-zip?code=90210&debug=1"))},

		"error-auth-missing":         {r: quick()},
		"error-auth-bearer":          {r: with(quick(), "Authorization", "bearer "+key("paid"))},
		"error-auth-short":           {r: with(quick(), "X-Api-Key", "0123456789abcde")},
		"error-auth-unknown":         {r: as("nobody", quick())},
		"error-auth-inactive":        {r: as("off", quick())},
		"error-auth-expired":         {r: as("expired", quick())},
		"error-auth-suspended":       {r: as("suspended", quick())},
		"error-auth-ip":              {r: as("at-home", quick())},
		"error-auth-origin":          {r: as("in-page", with(quick(), "Origin", "https://other.example.com"))},
		"error-auth-batch-free":      {r: as("free", twoCodes())},
		"error-auth-batch-test":      {r: as("test", twoCodes())},
		"error-auth-batch-demo":      {r: as("demo", twoCodes())},
		"error-auth-test-code":       {r: as("test", get("/v2/zip?code=90211"))},
		"error-auth-test-coordinate": {r: as("test", get("/v2/distance?from=90210&to=34,-118"))},
		"error-auth-demo-code":       {r: as("demo", get("/v2/quick-zip?code=90210-1234"))},
		"error-credits":              {r: as("free", get("/v2/quick-zip?code=90210-1234")), book: some(billing.Part{Source: billing.DailyCredits, Credits: 1})},
		"error-credits-batch":        {r: as("paid", twoCodes()), book: some(billing.Part{Source: billing.PackCredits, Credits: 3})},
		"error-ledger-away": {r: as("paid", quick()), book: func() *book {
			b := rich()
			b.err["reserve"] = &billing.UnavailableError{Err: errors.New("secret internals")}
			return b
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := rich()
			if tt.book != nil {
				b = tt.book()
			}
			golden(t, name, dump(t, do(newServer(t, db, withAccounts(t, b)).Handler(), tt.r)))
			if len(b.holds) != 0 {
				t.Errorf("credits are still held: %v", b.holds)
			}
		})
	}
}

// TestGoldenLimits holds the answers to callers who are over their limits.
func TestGoldenLimits(t *testing.T) {
	db := openDB(t)
	quick := func() *http.Request { return get("/v2/quick-zip?code=90210") }
	tests := map[string]struct {
		before int // requests that are let in
		r      func() *http.Request
	}{
		"error-rate":         {60, func() *http.Request { return as("free", quick()) }},
		"error-rate-demo":    {5, func() *http.Request { return as("demo", quick()) }},
		"error-flood":        {60, quick},
		"error-auth-blocked": {20, func() *http.Request { return as("nobody", quick()) }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := rich()
			h := newServer(t, db, withAccounts(t, b)).Handler()
			first := do(h, tt.r()).StatusCode
			for range tt.before - 1 {
				if status := do(h, tt.r()).StatusCode; status != first {
					t.Fatalf("status %d before the limit, want %d", status, first)
				}
			}
			calls := b.calls()
			golden(t, name, dump(t, do(h, tt.r())))
			if b.calls() != calls {
				t.Error("a refused request reaches the ledger")
			}
		})
	}
}

// TestAddresses holds what a request counts for: the connection, and what a
// trusted proxy tells, but nobody else.
func TestAddresses(t *testing.T) {
	db := openDB(t)
	for _, tt := range []struct {
		peer, forwarded string
		want            int
	}{
		{"198.51.100.7:1234", "", http.StatusOK},
		{"203.0.113.1:1234", "", http.StatusForbidden},
		{"203.0.113.1:1234", "198.51.100.7", http.StatusForbidden},
		{"10.0.0.1:1234", "198.51.100.7", http.StatusOK},
		{"10.0.0.1:1234", "198.51.100.7, 203.0.113.1", http.StatusForbidden},
		{"10.0.0.1:1234", "203.0.113.1, 198.51.100.7, 10.0.0.2", http.StatusOK},
		{"[::ffff:198.51.100.7]:1234", "", http.StatusOK},
		{"", "198.51.100.7", http.StatusForbidden},
	} {
		r := as("at-home", get("/v2/quick-zip?code=90210"))
		r.RemoteAddr = tt.peer
		if tt.forwarded != "" {
			r.Header.Set("X-Forwarded-For", tt.forwarded)
		}
		if resp := do(newServer(t, db, withAccounts(t, rich())).Handler(), r); resp.StatusCode != tt.want {
			t.Errorf("peer %q, forwarded %q: status %d, want %d", tt.peer, tt.forwarded, resp.StatusCode, tt.want)
		}
	}
}

// TestWhereKeysAre holds which of several keys counts.
func TestWhereKeysAre(t *testing.T) {
	h := newServer(t, openDB(t), withAccounts(t, rich())).Handler()
	quick := "/v2/quick-zip?code=90210"
	paid, off := key("paid"), key("off")
	for name, tt := range map[string]struct {
		r    *http.Request
		want int
	}{
		"header over query":      {with(get(quick+"&key="+off), "X-Api-Key", paid), 200},
		"not query over header":  {with(get(quick+"&key="+paid), "X-Api-Key", off), 403},
		"blank header":           {with(get(quick+"&key="+paid), "X-Api-Key", " "), 200},
		"blanks around":          {with(get(quick), "X-Api-Key", " "+paid+" "), 200},
		"first in the query":     {get(quick + "&key=" + paid + "&key=" + off), 200},
		"escaped":                {get(quick + "&%6Bey=" + paid), 200},
		"Bearer beside a key":    {with(with(get(quick), "X-Api-Key", paid), "Authorization", "Bearer x"), 200},
		"Basic":                  {with(get(quick), "Authorization", "Basic "+paid), 401},
		"in the body":            {post("/v2/quick-zip", `{"code":"90210","key":"`+paid+`"}`), 401},
		"query of a POST":        {post("/v2/quick-zip?key="+paid, `{"code":"90210"}`), 200},
		"query of a batch":       {post("/v2/quick-zip/batch?key="+paid, `{"codes":["90210"]}`), 200},
		"query that is no query": {get(quick + "&key=" + paid + "&x=%zz"), 401},
		"the same with a header": {with(get(quick+"&x=%zz"), "X-Api-Key", paid), 400},
		"wrong case":             {with(get(quick), "X-Api-Key", strings.ToUpper(paid)), 401},
		"very long":              {with(get(quick), "X-Api-Key", strings.Repeat(paid, 1000)), 401},
	} {
		if resp := do(h, tt.r); resp.StatusCode != tt.want {
			t.Errorf("%s: status %d, want %d", name, resp.StatusCode, tt.want)
		}
	}
}

// TestWithoutKeys holds what nobody is asked a key for, and that such answers
// have no rate headers.
func TestWithoutKeys(t *testing.T) {
	h := newServer(t, openDB(t), withAccounts(t, rich())).Handler()
	options := get("/v2/zip")
	options.Method = http.MethodOptions
	for name, tt := range map[string]struct {
		r    *http.Request
		want int
	}{
		"health":       {get("/v2/health"), 200},
		"start page":   {get("/"), 200},
		"preflight":    {options, 204},
		"unknown path": {get("/v2/nothing"), 404},
		"version":      {get("/v3/zip"), 400},
		"method":       {get("/v2/zip/batch"), 405},
		"missing key":  {get("/v2/zip"), 401},
	} {
		resp := do(h, tt.r)
		if resp.StatusCode != tt.want {
			t.Errorf("%s: status %d, want %d", name, resp.StatusCode, tt.want)
		}
		for header := range resp.Header {
			if strings.HasPrefix(header, "X-Ratelimit") {
				t.Errorf("%s: has the header %s", name, header)
			}
		}
	}
}

// TestCreditsComeBack holds that a request that fails, ends late or loses its
// caller costs nothing, and what the ledger is asked meanwhile.
func TestCreditsComeBack(t *testing.T) {
	db := openDB(t)
	failing := func(err error) func(context.Context) (*postgeo.QuickRecord, error) {
		return func(context.Context) (*postgeo.QuickRecord, error) { return nil, err }
	}
	slow := func(ctx context.Context) (*postgeo.QuickRecord, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	batchOf := func() *http.Request { return post("/v2/quick-zip/batch", `{"codes":["90210","90210"]}`) }
	one := func() *http.Request { return get("/v2/quick-zip?code=90210") }
	tests := map[string]struct {
		quick  func(context.Context) (*postgeo.QuickRecord, error)
		r      func() *http.Request
		err    string // call of the ledger that fails
		gone   bool   // the caller leaves before the answer
		cut    bool   // the answer cannot be written
		status int
		calls  string
		spent  int
	}{
		"success":               {r: one, status: 200, calls: "reserve settle", spent: 1},
		"batch":                 {r: batchOf, status: 200, calls: "reserve settle", spent: 2},
		"item of a batch fails": {r: batchOf, quick: failing(errors.New("x")), status: 200, calls: "reserve settle"},
		"validation":            {r: func() *http.Request { return get("/v2/quick-zip") }, status: 400},
		"failure":               {r: one, quick: failing(errors.New("x")), status: 500, calls: "reserve refund"},
		"panic":                 {r: one, quick: func(context.Context) (*postgeo.QuickRecord, error) { panic("x") }, status: 500, calls: "reserve refund"},
		"timeout":               {r: one, quick: slow, status: 504, calls: "reserve refund"},
		"timeout of a batch":    {r: batchOf, quick: slow, status: 504, calls: "reserve refund"},
		"caller gone":           {r: one, gone: true, calls: "reserve refund"},
		"caller of a batch":     {r: batchOf, gone: true, calls: "reserve refund"},
		"answer cut off":        {r: batchOf, cut: true, status: 200, calls: "reserve settle refund"},
		"settling fails":        {r: one, err: "settle", status: 503, calls: "reserve settle refund"},
		"reserving fails":       {r: one, err: "reserve", status: 503, calls: "reserve refund"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := rich()
			if tt.err != "" {
				b.err[tt.err] = &billing.UnavailableError{Err: errors.New("away")}
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			quick := tt.quick
			if tt.gone {
				quick = func(context.Context) (*postgeo.QuickRecord, error) {
					cancel()
					return db.QuickLookup(context.Background(), "90210", postgeo.QuickLookupOptions{})
				}
			}
			s := newServer(t, brokenDB{DB: db, quick: quick}, withAccounts(t, b), func(c *server.Config) {
				c.RequestTimeout = time.Second
				if strings.HasPrefix(name, "timeout") {
					c.RequestTimeout = 5 * time.Millisecond
				}
			})
			recorder := httptest.NewRecorder()
			var w http.ResponseWriter = recorder
			if tt.cut {
				w = cutOff{recorder}
			}
			recorder.Code = 0
			s.Handler().ServeHTTP(w, as("paid", tt.r()).WithContext(ctx))
			if recorder.Code != tt.status {
				t.Errorf("status %d, want %d", recorder.Code, tt.status)
			}
			if got := b.calls(); got != tt.calls {
				t.Errorf("the ledger is asked: %s; want: %s", got, tt.calls)
			}
			if spent := 1000 - b.available(); spent != tt.spent || len(b.holds) != 0 {
				t.Errorf("%d credits spent, want %d; held: %v", spent, tt.spent, b.holds)
			}
		})
	}
}

// A cutOff connection takes a header and no body.
type cutOff struct{ *httptest.ResponseRecorder }

func (cutOff) Write([]byte) (int, error) { return 0, errors.New("connection reset by peer") }

// TestNotCharged holds that test and demo keys never reach the ledger.
func TestNotCharged(t *testing.T) {
	b := newBook()
	h := newServer(t, openDB(t), withAccounts(t, b)).Handler()
	for _, name := range []string{"test", "free-test", "demo"} {
		if resp := do(h, as(name, get("/v2/zip?code=90210"))); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", name, resp.StatusCode)
		}
	}
	if b.calls() != "" {
		t.Errorf("the ledger is asked: %s", b.calls())
	}
}

// TestDebug holds who gets meta.debug: keys with the scope that ask for it.
func TestDebug(t *testing.T) {
	s := newServer(t, openDB(t), withAccounts(t, rich()))
	for name, tt := range map[string]struct {
		r    *http.Request
		want bool
	}{
		"asked":          {as("debug", get("/v2/quick-zip?code=90210&debug=true")), true},
		"asked in body":  {as("debug", post("/v2/quick-zip", `{"code":"90210","debug_key":"x"}`)), true},
		"batch":          {as("debug", post("/v2/quick-zip/batch", `{"codes":["90210"],"debug":true}`)), true},
		"batch in query": {as("debug", post("/v2/quick-zip/batch?debug=1", `{"codes":["90210"]}`)), true},
		"not asked":      {as("debug", get("/v2/quick-zip?code=90210")), false},
		"asked for none": {as("debug", get("/v2/quick-zip?code=90210&debug=0")), false},
		"without scope":  {as("paid", get("/v2/quick-zip?code=90210&debug=1")), false},
		"demo":           {as("demo", get("/v2/quick-zip?code=90210&debug=1")), false},
	} {
		status, a := askBatch(t, s, tt.r)
		if status != http.StatusOK || (a.Meta.RequestID == "") {
			t.Errorf("%s: status %d", name, status)
		}
		body := readAll(t, do(s.Handler(), tt.r.Clone(t.Context())))
		if tt.r.Method == http.MethodGet && strings.Contains(body, `"debug":{`) != tt.want {
			t.Errorf("%s: %s", name, body)
		}
		if got := a.Meta.Debug != nil; got != tt.want {
			t.Errorf("%s: meta.debug %t, want %t", name, got, tt.want)
		}
	}
}

// TestHealthAsksLedger holds that a ledger that cannot be reached makes the
// service unhealthy.
func TestHealthAsksLedger(t *testing.T) {
	b := rich()
	s := newServer(t, openDB(t), withAccounts(t, b))
	if resp := do(s.Handler(), get("/v2/health")); resp.StatusCode != http.StatusOK {
		t.Errorf("status %d", resp.StatusCode)
	}
	b.err["ping"] = errors.New("away")
	if resp := do(s.Handler(), get("/v2/health")); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("status %d without a ledger, want 503", resp.StatusCode)
	}
	if resp := do(s.PrivateHandler(), get("/ready")); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("/ready has status %d without a ledger, want 503", resp.StatusCode)
	}
}

// TestNoKeyAnywhere sends keys in every way to every route and looks for them
// in everything that comes back and in the log.
func TestNoKeyAnywhere(t *testing.T) {
	const secret = "SECRETSECRETSECRETSECRETSECRET12"
	var out bytes.Buffer
	s := newServer(t, openDB(t), withAccounts(t, rich()), func(c *server.Config) { c.Logger = slog.New(slog.NewJSONHandler(&out, nil)) })
	for _, path := range []string{"/v2/quick-zip", "/v2/zip", "/v2/distance", "/v2/zip/batch", "/v2/health", "/v2/nothing", "/v1/zip", "/"} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodOptions} {
			for _, r := range []*http.Request{
				with(post(path, "{"), "X-Api-Key", secret),
				post(path+"?key="+secret, `{}`),
				post(path+"?key="+secret+"&x=%zz", `{}`),
				with(post(path, ``), "Authorization", "Bearer "+secret),
			} {
				r.Method = method
				resp := do(s.Handler(), r)
				out.WriteString(dump(t, resp))
			}
		}
	}
	if strings.Contains(out.String(), "SECRET") {
		t.Errorf("a key is shown: %s", out.String())
	}
}

// TestAccountsNeedBoth holds that a half configuration is refused rather than
// served without keys.
func TestAccountsNeedBoth(t *testing.T) {
	if _, err := server.New(openDB(t), server.Config{Accounts: &server.Accounts{Ledger: rich()}}); err == nil {
		t.Error("no gate: no error")
	}
	if _, err := server.New(openDB(t), server.Config{Accounts: &server.Accounts{Gate: new(billing.Gate)}}); err == nil {
		t.Error("no ledger: no error")
	}
}

// TestFailuresAreFree holds for every answer that is no success that it says
// 0 credits and has the page and retryable that the contract gives its code.
func TestFailuresAreFree(t *testing.T) {
	b := newBook(billing.Part{Source: billing.PackCredits, Credits: 0})
	s := newServer(t, openDB(t), withAccounts(t, b))
	for _, r := range []*http.Request{
		get("/v2/zip"), as("nobody", get("/v2/zip")), as("off", get("/v2/zip")), as("suspended", get("/v2/zip")),
		as("at-home", get("/v2/zip")), as("in-page", get("/v2/zip")), as("free", post("/v2/zip/batch", "{}")),
		as("test", get("/v2/zip?code=90211")), as("paid", get("/v2/zip?code=90210")), as("paid", get("/v2/zip?code=x")),
	} {
		_, a := ask(t, s, r)
		if a.Error == nil || a.Meta.Credits.Used != 0 || a.Meta.Credits.Source != envelope.SourceNone {
			out, _ := json.Marshal(a)
			t.Errorf("%s %s: %s", r.Method, r.URL, out)
			continue
		}
		if a.Error.URL == "" || a.Error.Retryable != a.Error.Code.Retryable() {
			t.Errorf("%s: url %q, retryable %t", a.Error.Code, a.Error.URL, a.Error.Retryable)
		}
	}
}

// FuzzCredentials sends whatever there is as credentials: nobody gets in who
// has no key, and nothing breaks.
func FuzzCredentials(f *testing.F) {
	f.Add(key("paid"), "", "Bearer x", "198.51.100.7, 10.0.0.1", "https://app.example.com", "10.0.0.1:80")
	f.Add("", "key="+key("demo"), "Basic", ",,,", "null", "[::1%eth0]:80")
	f.Add("\x00", "key=%zz", " bearer", "[::ffff:1.2.3.4]:5", "http://", "@")
	h := newServer(f, openDB(f), withAccounts(f, rich())).Handler()
	names := map[string]bool{}
	for name := range everybody(f) {
		names[key(name)] = true
	}
	names[key("demo")] = true
	f.Fuzz(func(t *testing.T, header, query, authorization, forwarded, origin, peer string) {
		r := get("/v2/quick-zip")
		r.URL.RawQuery = "code=90210&" + query
		r.Header["X-Api-Key"] = []string{header}
		r.Header["Authorization"] = []string{authorization}
		r.Header["X-Forwarded-For"] = []string{forwarded, forwarded}
		r.Header["Origin"] = []string{origin}
		r.RemoteAddr = peer
		resp := do(h, r)
		body := readAll(t, resp)
		if resp.StatusCode >= 500 || !json.Valid([]byte(body)) {
			t.Errorf("status %d: %s", resp.StatusCode, body)
		}
		if resp.StatusCode != http.StatusOK {
			return
		}
		for name := range names {
			if strings.Contains(header, name) || strings.Contains(query, "%") || strings.Contains(query, name) {
				return
			}
		}
		t.Errorf("let in with header %q and query %q", header, query)
	})
}
