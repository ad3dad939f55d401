package operation_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestIgnored checks that Run reports unknown flags once, and RunBare does not.
func TestIgnored(t *testing.T) {
	db := sampletest.Open(t)
	place, flags := operation.Place{Code: "90210"}, envelope.Flags{"weather"}
	lookup := operation.LookupParams{Include: flags}
	around := operation.PlaceParams{Include: flags}
	for _, tt := range []struct {
		about *operation.Operation
		in    any
	}{
		{operation.Lookup, &operation.LookupInput{Place: place, LookupParams: lookup}},
		{operation.Quick, &operation.QuickInput{Place: place, LookupParams: lookup}},
		{operation.Radius, &operation.RadiusInput{Place: place, RadiusParams: operation.RadiusParams{Max: operation.Reach{Miles: 1}, Include: flags}}},
		{operation.Nearest, &operation.NearestInput{Place: place, Count: 1, Include: flags}},
		{operation.Address, &operation.AddressInput{AddressLine: operation.AddressLine{Address: operation.Address.Param("address").Example}, AddressParams: operation.AddressParams{Include: flags}}},
		{operation.Geocode, &operation.GeocodeInput{Address: "5th Ave & W 34th St, New York, NY 10001", GeocodeParams: operation.GeocodeParams{PlaceParams: around}}},
		{operation.Reverse, &operation.ReverseInput{Point: "40.7484,-73.9857", ReverseParams: operation.ReverseParams{Within: 5000, PlaceParams: around}}},
	} {
		for want, run := range map[int]func() (any, error){
			0: func() (any, error) { return tt.about.RunBare(t.Context(), db, tt.in) },
			1: func() (any, error) { return tt.about.Run(t.Context(), db, tt.in) },
		} {
			out, err := run()
			if err != nil {
				t.Errorf("%s: %v", tt.about.Name, err)
				continue
			}
			text, err := json.Marshal(out)
			if got := strings.Count(string(text), string(envelope.ValidationUnknownEnrichment)); got != want || err != nil {
				t.Errorf("%s: %d notices of the flag, want %d, %v: %.300s", tt.about.Name, got, want, err, text)
			}
		}
	}
}
