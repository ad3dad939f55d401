package wording_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/wording"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// texts are all the messages of the package, by the name of their constant or
// function.
var texts = []struct{ name, text string }{
	{"MissingParam", wording.MissingParam("code", "")},
	{"MissingParam", wording.MissingParam("code", "zipcode")},
	{"EmptyParam", wording.EmptyParam("code")},
	{"InvalidParam", wording.InvalidParam("limit", "a whole number of at least 1")},
	{"TooLong", wording.TooLong("code", 50)},
	{"TooShort", wording.TooShort("address", 9)},
	{"InvalidZIP", wording.InvalidZIP("9021")},
	{"InvalidFSA", wording.InvalidFSA("KA1")},
	{"InvalidPostal", wording.InvalidPostal("K1A 0B")},
	{"InvalidCoordinates", wording.InvalidCoordinates("91,0")},
	{"ZIPNotFound", wording.ZIPNotFound("00000")},
	{"FSANotFound", wording.FSANotFound("D0D")},
	{"PostalNotFound", wording.PostalNotFound("K1A 9Z9")},
	{"CodeNotFound", wording.CodeNotFound("00000")},
	{"NotLoaded", wording.NotLoaded("postal codes of Quebec")},
	{"NoOutline", wording.NoOutline("90213")},
	{"EndNotFound", wording.EndNotFound("00000")},
	{"NoBoundary", wording.NoBoundary("0", "-30.5")},
	{"NoBoundaries", wording.NoBoundaries("0", "-30.5")},
	{"CenterNotFound", wording.CenterNotFound("00000")},
	{"InvalidMode", wording.InvalidMode("round")},
	{"SpatialBatch", wording.SpatialBatch},
	{"Internal", wording.Internal},
	{"Unavailable", wording.Unavailable},
	{"TimedOut", wording.TimedOut},
	{"HeaderTooLarge", wording.HeaderTooLarge(32)},
	{"RequestUnreadable", wording.RequestUnreadable("missing required Host header")},
	{"KeyReused", wording.KeyReused},
	{"TwoLengths", wording.TwoLengths},
	{"Busy", wording.Busy},
	{"MissingKey", wording.MissingKey},
	{"BearerKey", wording.BearerKey},
	{"InvalidKey", wording.InvalidKey},
	{"InvalidKeyFormat", wording.InvalidKeyFormat},
	{"InsufficientCredits", wording.InsufficientCredits(12, 3)},
	{"InsufficientBatchCredits", wording.InsufficientBatchCredits(120, 3)},
	{"FreeTierRadius", wording.FreeTierRadius(50, "spatial")},
	{"PathWithoutVersion", wording.PathWithoutVersion},
	{"PathUnknownVersion", wording.PathUnknownVersion("v3")},
	{"PathUnknown", wording.PathUnknown},
	{"MethodNotAllowed", wording.MethodNotAllowed("PUT", "GET, HEAD or POST")},
	{"BodyTooLarge", wording.BodyTooLarge(262144)},
	{"BodyEncoded", wording.BodyEncoded("gzip")},
	{"BodyMalformed", wording.BodyMalformed("the error is at byte 7")},
	{"BodyNotObject", wording.BodyNotObject},
	{"BodyUnread", wording.BodyUnread},
	{"WrongType", wording.WrongType("code", "a string")},
	{"TooManyFlags", wording.TooManyFlags("include", 50)},
	{"BatchTooLarge", wording.BatchTooLarge("codes", 100)},
	{"QueryMalformed", wording.QueryMalformed("it is not UTF-8")},
	{"QueryTooLong", wording.QueryTooLong(8192)},
	{"InactiveKey", wording.InactiveKey},
	{"InactiveAccount", wording.InactiveAccount},
	{"AddressNotAllowed", wording.AddressNotAllowed},
	{"OriginNotAllowed", wording.OriginNotAllowed},
	{"AddressBlocked", wording.AddressBlocked},
	{"BatchNeedsSubscription", wording.BatchNeedsSubscription},
	{"TestKeyNoBatch", wording.TestKeyNoBatch},
	{"TestKeyRoute", wording.TestKeyRoute},
	{"TestKeyCode", wording.TestKeyCode("90211")},
	{"TestKeyAddress", wording.TestKeyAddress},
	{"TestKeyRadius", wording.TestKeyRadius(10, 12.5)},
	{"RateLimited", wording.RateLimited(60)},
	{"FloodLimited", wording.FloodLimited},
}

func TestTexts(t *testing.T) {
	var b strings.Builder
	for _, x := range texts {
		fmt.Fprintf(&b, "%s: %s\n", x.name, strings.TrimSpace(x.text))
	}
	lookuptest.Text(t, "texts.golden", b.String(), *update)
}

// TestTextsComplete verifies that every message of the package is in the table.
func TestTextsComplete(t *testing.T) {
	listed := map[string]bool{}
	for _, x := range texts {
		listed[x.name] = true
	}
	var decls []ast.Decl
	for _, name := range []string{"wording.go", "auth.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		decls = append(decls, file.Decls...)
	}
	found := 0
	for _, decl := range decls {
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
		t.Error("the package declares nothing")
	}
}
