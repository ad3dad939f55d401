package postgeo_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestSuggestInclude requires that street addresses are suggested only if they are
// included.
func TestSuggestInclude(t *testing.T) {
	db := sampletest.Open(t)
	for _, tt := range []struct {
		include []string
		state   string
		want    []string
	}{
		{nil, "", nil},
		{[]string{"address"}, "", []string{"address 350 5TH AVE, NEW YORK, NY 10118"}},
		{[]string{"address", "place"}, "NY", []string{"address 350 5TH AVE, NEW YORK, NY 10118"}},
		{[]string{"address"}, "VA", nil},
	} {
		in := operation.SuggestInput{Query: "350 5th av", Include: tt.include, State: tt.state, Proximity: "10118"}
		r, err := in.Run(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range r.Matches {
			got = append(got, string(m.Type)+" "+m.Name+", "+m.City+", "+m.State+" "+m.AssociatedZIPs[0])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || r.TotalMatched != len(got) {
			t.Errorf("%v %s: %d (-want +got):\n%s", tt.include, tt.state, r.TotalMatched, diff)
		}
	}
}
