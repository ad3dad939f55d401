package address_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/pub28"
)

// TestLongFields refuses fields that are together too long.
func TestLongFields(t *testing.T) {
	if _, err := address.ParseFields(address.Fields{Street: strings.Repeat("x", 400)}); !errors.Is(err, envelope.ErrInvalidCode) {
		t.Errorf("a long street: %v", err)
	}
}

// FuzzFields requires that every address in parts has readings, and that the city
// is of its own field.
func FuzzFields(f *testing.F) {
	f.Add("101 N Aspen Dr (rear", "", "New York (Manhattan)", "NY", "10001", "")
	f.Add("12 Elm St 5", "(- 4", "(Ely", "MN)", "5573", "US")
	f.Add("PH1-345 rue St-Paul (", ") app 4", "Montr\xe9al", "QC", "h2x1y4", "Canada")
	f.Add("PO Box 12 (", "Box - ", "RR 2)", "((", "1-2", "(")
	m := world(f, "town").engine(f)
	f.Fuzz(func(t *testing.T, street, unit, city, state, zip, country string) {
		fields := address.Fields{Street: street, Unit: unit, City: city, State: state, ZIP: zip, Country: country}
		p, err := address.ParseFields(fields)
		if err != nil {
			if address.Check(fields.String()) == nil {
				t.Errorf("ParseFields(%+v): %v", fields, err)
			}
			return
		}
		own := pub28.Squeezed(address.Clean(city))
		for _, a := range p {
			if !strings.Contains(own, pub28.Squeezed(a.City)) {
				t.Errorf("ParseFields(%+v) has the city %q", fields, a.City)
			}
		}
		if _, err := m.MatchFields(context.Background(), fields, address.Options{}); err != nil && envelope.FaultOf(err) == nil {
			t.Errorf("MatchFields(%+v): %v", fields, err)
		}
	})
}

// TestFieldsLine writes fields on one line, without the empty ones.
func TestFieldsLine(t *testing.T) {
	for want, f := range map[string]address.Fields{
		"350 5th Ave, Ste 500, New York, NY 10118, US": {Street: "350 5th Ave", Unit: "Ste 500", City: "New York", State: "NY", ZIP: "10118", Country: "US"},
		"New York, 10118": {City: " New York ", ZIP: "10118"},
		"NY":              {State: "NY"},
		"":                {Unit: " "},
	} {
		if got := f.String(); got != want {
			t.Errorf("%+v: %q; want %q", f, got, want)
		}
	}
}

// TestMatchFields matches fields and requires that no field is read as part of
// another one.
func TestMatchFields(t *testing.T) {
	m := world(t, "everyday").engine(t)
	for _, tt := range []struct {
		fields address.Fields
		want   string
	}{
		{address.Fields{Street: "110 Broadway", Unit: "Fl 3", City: "New York", State: "NY", ZIP: "10006"}, "110 BROADWAY FL 3, NEW YORK NY 10006-1011"},
		{address.Fields{Street: "110 rt 9", City: "albany", State: "new york"}, "110 STATE ROUTE 9, ALBANY NY 12001-1004"},
		{address.Fields{Street: "110 High", City: "St C Portsmouth", State: "VA", ZIP: "23704"}, "110 HIGH ST, PORTSMOUTH VA 23704-1021"},
		{address.Fields{Street: "110 Ocean Blvd Long Beach", City: "Nowhere", State: "CA"}, "NOT_FOUND"},
		{address.Fields{Street: "110 Main", City: "Boise", Country: "Germany"}, "INSUFFICIENT_INPUT"},
		{address.Fields{Street: "110 Main", ZIP: "10115", Country: "Germany"}, "SERVICE_UNAVAILABLE"},
		{address.Fields{City: "Long Beach", State: "CA"}, "INSUFFICIENT_INPUT"},
	} {
		var got string
		if match, err := m.MatchFields(t.Context(), tt.fields, address.Options{}); err != nil {
			failure := envelope.FaultOf(err)
			if failure == nil {
				t.Fatal(err)
			}
			got = string(failure.Code)
		} else {
			got = match.Data.FormattedAddress
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.fields, diff)
		}
	}
}
