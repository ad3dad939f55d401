package data

import (
	"errors"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

func TestExamine(t *testing.T) {
	land := int64(1)
	d := lookuptest.OpenFile(t, lookuptest.Path(t, func(w *storewrite.Writer) error {
		return errors.Join(
			w.AddZIP(store.ZIPRow{ZIP: 99998, City: "Nowhere", State: 1, Class: store.General}, store.ZIPDetail{LandArea: &land}),
			w.AddZIP(store.ZIPRow{ZIP: 99999, State: 1, County: 2, Class: store.Unique, Location: geo.MustLatLng(1, 1)}, store.ZIPDetail{}),
		)
	}))
	findings, err := examine(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	got := map[[2]string]finding{}
	for i, f := range findings {
		got[[2]string{f.Code, f.Problem}] = f
		if i > 0 && f.People > findings[i-1].People {
			t.Errorf("%s affects %d people and comes after %s with %d", f.Code, f.People, findings[i-1].Code, findings[i-1].People)
		}
		if f.Detail == "" {
			t.Errorf("%s %s has no detail", f.Code, f.Problem)
		}
		if outside := strings.HasPrefix(f.Problem, "point outside"); outside != (f.Outside > 0) {
			t.Errorf("%s %s: %v miles outside", f.Code, f.Problem, f.Outside)
		}
	}
	for _, want := range [][2]string{
		{"90210", "class inferred"},
		{"90210", "county disagreement"},
		{"99998", "no county"},
		{"99998", "no outline"},
		{"99998", "no population"},
		{"99998", "no point"},
		{"99999", "point outside county"},
		{"A1C", "outline area"},
		{"QC", "no postal codes"},
	} {
		if _, ok := got[want]; !ok {
			t.Errorf("%v is missing", want)
		}
	}
	if f := got[[2]string{"A1C", "outline area"}]; f.Ratio != 10.0312 || f.People != 11_000 || f.State != "NL" {
		t.Errorf("got %+v", f)
	}
}
