package lookup_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/lookup"
)

func TestParseOptions(t *testing.T) {
	got, unknown := lookup.ParseOptions([]string{
		"timezone", " Census ", "state-leg,cd", "SCHOOL_DISTRICT", "demographics", "medicare", "Quality", "likely", "",
		"acs_social", "acs-housing-2019", "acs_social", "geography", "acs_social_1999", "geography", "cd",
	})
	want := lookup.Options{Likely: true, Include: lookup.Include{
		Timezone: true, Census: true, CongressionalDistrict: true, StateLegislative: true, SchoolDistrict: true,
		Demographics: true, Medicare: true, Quality: true,
		ACS: []acs.Tag{{Profile: acs.Social}, {Profile: acs.Housing, Year: 2019}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("include (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"geography", "acs_social_1999"}, unknown); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
	}
	flags := []string{
		"timezone", "census", "cd", "state_leg", "school_district", "demographics", "medicare", "quality", "likely",
		"acs_social", "acs_housing_2019",
	}
	if diff := cmp.Diff(flags, got.Flags()); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
	again, unknown := lookup.ParseOptions(got.Flags())
	if diff := cmp.Diff(got, again); diff != "" || unknown != nil {
		t.Errorf("the flags read back differ, unknown %v (-want +got):\n%s", unknown, diff)
	}
}
