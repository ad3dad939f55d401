package lookup_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
)

func TestNotFound(t *testing.T) {
	r := newReader(t)
	for _, c := range []struct {
		in          string
		quick, full envelope.Code // "" if it is found
		message     string
		batch       string
	}{
		{"99999", envelope.NotFoundZIP, envelope.NotFoundZIP, "ZIP code 99999 not found.", "Code 99999 not found."},
		{"99999-1234", envelope.NotFoundZIP, envelope.NotFoundZIP, "ZIP code 99999-1234 not found.", "Code 99999-1234 not found."},
		{"90210-9999", envelope.NotFoundZIP, "", "ZIP code 90210-9999 not found.", "Code 90210-9999 not found."},
		{"10001-9999", "", "", "", ""}, // no ZIP+4 records of that ZIP: nothing to deny
		{"x9x", envelope.NotFoundFSA, envelope.NotFoundFSA, "FSA X9X not found.", "Code X9X not found."},
		{"D1F", envelope.NotFoundFSA, envelope.NotFoundFSA, "FSA D1F not found.", "Code D1F not found."},
		{"x9x9x9", envelope.NotFoundPostal, envelope.NotFoundPostal, "Postal code X9X 9X9 not found.", "Code X9X 9X9 not found."},
		{"K1A 9Z9", "", envelope.NotFoundPostal, "Postal code K1A 9Z9 not found.", "Code K1A 9Z9 not found."},
		{
			"19.4, -99.1", envelope.NotFoundCoordsNoBoundary, envelope.NotFoundCoordsNoBoundary,
			"Coordinates 19.4,-99.1 are not inside any US or Canadian boundary.",
			"Coordinates 19.4,-99.1 are not inside any US or Canadian boundary.",
		},
	} {
		check := func(route string, err error, want envelope.Code) {
			t.Helper()
			if want == "" {
				if err != nil {
					t.Errorf("%s lookup of %q: %v", route, c.in, err)
				}
				return
			}
			var nf *envelope.Failure
			if !errors.As(err, &nf) || !errors.Is(err, envelope.ErrNotFound) {
				t.Errorf("%s lookup of %q: %v, want ErrNotFound", route, c.in, err)
				return
			}
			e, batch := envelope.Links{}.Error(err), envelope.Links{}.Error(operation.InBatch(err))
			if e.Code != want || e.Message != c.message || batch.Code != want || batch.Message != c.batch {
				t.Errorf("%s lookup of %q fails with %s %q, in a batch %q", route, c.in, e.Code, e.Message, batch.Message)
			}
			if nf.Input != lookup.MustParseCode(c.in).String() {
				t.Errorf("%s lookup of %q names %v", route, c.in, nf.Input)
			}
		}
		_, err := r.Quick(t.Context(), c.in, lookup.QuickOptions{})
		check("quick", err, c.quick)
		_, err = r.Full(t.Context(), c.in, lookup.Options{})
		check("full", err, c.full)
	}
}

// A ZIP+4 record may cover several add-ons.
func TestZIP4Range(t *testing.T) {
	r := newReader(t)
	for code, want := range map[string]string{"90210-9001": "9001", "90210-9003": "9003"} {
		rec, err := r.Quick(t.Context(), code, lookup.QuickOptions{})
		if err != nil || rec.Detail == nil || rec.Detail.ZIP4 != want || rec.Detail.RecordType != "P" {
			t.Errorf("%s has detail %+v, %v", code, rec, err)
		}
	}
	for _, code := range []string{"90210-9000", "90210-9004"} {
		if _, err := r.Quick(t.Context(), code, lookup.QuickOptions{}); !errors.Is(err, envelope.ErrNotFound) {
			t.Errorf("%s: %v, want not found", code, err)
		}
	}
}

func TestContextAndClose(t *testing.T) {
	d := lookuptest.Dataset(t)
	r := lookuptest.Reader(t, d)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Full(ctx, "90210", lookup.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a full lookup of a cancelled context: %v", err)
	}
	check(t, d.Close())
	for _, code := range []string{"90210", "90210-1234", "K1A", "K1A 0B1"} {
		if _, err := r.Full(t.Context(), code, lookup.Options{}); !errors.Is(err, store.ErrClosed) {
			t.Errorf("a full lookup of %s after Close: %v", code, err)
		}
	}
	if _, err := r.Quick(t.Context(), "90210-1234", lookup.QuickOptions{}); !errors.Is(err, store.ErrClosed) {
		t.Errorf("a quick lookup of a ZIP+4 after Close: %v", err)
	}
}

