package lookup_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

// TestAnswers compares the answers to inputs with testdata/answers.txt.
func TestAnswers(t *testing.T) {
	r := newReader(t)
	lookuptest.Table(t, "answers.txt", *update, func(in string) string {
		ctx := t.Context()
		quick, err := r.Quick(ctx, in, lookup.QuickOptions{Timezone: true})
		list := []string{"quick: " + failed(t, in, err)}
		if err == nil {
			list[0] = strings.TrimSpace("quick: " + string(quick.CodeType) + " " + quick.Code)
			if quick.Timezone != nil {
				list[0] += " " + quick.Timezone.IANAName
			}
			if d := quick.Detail; d != nil {
				list[0] += " " + d.ZIP4 + " " + d.RecordType
			}
			list[0] += noted(quick.Notices)
		}
		rec, fullErr := r.Full(ctx, in, lookup.Options{})
		if list = append(list, "full: "+failed(t, in, fullErr)); fullErr == nil {
			list[1] = "full: " + string(rec.CodeType) + " " + rec.Code + noted(rec.Notices)
			if err == nil && quick.Identity != rec.Identity {
				t.Errorf("%s: quick and full identity differ: %+v, %+v", in, quick.Identity, rec.Identity)
			}
		}
		p, err := r.Locate(ctx, in)
		list = append(list, "at: "+failed(t, in, err))
		if err == nil {
			zone, _ := p.TimeZone(time.Time{})
			list[2] = strings.TrimSpace(fmt.Sprintf("at: %s %v %v %s", p.Code, p.CodeType, p.Location, zone.IANAName)) + noted(p.Notices)
		}
		c, err := r.Center(ctx, in)
		if list = append(list, "center: "+failed(t, in, err)); err == nil {
			list[3] = strings.TrimSpace(fmt.Sprintf("center: %s %s %v", c.Code, c.City, c.Location))
		}
		_, first, _ := strings.Cut(list[0], ": ")
		for i := 1; i < len(list); i++ {
			if what, answer, _ := strings.Cut(list[i], ": "); answer == first {
				list[i] = what + ": the same"
			}
		}
		return strings.Join(strings.Fields(strings.Join(list, " | ")), " ")
	})
}

func noted(notices []envelope.Notice) (codes string) {
	for _, n := range notices {
		codes += " " + string(n.Code)
	}
	return codes
}

// failed returns the code of a failure with its message, and its message in a batch if that
// differs.
func failed(t *testing.T, in string, err error) string {
	t.Helper()
	var failure *envelope.Failure
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &failure) || failure.Input != lookup.MustParseCode(in).String():
		t.Errorf("%s: %v is no failure of this input", in, err)
	}
	e, batch := envelope.Links{}.Error(err), envelope.Links{}.Error(operation.InBatch(err))
	if e.Code != batch.Code || errors.Is(err, envelope.ErrNotFound) != (e.Code.Status() == 200) {
		t.Errorf("%s: %s and in a batch %s, %v", in, e.Code, batch.Code, err)
	}
	if e.Message == batch.Message {
		return string(e.Code) + " " + e.Message
	}
	return string(e.Code) + " " + e.Message + " / " + batch.Message
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
