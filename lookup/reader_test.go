package lookup_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/store"
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

func TestInvalidInput(t *testing.T) {
	r := newReader(t)
	for _, in := range []string{"", "9021", "K1", "91,0"} {
		if _, err := r.Quick(t.Context(), in, lookup.QuickOptions{}); !errors.Is(err, envelope.ErrInvalidCode) {
			t.Errorf("quick lookup of %q: %v, want ErrInvalidCode", in, err)
		}
		if _, err := r.Full(t.Context(), in, lookup.Options{}); !errors.Is(err, envelope.ErrInvalidCode) {
			t.Errorf("full lookup of %q: %v, want ErrInvalidCode", in, err)
		}
		if _, err := r.Locate(t.Context(), in); !errors.Is(err, envelope.ErrInvalidCode) {
			t.Errorf("place of %q: %v, want ErrInvalidCode", in, err)
		}
	}
}

func TestNotFoundErrorNamesTheCode(t *testing.T) {
	r := newReader(t)
	for code, want := range map[string]string{
		"99999":      `postgeo: lookup: ZIP code "99999" not found`,
		"99999-9999": `postgeo: lookup: ZIP code "99999-9999" not found`,
		"X9X":        `postgeo: lookup: FSA "X9X" not found`,
		"X9X 9X9":    `postgeo: lookup: postal code "X9X 9X9" not found`,
		"1,2":        `postgeo: lookup: coordinates "1,2" not found`,
	} {
		if _, err := r.Quick(t.Context(), code, lookup.QuickOptions{}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %q", err, want)
		}
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

// Records belong to the caller: writing to one changes no other.
func TestRecordsShareNothing(t *testing.T) {
	r := newReader(t)
	opt := lookup.QuickOptions{Timezone: true}
	first, err := r.Quick(t.Context(), "90210", opt)
	if err != nil {
		t.Fatal(err)
	}
	first.Timezone.Name = "changed"
	second, err := r.Quick(t.Context(), "90210", opt)
	if err != nil || second.Timezone.Name != "Pacific Time" {
		t.Errorf("the second record has the time zone %+v, %v", second.Timezone, err)
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
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
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

func TestQuickAllocatesOnce(t *testing.T) {
	r := newReader(t)
	for _, code := range []string{"90210", "K1A", "K1A 0B1"} {
		for _, opt := range []lookup.QuickOptions{{}, {Timezone: true}} {
			n := testing.AllocsPerRun(100, func() {
				if _, err := r.Quick(context.Background(), code, opt); err != nil {
					t.Fatal(err)
				}
			})
			if n > 1 {
				t.Errorf("a quick lookup of %s with %+v allocates %v times", code, opt, n)
			}
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
