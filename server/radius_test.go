package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/draw"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/server"
)

// TestOperations checks that every operation has its routes, or a reason for none.
func TestOperations(t *testing.T) {
	paths := server.RoutePaths(newServer(t, openDB(t)))
	used := []string{"/v2/health"}
	for _, o := range append(draw.All(), operation.All()...) {
		for _, path := range []string{o.Path, o.Batch} {
			switch {
			case path == "" && o.Absent == "" && o.Command+o.Batch != "":
				t.Errorf("%s lacks a route and a reason", o.Name)
			case path != "" && !slices.Contains(paths, path):
				t.Errorf("%s: unknown route %s", o.Name, path)
			}
			used = append(used, path)
		}
		if o.Path != "" && o.Price == "" {
			t.Errorf("%s has no price", o.Name)
		}
	}
	for _, path := range paths {
		if !slices.Contains(used, path) {
			t.Errorf("no operation describes %s", path)
		}
	}
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	check(t, err)
	return string(text)
}

// TestPlantedOperation makes a route of an invented operation.
func TestPlantedOperation(t *testing.T) {
	planted, err := server.Planted(openDB(t))
	check(t, err)
	for query, want := range map[string]string{
		"code=k1a&times=3&include=upper": `"results":[{"codes":["K1A","K1A","K1A"]}]`,
		"zip=k1a":                        `"message":"Parameter 'code' is required. Did you mean 'code' instead of 'zip'?"`,
		"code=k1a&times=6":               `"message":"Parameter 'times' must be a whole number from 1 to 5."`,
	} {
		if got := body(t, do(planted, get("/v2/echo?"+query))); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	document, _, err := server.PlainDocument(planted)
	check(t, err)
	text, err := json.Marshal(document)
	check(t, err)
	for _, want := range []string{`"/v2/echo":{"get":`, `"summary":"Repeat a code several times."`, `Credits: 1 for each time.`, `"name":"times"`, `"maximum":5`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the document has no %s", want)
		}
	}
}
