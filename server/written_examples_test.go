package server_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/server"
)

// A goldenAnswer is what a golden file holds.
type goldenAnswer struct {
	name   string
	status int
	body   []byte // JSON
}

// goldenAnswers reads the golden files that hold answers in JSON.
func goldenAnswers(t *testing.T) []goldenAnswer {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d golden files, %v", len(paths), err)
	}
	var out []goldenAnswer
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		head, body, _ := bytes.Cut(data, []byte("\n\n"))
		line, _, _ := bytes.Cut(head, []byte("\n"))
		status, err := strconv.Atoi(string(line))
		body = bytes.TrimSpace(body)
		if err != nil || !bytes.HasPrefix(body, []byte(`{"success":`)) {
			continue // an answer without JSON, a document, or a log
		}
		out = append(out, goldenAnswer{strings.TrimSuffix(filepath.Base(path), ".golden"), status, body})
	}
	return out
}

// TestGoldenFilesKeepTheContract compares every golden file with the document.
// If a response does not contain its path, any route may match.
func TestGoldenFilesKeepTheContract(t *testing.T) {
	if testing.Short() {
		t.Skip("the document is compared with every file only without -short")
	}
	doc := contract(t)
	for _, g := range goldenAnswers(t) {
		var value map[string]any
		if err := json.Unmarshal(g.body, &value); err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		if g.status != 200 && value["error"] != nil {
			if err := meets(doc, doc.Components.Schemas["FailedResponse"].Value, value); err != nil {
				t.Errorf("%s is no failed request of the document: %v", g.name, err)
			}
			continue
		}
		if err := meetsAny(doc, g, value); err != nil {
			t.Errorf("%s is no answer of any route of the document: %v", g.name, err)
		}
	}
}

// meetsAny tries the routes, those that the file is named after first.
func meetsAny(doc *openapi3.T, g goldenAnswer, value any) error {
	paths := slices.Collect(maps.Keys(doc.Paths.Map()))
	slices.SortFunc(paths, func(a, b string) int {
		named := func(path string) int {
			if strings.HasPrefix(g.name, goldenName(path)) {
				return -len(path)
			}
			return 0
		}
		return cmp.Or(named(a)-named(b), strings.Compare(a, b))
	})
	var errs []error
	for _, path := range paths {
		for _, op := range doc.Paths.Value(path).Operations() {
			answer := op.Responses.Value(strconv.Itoa(g.status))
			if answer == nil {
				continue
			}
			err := meets(doc, answer.Value.Content.Get("application/json").Schema.Value, value)
			if err == nil {
				return nil
			}
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
			break // the other method answers the same
		}
	}
	return errors.Join(errs...)
}

// TestExamples checks that the examples of the document are golden responses:
// one of each route, and one of each code of a failed request. This file sorts
// last, so that -update has written the golden files before.
func TestExamples(t *testing.T) {
	const path = "internal/document/examples.json"
	byName := map[string]goldenAnswer{}
	var file struct {
		Answers map[string]json.RawMessage `json:"answers"`
		Errors  map[string]json.RawMessage `json:"errors"`
	}
	file.Answers, file.Errors = map[string]json.RawMessage{}, map[string]json.RawMessage{}
	answers := goldenAnswers(t)
	slices.SortStableFunc(answers, func(a, b goldenAnswer) int { return len(a.name) - len(b.name) }) // the plainest first
	for _, g := range answers {
		byName[g.name] = g
		var failed struct {
			Error *struct {
				Code string `json:"code"`
			} `json:"error"`
		}
		if err := json.Unmarshal(g.body, &failed); err != nil {
			t.Fatal(err)
		}
		if failed.Error != nil && g.status != 200 && file.Errors[failed.Error.Code] == nil {
			file.Errors[failed.Error.Code] = g.body
		}
	}
	for _, route := range server.RoutePaths(newServer(t, openDB(t))) {
		if g, ok := byName[goldenName(route)]; ok {
			file.Answers[route] = g.body
		}
	}
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(file); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want.String(), string(got)); diff != "" {
		t.Errorf("%s does not show the golden answers; run the test with -update (-golden +file):\n%s", path, diff)
	}
}
