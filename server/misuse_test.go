package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server"
)

// A misuse is one way of using a route wrongly, and what comes of it.
type misuse struct {
	name    string
	request *http.Request
	status  int // 0: 200, or a 4xx with one of the codes
	codes   []envelope.Code
}

const misusedKey = "SECRETSECRETSECRETSECRETSECRET12"

// TestMisuse uses every route of the table in every wrong way: methods,
// versions, keys, headers, bodies, types, sizes, encodings, duplicates. No
// answer is a 5xx, every one has the interface's form and headers, failures
// cost nothing and have the code that the contract names, and neither an
// answer, the log nor the metrics show a key or anything from inside.
func TestMisuse(t *testing.T) {
	var log bytes.Buffer
	book := newBook(billing.Part{Source: billing.SubscriptionCredits, Credits: 1 << 30})
	s := newServer(t, openDB(t), func(c *server.Config) {
		c.Accounts = split{unlimited{everybody(t)}, book}
		c.Logger = slog.New(slog.NewJSONHandler(&log, nil))
	})
	n := 0
	seen := map[string]bool{}
	for _, rt := range server.Routes(s) {
		t.Run(rt.Path, func(t *testing.T) {
			for _, m := range misuses(rt) {
				n++
				m.request.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:80", n>>16&255, n>>8&255, n&255) // nobody is blocked for the others
				before := book.available()
				resp := do(s, m.request)
				body := checkMisuse(t, &m, resp, seen)
				if resp.StatusCode >= 400 && book.available() != before {
					t.Errorf("%s: a failure cost %d credits", m.name, before-book.available())
				}
				if strings.Contains(body, "SECRET") {
					t.Errorf("%s: the answer shows a key: %s", m.name, body)
				}
			}
		})
	}
	if len(book.holds) > 0 {
		t.Errorf("%v are still held", book.holds)
	}
	metrics := do(s.PrivateHandler(), get("/metrics"))
	text, err := io.ReadAll(metrics.Body)
	check(t, err)
	for name, written := range map[string]string{"log": log.String(), "metrics": string(text)} {
		for _, secret := range []string{"SECRET", key("paid"), "90210", "goroutine "} {
			if strings.Contains(written, secret) {
				t.Errorf("the %s has %q", name, secret)
			}
		}
	}
	t.Logf("%d misuses", n)
	if n < 500 {
		t.Errorf("%d misuses only", n)
	}
}

// checkMisuse holds an answer to the interface and returns its body. To the
// document it holds the first of each path, status and code, which takes longest.
func checkMisuse(t *testing.T, m *misuse, resp *http.Response, seen map[string]bool) string {
	t.Helper()
	lacks := resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") == "" // the address of the example
	if resp.StatusCode >= 500 && !lacks {
		t.Errorf("%s: status %d", m.name, resp.StatusCode)
	}
	for _, header := range []string{"X-Request-Id", "X-Api-Version", "Cache-Control", "Access-Control-Allow-Origin"} {
		if resp.Header.Get(header) == "" {
			t.Errorf("%s: no header %s", m.name, header)
		}
	}
	if m.request.Method == http.MethodHead || m.request.Method == http.MethodOptions {
		if m.status != 0 && resp.StatusCode != m.status {
			t.Errorf("%s: status %d; want %d", m.name, resp.StatusCode, m.status)
		}
		return ""
	}
	data, err := io.ReadAll(resp.Body)
	check(t, err)
	body := string(data)
	var a struct {
		Success *bool           `json:"success"`
		Error   *envelope.Error `json:"error"`
		Meta    *envelope.Meta  `json:"meta"`
	}
	if err := json.Unmarshal([]byte(body), &a); err != nil || a.Success == nil || a.Meta == nil {
		t.Errorf("%s: %v in %s", m.name, err, body)
		return body
	}
	kind := fmt.Sprint(m.request.Method, m.request.URL.Path, resp.StatusCode)
	if a.Error != nil {
		kind += string(a.Error.Code)
	}
	if !seen[kind] {
		seen[kind] = true
		heldToContract(t, resp, data)
	}
	if m.status != 0 && resp.StatusCode != m.status {
		t.Errorf("%s: status %d; want %d: %s", m.name, resp.StatusCode, m.status, body)
	}
	if a.Error != nil && !lacks && (a.Meta.Credits.Used != 0 || !slices.Contains(m.codes, a.Error.Code)) {
		t.Errorf("%s: %d credits, code %s; want one of %v: %s", m.name, a.Meta.Credits.Used, a.Error.Code, m.codes, body)
	}
	if a.Error == nil && m.status >= 400 {
		t.Errorf("%s: no error: %s", m.name, body)
	}
	return body
}

