package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/billing"
	"github.com/postgeo/postgeo/internal/billing/sqlite"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/server"
)

func ExampleServer_Handler() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	srv, err := server.New(db, server.Config{Links: envelope.Links{Docs: "https://example.com/docs"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	srv.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/quick-zip?code=90210", nil))

	var answer envelope.Response[envelope.CodeRequest, *lookup.QuickRecord]
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		fmt.Println(err)
		return
	}
	place := answer.Results[0].Value
	fmt.Println(w.Code, place.City, place.State, answer.Meta.Credits.Used)
	// Output:
	// 200 Beverly Hills CA 1
}

// A server with keys and credits.
func ExampleAccounts() {
	if err := serveWithKeys(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 401 AUTH_MISSING_KEY
	// 402 CREDIT_INSUFFICIENT
	// 200 1 pack, 24999 left
}

func serveWithKeys() (err error) {
	dir, err := os.MkdirTemp("", "postgeo")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	pepper, err := billing.NewPepper([]byte("32 random bytes from a safe place"))
	if err != nil {
		return err
	}
	ctx, now := context.Background(), time.Now()
	store, err := sqlite.Open(ctx, filepath.Join(dir, "accounts.db"), sqlite.Options{Pepper: pepper, Create: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	account := billing.Account{ID: "acct_1", Created: now}
	account.Subscribe(billing.Developer, now)
	if err := store.CreateAccount(ctx, account); err != nil {
		return err
	}
	keys := billing.Keyring{Store: store, Pepper: pepper}
	_, secret, err := keys.Create(ctx, billing.Key{Account: account.ID, Kind: billing.Live})
	if err != nil {
		return err
	}
	gate, err := billing.NewGate(billing.GateOptions{Directory: store, Pepper: pepper})
	if err != nil {
		return err
	}

	db, err := postgeo.OpenSample()
	if err != nil {
		return err
	}
	defer db.Close()
	srv, err := server.New(db, server.Config{Accounts: &server.Accounts{Gate: gate, Ledger: store}})
	if err != nil {
		return err
	}
	ask := func(key string) (status int, answer envelope.Response[envelope.CodeRequest, *lookup.QuickRecord], err error) {
		r := httptest.NewRequest(http.MethodGet, "/v2/quick-zip?code=90210", nil)
		r.Header.Set("X-Api-Key", key)
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, r)
		err = json.Unmarshal(w.Body.Bytes(), &answer)
		return w.Code, answer, err
	}

	for _, key := range []string{"", secret.Reveal()} {
		status, answer, err := ask(key)
		if err != nil {
			return err
		}
		fmt.Println(status, answer.Error.Code)
	}
	_, _, err = store.Grant(ctx, billing.Grant{Account: account.ID, Source: billing.PackCredits, Reference: "invoice 1", Amount: 25_000, Granted: now})
	if err != nil {
		return err
	}
	status, answer, err := ask(secret.Reveal())
	if err != nil {
		return err
	}
	credits := answer.Meta.Credits
	fmt.Println(status, credits.Used, credits.Source+",", *credits.Remaining, "left")
	return nil
}
