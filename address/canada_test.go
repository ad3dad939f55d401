package address_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
)

// A form is a part of an address as it is typed, with what is read.
type form struct{ kind, typed, want string }

var formLine = regexp.MustCompile(`(?m)^(delivery|station|place|before|behind|street|quebec) "(.*)" => (.*)$`)

// canadianForms returns forms of testdata/canada.txt.
func canadianForms(t *testing.T, kinds ...string) (list []form) {
	t.Helper()
	text, err := os.ReadFile("testdata/canada.txt")
	check(t, err)
	lines := formLine.FindAllStringSubmatch(string(text), -1)
	if n := strings.Count(string(text), "=>"); n != len(lines) {
		t.Fatalf("testdata/canada.txt has %d forms, and %d of known kinds", n, len(lines))
	}
	for _, m := range lines {
		if slices.Contains(kinds, m[1]) {
			list = append(list, form{m[1], m[2], m[3]})
		}
	}
	if len(list) < 8 {
		t.Fatalf("testdata/canada.txt has %d of %v", len(list), kinds)
	}
	return list
}

// TestCanadianBoxes reads every form of a box, a route and general delivery before every
// form of a station and of a last line.
func TestCanadianBoxes(t *testing.T) {
	deliveries, stations, places := canadianForms(t, "delivery"), canadianForms(t, "station"), canadianForms(t, "place")
	for _, d := range deliveries {
		for _, s := range stations {
			for _, l := range places {
				text := d.typed + s.typed + l.typed
				p, err := address.Parse(text)
				check(t, err)
				a := &p[0]
				got := strings.Join([]string{string(a.Kind), a.Number, a.Line(), a.Secondary.String(), a.Station, a.City, a.State, a.ZIP}, "|")
				if diff := cmp.Diff(d.want+"|"+s.want+"|"+l.want, got); diff != "" {
					t.Errorf("%q (-want +got):\n%s", text, diff)
				}
			}
		}
	}
}

// TestCanadianUnits reads every form of a unit before or behind every form of a street.
func TestCanadianUnits(t *testing.T) {
	units := canadianForms(t, "before", "behind")
	for _, place := range [...]string{", Kelowna, BC", " Kelowna BC V1Y 1A1", ", Gatineau, QC", " Gatineau QC", " Gatineau, QC J8X1A1"} {
		streets := canadianForms(t, "street")
		city, state, zip := "KELOWNA", "BC", "V1Y 1A1"
		if strings.Contains(place, "QC") {
			streets = append(streets, canadianForms(t, "quebec")...)
			city, state, zip = "GATINEAU", "QC", "J8X 1A1"
		}
		for _, street := range streets {
			for _, unit := range units {
				before, behind := unit.typed, ""
				if unit.kind == "behind" {
					before, behind = "", unit.typed
				}
				for _, number := range [...][2]string{{"6184", "6184"}, {"122", "122"}, {"1027.0", "1027"}} {
					if behind != "" {
						a := parsedFields(t, address.Fields{Street: number[0] + " " + street.typed, Unit: behind, City: city, State: state})
						if got := a.Number + "|" + a.Line() + "|" + a.Secondary.String(); got != number[1]+"|"+street.want+"|"+unit.want {
							t.Errorf("%s in parts, %s: %s, want %s|%s|%s", street.typed, behind, got, number[1], street.want, unit.want)
						}
					}
					a := parsedFields(t, address.Fields{Street: before + number[0] + " " + street.typed + behind, City: city, ZIP: zip})
					if got := a.Number + "|" + a.Line() + "|" + a.Secondary.String(); got != number[1]+"|"+street.want+"|"+unit.want {
						t.Errorf("%s%s%s in a field: %s, want %s|%s|%s", before, street.typed, behind, got, number[1], street.want, unit.want)
					}
					text := before + number[0] + " " + street.typed + behind + place
					p, err := address.Parse(text)
					check(t, err)
					a = &p[0]
					got := [...]string{a.Number, a.Line(), a.Secondary.String(), a.City, a.State}
					if diff := cmp.Diff([...]string{number[1], street.want, unit.want, city, state}, got); diff != "" {
						t.Errorf("%q (-want +got):\n%s", text, diff)
					}
				}
			}
		}
	}
}

func parsedFields(t *testing.T, f address.Fields) *address.Address {
	t.Helper()
	p, err := address.ParseFields(f)
	check(t, err)
	return &p[0]
}
