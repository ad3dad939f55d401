package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
)

// everyFlag are all flags of a full record, with every year of the survey.
func everyFlag(b *testing.B, db *postgeo.DB) []string {
	b.Helper()
	flags := []string{"timezone", "census", "cd", "state_leg", "school_district", "medicare", "demographics"}
	years, err := db.ACSYears(b.Context(), acs.ZCTA)
	if err != nil {
		b.Fatal(err)
	}
	for _, year := range years {
		for _, p := range acs.AllProfiles() {
			flags = append(flags, acs.Tag{Profile: p, Year: uint16(year)}.String())
		}
	}
	return flags
}

// BenchmarkEverything answers one ZIP Code with everything that there is of it:
// the record from the dataset, its JSON, and the whole request plain and in
// gzip.
func BenchmarkEverything(b *testing.B) {
	db := sampletest.Open(b)
	include, unknown := lookup.ParseIncludeUntil(everyFlag(b, db), db.LastACSYear(b.Context(), acs.ZCTA))
	if len(unknown) > 0 {
		b.Fatal(unknown)
	}
	b.Run("record", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := db.Lookup(b.Context(), "10001", lookup.Options{Include: include}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("json", func(b *testing.B) {
		rec, err := db.Lookup(b.Context(), "10001", lookup.Options{Include: include})
		if err != nil {
			b.Fatal(err)
		}
		var body []byte
		b.ReportAllocs()
		for b.Loop() {
			if body, err = envelope.Append(body[:0], rec); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(body)), "bytes")
	})
	h := newServer(b, db, realClock, realEntropy)
	for _, encoding := range []string{"identity", "gzip"} {
		b.Run("request/"+encoding, func(b *testing.B) {
			r := get("/v2/zip?code=10001&include=" + strings.Join(everyFlag(b, db), ","))
			r.Header.Set("Accept-Encoding", encoding)
			w := &discard{header: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				w.bytes = 0
				h.ServeHTTP(w, r)
			}
			if w.status != http.StatusOK {
				b.Fatalf("status %d", w.status)
			}
			b.ReportMetric(float64(w.bytes), "bytes")
		})
	}
}
