package envelope_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/wording"
)

// A thing stands for what a route delivers.
type thing struct {
	envelope.Item
	Code string `json:"code"`
}

type response = envelope.Response[envelope.CodeRequest, *thing]

// reference is the JSON that encoding/json writes through reflection.
func reference(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func ptr[T any](v T) *T { return &v }

func fullMeta() envelope.Meta {
	return envelope.Meta{
		RequestID: "01HZXW0000000000000000000", Version: envelope.Version, TimingMS: 12,
		Credits: envelope.Credits{
			Used: 4, Source: envelope.SourceMixed, Remaining: ptr(0),
			Breakdown: envelope.Breakdown{
				Base: 2, Enrichments: envelope.Enrichments{"timezone": 2, "acs_social": 1},
				Calculation: "2 base x (1 + 1 timezone) = 4", Note: "3 subscription, 1 pack",
			},
		},
		Notices:   []envelope.Notice{notice.UnknownEnrichments([]string{"<b>&"}), notice.SuggestCapped("https://x.test/?a&b")},
		Batch:     &envelope.Batch{Requested: 3, Succeeded: 2, Failed: 1},
		RateLimit: &envelope.RateLimit{Limit: 60, Window: "minute", RetryAfter: 60},
		Debug:     &envelope.Debug{StagesMS: envelope.Stages{{"parse", 0.5}, {"match", 2}}, Candidates: 7, Dataset: "2026"},
	}
}

// TestResponses compares whole responses, and the append encoders with
// encoding/json.
func TestResponses(t *testing.T) {
	tests := []struct {
		name string
		v    any
	}{
		{"delivered", &response{
			Success: true,
			Request: envelope.CodeRequest{Code: "90210", CodeType: "ZIP", Include: envelope.Flags{"timezone"}},
			Results: envelope.Delivered(&thing{Item: envelope.Item{Success: true, Notices: []envelope.Notice{notice.Normalized("k", "K")}}, Code: "90210"}),
			Meta:    envelope.Meta{RequestID: "01", Version: envelope.Version, Credits: envelope.Credits{Used: 1, Source: envelope.SourceNone}},
		}},
		{"failed item", &response{
			Success: true,
			Request: envelope.CodeRequest{Code: "00000", CodeType: "ZIP"},
			Results: envelope.Undelivered[*thing](links.Failed(envelope.Input{Code: "00000"}, envelope.NewFault(envelope.NotFoundZIP, wording.ZIPNotFound("00000")))),
			Meta:    fullMeta(),
		}},
		{"no results", &response{Success: true, Results: []envelope.Result[*thing]{}}},
		{"failed request", &envelope.FailedResponse{
			Request: envelope.PathRequest{Method: "GET", Path: "/v2/\u2028<zip>"},
			Error:   links.Error(envelope.NewFault(envelope.ServiceUnavailable, wording.Unavailable)),
		}},
		{"distance", &envelope.Response[envelope.DistanceRequest, *thing]{Request: envelope.DistanceRequest{From: "90210", To: "K1A 0B1"}}},
		{"health", &envelope.HealthResponse{Success: true, Data: envelope.Health{
			Status: envelope.Healthy, Database: envelope.DatabaseHealth{Connected: true, LatencyMS: 3}, Version: envelope.Version,
		}}},
		{"zero", &response{}},
	}
	var all bytes.Buffer
	for _, tt := range tests {
		got, err := envelope.Marshal(tt.v)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(reference(t, tt.v), string(got)); diff != "" {
			t.Errorf("%s differs from encoding/json (-json +appended):\n%s", tt.name, diff)
		}
		all.WriteString(tt.name + ": " + string(got) + "\n")
	}
	golden(t, "responses.golden", all.String())
}

// TestResponseReadsBack checks that a Go client decodes the values of a server.
func TestResponseReadsBack(t *testing.T) {
	want := response{
		Success: true,
		Request: envelope.CodeRequest{Code: "90210", CodeType: "ZIP", Include: envelope.Flags{"timezone"}},
		Results: append(
			envelope.Delivered(&thing{Item: envelope.Item{Success: true}, Code: "90210"}),
			envelope.Undelivered[*thing](links.Failed(envelope.Input{Code: "00000"}, envelope.NewFault(envelope.NotFoundZIP, "gone")))...),
		Meta: fullMeta(),
	}
	want.Meta.Debug = nil
	body, err := envelope.Marshal(&want)
	if err != nil {
		t.Fatal(err)
	}
	var got response
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	for _, bad := range []string{`{"results":[7]}`, `{"results":[{"success":true,"code":7}]}`} {
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s was read without an error", bad)
		}
	}
}

