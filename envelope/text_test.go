package envelope_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// texts are all the sentences of the package, by the name of their constant or
// function.
var texts = []struct{ name, text string }{
	{"MissingParam", envelope.MissingParam("code", "")},
	{"MissingParam", envelope.MissingParam("code", "zipcode")},
	{"EmptyParam", envelope.EmptyParam("code")},
	{"InvalidParam", envelope.InvalidParam("limit", "a whole number of at least 1")},
	{"TooLong", envelope.TooLong("code", 50)},
	{"TooShort", envelope.TooShort("address", 9)},
	{"InvalidZIP", envelope.InvalidZIP("9021")},
	{"InvalidFSA", envelope.InvalidFSA("KA1")},
	{"InvalidPostal", envelope.InvalidPostal("K1A 0B")},
	{"InvalidCoordinates", envelope.InvalidCoordinates("91,0")},
	{"ZIPNotFound", envelope.ZIPNotFound("00000")},
	{"FSANotFound", envelope.FSANotFound("D0D")},
	{"PostalNotFound", envelope.PostalNotFound("K1A 9Z9")},
	{"CodeNotFound", envelope.CodeNotFound("00000")},
	{"NoOutline", envelope.NoOutline("90213")},
	{"EndNotFound", envelope.EndNotFound("00000")},
	{"NoBoundary", envelope.NoBoundary("0", "-30.5")},
	{"NoBoundaries", envelope.NoBoundaries("0", "-30.5")},
	{"CenterNotFound", envelope.CenterNotFound("00000")},
	{"InvalidMode", envelope.InvalidMode("round")},
	{"SpatialBatch", envelope.SpatialBatch},
	{"Internal", envelope.Internal},
	{"Unavailable", envelope.Unavailable},
	{"TimedOut", envelope.TimedOut},
	{"HeaderTooLarge", envelope.HeaderTooLarge(32)},
	{"RequestUnreadable", envelope.RequestUnreadable("missing required Host header")},
	{"TwoLengths", envelope.TwoLengths},
	{"Busy", envelope.Busy},
	{"MissingKey", envelope.MissingKey},
	{"BearerKey", envelope.BearerKey},
	{"InvalidKey", envelope.InvalidKey},
	{"InvalidKeyFormat", envelope.InvalidKeyFormat},
	{"InsufficientCredits", envelope.InsufficientCredits(12, 3)},
	{"InsufficientBatchCredits", envelope.InsufficientBatchCredits(120, 3)},
	{"FreeTierRadius", envelope.FreeTierRadius(50, "spatial")},
	{"PathWithoutVersion", envelope.PathWithoutVersion},
	{"PathUnknownVersion", envelope.PathUnknownVersion("v3")},
	{"PathUnknown", envelope.PathUnknown},
	{"MethodNotAllowed", envelope.MethodNotAllowed("PUT", "GET, HEAD or POST")},
	{"BodyTooLarge", envelope.BodyTooLarge(262144)},
	{"BodyEncoded", envelope.BodyEncoded("gzip")},
	{"BodyMalformed", envelope.BodyMalformed("the error is at byte 7")},
	{"BodyNotObject", envelope.BodyNotObject},
	{"BodyUnread", envelope.BodyUnread},
	{"WrongType", envelope.WrongType("code", "a string")},
	{"TooManyFlags", envelope.TooManyFlags("include", 50)},
	{"BatchTooLarge", envelope.BatchTooLarge("codes", 100)},
	{"QueryMalformed", envelope.QueryMalformed("it is not UTF-8")},
	{"QueryTooLong", envelope.QueryTooLong(8192)},
	notice("Normalized", envelope.Normalized("K1A0B1", "K1A 0B1")),
	notice("Fallback", envelope.Fallback("K1A 9Z9", "K1A")),
	notice("UnavailableEnrichments", envelope.UnavailableEnrichments([]string{"census", "cd"})),
	notice("UnknownEnrichments", envelope.UnknownEnrichments([]string{"weather", "crime"})),
	notice("Points", envelope.Points("34.0901", "-118.4065")),
	notice("Resolved", envelope.Resolved("ZIP", "90210")),
	notice("Duplicates", envelope.Duplicates(2)),
	notice("CommuteFallback", envelope.CommuteFallback()),
	notice("DensityDefault", envelope.DensityDefault()),
	notice("OutlineArea", envelope.OutlineArea("T2J", 10.0312)),
	notice("NotLoaded", envelope.NotLoaded("postal codes of Quebec")),
	notice("Capped", envelope.Capped(10000, 12345)),
	notice("SuggestCapped", envelope.SuggestCapped("https://example.com/pricing")),
}

func notice(name string, n envelope.Notice) struct{ name, text string } {
	return struct{ name, text string }{name, fmt.Sprintf("%s (%s) %s %s", n.Code, n.Class, n.Message, n.URL)}
}

func TestTexts(t *testing.T) {
	var b strings.Builder
	for _, x := range texts {
		fmt.Fprintf(&b, "%s: %s\n", x.name, strings.TrimSpace(x.text))
	}
	golden(t, "texts.golden", b.String())
}

// TestTextsComplete holds that every sentence of text.go is in the table.
func TestTextsComplete(t *testing.T) {
	listed := map[string]bool{}
	for _, x := range texts {
		listed[x.name] = true
	}
	file, err := parser.ParseFile(token.NewFileSet(), "text.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, decl := range file.Decls {
		var names []string
		switch d := decl.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for _, n := range v.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
		for _, name := range names {
			found++
			if !listed[name] {
				t.Errorf("%s is not in the golden table of texts", name)
			}
		}
	}
	if found == 0 {
		t.Error("text.go declares nothing")
	}
}

// golden compares got with a file of testdata, or rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; run the test with -update if that is meant (-want +got):\n%s", path, diff)
	}
}
