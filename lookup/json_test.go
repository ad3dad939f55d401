package lookup_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/lookup"
)

// The encoder of quick records writes what encoding/json would, whatever the
// fields hold.
func FuzzQuickRecordJSON(f *testing.F) {
	f.Add("Beverly Hills", "90210", uint8(2), 34.1, -118.41, true)
	f.Add("Hagåtña \"<&>\"\u2028", "\xff\x00", uint8(0), 91.0, 0.0, false)
	f.Fuzz(func(t *testing.T, city, code string, flag uint8, lat, lng float64, zone bool) {
		rec := &lookup.QuickRecord{}
		rec.Success = zone
		rec.City, rec.Code, rec.County, rec.CodeType, rec.MultiCounty = city, code, city, lookup.CodeType(flag%8), lookup.Flag(flag%3)
		rec.Location, _ = geo.LatLngFromDegrees(lat, lng)
		if zone {
			rec.Timezone = &lookup.TimeZone{Source: code}
			rec.Timezone.Name, rec.Timezone.UTCOffset = city, float64(int8(flag))/4
			rec.Detail = &lookup.Detail{ZIP4: code, Street: &lookup.Street{Name: city}}
			rec.Notices = []envelope.Notice{{Code: "X", Message: city}}
		}
		got, err := encode.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		var std bytes.Buffer
		enc := json.NewEncoder(&std)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(rec); err != nil {
			t.Fatal(err)
		}
		if want := bytes.TrimSpace(std.Bytes()); !bytes.Equal(want, got) {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}
