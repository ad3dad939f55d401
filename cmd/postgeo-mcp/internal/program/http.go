package program

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
	"github.com/postgeo/postgeo/internal/wording"
)

// Path is the path of the protocol over HTTP.
const Path = "/mcp"

// Bounds of the HTTP server. Requests are bounded here because the queue of the tools, which
// shares processors fairly, does not bound the calls that wait.
const (
	maxBody      = 1 << 20         // bytes of a request
	maxHeader    = 16 << 10        // bytes of its header
	maxRequests  = 256             // at the same time; others get 503
	maxOfCaller  = 64              // of these, of one caller
	headTime     = 5 * time.Second // for a header to arrive
	readTime     = 20 * time.Second
	writeTime    = 2 * time.Minute      // with the time that a call waits and works
	maxTimeout   = writeTime - readTime // of a call
	idleTime     = 2 * time.Minute
	shutdownTime = 20 * time.Second // for requests in flight
)

// Handler serves the protocol at [Path]. Web pages of other origins may not call it, and
// on a loopback address the Host header must name it, which stops DNS rebinding. If
// there are tokens, each request requires one. The server is stateless: no sessions,
// and one message per request.
func Handler(server *mcp.Server, known tokens) http.Handler {
	streamable := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
	})
	mux := http.NewServeMux()
	// In this order: a request without a token takes no place, and its body is not read.
	mux.Handle(Path, http.NewCrossOriginProtection().Handler(known.required(bounded(known, single(streamable)))))
	return mux
}

// bounded refuses requests beyond maxRequests, and beyond maxOfCaller of one
// caller. It names the caller to the tools.
func bounded(known tokens, next http.Handler) http.Handler {
	var mu sync.Mutex
	all, of := 0, map[string]int{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := known.caller(r)
		mu.Lock()
		full := all == maxRequests || of[caller] == maxOfCaller
		if !full {
			all++
			of[caller]++
		}
		mu.Unlock()
		if full {
			w.Header().Set("Retry-After", "1")
			http.Error(w, wording.Busy, http.StatusServiceUnavailable)
			return
		}
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			all--
			if of[caller]--; of[caller] == 0 {
				delete(of, caller)
			}
		}()
		next.ServeHTTP(w, r.WithContext(tools.WithCaller(r.Context(), caller)))
	})
}

// single refuses several messages in one request, which some versions of the
// protocol allow. All their responses would be in memory at once, and a body
// has room for calls that return gigabytes.
func single(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The first byte that is not white space shows it; the SDK reads the body from there.
		body := bufio.NewReader(http.MaxBytesReader(w, r.Body, maxBody))
		first, err := body.ReadByte()
		for err == nil && strings.IndexByte(" \t\r\n", first) >= 0 {
			first, err = body.ReadByte()
		}
		if err == nil {
			err = body.UnreadByte()
		}
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			http.Error(w, fmt.Sprintf("A request has at most %d bytes.", maxBody), http.StatusRequestEntityTooLarge)
			return
		case err == nil && first == '[':
			http.Error(w, "A request has one message, not a list of them; the tools of several inputs take up to a hundred at once.", http.StatusBadRequest)
			return
		}
		r.Body = struct {
			io.Reader
			io.Closer
		}{body, r.Body}
		next.ServeHTTP(w, r)
	})
}

// ServeHTTP serves on l until ctx is done, then lets the requests in flight
// finish.
func ServeHTTP(ctx context.Context, l net.Listener, handler http.Handler) error {
	s := &http.Server{
		Handler: handler, ReadHeaderTimeout: headTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
	}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	err := s.Shutdown(ending)
	if served := <-failed; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// tokenVariable is the environment variable that may hold the token instead of
// a file.
const tokenVariable = "POSTGEO_MCP_TOKEN"

const minToken = 16 // characters; a shorter one can be guessed

// tokens are the hashes of the accepted tokens. Hashes make the time of a
// comparison independent of common prefixes. Without tokens all callers pass.
type tokens map[[sha256.Size]byte]bool

// readTokens reads the file of --token-file, one token a line, else the environment's.
func readTokens(path string, getenv func(string) string) (tokens, error) {
	text, source := getenv(tokenVariable), "$"+tokenVariable
	if path == "" && text == "" {
		return nil, nil
	}
	if path != "" {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("--token-file: %w", err)
		}
		text, source = string(data), path
	}
	all := tokens{}
	for line := range strings.Lines(text) {
		token := strings.TrimSpace(line)
		if token == "" {
			continue
		}
		if len(token) < minToken || strings.ContainsAny(token, " \t") {
			return nil, fmt.Errorf("%s has a token of %d characters; expected at least %d without spaces, e.g. of 'openssl rand -hex 32'", source, len(token), minToken)
		}
		all[sha256.Sum256([]byte(token))] = true
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no token; expected one a line", source)
	}
	return all, nil
}

// required passes requests with an accepted token in the header Authorization,
// as Bearer.
func (t tokens) required(next http.Handler) http.Handler {
	if len(t) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sum, ok := shown(r); ok && t[sum] {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("WWW-Authenticate", `Bearer realm="postgeo"`)
		http.Error(w, "A token of this server is required, in the header Authorization: Bearer TOKEN.", http.StatusUnauthorized)
	})
}

// shown returns the hash of the token that a request shows.
func shown(r *http.Request) (sum [sha256.Size]byte, ok bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return sha256.Sum256([]byte(strings.TrimSpace(token))), strings.EqualFold(scheme, "Bearer")
}

// caller returns a name of who sends a request: the token if the server has
// tokens, else the address. All addresses of an IPv6 network of 64 bits are one
// caller.
func (t tokens) caller(r *http.Request) string {
	if len(t) > 0 {
		sum, _ := shown(r)
		return hex.EncodeToString(sum[:])
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	at := from.Addr().Unmap().WithZone("")
	if at.Is4() {
		return at.String()
	}
	return netip.PrefixFrom(at, 64).Masked().String()
}
