package envelope_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
)

// A thing stands for what a route delivers.
type thing struct {
	envelope.Item
	Code string `json:"code"`
}

type response = envelope.Response[operation.CodeRequest, *thing]

func delivered(v *thing) []envelope.Result[*thing] { return []envelope.Result[*thing]{{Value: v}} }

func failed(item envelope.Item) []envelope.Result[*thing] {
	return []envelope.Result[*thing]{{Failed: &item}}
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
			Request: operation.CodeRequest{Code: "90210", CodeType: "ZIP", LookupParams: operation.LookupParams{Include: envelope.Flags{"timezone"}}},
			Results: delivered(&thing{Item: envelope.Item{Success: true, Notices: []envelope.Notice{notice.Normalized("k", "K")}}, Code: "90210"}),
			Meta:    envelope.Meta{RequestID: "01", Version: envelope.Version, Credits: envelope.Credits{Used: 1, Source: envelope.SourceNone}},
		}},
		{"failed item", &response{
			Success: true,
			Request: operation.CodeRequest{Code: "00000", CodeType: "ZIP"},
			Results: failed(links.Failed(envelope.Input{Code: "00000"}, &envelope.Fault{Code: envelope.NotFoundZIP, Message: wording.ZIPNotFound("00000")})),
			Meta:    fullMeta(),
		}},
		{"no results", &response{Success: true, Results: []envelope.Result[*thing]{}}},
		{"failed request", &operation.FailedResponse{
			Request: operation.PathRequest{Method: "GET", Path: "/v2/\u2028<zip>"},
			Error:   links.Error(&envelope.Fault{Code: envelope.ServiceUnavailable, Message: wording.Unavailable}),
		}},
		{"distance", &envelope.Response[operation.DistanceInput, *thing]{Request: operation.DistanceInput{Ends: operation.Ends{From: "90210", To: "K1A 0B1"}}}},
		{"health", &envelope.HealthResponse{Success: true, Data: envelope.Health{
			Status: envelope.Healthy, Database: envelope.DatabaseHealth{Connected: true, LatencyMS: 3}, Version: envelope.Version,
		}}},
		{"zero", &response{}},
	}
	var all bytes.Buffer
	for _, tt := range tests {
		all.WriteString(tt.name + ": " + string(lookuptest.JSON(t, tt.v)) + "\n")
	}
	lookuptest.Text(t, "responses.golden", all.String(), *update)
}

// TestResponseReadsBack checks that a Go client decodes the values of a server.
func TestResponseReadsBack(t *testing.T) {
	want := response{
		Success: true,
		Request: operation.CodeRequest{Code: "90210", CodeType: "ZIP", LookupParams: operation.LookupParams{Include: envelope.Flags{"timezone"}}},
		Results: append(
			delivered(&thing{Item: envelope.Item{Success: true}, Code: "90210"}),
			failed(links.Failed(envelope.Input{Code: "00000"}, &envelope.Fault{Code: envelope.NotFoundZIP, Message: "gone"}))...),
		Meta: fullMeta(),
	}
	want.Meta.Debug = nil
	body, err := encode.Marshal(&want)
	check(t, err)
	var got response
	check(t, json.Unmarshal(body, &got))
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(operation.Day{})); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	for _, bad := range []string{`{"results":[7]}`, `{"results":[{"success":true,"code":7}]}`} {
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s was read without an error", bad)
		}
	}
}

func FuzzResponse(f *testing.F) {
	f.Add(true, "90210", "ZIP", "timezone,cd", "note", 3, true)
	f.Add(false, "\xff", "\u2028", "", "", -1, false)
	f.Fuzz(func(t *testing.T, ok bool, a, b, flags, note string, n int, full bool) {
		r := &response{
			Success: ok,
			Request: operation.CodeRequest{Code: a, CodeType: b, LookupParams: operation.LookupParams{Include: envelope.ParseFlags(flags)}},
			Meta: envelope.Meta{
				RequestID: a, TimingMS: int64(n),
				Credits: envelope.Credits{Used: n, Source: envelope.CreditSource(b), Breakdown: envelope.Breakdown{Note: note}},
			},
		}
		if full {
			r.Meta.Credits.Remaining = &n
			r.Meta.Credits.Breakdown.Enrichments = envelope.Enrichments{a: n, b: 1}
			r.Meta.Notices = []envelope.Notice{{Code: envelope.Code(a), Message: note, Class: envelope.Class(b), URL: flags}}
			r.Results = append(failed(links.Failed(envelope.Input{Code: a, To: b}, &envelope.Fault{Code: envelope.Code(b), Message: note}, r.Meta.Notices...)),
				delivered(&thing{Code: a})...)
			r.Error = &envelope.Error{Code: envelope.Code(a), Message: b, Retryable: &ok, URL: note}
		}
		lookuptest.JSON(t, r)
	})
}

