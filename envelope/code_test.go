package envelope_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
)

// codes returns the values of the constants of code.go whose type is Code, by
// the comment over their group.
func codes(t *testing.T) map[string][]envelope.Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, parser.ParseComments)
	check(t, err)
	groups := map[string][]envelope.Code{}
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			v := spec.(*ast.ValueSpec)
			if typ, ok := v.Type.(*ast.Ident); !ok || typ.Name != "Code" {
				continue
			}
			s, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			check(t, err)
			title, _, _ := strings.Cut(group.Doc.Text(), " ")
			groups[title] = append(groups[title], envelope.Code(s))
		}
	}
	return groups
}

var links = envelope.Links{
	Site: "https://x.test/", Account: "https://x.test/account", Pricing: "https://x.test/pricing",
	Docs: "https://x.test/docs", AuthDocs: "https://x.test/docs#auth",
}

// TestCodes writes down what the contract says of every error code.
func TestCodes(t *testing.T) {
	var b strings.Builder
	for _, code := range codes(t)["Error"] {
		e := links.Error(&envelope.Fault{Code: code, Message: "text"})
		status, retryable := code.Status(), e.Retryable != nil && *e.Retryable
		fmt.Fprintf(&b, "%-34s %d retryable=%-5v %s\n", code, status, retryable, e.URL)
		if want := status == 429 || status == 503; retryable != want {
			t.Errorf("%s has status %d and retryable %v", code, status, e.Retryable)
		}
		if e.Code != code || e.Message != "text" {
			t.Errorf("error of %s: got %+v", code, e)
		}
	}
	lookuptest.Text(t, "codes.golden", b.String(), *update)
}

func TestNoticeCodesAreNoErrors(t *testing.T) {
	notices := codes(t)["Notice"]
	if len(notices) != 22 {
		t.Errorf("the contract has 19 notice codes and this module 3 more, code.go %d", len(notices))
	}
	for _, code := range notices {
		if got := code.Status(); got != 500 {
			t.Errorf("%s counts as an error with status %d", code, got)
		}
	}
}

func TestLinksError(t *testing.T) {
	yes := true
	tests := []struct {
		name string
		err  error
		want envelope.Error
	}{
		{
			"plain error shows nothing", errors.New("password is swordfish"),
			envelope.Error{Code: envelope.InternalError, Message: wording.Internal, URL: links.Site},
		},
		{
			"wrapped failure", fmt.Errorf("looking: %w", &envelope.Fault{Code: envelope.NotFoundZIP, Message: "gone"}),
			envelope.Error{Code: envelope.NotFoundZIP, Message: "gone", URL: links.Site},
		},
		{
			"bearer", &envelope.Fault{Code: envelope.AuthMissingKey, Message: wording.BearerKey, AuthDocs: true},
			envelope.Error{Code: envelope.AuthMissingKey, Message: wording.BearerKey, URL: links.AuthDocs},
		},
		{
			"other status", &envelope.Fault{Code: envelope.ServiceUnavailable, Message: wording.TimedOut, Status: 504},
			envelope.Error{Code: envelope.ServiceUnavailable, Message: wording.TimedOut, Retryable: &yes, URL: links.Site},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, *links.Error(tt.err)); diff != "" {
				t.Errorf("Error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFailedItemIsNeverRetryable(t *testing.T) {
	item := links.Failed(envelope.Input{Code: "90210"}, &envelope.Fault{Code: envelope.ServiceUnavailable, Message: wording.Unavailable})
	want := envelope.Item{
		Input: &envelope.Input{Code: "90210"},
		Error: &envelope.Error{Code: envelope.ServiceUnavailable, Message: wording.Unavailable, URL: links.Site},
	}
	if diff := cmp.Diff(want, item); diff != "" {
		t.Errorf("Failed (-want +got):\n%s", diff)
	}
}

var update = flag.Bool("update", false, "rewrite the golden files")

// TestOfInput separates failures of inputs from those of the dataset file, also
// in wrapped errors.
func TestOfInput(t *testing.T) {
	cause := errors.New("input/output error")
	for _, tt := range []struct {
		err error
		ok  bool
	}{
		{nil, false},
		{cause, false},
		{&envelope.Failure{Kind: envelope.KindNotFound, Input: "99999"}, true},
		{&envelope.Failure{Kind: envelope.KindInvalidCode, Input: "x"}, true},
		{&envelope.Failure{Kind: envelope.KindInvalidParam, Param: "Max"}, true},
		{&envelope.Failure{Kind: envelope.KindAmbiguous}, true},
		{&envelope.Failure{Kind: envelope.KindUnavailable, Lacks: "outlines"}, true},
		{&envelope.Failure{Kind: envelope.KindUnavailable, Err: cause}, false},
		{&envelope.Failure{Kind: envelope.KindNotFound, Err: cause}, true},
		{&envelope.Failure{Kind: envelope.KindDamaged}, false},
		{&envelope.Failure{Kind: envelope.KindClosed}, false},
		{&envelope.Fault{Code: envelope.AuthMissingKey, Message: "no key"}, true},
	} {
		for _, err := range []error{tt.err, fmt.Errorf("wrapped: %w", tt.err)} {
			if f := envelope.OfInput(err); (f != nil) != tt.ok {
				t.Errorf("%v: %v; want %v", err, f, tt.ok)
			}
		}
	}
}

// TestReadBack checks that custom decoders read the output of their encoders.
func TestReadBack(t *testing.T) {
	readBack(t, fullMeta())
	readBack(t, envelope.Stages{{Name: "b", MS: 1}, {Name: "a", MS: 0.25}})
	readBack(t, envelope.RadiusMax{Miles: 12.5})
	readBack(t, envelope.RadiusMax{Auto: "auto-commute"})
	readBack(t, operation.RadiusRequest{Code: "90210", Max: envelope.RadiusMax{Auto: "auto"}, Mode: "spatial", Include: envelope.Flags{}})
}

func readBack[T any](t *testing.T, want T) {
	t.Helper()
	data, err := json.Marshal(want)
	check(t, err)
	var got T
	check(t, json.Unmarshal(data, &got))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", data, diff)
	}
}

// TestRefusesToRead checks that values of the wrong kind are rejected.
func TestRefusesToRead(t *testing.T) {
	for _, data := range []string{`[]`, `{"a":"b"}`, `"a"`, `1`, `{"a":{}}`} {
		var s envelope.Stages
		if err := json.Unmarshal([]byte(data), &s); err == nil {
			t.Errorf("stages %s: read as %v", data, s)
		}
	}
	for _, data := range []string{`[]`, `{}`, `true`} {
		var m envelope.RadiusMax
		if err := json.Unmarshal([]byte(data), &m); err == nil {
			t.Errorf("max %s: read as %v", data, m)
		}
	}
}

var check = checktest.Check

func TestFaultOfAddressWithoutCity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ detail, want string }{
		{"", "The address has no city and no ZIP Code or postal code. "},
		{`address "Club, 1 Main St" has no city: "1 MAIN ST" was read as the street`, `Address "Club, 1 Main St" has no city: "1 MAIN ST" was read as the street.`},
	} {
		f := envelope.FaultOf(&envelope.Failure{
			Op: "geocode", Kind: envelope.KindAmbiguous, Thing: envelope.ThingAddress, Reason: envelope.ReasonIncomplete, Input: "Club, 1 Main St", Detail: c.detail,
		})
		if f.Code != envelope.Ambiguous || !strings.HasPrefix(f.Message, c.want) {
			t.Errorf("of %q: %s %s; want %s", c.detail, f.Code, f.Message, c.want)
		}
	}
}
