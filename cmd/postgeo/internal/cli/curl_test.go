package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/server"
)

// What the pages tell readers to ask a server of their own is answered with
// status 200.
func TestCurl(t *testing.T) {
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := server.New(db, server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, p := range pages(t) {
		for _, f := range p.fence {
			if f.language != "sh" && f.language != "console" {
				continue
			}
			for _, c := range f.commands() {
				r := request(t, words(comment.ReplaceAllString(c.line, "")), c.line)
				if r == nil {
					continue
				}
				asked++
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				if w.Code != http.StatusOK || strings.Contains(w.Body.String(), `"success":false`) {
					t.Errorf("%s, line %d: %s: %d %s", p.name, f.line, c.line, w.Code, w.Body)
				}
			}
		}
	}
	if asked < 8 {
		t.Errorf("only %d requests were found", asked)
	}
}

// request makes the request of a curl command to a server's public address; nil
// for another command.
func request(t *testing.T, words []string, line string) *http.Request {
	t.Helper()
	if len(words) < 2 || words[0] != "curl" || strings.ContainsAny(line, "$…|") {
		return nil
	}
	var to, body string
	query := url.Values{}
	inQuery := false
	for i := 1; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-G":
			inQuery = true
		case (w == "-d" || w == "--data-urlencode") && i+1 < len(words):
			i++
			name, value, _ := strings.Cut(words[i], "=")
			query.Add(name, value)
			body = words[i]
		case strings.Contains(w, "127.0.0.1:8080/") || strings.HasPrefix(w, "localhost:8080/"):
			_, to, _ = strings.Cut(w, ":8080")
		}
	}
	switch {
	case to == "":
		return nil
	case inQuery:
		return httptest.NewRequestWithContext(t.Context(), http.MethodGet, to+"?"+query.Encode(), http.NoBody)
	case body != "":
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, to, io.NopCloser(strings.NewReader(body)))
		r.Header.Set("Content-Type", "application/json")
		return r
	}
	return httptest.NewRequestWithContext(t.Context(), http.MethodGet, to, http.NoBody)
}
