package program_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/program"
	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
)

// TestCallers holds that tools learn who calls, and that one caller cannot take
// all the room of a server.
func TestCallers(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{}}}`
	callers, finish := make(chan string, 300), make(chan struct{})
	server := mcp.NewServer(&mcp.Implementation{Name: "test"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		callers <- tools.Caller(ctx)
		<-finish
		return nil, nil, nil
	})
	h := program.Handler(server, nil)
	statuses := make(chan int, 300)
	send := func(from string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:8090"+program.Path, strings.NewReader(call))
		r.RemoteAddr = from
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer "+from) // of a server without tokens
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		statuses <- w.Code
	}
	for from, want := range map[string]string{
		"192.0.2.7:1234": "192.0.2.7", "[::ffff:192.0.2.8]:1": "192.0.2.8", "[2001:db8:1:2:3:4:5:6]:9": "2001:db8:1:2::/64", "[fe80::1%eth0]:9": "fe80::/64", "pipe": "pipe",
	} {
		go send(from)
		if got := <-callers; got != want {
			t.Errorf("a request from %s has the caller %q, want %q", from, got, want)
		}
	}
	for range 63 { // one is there already
		go send("192.0.2.7:99")
		<-callers
	}
	go send("192.0.2.7:100")
	if got := <-statuses; got != http.StatusServiceUnavailable {
		t.Errorf("the 65th request of a caller has the status %d", got)
	}
	go send("192.0.2.9:1")
	if got := <-callers; got != "192.0.2.9" {
		t.Errorf("another caller is %q", got)
	}
	close(finish)
	for range 69 {
		if got := <-statuses; got != http.StatusOK {
			t.Errorf("a call has the status %d", got)
		}
	}
	go send("192.0.2.7:100")
	if got := <-statuses; got != http.StatusOK {
		t.Errorf("a later request of the caller has the status %d", got)
	}
}
