package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
)

func TestAttributions(t *testing.T) {
	m := dataset.Manifest{Sources: []dataset.Source{
		{Attribution: "U.S. Survey of Elms, U.S. Bureau"},
		{},
		{Attribution: "Adapted from Elm, 2021"},
		{Attribution: "Adapted from Elm, 2021. Contains data of Oak"},
		{Attribution: "U.S. Survey of Elms, U.S. Bureau"},
		{Attribution: "Contains data of Oak."},
		{Attribution: "By Ash & friends."},
	}}
	want := []string{"U.S. Survey of Elms, U.S. Bureau", "Adapted from Elm, 2021", "Contains data of Oak", "By Ash & friends."}
	if diff := cmp.Diff(want, m.Attributions()); diff != "" {
		t.Errorf("attributions (-want +got):\n%s", diff)
	}
	if got := (dataset.Manifest{}).Attributions(); got != nil {
		t.Errorf("attributions of nothing: %q", got)
	}
}
