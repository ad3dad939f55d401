package geocode_test

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// opened returns the tables and the answers of a dataset: that of $POSTGEO_NATIONAL, else
// the sample.
func opened(t *testing.T, national bool) (*store.Dataset, *postgeo.DB) {
	t.Helper()
	path := sampleFile
	if national {
		if path = os.Getenv("POSTGEO_NATIONAL"); path == "" {
			t.Skip("set POSTGEO_NATIONAL to a national dataset to run this")
		}
	}
	d, err := sqlite.Open(path)
	db, failed := postgeo.Open(path)
	if err := errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close(); d.Close() })
	if err := d.Load(t.Context(), store.SectionEntities); err != nil {
		t.Fatal(err)
	}
	return d, db
}

// codesOnce yields the city names of the ZIP Codes with their states, each once.
func codesOnce(d *store.Dataset) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		seen := map[[2]string]bool{}
		for row := range d.ZIPs() {
			key := [2]string{row.City, d.State(row.State).Abbr}
			if row.City == "" || seen[key] {
				continue
			}
			if seen[key] = true; !yield(key[0], key[1]) {
				return
			}
		}
	}
}

// TestCitiesOfCodes geocodes an unknown street in every city of the ZIP Codes. None
// becomes another city.
func TestCitiesOfCodes(t *testing.T) {
	for _, national := range []bool{false, true} {
		t.Run(fmt.Sprintf("national=%v", national), func(t *testing.T) {
			d, db := opened(t, national)
			all, found := 0, 0
			for city, state := range codesOnce(d) {
				all++
				text := fmt.Sprintf("1 Nowhere St, %s, %s", city, state)
				r, err := db.Geocode(t.Context(), text, geocode.Options{})
				switch {
				case errors.Is(err, postgeo.ErrAmbiguous):
				case err != nil:
					t.Log(err)
				default:
					if found++; namekey.Of(r.City) != namekey.Of(city) || r.State != state || len(r.Notices) > 1 {
						t.Errorf("%s: %s, notices %v", text, r.Formatted, r.Notices)
					}
				}
			}
			if t.Logf("%d of %d cities found", found, all); found*1000 < 998*all {
				t.Errorf("found %d of %d cities", found, all)
			}
		})
	}
}

// TestPlaces geocodes the places of the Gazetteer and the census subdivisions in three
// forms. Each is found at its point, is ambiguous, or is a namesake that the answer lists.
func TestPlaces(t *testing.T) {
	d, db := opened(t, true)
	for _, form := range []string{"%s, %s", "1 Nowhere St, %s, %s", "123 Nowhere St %s %s"} {
		us, canada := placesOf(d)
		for name, list := range map[string][]store.Entity{"United States": us, "Canada": canada, "largest of Canada": canada[:400]} {
			found, ambiguous, namesakes := 0, 0, 0
			for _, e := range list {
				city, _, _ := strings.Cut(e.Name, " (")
				text := fmt.Sprintf(form, city, d.State(e.State).Abbr)
				r, err := db.Geocode(t.Context(), text, geocode.Options{})
				switch {
				case errors.Is(err, postgeo.ErrAmbiguous):
					ambiguous++
					continue
				case err != nil:
					continue // not found rather than another place
				}
				found++
				near := func(p geocode.Place) bool { return geo.Distance(p.Location, e.Location) < 25_000 }
				switch {
				case namekey.Of(r.City) != namekey.Of(city) || r.State != d.State(e.State).Abbr:
					t.Errorf("%s: %s", text, r.Formatted)
				case !e.Location.IsValid() || near(r.Place):
				case slices.ContainsFunc(r.Candidates, near):
					namesakes++
				default:
					t.Errorf("%s: %v, want %v", text, r.Location, e.Location)
				}
			}
			t.Logf("%s, %q: %d, %d found, of which %d at a namesake, %d ambiguous", name, form, len(list), found, namesakes, ambiguous)
			if least := map[string]float64{"United States": 0.999, "Canada": 0.94, "largest of Canada": 0.99}[name]; float64(found+ambiguous) < least*float64(len(list)) {
				t.Errorf("%s, %q: found %d of %d", name, form, found, len(list))
			}
		}
	}
}

// placesOf returns the municipalities of each country, the largest first.
func placesOf(d *store.Dataset) (us, canada []store.Entity) {
	all := d.Entities()
	for i := range all.Len() {
		switch e := all.At(i); {
		case e.Kind != store.EntityPlace || strings.Contains(e.Name, "(Part"): // a part of a subdivision
		case d.State(e.State).Country == store.CA:
			canada = append(canada, *e)
		default:
			us = append(us, *e)
		}
	}
	slices.SortStableFunc(canada, func(x, y store.Entity) int { return int(y.Population - x.Population) })
	return us, canada
}