// shapes are the roots of everything that a caller can see of this package.
var shapes = []any{
	envelope.Response[operation.RadiusRequest, *thing]{},
	operation.FailedResponse{},
	envelope.HealthResponse{},
	thing{},
	operation.RadiusRequest{},
	operation.SearchesRequest{},
	operation.PairsRequest{},
	operation.PathRequest{},
	envelope.Debug{},
}

// TestOmissions walks every field: what may have no value is left out when it
// has none, nothing is of an open type, and nothing is a map but the credits
// of the flags.
func TestOmissions(t *testing.T) {
	marshaler := reflect.TypeFor[json.Marshaler]()
	seen := map[reflect.Type]bool{}
	var walk func(typ reflect.Type, path string)
	walk = func(typ reflect.Type, path string) {
		if typ == reflect.TypeFor[*thing]() {
			return // what a route delivers is the route's affair
		}
		if typ.Implements(marshaler) && !strings.HasPrefix(typ.Name(), "Result[") && typ != reflect.TypeFor[envelope.Enrichments]() {
			return // written by its own method, which other tests hold
		}
		switch typ.Kind() {
		case reflect.Interface:
			t.Errorf("%s is of the open type %s", path, typ)
		case reflect.Map:
			if typ != reflect.TypeFor[envelope.Enrichments]() {
				t.Errorf("%s is a map", path)
			}
		case reflect.Pointer, reflect.Slice:
			walk(typ.Elem(), path+"[]")
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			name := path + "." + f.Name
			if f.Anonymous {
				walk(f.Type, name)
				continue
			}
			tag, tagged := f.Tag.Lookup("json")
			if !tagged {
				if !strings.HasPrefix(typ.Name(), "Result[") {
					t.Errorf("%s has no JSON name", name)
				}
				walk(f.Type, name)
				continue
			}
			omits := strings.Contains(tag, ",omitzero") || strings.Contains(tag, ",omitempty")
			nullable := f.Type.Kind() == reflect.Pointer || f.Type.Kind() == reflect.Slice || f.Type.Kind() == reflect.Map
			if nullable && !omits && !f.Type.Implements(marshaler) {
				t.Errorf("%s would be written as null", name)
			}
			walk(f.Type, name)
		}
	}
	for _, v := range shapes {
		walk(reflect.TypeOf(v), reflect.TypeOf(v).String())
	}
	if len(seen) < len(shapes) {
		t.Errorf("walked %d types only", len(seen))
	}
}

// TestZeroValuesHaveNoNulls holds the same for what is written.
func TestZeroValuesHaveNoNulls(t *testing.T) {
	for _, v := range shapes {
		got, err := encode.Marshal(v)
		check(t, err)
		if strings.Contains(string(got), "null") {
			t.Errorf("zero %T is written as %s", v, got)
		}
	}
}

func TestParseFlags(t *testing.T) {
	tests := []struct {
		name string
		in   []string
		want envelope.Flags
	}{
		{"none", nil, nil},
		{"blank", []string{" , ,"}, nil},
		{"one string", []string{"Timezone, CENSUS,state-leg"}, envelope.Flags{"timezone", "census", "state_leg"}},
		{"list", []string{"cd", "acs-social-2019,cd", "CD "}, envelope.Flags{"cd", "acs_social_2019"}},
		{"unknown kept", []string{"weather"}, envelope.Flags{"weather"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := envelope.ParseFlags(tt.in...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ParseFlags (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzParseFlags(f *testing.F) {
	f.Add("timezone, Census,,state-leg")
	f.Add("\u00a0İ,ﬀ")
	f.Fuzz(func(t *testing.T, s string) {
		flags := envelope.ParseFlags(s)
		seen := map[string]bool{}
		for _, flag := range flags {
			if flag == "" || seen[flag] || strings.ContainsAny(flag, ",-") {
				t.Errorf("ParseFlags(%q) = %q", s, flags)
			}
			seen[flag] = true
		}
		if diff := cmp.Diff(flags, envelope.ParseFlags(strings.Join(flags, ","))); diff != "" {
			t.Errorf("ParseFlags(%q) is not stable:\n%s", s, diff)
		}
	})
}
