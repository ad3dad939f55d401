package server_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/server"
)

// datasets are the datasets of text tables.
var datasets = map[string]func(testing.TB) server.DB{
	"test":   func(t testing.TB) server.DB { return openDB(t) },
	"sample": func(t testing.TB) server.DB { return sampletest.Open(t) },
	"bare":   func(t testing.TB) server.DB { return openStreetless(t) },
	"roads":  func(t testing.TB) server.DB { return openRoads(t) },
	"less":   func(t testing.TB) server.DB { return struct{ server.DB }{openDB(t)} }, // without other methods of postgeo.DB
}

// eachLine calls do for each line of a text table, with a new server. Lines in brackets name
// the dataset of the lines that follow. Keys are required, and b is their ledger, if the
// brackets have credits, too: [test, pack 3].
func eachLine(t *testing.T, file string, do func(t *testing.T, s *server.Server, b *book, line string)) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	check(t, err)
	opened := map[string]server.DB{}
	var db server.DB
	lines := 0
	var credits []billing.Part
	for n, line := range strings.Split(string(text), "\n") {
		switch section, isSection := strings.CutPrefix(line, "["); {
		case line == "" || line[0] == '#':
		case isSection:
			parts := strings.Split(strings.TrimSuffix(section, "]"), ", ")
			if db = opened[parts[0]]; db == nil {
				open := datasets[parts[0]]
				if open == nil {
					t.Fatalf("%s, line %d: unknown dataset in %s", file, n+1, line)
				}
				db = open(t)
				opened[parts[0]] = db
			}
			credits = nil
			for _, part := range parts[1:] {
				source, number, _ := strings.Cut(part, " ")
				amount, err := strconv.Atoi(number)
				check(t, err)
				credits = append(credits, billing.Part{Source: envelope.CreditSource(source), Credits: amount})
			}
		default:
			lines++
			t.Run(fmt.Sprintf("line %d", n+1), func(t *testing.T) {
				var log bytes.Buffer
				set := []func(*server.Config){func(c *server.Config) { c.Logger = slog.New(slog.NewJSONHandler(&log, nil)) }}
				b := newBook(slices.Clone(credits)...)
				if credits != nil {
					set = append(set, withAccounts(t, b))
				}
				do(t, newServer(t, db, set...), b, line)
				if len(b.holds) != 0 || strings.Contains(log.String(), `"level":"ERROR"`) {
					t.Errorf("%s: credits are held: %v; log: %s", line, b.holds, log.String())
				}
			})
		}
	}
	if lines == 0 {
		t.Errorf("%s has no requests", file)
	}
}

var (
	repeatedText = regexp.MustCompile(`\{([^{}*]+)\*(\d+)\}`)
	named        = map[string]string{
		"blank": " ", "tab": "\t", "cr": "\r\n", "nul": "\x00", "ff": "\xff", "fe": "\xfe", "bom": "\ufeff",
		"paid-short": key("paid")[:31], "paid-upper": strings.ToUpper(key("paid")),
	}
	namedText = regexp.MustCompile(`\{[a-z-]+\}`)
)

// request makes the request of a line: words before the path are the name of a key, a method
// or a header; a body may follow the path. {x*3} is xxx, {blank} what named has, and {paid} the
// key of that name.
func request(line string) *http.Request {
	line = repeated(line)
	words, rest, _ := strings.Cut(" "+line, " /")
	target, body, _ := strings.Cut("/"+rest, " ")
	path, query, _ := strings.Cut(filled("http://example.com"+target), "?")
	r := post(path, filled(body))
	if r.URL.RawQuery, r.Method = query, http.MethodGet; body == "" {
		r = get(path)
		r.URL.RawQuery = query
	}
	return decorate(r, words)
}

// repeated writes repetitions out.
func repeated(line string) string {
	return repeatedText.ReplaceAllStringFunc(line, func(s string) string {
		m := repeatedText.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[2])
		return strings.Repeat(m[1], n)
	})
}

// filled replaces names in braces.
func filled(text string) string {
	return namedText.ReplaceAllStringFunc(text, func(s string) string {
		name := strings.Trim(s, "{}")
		if text, ok := named[name]; ok {
			return text
		}
		return key(name)
	})
}

// decorate sets the key, the method and the headers of words.
func decorate(r *http.Request, words string) *http.Request {
	for word := range strings.FieldsSeq(words) {
		header, value, isHeader := strings.Cut(word, ":")
		switch {
		case header == "Peer":
			r.RemoteAddr = value
		case isHeader:
			r.Header.Add(header, filled(value))
		case word == strings.ToUpper(word):
			r.Method = word
		default:
			r = as(word, r)
		}
	}
	return r
}

// TestAnswers sends the requests of testdata/answers.txt. Behind "=>" stand the status, the
// credits spent, and texts in the order of the response, headers included, or "!" and a text
// that it lacks.
func TestAnswers(t *testing.T) {
	eachLine(t, "answers.txt", func(t *testing.T, s *server.Server, b *book, line string) {
		asked, expected, _ := strings.Cut(line, " => ")
		wants := strings.Split(expected, " | ")
		before := b.available()
		resp := do(s, request(asked))
		var response bytes.Buffer
		check(t, resp.Header.Write(&response))
		response.WriteString(readAll(t, resp))
		outcome := strconv.Itoa(resp.StatusCode)
		if spent := before - b.available(); spent != 0 {
			outcome += fmt.Sprintf(", %d credits", spent)
		}
		if outcome != wants[0] {
			t.Errorf("%s: %s, want %s:\n%.2000s", asked, outcome, wants[0], response.String())
		}
		rest := response.String()
		for _, want := range wants[1:] {
			text, lacks := strings.CutPrefix(want, "!")
			at := strings.Index(rest, text)
			switch {
			case lacks && strings.Contains(response.String(), text):
				t.Errorf("%s: there is %s in\n%.2000s", asked, text, response.String())
			case !lacks && at < 0:
				t.Errorf("%s: no %s in\n%.2000s", asked, text, rest)
			case !lacks:
				rest = rest[at+len(text):]
			}
		}
	})
}
