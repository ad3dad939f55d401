package acs_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
)

var update = flag.Bool("update", false, "write the tables of testdata again")

// TestTexts compares tags, labels and names of fields with testdata/texts.txt.
func TestTexts(t *testing.T) {
	lookuptest.Table(t, "texts.txt", *update, func(line string) string {
		kind, text, _ := strings.Cut(line, " ")
		key, rest, _ := strings.Cut(text, " ")
		field, _ := acs.FieldByKey(key)
		switch kind {
		case "tag", "tract":
			level := map[string]acs.Level{"tag": acs.ZCTA, "tract": acs.Tract}[kind]
			tag, err := acs.ParseTag(text, level, 2024)
			if err != nil {
				if !errors.Is(err, envelope.ErrInvalidParam) || tag != (acs.Tag{}) {
					t.Errorf("%s is %v, %v", text, tag, err)
				}
				return "refused"
			}
			return fmt.Sprint(tag.Profile, " ", tag.Year, ", ", tag.Flag(level))
		case "agrees":
			return fmt.Sprint(acs.Agrees(field, rest))
		case "dollars":
			return fmt.Sprint(acs.DollarYear(text))
		case "label":
			year, err := strconv.Atoi(rest)
			check(t, err)
			return field.LabelIn(year)
		case "sections":
			var list []string
			for _, f := range acs.Fields(acs.Query{}) {
				if f.Profile.String() == text {
					list = append(list, f.Section)
				}
			}
			return strings.Join(slices.Compact(list), " ")
		}
		_, err := acs.ParseFields(text)
		if !errors.Is(err, envelope.ErrInvalidParam) {
			t.Fatalf("field %s: %v", text, err)
		}
		return err.Error()
	})
	if _, err := acs.ParseFields(strings.Repeat("x", 1000)); !errors.Is(err, envelope.ErrInvalidParam) || len(err.Error()) > 400 {
		t.Errorf("a long field: %v", err)
	}
}

// TestTagsOfYears checks that tags of all years read back.
func TestTagsOfYears(t *testing.T) {
	for _, p := range acs.AllProfiles() {
		for y := 2011; y <= 2024; y++ {
			text := fmt.Sprintf("acs_%s_%d", p, y)
			if got, err := acs.ParseTag(text, acs.ZCTA); err != nil || got != (acs.Tag{Profile: p, Year: y}) || got.Flag(acs.ZCTA) != text {
				t.Errorf("ParseTag(%q) = %v, %v", text, got, err)
			}
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
