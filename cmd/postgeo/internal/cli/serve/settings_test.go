package serve_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/serve"
)

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
