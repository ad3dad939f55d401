package server_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
	webclient "github.com/postgeo/postgeo/server/client"
)

// A server with keys and credits, and a client.
func ExampleAccounts() {
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
	store, err := billing.Open(ctx, filepath.Join(dir, "accounts.db"), billing.Options{Pepper: secret, Create: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	account, err := store.CreateAccount(ctx, billing.Account{Name: "Example Inc.", Plan: billing.Developer})
	if err != nil {
		return err
	}
	_, key, err := store.CreateKey(ctx, billing.Key{Account: account.ID, Kind: billing.Live})
	if err != nil {
		return err
	}

	db, err := postgeo.OpenSample()
	if err != nil {
		return err
	}
	defer db.Close()
	srv, err := server.New(db, server.Config{Accounts: store})
	if err != nil {
		return err
	}
	web := httptest.NewServer(http.Handler(srv))
	defer web.Close()

	lookup := func(key string) error {
		c, err := webclient.New(web.URL, webclient.Options{Key: key})
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
	fmt.Println("no key:", errors.Is(lookup(""), webclient.ErrKey))
	fmt.Println("no credits:", errors.Is(lookup(key), webclient.ErrCredits))
	pack := billing.Grant{Account: account.ID, Source: billing.PackCredits, Reference: "invoice 1", Amount: 25_000}
	if _, _, err := store.Grant(ctx, pack); err != nil {
		return err
	}
	if err := lookup(key); err != nil {
		return err
	}
	_, granted, err := store.Grant(ctx, pack)
	fmt.Println("granted again:", granted, err)
	return nil
}
