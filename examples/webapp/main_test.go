package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/postgeo/postgeo/internal/sampletest"
)

func TestHandler(t *testing.T) {
	db := sampletest.Open(t)
	h := newHandler(db)
	get := func(target string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, http.NoBody))
		return w
	}
	if w := get("/"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `id="code"`) {
		t.Errorf("the page: %d\n%s", w.Code, w.Body)
	}
	for _, test := range []struct {
		code   string
		status int
		want   place
	}{
		{"98052", 200, place{City: "Redmond", State: "WA", Miles: 10.83, Shipping: "in two days"}},
		{"k1a 0b1", 200, place{City: "Ottawa", State: "ON", Miles: 2196.64, Shipping: "in five days"}},
		{warehouse, 200, place{City: "Seattle", State: "WA", Shipping: "in two days"}},
		{"99999", 422, place{}},
		{"<script>", 422, place{}},
		{"", 422, place{}},
	} {
		w := get("/place?code=" + url.QueryEscape(test.code))
		var got place
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatalf("%q: %v", test.code, err)
		}
		if !strings.Contains(w.Body.String(), `"miles":`) { // the page shows it, 0 too
			t.Errorf("%q: no miles in %s", test.code, w.Body)
		}
		if (got.Error == "") != (test.status == 200) {
			t.Errorf("%q: the error is %q", test.code, got.Error)
		}
		got.Error = ""
		if diff := cmp.Diff(test.want, got); w.Code != test.status || diff != "" {
			t.Errorf("%q: status %d, want %d (-want +got)\n%s", test.code, w.Code, test.status, diff)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if w := get("/place?code=90210"); w.Code != http.StatusInternalServerError {
		t.Errorf("a closed dataset: status %d with %s", w.Code, w.Body)
	}
}
