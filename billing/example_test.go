package billing_test

import (
	"context"
	"fmt"
	"log"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// exampleAccount opens new accounts, which done removes, and enters one of a plan.
func exampleAccount(ctx context.Context, plan billing.Plan) (store *billing.Store, account billing.Account, done func()) {
	dir, err := os.MkdirTemp("", "accounts")
	if err != nil {
		log.Fatal(err)
	}
	store, err = billing.Open(ctx, filepath.Join(dir, "accounts.db"), billing.Options{Pepper: []byte("32 random bytes from a safe place"), Create: true})
	if err != nil {
		log.Fatal(err)
	}
	account, err = store.CreateAccount(ctx, billing.Account{Name: "Example Ltd.", Plan: plan})
	if err != nil {
		log.Fatal(err)
	}
	return store, account, func() { store.Close(); os.RemoveAll(dir) }
}

// An account with a key and a pack of credits pays a request.
func Example() {
	ctx := context.Background()
	store, account, done := exampleAccount(ctx, billing.Business)
	defer done()
	_, secret, err := store.CreateKey(ctx, billing.Key{Account: account.ID, Kind: billing.Live})
	if err != nil {
		log.Fatal(err)
	}
	for range 2 { // an invoice counts once
		_, given, err := store.Grant(ctx, billing.Grant{Account: account.ID, Source: billing.PackCredits, Reference: "invoice 1", Amount: 25_000})
		fmt.Println(given, err)
	}

	pass, err := store.Enter(ctx, billing.Credentials{Key: secret, Addr: netip.MustParseAddr("192.0.2.1")})
	if err != nil {
		log.Fatal(err)
	}
	most := billing.QuoteLookup(lookup.MustParseCode("90210"), lookup.Options{Include: lookup.Include{Timezone: true}})
	request := billing.Hold{ID: "01J0000000000000000000000A", Account: pass.Identity.Account, Credits: most.Used}
	if _, err := store.Reserve(ctx, request); err != nil {
		log.Fatal(err)
	}
	r, err := store.Settle(ctx, request, 1)
	if err != nil {
		log.Fatal(err)
	}
	credits := envelope.Credits{Used: 1}
	r.Apply(&credits)
	fmt.Println(most.Used, credits.Source, *credits.Remaining)
	// Output:
	// true <nil>
	// false <nil>
	// 2 pack 24999
}

// The credits of a billing period are granted once.
func ExampleStore_Grant() {
	ctx := context.Background()
	store, account, done := exampleAccount(ctx, billing.Developer)
	defer done()
	for range 2 {
		_, granted, err := store.Grant(ctx, billing.Grant{Account: account.ID, Source: billing.SubscriptionCredits})
		fmt.Println(granted, err)
	}
	b, err := store.Balance(ctx, account.ID)
	fmt.Println(b.Available, err)
	// Output:
	// true <nil>
	// false <nil>
	// 100000 <nil>
}

// Responses that callers cut off are refunded up to a bound.
func ExampleStore_Cut() {
	ctx := context.Background()
	store, account, done := exampleAccount(ctx, billing.Business)
	defer done()
	if _, _, err := store.Grant(ctx, billing.Grant{Account: account.ID, Source: billing.PackCredits, Reference: "invoice 1", Amount: 25_000}); err != nil {
		log.Fatal(err)
	}
	for _, id := range []string{"01J0000000000000000000000A", "01J0000000000000000000000B"} {
		request := billing.Hold{ID: id, Account: account.ID, Credits: 60}
		if _, err := store.Reserve(ctx, request); err != nil {
			log.Fatal(err)
		}
		if _, err := store.Settle(ctx, request, 60); err != nil {
			log.Fatal(err)
		}
		r, err := store.Cut(ctx, request)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Credits, "refunded,", r.Kept, "kept,", r.Remaining, "remaining")
	}
	// Output:
	// 60 refunded, 0 kept, 25000 remaining
	// 0 refunded, 60 kept, 24940 remaining
}

// A key is replaced; the old one stays valid for a day.
func ExampleStore_RotateKey() {
	ctx := context.Background()
	store, account, done := exampleAccount(ctx, billing.Free)
	defer done()
	old, _, err := store.CreateKey(ctx, billing.Key{Account: account.ID, Kind: billing.Live, Name: "web shop"})
	if err != nil {
		log.Fatal(err)
	}
	if _, _, err := store.RotateKey(ctx, old.ID, 24*time.Hour); err != nil {
		log.Fatal(err)
	}
	keys, err := store.Keys(ctx, account.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range keys {
		fmt.Println(k.Name, k.State(time.Now()))
	}
	// Output:
	// web shop rotating
	// web shop active
}

// Addresses that may use a key.
func ExampleParseAddrList() {
	list, err := billing.ParseAddrList([]string{"192.0.2.0/24", "2001:db8::1"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(list.Contains(netip.MustParseAddr("192.0.2.7")), list.Contains(netip.MustParseAddr("198.51.100.1")), list.Strings())
	// Output:
	// true false [192.0.2.0/24 2001:db8::1]
}

// The maximum price of a request before the work, and the price of its response.
func ExampleForLookup() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	include := lookup.Options{Include: lookup.Include{Timezone: true, CongressionalDistrict: true}}
	fmt.Println(billing.QuoteLookup(lookup.MustParseCode("09012"), include).Used, "at most")
	full, err := db.Lookup(ctx, "09012", include) // a military ZIP has no zone and no district
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(billing.ForLookup(full).Used, "for what was there")

	quick, err := db.QuickLookup(ctx, "90210", lookup.QuickOptions{Timezone: true})
	if err != nil {
		log.Fatal(err)
	}
	match, err := db.MatchAddress(ctx, "1100 congress ave austin tx 78701", address.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(billing.ForQuickLookup(quick, nil).Used, billing.QuoteDistance().Used, billing.ForAddress(false, match, nil).Used)
	// Output:
	// 3 at most
	// 1 for what was there
	// 2 1 1
}

func ExampleForError() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	_, err = db.Lookup(ctx, "99999", lookup.Options{})
	fmt.Println(billing.ForError(err).Used, billing.ForQuickLookup(nil, err).Used)
	_, err = db.Distance(ctx, "90210", "99999", radius.DistanceOptions{})
	fmt.Println(billing.ForError(err).Used)
	_, err = db.Radius(ctx, "99999", radius.Options{Max: 5})
	fmt.Println(billing.ForError(err).Used)
	_, err = db.MatchAddress(ctx, "1 Nowhere St, Austin, TX 78701", address.Options{})
	fmt.Println(billing.ForAddress(false, nil, err).Used)
	// Output:
	// 1 1
	// 1
	// 1
	// 1
}

func ExampleQuoteAddress() {
	fmt.Println(billing.QuoteAddress(false).Calculation)
	fmt.Println(billing.QuoteAddress(false, "census", "acs_tract_social").Calculation)
	// Output:
	// 1 base = 1
	// 1 base + 1 census + 1 acs_tract_social = 3
}

func ExampleQuoteRadius() {
	c := billing.QuoteRadius(billing.RadiusSearch{Miles: 25, Spatial: true, Flags: []string{"timezone"}})
	fmt.Println(c.Used, c.Calculation)
	fmt.Println(billing.QuoteRadius(billing.RadiusSearch{Miles: 10}).Calculation)
	fmt.Println(billing.QuoteAddress(true, "cd").Calculation)
	// Output:
	// 2 1 base x (1 + 1 timezone) = 2
	// 1 base = 1
	// 1 base + 1 coordinates + 1 cd = 3
}
