package server_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/postgeo/postgeo/server"
)

// BenchmarkDocument measures what the documents cost: made once for a server,
// and served from then on, beside a handler that writes the same bytes.
func BenchmarkDocument(b *testing.B) {
	db := openDB(b)
	s, err := server.New(db, server.Config{})
	if err != nil {
		b.Fatal(err)
	}
	body := []byte(readAll(b, do(s, get("/v2/openapi.json"))))
	bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(body)
	})
	b.Run("made", func(b *testing.B) {
		for b.Loop() {
			s, err := server.New(db, server.Config{})
			if err != nil {
				b.Fatal(err)
			}
			s.ServeHTTP(httptest.NewRecorder(), get("/v2/openapi.json"))
		}
	})
	for name, h := range map[string]http.Handler{"served": s, "served/peer=bare": bare} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				h.ServeHTTP(httptest.NewRecorder(), get("/v2/openapi.json"))
			}
		})
	}
}
