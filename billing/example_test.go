package billing_test

import (
	"context"
	"fmt"
	"log"
	"net/netip"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/lookup"
)

// noon is the clock of the examples.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func ExamplePlans() {
	for _, p := range billing.Plans() {
		l := p.Limits()
		fmt.Println(p, p.Paid(), l.RatePerMinute, l.Batch)
	}
	p, err := billing.ParsePlan("business")
	fmt.Println(p == billing.Business, err, billing.PackSizes())
	// Output:
	// free false 60 false
	// restricted false 20 false
	// developer true 300 true
	// professional true 300 true
	// business true 600 true
	// enterprise true 1800 true
	// true <nil> [25000 65000 150000 300000 2000000]
}

// An account's billing periods begin on the anniversaries of its subscription.
func ExampleAccount_Subscribe() {
	a := billing.Account{ID: "acct_1", Created: noon}
	a.Subscribe(billing.Business, noon)
	p := a.Period(noon.AddDate(0, 2, 0))
	fmt.Println(p.Start.Format(time.DateOnly), p.End.Format(time.DateOnly), a.PeriodCredits() > 0)
	fmt.Println(billing.Month(a.Anchor, noon) == a.Period(noon), billing.Day(noon).End.Format(time.DateTime))
	// Output:
	// 2027-01-20 2027-02-20 true
	// true 2026-11-21 00:00:00
}

func ExampleNewSubscriptionGrant() {
	a := billing.Account{ID: "acct_1", Created: noon}
	a.Subscribe(billing.Business, noon)
	g, err := billing.NewSubscriptionGrant(&a, 1000, noon)
	if err != nil {
		log.Fatal(err)
	}
	pack := billing.Grant{Account: a.ID, Source: billing.PackCredits, Reference: "invoice 1", Amount: 25_000, Granted: noon}
	fmt.Println(billing.CheckGrant(&g), billing.CheckGrant(&pack))
	source, err := billing.ParseSource("pack")
	fmt.Println(source == billing.PackCredits, err)
	fmt.Println(billing.Parts(billing.Part{Source: billing.PackCredits, Credits: 2}, billing.Part{Source: billing.PackCredits, Credits: 3}))
	// Output:
	// <nil> <nil>
	// true <nil>
	// [{pack 5}]
}

func ExampleNewSecret() {
	entropy := strings.NewReader(strings.Repeat("not random", 20)) // crypto/rand.Reader in real life
	secret, err := billing.NewSecret(billing.Test, entropy)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.HasPrefix(secret.Reveal(), "pg_test_"), strings.HasPrefix(fmt.Sprint(secret), secret.Shown()), secret.GoString() != secret.Reveal())
	account, err := billing.NewAccountID(entropy)
	if err != nil {
		log.Fatal(err)
	}
	key, err := billing.NewKeyID(entropy)
	fmt.Println(account[:5], key[:4], err, billing.CheckName("Example Ltd."))
	kind, err := billing.ParseKeyKind("live")
	fmt.Println(kind, err)
	// Output:
	// true true true
	// acct_ key_ <nil> <nil>
	// live <nil>
}

// A stored key is a hash that requires the pepper.
func ExamplePepper() {
	one, err := billing.NewPepper([]byte("32 random bytes in real life ..."))
	if err != nil {
		log.Fatal(err)
	}
	other, err := billing.NewPepper([]byte("another 32 bytes from elsewhere."))
	if err != nil {
		log.Fatal(err)
	}
	hash := one.Hash("pg_live_x")
	fmt.Println(hash == one.Hash("pg_live_x"), hash == other.Hash("pg_live_x"))
	fmt.Println(one.Fingerprint() == other.Fingerprint()) // told apart without being told
	// Output:
	// true false
	// false
}

