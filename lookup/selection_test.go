package lookup_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/lookup"
)

// TestOnly checks that a selection of everything changes nothing but the notices
// about coordinates.
func TestOnly(t *testing.T) {
	r := newReader(t)
	opt, _ := lookup.ParseOptions([]string{"timezone,census,cd,state_leg,school_district,demographics,medicare,quality,cd_next,state_leg_next,acs_social"})
	all := door.Selection{Details: true}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[lookup.CensusPeriod]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		all.Census = append(all.Census, name)
	}
	for _, input := range []string{"90210", "K1A", "K1A 0B1", "99999", "34.0901,-118.4065", "45.42,-75.69", "0,0", "x"} {
		record := func(only *door.Selection) string {
			rec, err := lookup.Full(r, t.Context(), input, opt, only)
			if err != nil {
				return err.Error()
			}
			rec.Notices = nil
			text, err := json.Marshal(rec)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		if diff := cmp.Diff(record(nil), record(&all)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", input, diff)
		}
	}
}
