package builder_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
)

// TestEditionOfMirror builds from a mirror that holds two editions, one of them
// later than the catalog's, and with editions chosen by name.
func TestEditionOfMirror(t *testing.T) {
	dir := inventedMirror(t)
	base := filepath.Join(dir, "www2.census.gov/geo/docs/maps-data/data/gazetteer")
	held, err := filepath.Glob(filepath.Join(base, "*/*_Gaz_counties_national.zip"))
	if err != nil || len(held) != 1 {
		t.Fatalf("Gazetteers of counties %q, %v", held, err)
	}
	file, err := os.ReadFile(held[0])
	if err != nil {
		t.Fatal(err)
	}
	year := filepath.Base(held[0])[:4]
	later := filepath.Join(base, "2028_Gazetteer", "2028_Gaz_counties_national.zip")
	if err := os.MkdirAll(filepath.Dir(later), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(later, file, 0o600); err != nil {
		t.Fatal(err)
	}
	actual, err := os.ReadFile(filepath.Join(dir, "ACTUAL.csv"))
	if err != nil {
		t.Fatal(err)
	}
	actual = append(actual, strings.TrimPrefix(filepath.ToSlash(later), filepath.ToSlash(dir)+"/")+",2028,78,,,\n"...)
	if err := os.WriteFile(filepath.Join(dir, "ACTUAL.csv"), actual, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		editions          []string
		vintage, reported string
	}{
		{nil, "2028", "gazetteer-counties: 2028, not 2026"},
		{[]string{"gazetteer=" + year}, year, ""},
	} {
		out := filepath.Join(t.TempDir(), "out.db")
		r, err := builder.Build(t.Context(), builder.Options{Mirror: dir, Output: out, Editions: tt.editions})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range r.Sources {
			if s.ID == "gazetteer-counties" && s.Vintage != "invented" && s.Vintage != tt.vintage {
				t.Errorf("editions %q: counties of %s, want %s", tt.editions, s.Vintage, tt.vintage)
			}
		}
		found := ""
		for _, f := range r.Rules {
			if f.Name == "another edition than the catalog's was read" {
				found = strings.Join(f.Examples, "; ")
			}
		}
		if (tt.reported == "") != !strings.Contains(found, "gazetteer-counties") || !strings.Contains(found, tt.reported) {
			t.Errorf("editions %q: other editions %q, want %q", tt.editions, found, tt.reported)
		}
	}
	_, err = builder.Build(t.Context(), builder.Options{Mirror: dir, Output: filepath.Join(t.TempDir(), "out.db"), Editions: []string{"gazetteer-counties=2027"}})
	if err == nil || !strings.Contains(err.Error(), "2027_Gaz_counties_national.zip") {
		t.Errorf("an edition that the mirror lacks: %v", err)
	}
}
