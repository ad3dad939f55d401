package serve_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/serve"
	"github.com/postgeo/postgeo/server"
)

// The settings of a server reach it.
func TestServerConfig(t *testing.T) {
	got, errs := serve.ServerConfig(map[string]string{
		"POSTGEO_REQUEST_TIMEOUT": "1s", "POSTGEO_READ_HEADER_TIMEOUT": "2s", "POSTGEO_READ_TIMEOUT": "3s", "POSTGEO_WRITE_TIMEOUT": "4s", "POSTGEO_IDLE_TIMEOUT": "5s", "POSTGEO_DRAIN_TIMEOUT": "6s", "POSTGEO_MIN_RATE": "9", "POSTGEO_MAX_WAITING": "7", "POSTGEO_MAX_HEADER": "8",
	})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := server.Config{
		RequestTimeout: time.Second, ReadHeaderTimeout: 2 * time.Second, ReadTimeout: 3 * time.Second, WriteTimeout: 4 * time.Second,
		IdleTimeout: 5 * time.Second, Grace: 6 * time.Second, MinRate: 9 << 10, MaxWaiting: 7, MaxHeaderBytes: 8 << 10,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// No configuration makes the parser panic, and an accepted one is valid JSON.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{`{}`, `{"listen":"x","open":true,"limit-processes":3,"trusted-proxies":["a"]}`, `{"listen":{}}`, `{"a":1}`, `[`, "\ufeff{}", `{"listen":"x"`, `{"listen":1e999}`, `{}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, errs := serve.ParseConfig(data)
		if len(errs) == 0 && !json.Valid(bytes.TrimPrefix(data, []byte("\ufeff"))) {
			t.Errorf("%q was read as %d settings", data, n)
		}
	})
}