func TestLocate(t *testing.T) {
	r := newReader(t)
	for _, c := range []struct {
		in       string
		code     string
		typ      lookup.CodeType
		location string
		zone     string
		notices  []envelope.Code
	}{
		{"90210", "90210", lookup.ZIP, "34.1,-118.41", "America/Los_Angeles", nil},
		{"90210-1234", "90210-1234", lookup.ZIP4, "34.068,-118.4015", "America/Los_Angeles", nil},
		{"90210-1235", "90210-1235", lookup.ZIP4, "34.1,-118.41", "America/Los_Angeles", nil},
		{"k1a9z9", "K1A", lookup.FSA, "45.42,-75.7", "America/Toronto", []envelope.Code{envelope.InputNormalized, envelope.FallbackUsed}},
		{"09012", "09012", lookup.ZIP, "", "", nil},
		{"1.5, -2", "", lookup.Coordinates, "1.5,-2", "Etc/GMT", []envelope.Code{envelope.InputNormalized, envelope.CoordinatesUsed}},
	} {
		p, err := r.Locate(t.Context(), c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		var notices []envelope.Code
		for _, n := range p.Notices {
			notices = append(notices, n.Code)
		}
		zone, _ := p.TimeZone(time.Time{})
		if p.Code != c.code || p.CodeType != c.typ || p.Location.String() != c.location || zone.IANAName != c.zone || fmt.Sprint(notices) != fmt.Sprint(c.notices) {
			t.Errorf("%s is %q (%v) at %v in %q with %v", c.in, p.Code, p.CodeType, p.Location, zone.IANAName, notices)
		}
	}
}

// Whatever is looked up, the answer is a record or a failure with a contract
// code.
func FuzzLookup(f *testing.F) {
	for _, s := range []string{"90210", "902109999", "k1a0b1", "K1A 9Z9", "1,2", "９０２１０", "", "H0H"} {
		f.Add(s)
	}
	r := newReader(f)
	f.Fuzz(func(t *testing.T, s string) {
		ctx := t.Context()
		quick, err := r.Quick(ctx, s, lookup.QuickOptions{Timezone: true})
		if err != nil && envelope.FaultOf(err) == nil {
			t.Fatalf("quick lookup of %q: %v", s, err)
		}
		full, fullErr := r.Full(ctx, s, lookup.Options{Include: lookup.Include{Timezone: true}})
		if fullErr != nil && envelope.FaultOf(fullErr) == nil {
			t.Fatalf("full lookup of %q: %v", s, fullErr)
		}
		if err == nil && fullErr == nil && quick.Identity != full.Identity {
			t.Fatalf("%q is %+v in one lookup and %+v in the other", s, quick.Identity, full.Identity)
		}
		for _, rec := range []any{quick, full} {
			if _, err := encode.Marshal(rec); err != nil {
				t.Fatalf("%q: %v", s, err)
			}
		}
	})
}

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
			check(t, err)
			if got := record.Detail != nil; got != tt.detail || got && (record.Detail.Valid != lookup.False || record.Detail.ZIP4 != "5678") {
				t.Errorf("detail %+v; want one that is not valid: %t", record.Detail, tt.detail)
			}
			if _, err := r.Quick(t.Context(), "90210-5678", lookup.QuickOptions{}); (err == nil) != tt.quick {
				t.Errorf("quick look-up: %v; want an answer: %t", err, tt.quick)
			}
		})
	}
}

func TestQuality(t *testing.T) {
	r := newReader(t)
	ratio, off, year := 1.0412, 10.0312, 2021
	for input, want := range map[string]struct {
		quality *lookup.Quality
		notices []envelope.Notice
	}{
		"90210": {quality: &lookup.Quality{
			PointSource: "block-group centers 2020", OutlineSource: "test areas 2026", OutlineAreaRatio: &ratio,
			CountySources: []lookup.CountySource{
				{Source: "residents", County: "Los Angeles County", CountyFIPS: "06037", Chosen: true},
				{Source: "geonames-us", CountyFIPS: "06999"},
			},
			BusinessYear:        new(2020),
			ClassificationBasis: "inferred",
		}},
		"A1C": {
			quality: &lookup.Quality{OutlineAreaRatio: &off, PopulationYear: &year, Notes: []string{"The outline includes inland water; the stated area is land only."}},
		},
		"10001": {notices: []envelope.Notice{notice.UnavailableEnrichments([]string{"quality"})}},
	} {
		rec, err := r.Full(t.Context(), input, lookup.Options{Include: lookup.Include{Quality: true}})
		check(t, err)
		if diff := cmp.Diff(want.quality, rec.Quality); diff != "" {
			t.Errorf("quality of %s (-want +got):\n%s", input, diff)
		}
		if diff := cmp.Diff(want.notices, rec.Notices); diff != "" {
			t.Errorf("notices of %s (-want +got):\n%s", input, diff)
		}
	}
}
