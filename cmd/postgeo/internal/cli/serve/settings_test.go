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
		"request-timeout": "1s", "read-header-timeout": "2s", "read-timeout": "3s", "write-timeout": "4s",
		"idle-timeout": "5s", "drain-timeout": "6s", "min-rate": "9", "max-waiting": "7", "max-header": "8",
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
		values, whole, errs := serve.ParseConfig(data)
		if len(errs) == 0 && !json.Valid(bytes.TrimPrefix(data, []byte("\ufeff"))) {
			t.Errorf("%q was read as %v", data, values)
		}
		if len(errs) == 0 && !whole {
			t.Errorf("%q is not whole without an error", data)
		}
	})
}
