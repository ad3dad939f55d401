package program_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/program"
)

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

func handler() http.Handler {
	return program.Handler(mcp.NewServer(&mcp.Implementation{Name: "test"}, nil), nil)
}

// Who may call: programs, and pages of the server itself.
func TestOrigins(t *testing.T) {
	server := httptest.NewServer(handler())
	defer server.Close()
	tests := []struct {
		name   string
		header map[string]string
		host   string
		status int
		shared string
	}{
		{"a program", nil, "", 200, ""},
		{"a page of the server", map[string]string{"Origin": server.URL, "Sec-Fetch-Site": "same-origin"}, "", 200, ""},
		{"another page", map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, "", 403, ""},
		{"another page of an old browser", map[string]string{"Origin": "https://evil.example"}, "", 403, ""},
		{"a page without origin", map[string]string{"Origin": "null"}, "", 403, ""},
		{"a name that was bound to this machine", map[string]string{"Origin": "http://evil.example"}, "evil.example", 403, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+program.Path, strings.NewReader(listTools))
			check(t, err)
			req.Host = tt.host
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			for name, value := range tt.header {
				req.Header.Set(name, value)
			}
			resp, err := http.DefaultClient.Do(req)
			check(t, err)
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if resp.StatusCode != tt.status || resp.Header.Get("Access-Control-Allow-Origin") != tt.shared || err != nil {
				t.Errorf("status %d, shared with %q, want %d, %q: %s", resp.StatusCode, resp.Header.Get("Access-Control-Allow-Origin"), tt.status, tt.shared, body)
			}
		})
	}
}

// What is no request of the protocol is refused.
func TestRefused(t *testing.T) {
	h := handler()
	tests := []struct {
		name, method, path, body string
		status                   int
	}{
		{"another path", http.MethodPost, "/", listTools, 404},
		{"no stream", http.MethodGet, program.Path, "", 405},
		{"nothing to delete", http.MethodDelete, program.Path, "", 405},
		{"no JSON", http.MethodPost, program.Path, "{", 400},
		{"nothing", http.MethodPost, program.Path, " ", 400},
		{"several messages", http.MethodPost, program.Path, " \r\n\t[" + listTools + "," + strings.Replace(listTools, "1", "2", 1) + "]", 400},
		{"too many blanks", http.MethodPost, program.Path, strings.Repeat(" ", 2<<20) + listTools, 413},
		{"too large", http.MethodPost, program.Path, `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 2<<20) + `"}`, 413},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), tt.method, "http://127.0.0.1:8090"+tt.path, strings.NewReader(tt.body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Errorf("status %d, want %d: %s", w.Code, tt.status, w.Body)
			}
		})
	}
}

// When told to stop, the server first finishes what it has begun.
func TestGracefulStop(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-finish
		_, _ = io.WriteString(w, "answered")
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- program.ServeHTTP(ctx, l, slow) }()
	answer := make(chan string, 1)
	go func() {
		resp, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			answer <- err.Error()
			return
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		answer <- string(body) + errorText(err)
	}()
	<-begun
	stop()
	for { // the listener is closed before requests are waited for
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			break
		}
		_ = c.Close()
	}
	close(finish)
	if got := <-answer; got != "answered" {
		t.Errorf("the request in flight got %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("stopped with %v", err)
	}
}

// A server that cannot go on says why.
func TestServeFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	_ = l.Close()
	if err := program.ServeHTTP(t.Context(), l, http.NotFoundHandler()); !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
