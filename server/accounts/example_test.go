package accounts_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
	"github.com/postgeo/postgeo/server/accounts"
	"github.com/postgeo/postgeo/server/client"
)

// A server with keys and credits, and a client.
func Example() {
	if err := serveWithKeys(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// no key: true
	// no credits: true
	// Beverly Hills costs 1 credit, 24999 left
	// granted again: false <nil>
}

func serveWithKeys(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "postgeo")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	secret := []byte("32 random bytes from a safe place")
	store, err := accounts.Open(ctx, filepath.Join(dir, "accounts.db"), accounts.Options{Pepper: secret, Create: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	account, err := store.CreateAccount(ctx, "Example Inc.", "developer")
	if err != nil {
		return err
	}
	key, err := store.CreateKey(ctx, account, "live")
	if err != nil {
		return err
	}

	db, err := postgeo.OpenSample()
	if err != nil {
		return err
	}
	defer db.Close()
	srv, err := server.New(db, server.Config{Accounts: store.Accounts()})
	if err != nil {
		return err
	}
	web := httptest.NewServer(http.Handler(srv))
	defer web.Close()

	lookup := func(key string) error {
		c, err := client.New(web.URL, client.Options{Key: key})
		if err != nil {
			return err
		}
		place, reply, err := c.QuickLookup(ctx, "90210", lookup.QuickOptions{})
		if err != nil {
			return err
		}
		fmt.Println(place.City, "costs", reply.Meta.Credits.Used, "credit,", *reply.Meta.Credits.Remaining, "left")
		return nil
	}
	fmt.Println("no key:", errors.Is(lookup(""), client.ErrKey))
	fmt.Println("no credits:", errors.Is(lookup(key), client.ErrCredits))
	if _, err := store.GrantPack(ctx, account, "invoice 1", 25_000); err != nil {
		return err
	}
	if err := lookup(key); err != nil {
		return err
	}
	granted, err := store.GrantPack(ctx, account, "invoice 1", 25_000)
	fmt.Println("granted again:", granted, err)
	return nil
}

// The credits of a billing period are granted once.
func ExampleStore_GrantPeriod() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "postgeo")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := accounts.Open(ctx, filepath.Join(dir, "accounts.db"), accounts.Options{Pepper: []byte("32 random bytes from a safe place"), Create: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	account, err := store.CreateAccount(ctx, "", "developer")
	fmt.Println(err)
	for range 2 {
		granted, err := store.GrantPeriod(ctx, account)
		fmt.Println(granted, err)
	}
	fmt.Println(store.Balance(ctx, account))
	// Output:
	// <nil>
	// true <nil>
	// false <nil>
	// 100000 <nil>
}
