package fetch_test

import (
	"net/http"
	"testing"

	"github.com/postgeo/postgeo/internal/source/fetch"
)

func TestSize(t *testing.T) {
	absent := fetch.Source{ID: "absent", Title: "Absent", URL: "https://www.example.gov/absent.txt"}
	var methods []string
	s := newSite(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if r.URL.Path != "/m/ACTUAL.csv" {
			methods = append(methods, r.Method)
		}
		serve(content, `"v1"`)(w, r, n)
	})
	folder, err := fetch.New(t.Context(), fetch.Options{Mirror: mirrorFolder(t)})
	if err != nil {
		t.Fatal(err)
	}
	publisher, err := fetch.New(t.Context(), fetch.Options{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		client *fetch.Client
		source fetch.Source
		want   int64
	}{
		{"folder", folder, example, int64(len(content))},
		{"not in the folder", folder, absent, 0},
		{"server", s.client(t, nil), example, int64(len(content))},
		{"not at the server", s.client(t, nil), absent, 0},
		{"offline", s.client(t, func(o *fetch.Options) { o.Offline = true }), example, 0},
		{"publisher", publisher, example, 0},
	} {
		if got := test.client.Size(t.Context(), test.source); got != test.want {
			t.Errorf("%s: %d bytes, want %d", test.name, got, test.want)
		}
	}
	if len(methods) != 1 || methods[0] != http.MethodHead {
		t.Errorf("requests %v, want a single HEAD", methods)
	}
}