// From where a key may be used.
func ExampleParseAddrList() {
	list, err := billing.ParseAddrList([]string{"192.0.2.0/24", "2001:db8::1"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(list.Contains(netip.MustParseAddr("192.0.2.7")), list.Contains(netip.MustParseAddr("198.51.100.1")), list.Strings())
	fmt.Println(billing.Site(netip.MustParseAddr("2001:db8::1:2:3:4")))
	client := billing.ClientAddr(netip.MustParseAddr("192.0.2.7"), []string{"203.0.113.5, 198.51.100.1"}, list)
	fmt.Println(client) // what the trusted proxy says, and nothing left of it

	origins, err := billing.ParseOrigins([]string{"https://shop.example.com"})
	if err != nil {
		log.Fatal(err)
	}
	o, err := billing.ParseOrigin("https://*.example.com")
	fmt.Println(origins[0].Match("https://shop.example.com"), o.Match("https://shop.example.com"), err)
	scopes, err := billing.ParseScopes([]string{"debug"})
	fmt.Println(scopes.Has(billing.ScopeDebug), err)
	// Output:
	// true false [192.0.2.0/24 2001:db8::1]
	// 2001:db8::
	// 198.51.100.1
	// true true <nil>
	// true <nil>
}

// Six segments of ten seconds each: what was let in at noon counts for a
// minute.
func ExampleMemoryLimiter() {
	now := noon
	l := billing.NewMemoryLimiter(billing.MemoryLimiterOptions{Now: func() time.Time { return now }})
	key := billing.LimitKey{ID: "key_1"}
	for range 3 {
		w, err := l.Allow(context.Background(), key, 2)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(w.Allowed, w.Remaining)
	}
	now = now.Add(time.Minute)
	w, err := l.Allow(context.Background(), key, 2)
	fmt.Println(w.Allowed, err, l.Len())
	// Output:
	// true 1
	// true 0
	// false 0
	// true <nil> 1
}

// Who guesses keys is not listened to for a while.
func ExampleBlocker() {
	b := billing.NewBlocker(billing.BlockerOptions{Now: func() time.Time { return noon }})
	addr := netip.MustParseAddr("192.0.2.1")
	for n := 1; ; n++ {
		b.Invalid(addr)
		if b.Blocked(addr) {
			fmt.Println("blocked after", n, "wrong keys;", b.Len(), "address known")
			return
		}
	}
	// Output: blocked after 20 wrong keys; 1 address known
}

// The rights of a demonstration key.
func ExampleIdentity() {
	demo := billing.Identity{Kind: billing.Demo}
	fmt.Println(demo.Charged(), demo.FreeSource(), demo.Suggestions())
	fmt.Println(demo.CheckCode(lookup.MustParseCode(billing.DemoCodes()[0])), demo.CheckAddress(billing.DemoAddresses()[0]))
	for _, err := range []error{demo.CheckCode(lookup.MustParseCode("12345")), demo.CheckBatch(), demo.CheckRadius(500, true)} {
		var failure envelope.Failure
		fmt.Println(envelope.AsFailure(err, &failure))
	}
	// Output:
	// false demo 15
	// <nil> <nil>
	// true
	// true
	// true
}

func ExampleReceipt() {
	r := billing.Receipt{Credits: 5, Remaining: 95, Parts: []billing.Part{{Source: billing.SubscriptionCredits, Credits: 3}, {Source: billing.PackCredits, Credits: 2}}}
	credits := envelope.Credits{Used: 5, Source: envelope.SourceNone}
	r.Apply(&credits)
	fmt.Println(credits.Source, *credits.Remaining, r.Note())
	// Output: mixed 95 3 subscription + 2 pack
}

func ExampleGate_AllowAddr() {
	gate, err := billing.NewGate(billing.GateOptions{
		Directory: &mapDirectory{}, Pepper: storetest.Pepper(), Flood: 2, Now: func() time.Time { return noon },
	})
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		w, err := gate.AllowAddr(context.Background(), netip.MustParseAddr("192.0.2.1"))
		fmt.Println(w.Allowed, w.Remaining, err)
	}
	// Output:
	// true 1 <nil>
	// true 0 <nil>
	// false 0 <nil>
}

func ExampleCheckDemoKey() {
	fmt.Println(billing.CheckDemoKey("try-these-codes-without-signup"))
	fmt.Println(billing.CheckDemoKey("short"))
	// Output:
	// <nil>
	// billing: demo key of 5 bytes; expected 16 to 64 printable ASCII characters
}

// An account that spent 20,000 credits in 24 hours gets up to 400 back for
// answers that its callers cut off.
func ExampleRefundBound() {
	fmt.Println(billing.RefundBound(0), billing.RefundBound(5_000), billing.RefundBound(20_000))
	// Output: 100 100 400
}

func ExampleKey_Usable() {
	k := billing.Key{Kind: billing.Live, Created: noon, Expires: noon.Add(time.Hour)}
	fmt.Println(k.Usable(noon), k.Usable(noon.Add(2*time.Hour)))
	// Output: true false
}
