package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/sqlstore"
)

// exampleStore makes a store with one account.
func exampleStore(ctx context.Context) (store billing.Store, pepper *billing.Pepper, done func()) {
	dir, err := os.MkdirTemp("", "accounts")
	if err != nil {
		log.Fatal(err)
	}
	if pepper, err = billing.NewPepper([]byte("32 random bytes in real life ...")); err != nil {
		log.Fatal(err)
	}
	store, err = sqlstore.Open(ctx, filepath.Join(dir, "accounts.db"), sqlstore.Options{Pepper: pepper, Create: true})
	if err != nil {
		log.Fatal(err)
	}
	account := billing.Account{ID: "acct_1", Name: "Example Ltd.", Created: time.Now()}
	account.Subscribe(billing.Business, time.Now())
	if err := store.CreateAccount(ctx, account); err != nil {
		log.Fatal(err)
	}
	return store, pepper, func() { store.Close(); os.RemoveAll(dir) }
}

// Credits are granted, held while a request is worked, spent, and given back.
func ExampleStore_Grant() {
	ctx := context.Background()
	store, _, done := exampleStore(ctx)
	defer done()
	pack := billing.Grant{Account: "acct_1", Source: billing.PackCredits, Reference: "invoice 1", Amount: 25_000, Granted: time.Now()}
	for range 2 { // an invoice counts once
		_, given, err := store.Grant(ctx, pack)
		fmt.Println(given, err)
	}
	if _, err := store.Reserve(ctx, billing.Hold{ID: "01J0000000000000000000000A", Account: "acct_1", Credits: 10}); err != nil {
		log.Fatal(err)
	}
	b, err := store.Balance(ctx, "acct_1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Available, b.Held)
	back, err := store.Refund(ctx, "01J0000000000000000000000A")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(back.Credits, back.Remaining)
	swept, err := store.Sweep(ctx) // holds whose time is over
	fmt.Println(swept, err)
	entries, err := store.History(ctx, "acct_1", time.Now().AddDate(0, -1, 0))
	fmt.Println(len(entries), err, store.Audit(ctx), store.Ping(ctx), store.Probe(ctx))
	// Output:
	// true <nil>
	// false <nil>
	// 24990 10
	// 10 25000
	// 0 <nil>
	// 1 <nil> <nil> <nil> <nil>
}

// Answers that were cut off are refunded up to a bound.
func ExampleStore_Cut() {
	ctx := context.Background()
	store, _, done := exampleStore(ctx)
	defer done()
	pack := billing.Grant{Account: "acct_1", Source: billing.PackCredits, Reference: "invoice 1", Amount: 25_000, Granted: time.Now()}
	if _, _, err := store.Grant(ctx, pack); err != nil {
		log.Fatal(err)
	}
	for _, id := range []string{"01J0000000000000000000000A", "01J0000000000000000000000B"} {
		if _, err := store.Reserve(ctx, billing.Hold{ID: id, Account: "acct_1", Credits: 60}); err != nil {
			log.Fatal(err)
		}
		if _, err := store.Settle(ctx, id, 60); err != nil {
			log.Fatal(err)
		}
		r, err := store.Cut(ctx, id)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Credits, "refunded,", r.Kept, "kept,", r.Remaining, "remaining")
	}
	days, err := store.Refunds(ctx, "acct_1", time.Now().AddDate(0, 0, -1))
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range days {
		fmt.Println(d.Account, d.Cut, d.Kept, d.Batch, d.LastInTurn)
	}
	// Output:
	// 60 refunded, 0 kept, 25000 remaining
	// 0 refunded, 60 kept, 24940 remaining
	// acct_1 {1 60} {1 60} {0 0} false
}

func ExampleStore_UpdateAccount() {
	ctx := context.Background()
	store, _, done := exampleStore(ctx)
	defer done()
	before, err := store.Revision(ctx)
	if err != nil {
		log.Fatal(err)
	}
	a, err := store.UpdateAccount(ctx, "acct_1", func(a *billing.Account) error {
		a.Suspended = true
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	after, err := store.Revision(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.State(), after > before)
	list, err := store.Accounts(ctx)
	fmt.Println(len(list), err)
	_, err = store.Account(ctx, "acct_2")
	fmt.Println(errors.Is(err, billing.ErrAccountNotFound))
	// Output:
	// suspended true
	// 1 <nil>
	// true
}

// A key is replaced; the old one stays valid for a day.
func ExampleStore_ReplaceKey() {
	ctx := context.Background()
	store, pepper, done := exampleStore(ctx)
	defer done()
	ring := billing.Keyring{Store: store, Pepper: pepper}
	old, _, err := ring.Create(ctx, billing.Key{Account: "acct_1", Kind: billing.Live, Name: "web shop"})
	if err != nil {
		log.Fatal(err)
	}
	next, secret, err := ring.Rotate(ctx, old.ID, 24*time.Hour) // calls ReplaceKey
	if err != nil {
		log.Fatal(err)
	}
	holder, err := store.FindKey(ctx, pepper.Hash(secret.Reveal()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(holder.Key.ID == next.ID, holder.Account.Name)
	keys, err := store.Keys(ctx, "acct_1")
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range keys {
		fmt.Println(k.Name, k.State(time.Now()))
	}
	off, err := store.UpdateKey(ctx, old.ID, func(k *billing.Key) error {
		k.Off = true
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	again, err := store.Key(ctx, old.ID)
	fmt.Println(off.State(time.Now()), again.Off, err)

	// A keyring makes the secrets; by hand it is this.
	third := billing.Key{ID: "key_000000000000", Account: "acct_1", Kind: billing.Live, Shown: "pg_live_abcd", Created: time.Now()}
	fmt.Println(store.CreateKey(ctx, third, pepper.Hash("pg_live_abcd…"), time.Now()))
	third.ID = "key_000000000001"
	fmt.Println(store.ReplaceKey(ctx, "key_000000000000", time.Now().Add(time.Hour), third, pepper.Hash("pg_live_abce…"), time.Now()))
	// Output:
	// true Example Ltd.
	// web shop rotating
	// web shop active
	// inactive true <nil>
	// <nil>
	// <nil>
}
