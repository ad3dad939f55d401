package sqlstore_test

import (
	"context"
	"fmt"
	"log"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/sqlstore"
)

// A request is let in, holds the most that it can cost, and pays what it did
// cost.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "accounts")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	pepper, err := billing.NewPepper([]byte("32 random bytes in real life ..."))
	if err != nil {
		log.Fatal(err)
	}
	store, err := sqlstore.Open(ctx, filepath.Join(dir, "accounts.db"), sqlstore.Options{Pepper: pepper, Create: true})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	if err := store.CreateAccount(ctx, billing.Account{ID: "acct_1", Plan: billing.Free, Created: time.Now()}); err != nil {
		log.Fatal(err)
	}
	ring := billing.Keyring{Store: store, Pepper: pepper}
	_, secret, err := ring.Create(ctx, billing.Key{Account: "acct_1", Kind: billing.Live})
	if err != nil {
		log.Fatal(err)
	}

	gate, err := billing.NewGate(billing.GateOptions{Directory: store, Pepper: pepper})
	if err != nil {
		log.Fatal(err)
	}
	pass, err := gate.Enter(ctx, billing.Credentials{Key: secret.Reveal(), Addr: netip.MustParseAddr("192.0.2.1")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pass.Identity.Plan, pass.Window.Remaining, "of", pass.Window.Limit)

	if _, err := store.Reserve(ctx, billing.Hold{ID: "01J0000000000000000000000A", Account: pass.Identity.Account, Credits: 4}); err != nil {
		log.Fatal(err)
	}
	receipt, err := store.Settle(ctx, "01J0000000000000000000000A", 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(receipt.Credits, receipt.Source(), receipt.Remaining)
	// Output:
	// free 59 of 60
	// 3 free_daily 2497
}
