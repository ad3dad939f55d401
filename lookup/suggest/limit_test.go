package suggest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/sample"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// standings writes why matches are where they are.
func standings(r *suggest.Result) []suggest.Reason {
	list := []suggest.Reason{}
	for _, m := range r.Matches {
		list = append(list, m.Reason)
	}
	return list
}

// TestLimitCutsTheSameList holds that a smaller limit shows nothing worse than
// the beginning of what a larger one does.
func TestLimitCutsTheSameList(t *testing.T) {
	d, err := dataset.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	e := suggest.New(d)
	for _, query := range []string{"new", "san", "s", "st", "la", "mont", "port", "n", "c", "school", "1", "k1a"} {
		for _, o := range []suggest.Options{
			{},
			{Proximity: "40.7,-74"},
			{Proximity: "94103"},
			{State: "NY", Proximity: "NY"},
			{Country: "CA"},
			{Include: suggest.TypesOf(suggest.Place)},
			{Include: suggest.TypesOf(suggest.SchoolDistrict)},
		} {
			o.Limit = suggest.MaxLimit
			want := standings(ask(t, e, query, o))
			for _, o.Limit = range []int{1, 10, 70} {
				got := standings(ask(t, e, query, o))
				if diff := cmp.Diff(want[:min(o.Limit, len(want))], got); diff != "" {
					t.Errorf("%q, %+v (-beginning of more +got):\n%s", query, o, diff)
				}
			}
		}
	}
}
