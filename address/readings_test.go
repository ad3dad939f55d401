package address_test

import (
	"cmp"
	"flag"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/lookuptest"
)

var update = flag.Bool("update", false, "write the tables of testdata again")

// TestReadings compares the likeliest readings of texts and of addresses in parts.
func TestReadings(t *testing.T) {
	lookuptest.Table(t, "readings.txt", *update, func(text string) string {
		var p []address.Address
		var err error
		if f, ok := address.FieldsOf(strings.ReplaceAll(text, " | ", "\x1f")); ok {
			p, err = address.ParseFields(f)
		} else {
			p, err = address.Parse(text)
		}
		check(t, err)
		return reading(&p[0])
	})
}

// reading returns the parts of a reading with their names.
func reading(a *address.Address) string {
	var parts []string
	for _, part := range [...][2]string{
		{"to", a.Recipient},
		{"attention", a.Attention},
		{"urbanization", a.Urbanization},
		{"number", a.Number},
		{"direction", a.PreDirectional},
		{"kind", a.PreType},
		{"street", a.Street},
		{"suffix", a.Suffix},
		{"behind", a.PostDirectional},
		{"unit", a.Secondary.String()},
		{"building", a.Building.String()},
		{"mailbox", a.Mailbox},
		{"station", a.Station},
		{"cross", a.Cross},
		{"city", a.City},
		{"state", a.State},
		{"zip", a.ZIP},
		{"plus4", a.Plus4},
		{"country", a.Country},
		{"unused", strings.Join(a.Unused, " + ")},
	} {
		if part[1] != "" {
			parts = append(parts, part[0]+" "+part[1])
		}
	}
	return cmp.Or(strings.Join(parts, "; "), "nothing")
}
