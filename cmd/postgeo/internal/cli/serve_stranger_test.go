//go:build unix

package cli_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server/client"
)

// timestamp is the time of a line of the log.
var timestamp = regexp.MustCompile(`"time":"[^"]*"`)

// A stranger's first ten minutes through the Go client, on a server and its
// command line as they are run: an account and a key, calls, the minute's end,
// a better plan, batches that are answered and cut off, the end of the credits,
// a rotated key, and what the operator sees of it.
func TestStranger(t *testing.T) {
	ctx := t.Context()
	file := filepath.Join(t.TempDir(), "accounts.db")
	on := func(args ...string) []string { return append(args, "--accounts", file) }
	account := told(t, "account", on("account", "create", "--name", "a stranger")...)
	key := told(t, "key", on("key", "create", "--account", account)...)
	keyID := told(t, "id", on("key", "create", "--account", account, "--kind", "test")...)
	if keyID == "" {
		t.Fatal("no key id")
	}
	s := serve(t, "--listen", "127.0.0.1:0", "--private-listen", "127.0.0.1:0", "--accounts", file)
	public := s.await(t, `serving dataset .* on (http://[0-9.:]+)`)
	private := s.await(t, `/reload on (http://[0-9.:]+)`)
	logged := make(chan []string)
	go func() {
		var lines []string
		for line := range s.lines {
			lines = append(lines, line)
		}
		logged <- lines
	}()
	ask := func(key string) *client.Client {
		c, err := client.New(public, client.Options{Key: key, MaxRetries: -1})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	remaining := func(c *client.Client, want int) {
		t.Helper()
		_, reply, err := c.QuickLookup(ctx, "90210", lookup.QuickOptions{})
		if err != nil || *reply.Meta.Credits.Remaining != want {
			t.Errorf("%v, %+v; want %d credits left", err, reply, want)
		}
	}

	c := ask(key)
	remaining(c, 2499)
	if _, err := c.QuickLookupBatch(ctx, []string{"90210"}, lookup.QuickOptions{}); !errors.Is(err, client.ErrKey) {
		t.Errorf("a batch on the free plan: %v", err)
	}
	var err error
	for calls := 2; err == nil; calls++ {
		if _, _, err = c.QuickLookup(ctx, "90210", lookup.QuickOptions{}); calls > 200 { // in two minutes at most
			t.Fatal("there is no end of requests in a minute")
		}
	}
	if !errors.Is(err, client.ErrRateLimited) {
		t.Errorf("the minute's end: %v", err)
	}

	// A better plan, whose limit counts at once.
	told(t, "", on("account", "plan", account, "business")...)
	told(t, "", on("credits", "grant", account, "--source", "pack", "--amount", "500", "--reference", "1")...)
	for {
		_, reply, err := c.QuickLookup(ctx, "90210", lookup.QuickOptions{})
		if err == nil && reply.Rate.Limit == 600 {
			break
		}
		if !errors.Is(err, client.ErrRateLimited) && !errors.Is(err, client.ErrCredits) {
			t.Fatalf("waiting for the plan: %v", err)
		}
		time.Sleep(20 * time.Millisecond) // a server learns of a change within a second
	}
	remaining(c, 498)
	codes := make([]string, 150)
	for i := range codes {
		codes[i] = "90210"
	}
	b, err := c.QuickLookupBatch(ctx, codes, lookup.QuickOptions{Timezone: true})
	if err != nil || b.Credits() != 300 || len(b.Replies) != 2 {
		t.Errorf("a batch: %v, %d credits", err, b.Credits())
	}
	cutBatches(t, public, key)
	remaining(c, 197)
	if _, err := c.QuickLookupBatch(ctx, codes[:100], lookup.QuickOptions{Timezone: true}); !errors.Is(err, client.ErrCredits) {
		t.Errorf("a batch of 200 credits with 197: %v", err)
	}
	remaining(c, 196)

	// A rotated key: both are valid, then the old one is switched off.
	old := keyNamed(t, key, on("key", "list", account)...)
	renewed := told(t, "key", on("key", "rotate", old, "--grace", "1h")...)
	remaining(ask(renewed), 195)
	remaining(c, 194)
	told(t, "", on("key", "deactivate", old)...)
	for err = nil; err == nil; time.Sleep(20 * time.Millisecond) {
		_, _, err = c.QuickLookup(ctx, "90210", lookup.QuickOptions{})
	}
	if !errors.Is(err, client.ErrKey) {
		t.Errorf("the old key: %v", err)
	}

	status, metrics := get(t, private+"/metrics")
	if status != http.StatusOK || !strings.Contains(metrics, `postgeo_credits_total{source="pack"}`) || strings.Contains(metrics, account) || strings.Contains(metrics, key[:12]) {
		t.Errorf("metrics: %d\n%.3000s", status, metrics)
	}
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	for _, line := range <-logged {
		line = timestamp.ReplaceAllString(line, "") // its digits may look like a code
		if strings.Contains(line, key) || strings.Contains(line, renewed) || strings.Contains(line, "90210") {
			t.Errorf("the log has a key or a code: %s", line)
		}
	}
	told(t, "", on("credits", "audit")...)
}

// cutBatches sends batches whose callers do not wait for the answer.
func cutBatches(t *testing.T, public, key string) {
	t.Helper()
	body := `{"codes":[` + strings.TrimSuffix(strings.Repeat(`"90210",`, 50), ",") + `]}`
	for n := range 20 {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(public, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		request := fmt.Sprintf("POST /v2/quick-zip/batch HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nContent-Length: %d\r\n\r\n%s", key, len(body), body)
		if _, err := io.WriteString(conn, request[:len(request)-1-n]); err != nil { // never whole
			t.Error(err)
		}
		conn.Close()
	}
}

// listed runs a command that prints a list.
func listed(t *testing.T, args ...string) (list []map[string]any) {
	t.Helper()
	r := world{}.run(append(args, "--format", "json")...)
	if err := json.Unmarshal([]byte(r.stdout), &list); err != nil {
		t.Fatalf("%v: %v", err, r)
	}
	return list
}

// keyNamed returns the id of the key in a list that a secret belongs to.
func keyNamed(t *testing.T, secret string, args ...string) string {
	t.Helper()
	var found string
	for _, k := range listed(t, args...) {
		if shown, _ := k["shown"].(string); shown != "" && strings.HasPrefix(secret, strings.TrimSuffix(shown, "…")) {
			found, _ = k["id"].(string)
		}
	}
	if found == "" {
		t.Fatalf("no key of %.12s", secret)
	}
	return found
}