// misuses lists them for a route.
func misuses(rt server.RouteInfo) []misuse {
	list := slices.Concat(wrongMethods(rt), wrongPaths(rt))
	if !rt.Keyless {
		list = append(list, wrongKeys(rt)...)
	}
	if slices.Contains(rt.Methods, http.MethodPost) {
		list = slices.Concat(list, wrongBodies(rt), wrongFields(rt))
	}
	if slices.Contains(rt.Methods, http.MethodGet) {
		list = append(list, wrongQueries(rt)...)
	}
	return list
}

// good is a request that the route answers with 200, apart from its key.
func good(rt server.RouteInfo) *http.Request {
	values := map[string]json.RawMessage{}
	query := url.Values{}
	for _, p := range rt.Params {
		switch {
		case p.Example == "" || !p.Required && !p.Items:
		case json.Valid([]byte(p.Example)):
			values[p.Name] = json.RawMessage(p.Example)
			query.Set(p.Name, p.Example)
		default:
			values[p.Name], _ = json.Marshal(p.Example) // of a string
			query.Set(p.Name, p.Example)
		}
		if p.Example != "" && !p.Items {
			quoted, _ := json.Marshal(p.Example) // of a string
			if _, there := values[p.Name]; there && p.Name != "max" {
				values[p.Name] = quoted
			}
		}
	}
	if rt.Batch {
		body, _ := json.Marshal(values) // of raw JSON
		return post(rt.Path, string(body))
	}
	return get(rt.Path + "?" + query.Encode())
}

func wrongMethods(rt server.RouteInfo) (list []misuse) {
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "get", "BREW", "OPTIONS"} {
		m := misuse{name: method, request: as("paid", good(rt)), codes: validation}
		m.request.Method = method
		switch {
		case method == "OPTIONS":
			m.status = http.StatusNoContent
		case !slices.Contains(rt.Methods, method):
			m.status, m.codes = http.StatusMethodNotAllowed, []envelope.Code{envelope.BadRequest}
		}
		list = append(list, m)
	}
	return list
}

// misuseLines returns the lines of a part of testdata/misuse.txt: status, code and the rest.
func misuseLines(part string) (lines [][3]string) {
	text, err := os.ReadFile("testdata/misuse.txt")
	if err != nil {
		panic(err)
	}
	_, list, _ := strings.Cut(string(text), "["+part+"]\n")
	list, _, _ = strings.Cut(list, "\n[")
	for line := range strings.Lines(list) {
		if status, rest, ok := strings.Cut(strings.TrimSuffix(repeated(line), "\n"), " "); ok && status != "#" {
			code, rest, _ := strings.Cut(rest, " ")
			lines = append(lines, [3]string{status, code, rest})
		}
	}
	if lines == nil {
		panic("testdata/misuse.txt has no part " + part)
	}
	return lines
}

func lineMisuse(name string, r *http.Request, line [3]string) misuse {
	status, err := strconv.Atoi(line[0])
	if err != nil {
		panic(fmt.Sprintf("testdata/misuse.txt: %q: %v", line, err))
	}
	codes := []envelope.Code{envelope.Code(line[1])}
	if line[1] == "-" {
		codes = validation
	}
	return misuse{name, r, status, codes}
}

func wrongPaths(rt server.RouteInfo) (list []misuse) {
	bare := strings.TrimPrefix(rt.Path, "/v2")
	for _, line := range misuseLines("paths") {
		path := strings.NewReplacer("ROUTE", bare, "UPPER", strings.ToUpper(bare)).Replace(line[2])
		list = append(list, lineMisuse(path, get(path+"?key="+misusedKey), line))
	}
	return list
}

func wrongKeys(rt server.RouteInfo) (list []misuse) {
	for _, line := range misuseLines("keys") {
		r := good(rt)
		if words, query, _ := strings.Cut(" "+line[2], " ?"); rt.Batch || words != " free" {
			r.URL.RawQuery = strings.Trim(r.URL.RawQuery+"&"+filled(query), "&")
			list = append(list, lineMisuse("key: "+line[2], decorate(r, words), line))
		}
	}
	return list
}

