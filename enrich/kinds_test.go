package enrich_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/sampletest"
)

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
	check(t, err)
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
