package server_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

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
		check(t, err)
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
		check(t, json.Unmarshal(g.body, &failed))
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
	check(t, enc.Encode(file))
	if *update {
		check(t, os.WriteFile(path, want.Bytes(), 0o644))
		return
	}
	got, err := os.ReadFile(path)
	check(t, err)
	if diff := gocmp.Diff(want.String(), string(got)); diff != "" {
		t.Errorf("%s does not show the golden answers; run the test with -update (-golden +file):\n%s", path, diff)
	}
}