// validation are the codes of parameters that are wrong.
var validation = []envelope.Code{
	envelope.ValidationMissingParam, envelope.ValidationInvalidParam, envelope.ValidationInvalidRequest, envelope.ValidationInputTooLong,
	envelope.ValidationInputTooShort, envelope.ValidationInvalidZIP, envelope.ValidationInvalidFSA, envelope.ValidationInvalidPostal,
	envelope.ValidationInvalidCoordinates, envelope.ValidationBatchTooLarge, envelope.SpatialModeDisabledBatch,
}

func wrongBodies(rt server.RouteInfo) (list []misuse) {
	for _, line := range misuseLines("bodies") {
		words, body, _ := strings.Cut(line[2], "|")
		r := decorate(as("paid", post(rt.Path, filled(body))), words)
		if strings.Contains(words, "Unknown-Length") {
			r.ContentLength = -1
		}
		list = append(list, lineMisuse("body: "+line[2], r, line))
	}
	return list
}

// wrongValues are JSON values that few parameters take.
var wrongValues = []string{
	"0", "-1", "1e400", "1e-400", "-0", "0.1", "12345678901234567890", "true", "null", "{}", "[]", "[null]", "[1]", "[[]]", "[{}]", `[{"code":1}]`, `[""]`, `["90210",5]`,
	`""`, `" "`, `"\u0000"`, `"\ud800"`, `"９０２１０"`, `"90210\n"`, "\"\u202e90210\"", `"🏠"`, `"NaN"`, `"Infinity"`, `"1e309"`, `"91,0"`, `"0,181"`, `"1,2,3"`, `","`, `"%00"`, `"' OR 1=1 --"`,
	`"` + strings.Repeat("9", 51) + `"`, `"` + strings.Repeat("é", 10_000) + `"`, `[` + strings.Repeat(`"x",`, 51) + `"x"]`, `[` + strings.Repeat(`null,`, 300) + `null]`,
}

func wrongFields(rt server.RouteInfo) (list []misuse) {
	for _, p := range rt.Params {
		for _, value := range wrongValues {
			fields := map[string]json.RawMessage{}
			for _, other := range rt.Params {
				if other.Required && other.Name != p.Name {
					fields[other.Name] = exampleOf(other)
				}
			}
			fields[p.Name] = json.RawMessage(value)
			body, err := json.Marshal(fields)
			if err != nil {
				panic(err) // the values above are JSON
			}
			list = append(list, misuse{fmt.Sprintf("field %s: %.60s", p.Name, value), as("paid", post(rt.Path, string(body))), 0, validation})
			twice := fmt.Sprintf(`{%q:%s,%s`, p.Name, value, body[1:])
			list = append(list, misuse{fmt.Sprintf("field %s twice: %.60s", p.Name, value), as("paid", post(rt.Path, twice)), 0, validation})
		}
	}
	return list
}

// exampleOf is a value that a parameter takes, as JSON.
func exampleOf(p server.ParamInfo) json.RawMessage {
	if p.Items || p.Name == "max" && json.Valid([]byte(p.Example)) {
		return json.RawMessage(p.Example)
	}
	quoted, _ := json.Marshal(p.Example) // of a string
	return quoted
}

func wrongQueries(rt server.RouteInfo) (list []misuse) {
	request := []envelope.Code{envelope.ValidationInvalidRequest}
	add := func(name string, status int, codes []envelope.Code, query string) {
		r := as("paid", get(rt.Path))
		r.URL.RawQuery = query
		list = append(list, misuse{"query: " + name, r, status, codes})
	}
	if !rt.Keyless {
		add("bad escape", 400, request, "x=%zz")
		add("cut escape", 400, request, "x=%2")
		add("not UTF-8", 400, request, "x=%ff")
		add("too long", 400, request, "x="+strings.Repeat("x", 9<<10))
	}
	for _, q := range []string{"", "&", "=", "&&=&", "code", ";code=90210", "code;max=1", "%00=%00"} {
		add(fmt.Sprintf("%q", q), 0, validation, q)
	}
	for _, p := range rt.Params {
		for _, value := range wrongValues {
			var text string
			if json.Unmarshal([]byte(value), &text) != nil {
				text = value
			}
			query := url.Values{}
			for _, other := range rt.Params {
				if other.Required && other.Name != p.Name {
					query.Set(other.Name, other.Example)
				}
			}
			query[p.Name] = []string{text, other(p)}
			add(fmt.Sprintf("%s=%.60s", p.Name, text), 0, validation, query.Encode())
		}
	}
	return list
}

// other is a second value of a parameter, which nobody reads.
func other(p server.ParamInfo) string { return p.Example + "x" }
