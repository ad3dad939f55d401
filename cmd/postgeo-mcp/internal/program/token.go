package program

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"strings"
)

// tokenVariable is where a token may stand instead of in a file.
const tokenVariable = "POSTGEO_MCP_TOKEN"

// minToken is the fewest characters of a token: what is shorter is guessed.
const minToken = 16

// maxTokenFile is the most bytes of a file of tokens.
const maxTokenFile = 1 << 20

// tokens are the hashes of the accepted tokens. Hashes make the time of a
// comparison independent of common prefixes. Without tokens all callers pass.
type tokens map[[sha256.Size]byte]bool

// readTokens reads the file of --token-file, one token a line, else the
// environment's.
func readTokens(path string, getenv func(string) string) (tokens, error) {
	text, source := getenv(tokenVariable), "$"+tokenVariable
	if path == "" && text == "" {
		return nil, nil
	}
	if path != "" {
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("--token-file: %w", err)
		}
		data, err := io.ReadAll(io.LimitReader(f, maxTokenFile+1))
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("--token-file: %w", err)
		}
		if len(data) > maxTokenFile {
			return nil, fmt.Errorf("--token-file: %s has more than %d bytes; expected one token a line", path, maxTokenFile)
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
			return nil, fmt.Errorf("%s has a token of %d characters; expected at least %d without blanks, e.g. of 'openssl rand -hex 32'", source, len(token), minToken)
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
