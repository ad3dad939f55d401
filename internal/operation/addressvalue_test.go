package operation_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/operation"
)

// TestAddressValue reads an address as text and as an object.
func TestAddressValue(t *testing.T) {
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, tt := range []struct{ data, echo, want string }{
		{`"350 5th Ave Ste 500, New York, NY 10118"`, "350 5th Ave Ste 500, New York, NY 10118", "350 5TH AVE STE 500"},
		{`{"street":"350 5th Ave","unit":"Ste 500","city":"New York","state":"NY","zip":"10118","note":1}`, "350 5th Ave, Ste 500, New York, NY 10118", "350 5TH AVE STE 500"},
		{`{"street":"1100 Congress Ave","zip":"78701","country":"US"}`, "1100 Congress Ave, 78701, US", "1100 CONGRESS AVE"},
		{`{"street":5}`, "", "error"},
		{`5`, "", "error"},
	} {
		var v operation.AddressValue
		if err := json.Unmarshal([]byte(tt.data), &v); err != nil {
			if tt.want != "error" {
				t.Errorf("%s: %v", tt.data, err)
			}
			continue
		}
		m, err := v.Match(t.Context(), db, address.Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.data, err)
			continue
		}
		if diff := cmp.Diff([]string{tt.want, tt.echo}, []string{m.Data.AddressLine1, v.Echo().Address}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.data, diff)
		}
	}
}
