package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/source/fetch"
)

const surveyKey = "0123456789abcdef0123456789abcdef01234567"

// surveyServer responds like the Census Bureau's interface. fail may respond
// instead.
func surveyServer(t *testing.T, fail func(w http.ResponseWriter, n int64) bool) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
		if fail != nil && fail(w, n) {
			return
		}
		q := r.URL.Query()
		if q.Get("key") != surveyKey || r.URL.Path != "/data/2022/acs/acs5/profile" && r.URL.Path != "/data/2019/acs/acs5/profile" {
			http.Error(w, "<html>Invalid Key</html>", http.StatusNotFound)
			return
		}
		if q.Get("in") == "state:72" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		fmt.Fprintf(w, `[["%s","%s"],["%s","1"]]`, q.Get("get"), q.Get("for"), q.Get("in"))
	}))
	t.Cleanup(s.Close)
	return s, &asked
}

func surveyOptions(t *testing.T, base string) fetch.SurveyOptions {
	t.Helper()
	return fetch.SurveyOptions{
		Base: base, Key: surveyKey, Folder: t.TempDir(), Tables: []string{"DP05"}, Years: []int{2022},
		Sleep: func(context.Context, time.Duration) error { return nil },
	}
}

func TestSurvey(t *testing.T) {
	s, asked := surveyServer(t, nil)
	o := surveyOptions(t, s.URL)
	o.Years, o.TractYears = []int{2022, 2019}, []int{2022}
	files, err := fetch.Survey(t.Context(), o)
	check(t, err)
	// One national table, and 52 states twice; one has no areas.
	if len(files) != 1+51+51 || asked.Load() != 1+52+52 {
		t.Errorf("%d files of %d requests", len(files), asked.Load())
	}
	got := map[string]string{}
	for _, name := range []string{"ACSDP5Y2022.DP05-zcta.json", "ACSDP5Y2019.DP05-zcta-06.json", "ACSDP5Y2022.DP05-tract-48.json"} {
		b, err := os.ReadFile(filepath.Join(o.Folder, name))
		check(t, err)
		got[name] = string(b)
	}
	want := map[string]string{
		"ACSDP5Y2022.DP05-zcta.json":     `[["group(DP05)","zip code tabulation area:*"],["","1"]]`,
		"ACSDP5Y2019.DP05-zcta-06.json":  `[["group(DP05)","zip code tabulation area:*"],["state:06","1"]]`,
		"ACSDP5Y2022.DP05-tract-48.json": `[["group(DP05)","tract:*"],["state:48","1"]]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Again: everything is there, and no server is needed.
	o.Base, o.Key, o.Offline = "http://127.0.0.1:1", "", true
	again, err := fetch.Survey(t.Context(), o)
	if err != nil || !cmp.Equal(files, again) {
		t.Errorf("%d files from the cache, %v", len(again), err)
	}
}

// An interrupted run continues with the same part.
func TestSurveyGoesOn(t *testing.T) {
	s, asked := surveyServer(t, func(w http.ResponseWriter, n int64) bool {
		if n >= 11 && n < 11+5 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return true
		}
		return false
	})
	o := surveyOptions(t, s.URL)
	o.Years = []int{2019}
	if _, err := fetch.Survey(t.Context(), o); !errors.Is(err, fetch.ErrTransfer) {
		t.Fatalf("error %v, want ErrTransfer", err)
	}
	if left, _ := filepath.Glob(filepath.Join(o.Folder, "*.json")); len(left) != 10 || asked.Load() != 15 {
		t.Errorf("%d parts are kept after %d requests, want 10 after 15", len(left), asked.Load())
	}
	var parts []string
	o.Part = func(name string) { parts = append(parts, name) }
	files, err := fetch.Survey(t.Context(), o)
	if err != nil || len(files) != 51 || len(parts) != 42 || asked.Load() != 15+42 {
		t.Errorf("%d files, %d parts asked for, %d requests in all, %v", len(files), len(parts), asked.Load(), err)
	}
}

func TestSurveyFaults(t *testing.T) {
	tests := map[string]struct {
		fail func(w http.ResponseWriter, n int64) bool
		opt  func(*fetch.SurveyOptions)
		want error
		asks int64
	}{
		"no key":      {nil, func(o *fetch.SurveyOptions) { o.Key = "" }, fetch.ErrOptions, 0},
		"a wrong key": {nil, func(o *fetch.SurveyOptions) { o.Key = "wrong" + surveyKey }, fetch.ErrNotFound, 1},
		"offline":     {nil, func(o *fetch.SurveyOptions) { o.Offline = true }, fetch.ErrOffline, 0},
		"a web page":  {func(w http.ResponseWriter, _ int64) bool { fmt.Fprint(w, "<html>"+surveyKey); return true }, nil, fetch.ErrContent, 1},
		"cut":         {func(w http.ResponseWriter, _ int64) bool { fmt.Fprint(w, `[["a","b"],["1",`); return true }, nil, fetch.ErrContent, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s, asked := surveyServer(t, test.fail)
			o := surveyOptions(t, s.URL)
			if test.opt != nil {
				test.opt(&o)
			}
			files, err := fetch.Survey(t.Context(), o)
			if !errors.Is(err, test.want) || asked.Load() != test.asks || test.want == nil && len(files) != 1 {
				t.Errorf("%v after %d requests, want %v after %d", err, asked.Load(), test.want, test.asks)
			}
			if err != nil && strings.Contains(err.Error(), surveyKey) {
				t.Errorf("the error tells the key: %v", err)
			}
			left, _ := filepath.Glob(filepath.Join(o.Folder, "*.json"))
			if err != nil && len(left) > 0 {
				t.Errorf("files are left: %v", left)
			}
		})
	}
}
