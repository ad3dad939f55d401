package enrich_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestRowBy checks which key of a row is used, and compares its values with the
// results of an Enricher for its kind alone.
func TestRowBy(t *testing.T) {
	db := sampletest.Open(t)
	code := func(text string) enrich.Key { return enrich.Key{Kind: enrich.Code, Text: text} }
	at := func(text string) enrich.Key { return enrich.Key{Kind: enrich.Coordinates, Text: text} }
	address := func(text string) enrich.Key { return enrich.Key{Kind: enrich.Address, Text: text} }
	const street = "350 5th Ave, New York, NY 10118"
	add := []string{"code", "city", "address.confidence"}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Kinds: []enrich.Kind{enrich.Coordinates, enrich.Address, enrich.Coordinates}, Add: add})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		keys []enrich.Key
		used int
		want enrich.Status
	}{
		{"first", []enrich.Key{code("90210"), at("40.75,-73.99")}, 1, enrich.Matched},
		{"empty first", []enrich.Key{code(" "), at("40.75,-73.99")}, 2, enrich.Matched},
		{"not found first", []enrich.Key{code("99999"), at("40.75,-73.99")}, 2, enrich.Matched},
		{"invalid first", []enrich.Key{at("abc"), code("90210")}, 2, enrich.Matched},
		{"address", []enrich.Key{code(""), at(""), address(street)}, 3, enrich.Matched},
		{"two codes", []enrich.Key{code("99999"), code("10001")}, 2, enrich.Matched},
		{"none answered", []enrich.Key{code(""), code("99999"), at("abc")}, 2, enrich.NotFound},
		{"none", []enrich.Key{code(""), at("")}, 0, enrich.Empty},
		{"no keys", nil, 0, enrich.Empty},
	}
	for _, tt := range tests {
		got, out, err := e.RowBy(t.Context(), tt.keys, nil)
		if err != nil || out.Status != tt.want || len(got) != len(add) {
			t.Fatalf("%s: %v, %v, %v", tt.name, got, out, err)
		}
		if tt.used == 0 {
			continue
		}
		key, alone := tt.keys[tt.used-1], add
		if key.Kind != enrich.Address {
			alone = add[:2] // the others have no confidence
		}
		one, err := enrich.New(db, enrich.Options{Kind: key.Kind, Add: alone})
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := one.Row(t.Context(), key.Text, nil)
		if want = append(want, enrich.Value{})[:len(add)]; err != nil || fmt.Sprint(want) != fmt.Sprint(got) {
			t.Errorf("%s: %v, want %v, %v", tt.name, got, want, err)
		}
	}
}

// TestKindsOptions checks what further kinds allow and refuse.
func TestKindsOptions(t *testing.T) {
	db := sampletest.Open(t)
	for _, tt := range []struct {
		opt  enrich.Options
		want string // in the error
	}{
		{enrich.Options{Kind: enrich.Code, Kinds: []enrich.Kind{enrich.Address}, Add: []string{"address.confidence", "city"}}, ""},
		{enrich.Options{Kind: enrich.City, Kinds: []enrich.Kind{enrich.Code}, Add: []string{"city", "geocode.city"}}, ""},
		{enrich.Options{Kind: enrich.Code, Kinds: []enrich.Kind{enrich.Coordinates}, Add: []string{"address.confidence"}}, "requires addresses"},
		{enrich.Options{Kind: enrich.Code, Kinds: []enrich.Kind{"x"}}, `kind "x"`},
	} {
		_, err := enrich.New(db, tt.opt)
		if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("New(%v, %v, %q): %v, want %q", tt.opt.Kind, tt.opt.Kinds, tt.opt.Add, err, tt.want)
		}
	}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.RowBy(t.Context(), []enrich.Key{{Kind: enrich.City, Text: "Boston"}}, nil); err == nil || !strings.Contains(err.Error(), "Options.Kinds") {
		t.Errorf("RowBy of another kind: %v", err)
	}
}

// TestZIP3 adds the first three digits of US codes (decision D82).
func TestZIP3(t *testing.T) {
	checkRows(t, sampletest.Open(t), enrich.Options{Kind: enrich.Code, Add: []string{"zip3.code", "zip3.safe_harbor"}}, map[string][]string{
		"90210": {"matched", "902", "902", ""}, "00601": {"matched", "006", "006", ""}, "10118": {"matched", "101", "000", ""},
		"K1A": {"no_data", "", "", ""}, "34.09,-118.41": {"matched", "902", "902", ""},
	})
}
