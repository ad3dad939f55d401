package server_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/server"
)

// documents are the documentation routes with their content types.
var documents = map[string]string{
	"/v2/openapi.json": "application/json; charset=utf-8",
	"/v2/swagger.json": "application/json; charset=utf-8",
	"/v2/postman.json": "application/json; charset=utf-8",
	"/pricing.json":    "application/json; charset=utf-8",
	"/llms.txt":        "text/plain; charset=utf-8",
}

// TestDocuments checks the documents. JSON has a line per member, so that
// changes are readable.
func TestDocuments(t *testing.T) {
	h := newServer(t, openDB(t))
	for path, contentType := range documents {
		resp := do(h, get(path))
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != contentType {
			t.Errorf("%s has status %d and type %q", path, resp.StatusCode, resp.Header.Get("Content-Type"))
			continue
		}
		body := readAll(t, resp)
		switch path {
		case "/v2/swagger.json":
			if body != readAll(t, do(h, get("/v2/openapi.json"))) {
				t.Errorf("%s is not the document of /v2/openapi.json", path)
			}
		case "/v2/openapi.json":
			doc, _, err := server.PlainDocument(newServer(t, openDB(t)))
			if err != nil {
				t.Fatal(err)
			}
			lines, err := json.MarshalIndent(doc, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "document-openapi", string(lines)+"\n")
		default:
			if strings.HasSuffix(path, ".json") {
				var lines bytes.Buffer
				if err := json.Indent(&lines, []byte(body), "", " "); err != nil {
					t.Fatal(err)
				}
				body = lines.String()
			}
			golden(t, "document-"+strings.NewReplacer("/v2/", "", "/", "", ".json", "", ".txt", "").Replace(path), body)
		}
	}
}

// TestDocumentsAskNobody checks that documents need no key and have no rate
// limit. Otherwise they are like other responses.
func TestDocumentsAskNobody(t *testing.T) {
	h := newServer(t, openDB(t), withAccounts(t, rich()))
	for path := range documents {
		for _, r := range []*http.Request{get(path), with(get(path), "X-Api-Key", "no key at all"), as("paid", get(path))} {
			resp := do(h, r)
			if resp.StatusCode != http.StatusOK {
				t.Errorf("%s has status %d", path, resp.StatusCode)
			}
			for name := range resp.Header {
				if strings.HasPrefix(name, "X-Ratelimit") {
					t.Errorf("%s has the header %s", path, name)
				}
			}
			if resp.Header.Get("X-Request-Id") == "" || resp.Header.Get("X-Api-Version") != "2.0" || resp.Header.Get("Cache-Control") != "no-store" ||
				resp.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s has the headers %v", path, resp.Header)
			}
		}
		if resp := do(h, post(path, "{}")); resp.StatusCode != http.StatusMethodNotAllowed || resp.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("POST %s has status %d, Allow %q", path, resp.StatusCode, resp.Header.Get("Allow"))
		}
		if resp := do(h, get(path+"/")); resp.StatusCode == http.StatusOK {
			t.Errorf("%s/ is answered", path)
		}
	}
}

// TestDocumentationNamesEveryRoute checks that docs/http.md mentions every
// route and every page for people.
func TestDocumentationNamesEveryRoute(t *testing.T) {
	text, err := os.ReadFile("../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	paths := append(server.RoutePaths(newServer(t, openDB(t))), pagesForPeople...)
	for path := range documents {
		paths = append(paths, path)
	}
	for _, path := range paths {
		if !strings.Contains(string(text), "`"+path+"`") {
			t.Errorf("docs/http.md does not name %s", path)
		}
	}
}

// TestPostmanCollection checks that every operation of the document is in the
// collection, with requests that the server answers.
func TestPostmanCollection(t *testing.T) {
	var c struct {
		Item []struct {
			Item []struct {
				Name    string `json:"name"`
				Request struct {
					Method string `json:"method"`
					Body   *struct {
						Raw string `json:"raw"`
					} `json:"body"`
					URL struct {
						Raw string `json:"raw"`
					} `json:"url"`
				} `json:"request"`
			} `json:"item"`
		} `json:"item"`
	}
	h := newServer(t, openDB(t))
	if err := json.Unmarshal([]byte(readAll(t, do(h, get("/v2/postman.json")))), &c); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(readAll(t, do(h, get("https://geo.example.com/v2/postman.json"))), `{"key":"baseUrl","value":"https://geo.example.com","type":"string"}`) {
		t.Error("the base address is not that of the server")
	}
	r := get("/v2/postman.json")
	r.Header.Set("X-Forwarded-Proto", "https")
	if resp := do(h, r); resp.Header.Get("Vary") != "Accept-Encoding, X-Forwarded-Proto" || !strings.Contains(readAll(t, resp), `"https://`) {
		t.Errorf("behind a proxy: Vary %q", resp.Header.Get("Vary"))
	}
	n := 0
	for _, folder := range c.Item {
		for _, item := range folder.Item {
			n++
			r := get(strings.TrimPrefix(item.Request.URL.Raw, "{{baseUrl}}"))
			if item.Request.Body != nil {
				r = post(r.URL.String(), item.Request.Body.Raw)
			}
			if r.Method != item.Request.Method {
				t.Errorf("%s: method %s", item.Name, item.Request.Method)
			}
			resp := do(h, r)
			lacks := resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") == "" // the address of the example
			if resp.StatusCode != http.StatusOK && !lacks {
				t.Errorf("%s has status %d: %s", item.Name, resp.StatusCode, readAll(t, resp))
			}
		}
	}
	want := 0
	for _, item := range contract(t).Paths.Map() {
		want += len(item.Operations())
	}
	if n != want {
		t.Errorf("%d requests, want one for each of %d operations", n, want)
	}
}
