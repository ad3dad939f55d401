package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/server"
	"github.com/postgeo/postgeo/server/client"
)

// testKey is a key for servers that do not look at it.
const testKey = "pg_live_0123456789abcdef01234567"

// A world is a server with a count of its requests.
type world struct {
	*httptest.Server
	requests atomic.Int64
}

func newWorld(t testing.TB, h http.Handler) *world {
	t.Helper()
	w := &world{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.requests.Add(1)
		h.ServeHTTP(rw, r)
	}))
	t.Cleanup(w.Close)
	return w
}

// serve starts a server over the dataset.
func serve(t testing.TB, db server.DB, cfg server.Config) *world {
	t.Helper()
	s, err := server.New(db, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return newWorld(t, s)
}

// newClient returns a client that must not sleep, unless o allows it.
func newClient(t testing.TB, url string, o client.Options) *client.Client {
	t.Helper()
	if o.Sleep == nil {
		o.Sleep = func(_ context.Context, d time.Duration) error {
			t.Errorf("waits %v", d)
			return errors.New("no waiting")
		}
	}
	c, err := client.New(url, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// jsonOf returns what the server writes of a value.
func jsonOf(t testing.TB, v any) string {
	t.Helper()
	b, err := encode.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// failure returns the error as the server described it.
func failure(t testing.TB, err error) *client.Error {
	t.Helper()
	var e *client.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v; want a *client.Error", err)
	}
	return e
}