// TestRequests checks the echo of every route.
func TestRequests(t *testing.T) {
	var all bytes.Buffer
	for _, v := range []any{
		envelope.CodeRequest{Code: "90210", CodeType: "ZIP"},
		envelope.DistanceRequest{From: "90210", To: "34.1,-118.4"},
		envelope.RadiusRequest{Code: "90210", Max: envelope.RadiusMax{Miles: 12.5}, Min: ptr(0.0), Mode: "centroid", Include: envelope.Flags{"timezone"}, Limit: ptr(3)},
		envelope.RadiusRequest{Code: "90210", Max: envelope.RadiusMax{Auto: "auto-commute"}, Mode: "spatial"},
		envelope.SuggestRequest{Q: "bev", Limit: 10, State: "CA", Country: "US", Proximity: "auto"},
		envelope.SuggestRequest{Q: "bev", Limit: 10},
		envelope.AddressRequest{Address: "1 A&B St"},
		envelope.CodesRequest{CodesCount: 2},
		envelope.SearchesRequest{SearchesCount: 2, Mode: "centroid"},
		envelope.PairsRequest{PairsCount: 2},
		envelope.AddressesRequest{AddressesCount: 2, Include: envelope.Flags{"coordinates"}},
		envelope.PathRequest{Method: "GET", Path: "/v2/zip"},
		envelope.Input{Index: ptr(0), Code: "90210", Max: &envelope.RadiusMax{Miles: 5}},
	} {
		got, err := envelope.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(reference(t, v), string(got)); diff != "" {
			t.Errorf("%T differs from encoding/json (-json +appended):\n%s", v, diff)
		}
		all.Write(append(got, '\n'))
	}
	golden(t, "requests.golden", all.String())
}

func TestMarshalReportsWhatCannotBeWritten(t *testing.T) {
	for _, v := range []any{
		make(chan int),
		envelope.RadiusRequest{Max: envelope.RadiusMax{Miles: nan()}},
		&envelope.Response[envelope.CodeRequest, chan int]{Results: envelope.Delivered(make(chan int))},
	} {
		if got, err := envelope.Marshal(v); err == nil {
			t.Errorf("Marshal(%T) = %s, want an error", v, got)
		}
	}
	// The pooled encoder is usable after an error.
	got, err := envelope.Marshal("a<b")
	if err != nil || string(got) != `"a<b"` {
		t.Errorf(`Marshal("a<b") = %s, %v`, got, err)
	}
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "K1A 0B1", `a"b\c`, "\x00\x1f\x7f\b\f\n\r\t", "\xff\xed\xa0\x80", "\u2028\u2029", "Español 日本 😀", "<script>&"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(envelope.AppendString(nil, s)), reference(t, s); got != want {
			t.Errorf("AppendString(%q) = %s, encoding/json %s", s, got, want)
		}
	})
}

func FuzzResponse(f *testing.F) {
	f.Add(true, "90210", "ZIP", "timezone,cd", "note", 3, true)
	f.Add(false, "\xff", "\u2028", "", "", -1, false)
	f.Fuzz(func(t *testing.T, ok bool, a, b, flags, note string, n int, full bool) {
		r := &response{
			Success: ok,
			Request: envelope.CodeRequest{Code: a, CodeType: b, Include: envelope.ParseFlags(flags)},
			Meta: envelope.Meta{
				RequestID: a, TimingMS: int64(n),
				Credits: envelope.Credits{Used: n, Source: envelope.CreditSource(b), Breakdown: envelope.Breakdown{Note: note}},
			},
		}
		if full {
			r.Meta.Credits.Remaining = &n
			r.Meta.Credits.Breakdown.Enrichments = envelope.Enrichments{a: n, b: 1}
			r.Meta.Notices = []envelope.Notice{{Code: envelope.Code(a), Message: note, Class: envelope.Class(b), URL: flags}}
			r.Results = append(envelope.Undelivered[*thing](links.Failed(envelope.Input{Code: a, To: b}, envelope.NewFault(envelope.Code(b), note), r.Meta.Notices...)),
				envelope.Delivered(&thing{Code: a})...)
			r.Error = &envelope.Error{Code: envelope.Code(a), Message: b, Retryable: &ok, URL: note}
		}
		got, err := envelope.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(reference(t, r), string(got)); diff != "" {
			t.Errorf("differs from encoding/json (-json +appended):\n%s", diff)
		}
	})
}
