package lookup_test

import (
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// TestZonesOfPoints checks the time zones of points outside all ZIP Codes of the sample, on
// land and at sea (decision D73).
func TestZonesOfPoints(t *testing.T) {
	db := sampletest.Open(t)
	testZones(t, db, map[string]string{
		"35,-150":       "Etc/GMT+10",
		"30,-7.5":       "Etc/GMT",
		"30,7.4":        "Etc/GMT",
		"-30,7.5":       "Etc/GMT-1",
		"0,180":         "Etc/GMT-12",
		"0,-179.999999": "Etc/GMT+12",
	})
	d, err := db.Distance(t.Context(), "35,-150", "90210", radius.DistanceOptions{})
	check(t, err)
	want := lookup.TimeZone{Source: "nautical time zones", Zone: lookup.Zone{
		IANAName: "Etc/GMT+10", Name: "GMT-10", Abbreviation: "GMT-10", AbbreviationDST: "GMT-10", UTCOffset: -10, UTCOffsetDST: -10,
	}}
	if got := d.From.Timezone; got == nil || *got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestZonesOfNationalPoints checks islands beyond the antimeridian, whose outline the
// publisher's file lacks, points in gaps between generalized outlines, and parks.
func TestZonesOfNationalPoints(t *testing.T) {
	path := lookuptest.NationalPath(t)
	db := sampletest.File(t, path)
	testZones(t, db, map[string]string{
		"52.83,173.17":     "America/Adak", // Attu
		"52.71,174.11":     "America/Adak", // Shemya
		"51.97,177.5":      "America/Adak", // Kiska
		"40.6892,-74.0445": "America/New_York",
		"44.4605,-110.828": "America/Denver",
		"25.76,-78":        "Etc/GMT+5",
	})
}

func testZones(t *testing.T, db *postgeo.DB, want map[string]string) {
	t.Helper()
	withReader := door.Take[func(*postgeo.DB, func(*lookup.Reader, time.Time) error) error]()
	for at, zone := range want {
		d, err := db.Distance(t.Context(), at, "90210", radius.DistanceOptions{})
		if err != nil || d.From.Timezone == nil || d.From.Timezone.IANAName != zone {
			t.Errorf("%s: %+v, error %v; want %s", at, d, err, zone)
		}
		var rec *lookup.QuickRecord
		err = withReader(db, func(r *lookup.Reader, _ time.Time) (err error) {
			rec, err = lookup.Quick(r, t.Context(), at, lookup.QuickOptions{Timezone: true}, true)
			return err
		})
		if err != nil || rec.Timezone == nil || rec.Timezone.IANAName != zone {
			t.Errorf("%s: quick lookup %+v, error %v; want %s", at, rec, err, zone)
		}
	}
}
