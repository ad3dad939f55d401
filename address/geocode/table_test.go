package geocode_test

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
)

var update = flag.Bool("update", false, "write the table of testdata again")

// TestTown compares the answers to texts in the invented town: precision, position and
// address, with the notices.
func TestTown(t *testing.T) {
	db := town(t)
	lookuptest.Table(t, "town.txt", *update, func(text string) string {
		r, err := db.Geocode(t.Context(), text, geocode.Options{})
		switch {
		case errors.Is(err, postgeo.ErrNotFound):
			return "not found"
		case errors.Is(err, postgeo.ErrAmbiguous):
			return strings.TrimPrefix(err.Error(), "postgeo: geocode: ")
		case err != nil:
			t.Fatalf("%s: %v", text, err)
		}
		out := fmt.Sprintf("%s %.4f,%.4f %s", r.Precision, r.Location.Lat(), r.Location.Lng(), r.Formatted)
		for _, n := range r.Notices {
			out += "; " + string(n.Code)
			if n.Code == envelope.DataNotLoaded {
				out += ": " + n.Message
			}
		}
		return out
	})
}
