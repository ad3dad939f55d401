package lookup_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
)

// TestDetailOfRanges holds that ranges of house numbers without add-ons deny no
// ZIP+4 (decision D33): only records of the ZIP+4 product of the same ZIP do.
func TestDetailOfRanges(t *testing.T) {
	street := func(r store.StreetRecord) func(w *storewrite.Writer) error {
		r.ZIP, r.RecordType, r.Street, r.Suffix, r.AddrLow, r.AddrHigh, r.OddEven = 90210, 'S', "SAMPLE", "DR", "400", "498", 'E'
		return func(w *storewrite.Writer) error { return w.AddStreet(r) }
	}
	tests := map[string]struct {
		more   []func(w *storewrite.Writer) error
		detail bool
		quick  bool // an unknown add-on is found as the ZIP
	}{
		"no records":        {nil, false, true},
		"ranges":            {[]func(w *storewrite.Writer) error{street(store.StreetRecord{NoPlus4: true})}, false, true},
		"records":           {[]func(w *storewrite.Writer) error{street(store.StreetRecord{ZIP4Record: store.ZIP4Record{Low: 1234, High: 1234}})}, true, false},
		"ranges and add-on": {[]func(w *storewrite.Writer) error{street(store.StreetRecord{NoPlus4: true}), street(store.StreetRecord{ZIP4Record: store.ZIP4Record{Low: 1234, High: 1234}})}, true, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := lookuptest.Bare(t, tt.more...)
			d := lookuptest.OpenFile(t, path)
			r := lookuptest.Reader(t, d)
			record, err := r.Full(t.Context(), "90210-5678", lookup.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := record.Detail != nil; got != tt.detail || got && (record.Detail.Valid != lookup.False || record.Detail.ZIP4 != "5678") {
				t.Errorf("detail %+v; want one that is not valid: %t", record.Detail, tt.detail)
			}
			if _, err := r.Quick(t.Context(), "90210-5678", lookup.QuickOptions{}); (err == nil) != tt.quick {
				t.Errorf("quick look-up: %v; want an answer: %t", err, tt.quick)
			}
		})
	}
}
