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

// Who may call: programs, and pages of the server itself. What is no request of the protocol is
// refused.
func TestRequests(t *testing.T) {
	h := handler()
	const own = "http://127.0.0.1:8090"
	several := " \r\n\t[" + listTools + "," + strings.Replace(listTools, "1", "2", 1) + "]"
	for _, tt := range []struct {
		name, method, path, origin, site, host, body string
		status                                       int
	}{
		{"a program", "POST", program.Path, "", "", "", listTools, 200},
		{"a page of the server", "POST", program.Path, own, "same-origin", "", listTools, 200},
		{"another page", "POST", program.Path, "https://evil.example", "cross-site", "", listTools, 403},
		{"another page of an old browser", "POST", program.Path, "https://evil.example", "", "", listTools, 403},
		{"a page without origin", "POST", program.Path, "null", "", "", listTools, 403},
		{"a name that was bound to this machine", "POST", program.Path, "http://evil.example", "", "evil.example", listTools, 403},
		{"another path", "POST", "/", "", "", "", listTools, 404},
		{"no stream", "GET", program.Path, "", "", "", "", 405},
		{"nothing to delete", "DELETE", program.Path, "", "", "", "", 405},
		{"no JSON", "POST", program.Path, "", "", "", "{", 400},
		{"nothing", "POST", program.Path, "", "", "", " ", 400},
		{"several messages", "POST", program.Path, "", "", "", several, 400},
		{"too many blanks", "POST", program.Path, "", "", "", strings.Repeat(" ", 2<<20) + listTools, 413},
		{"too large", "POST", program.Path, "", "", "", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 2<<20) + `"}`, 413},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), tt.method, own+tt.path, strings.NewReader(tt.body))
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8090}))
			for name, value := range map[string]string{"Origin": tt.origin, "Sec-Fetch-Site": tt.site, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"} {
				if value != "" {
					r.Header.Set(name, value)
				}
			}
			if tt.host != "" {
				r.Host = tt.host
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tt.status || w.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("status %d, want %d; headers %v: %s", w.Code, tt.status, w.Header(), w.Body)
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
