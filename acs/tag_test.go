package acs_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
)

func TestParseTag(t *testing.T) {
	for _, p := range []acs.Profile{acs.Demographic, acs.Social, acs.Economic, acs.Housing} {
		check := func(text string, want acs.Tag) {
			t.Helper()
			got, err := acs.ParseTag(text, acs.ZCTA)
			if err != nil || got != want {
				t.Errorf("ParseTag(%q) = %v, %v; want %v", text, got, err, want)
			}
			if got.Flag(acs.ZCTA) != text {
				t.Errorf("%#v is %q, want %q", got, got.Flag(acs.ZCTA), text)
			}
		}
		check("acs_"+p.String(), acs.Tag{Profile: p})
		for y := uint16(2011); y <= 2024; y++ {
			check(fmt.Sprintf("acs_%s_%d", p, y), acs.Tag{Profile: p, Year: y})
		}
	}
}

func TestParseTagRefuses(t *testing.T) {
	for _, text := range []string{
		"", "acs", "acs_", "acs__2019", "social", "acs_social_", "acs_social_2010", "acs_social_2025",
		"acs_social_19", "acs_social_02019", "acs_social_2019_", "acs_social_-201", "acs_Social", "acs_tract_social",
		"ACS_SOCIAL", " acs_social", "acs_social_２０１９",
	} {
		if got, err := acs.ParseTag(text, acs.ZCTA); !errors.Is(err, envelope.ErrInvalidParam) || got != (acs.Tag{}) {
			t.Errorf("ParseTag(%q) = %v, %v; want ErrInvalidTag", text, got, err)
		}
	}
	for _, zero := range []string{acs.Tag{}.Flag(acs.Tract), acs.Profile(0).String(), acs.Profile(9).String(), acs.Tag{Year: 2019}.Flag(acs.ZCTA)} {
		if zero != "" {
			t.Errorf("a tag of nothing is %q, want the empty string", zero)
		}
	}
}

func FuzzParseTag(f *testing.F) {
	f.Add("acs_social_2019")
	f.Add("acs_housing")
	f.Fuzz(func(t *testing.T, text string) {
		tag, err := acs.ParseTag(text, acs.ZCTA)
		if err == nil && tag.Flag(acs.ZCTA) != text {
			t.Fatalf("ParseTag(%q) = %v, which is %q", text, tag, tag.Flag(acs.ZCTA))
		}
	})
}

func ExampleParseTag() {
	tag, err := acs.ParseTag("acs_social_2019", acs.ZCTA)
	fmt.Println(tag.Profile, tag.Year, err)
	// Output: social 2019 <nil>
}
