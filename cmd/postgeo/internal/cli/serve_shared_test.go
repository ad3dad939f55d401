//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
	"github.com/postgeo/postgeo/internal/storetest/redisserver"
)

// Two servers on one database and one Redis act as one: they share keys,
// credits and requests per minute. Without the database they say so, and go
// on when it is back.
func TestServeShared(t *testing.T) {
	database, limits := pgserver.Start(t), redisserver.Start(t)
	pepper := filepath.Join(t.TempDir(), "pepper")
	if err := os.WriteFile(pepper, []byte(strings.Repeat("salt", 8)), 0o600); err != nil {
		t.Fatal(err)
	}
	accounts := []string{"--accounts", database.Address(), "--pepper-file", pepper}
	account := told(t, "account", append([]string{"account", "create", "--plan", "free"}, accounts...)...)
	key := told(t, "key", append([]string{"key", "create", "--account", account}, accounts...)...)

	var urls []string
	var servers []*served
	for range 2 {
		s := serve(t, append([]string{"--listen", "127.0.0.1:0", "--private-listen", "none", "--limits", limits.URL(), "--limit-processes", "2"}, accounts...)...)
		servers = append(servers, s)
		urls = append(urls, s.await(t, `serving dataset .* on (http://[0-9.:]+)`)+"/v2/quick-zip?code=90210")
	}
	for i := range 6 {
		a := call(t, urls[i%2], key, "")
		if a.status != 200 || a.Meta.Credits.Remaining == nil || *a.Meta.Credits.Remaining != 2499-i {
			t.Fatalf("call %d: %+v; want %d credits left", i, a, 2499-i)
		}
		if left := a.header.Get("X-RateLimit-Remaining"); i == 1 && left != "58" {
			t.Errorf("permits left after two calls on two servers: %s; want 58", left)
		}
	}
	database.Kill()
	if a := call(t, urls[0], key, ""); a.status != 503 || a.Error.Code != "SERVICE_UNAVAILABLE" || a.Meta.Credits.Used != 0 {
		t.Errorf("without the database: %+v", a)
	}
	database.Run()
	limits.Kill()
	if a := call(t, urls[1], key, ""); a.status != 200 || *a.Meta.Credits.Remaining != 2493 || a.header.Get("X-RateLimit-Remaining") != "29" {
		t.Errorf("with the database back and without Redis: %+v; want 2493 credits and 29 permits left", a)
	}
	for _, s := range servers {
		s.stop()
		s.await(t, "stopped; all requests were answered")
		if code := <-s.code; code != cli.Done {
			t.Errorf("exit code %d", code)
		}
	}
}
