package billing_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

func newReader(t *testing.T) *lookup.Reader {
	t.Helper()
	return lookuptest.Reader(t, lookuptest.Dataset(t))
}

// prices answers the questions of the table below from a test dataset.
type prices struct {
	t *testing.T
	r *lookup.Reader
}

// quick returns the price of a quick lookup and holds its quote to be enough.
func (c prices) quick(code string, timezone bool) billing.Cost {
	c.t.Helper()
	quote := billing.Cost{}
	if parsed, err := lookup.ParseCode(code); err == nil {
		quote = billing.QuoteQuickLookup(parsed, timezone)
	}
	rec, err := c.r.Quick(c.t.Context(), code, lookup.QuickOptions{Timezone: timezone})
	if err != nil {
		return c.within(quote, billing.ForQuickLookup(nil, err))
	}
	return c.within(quote, billing.ForQuickLookup(rec, nil))
}

// full does the same for a full lookup.
func (c prices) full(code, include string) billing.Cost {
	c.t.Helper()
	inc, _ := lookup.ParseOptions([]string{include})
	quote := billing.Cost{}
	if parsed, err := lookup.ParseCode(code); err == nil {
		quote = billing.QuoteLookup(parsed, inc)
	}
	rec, err := c.r.Full(c.t.Context(), code, inc)
	if err != nil {
		return c.within(quote, billing.ForError(err))
	}
	return c.within(quote, billing.ForLookup(rec))
}

func (c prices) distance(from, to string) billing.Cost {
	c.t.Helper()
	_, err := radius.Distance(c.t.Context(), c.r, from, to, radius.DistanceOptions{})
	if err != nil {
		return c.within(billing.QuoteDistance(), billing.ForError(err))
	}
	return c.within(billing.QuoteDistance(), billing.QuoteDistance())
}

func (c prices) within(quote, cost billing.Cost) billing.Cost {
	c.t.Helper()
	if cost.Used > quote.Used {
		c.t.Errorf("the price %+v is above its quote %+v", cost, quote)
	}
	return cost
}

// resolved is the quick record of a coordinate that led to a code of the type.
func resolved(typ lookup.CodeType, timezone bool) *lookup.QuickRecord {
	rec := &lookup.QuickRecord{}
	rec.CodeType = typ
	rec.Notices = []envelope.Notice{{Code: envelope.CoordinatesUsed}, {Code: envelope.ReverseGeocode}}
	if timezone {
		rec.Timezone = &lookup.TimeZone{}
	}
	return rec
}

// One row for every sentence of the contract about what a call costs.
func TestContractsSentences(t *testing.T) {
	c := prices{t, newReader(t)}
	for _, row := range []struct {
		sentence    string
		cost        billing.Cost
		used        int
		calculation string
	}{
		{"quick-zip: base 1 for a ZIP", c.quick("90210", false), 1, "1 base = 1"},
		{"quick-zip: base 1 for an FSA", c.quick("K1A", false), 1, "1 base = 1"},
		{"quick-zip: base 1 for a postal code", c.quick("K1A 0B1", false), 1, "1 base = 1"},
		{"quick-zip: base 2 for a ZIP+4", c.quick("90210-1234", false), 2, "2 base = 2"},
		{"quick-zip: a timezone is charged the base", c.quick("90210", true), 2, "1 base x (1 + 1 timezone) = 2"},
		{"quick-zip: a timezone of a ZIP+4 is charged its base", c.quick("90210-1234", true), 4, "2 base x (1 + 1 timezone) = 4"},
		{"quick-zip: a timezone that is not available is free", c.quick("09012", true), 1, "1 base = 1"},
		{"quick-zip: a postal code answered by its FSA costs an FSA", c.quick("K1A 9Z9", true), 2, "1 base x (1 + 1 timezone) = 2"},
		{"quick-zip: reverse_geocode is 1 for coordinates", billing.ForQuickLookup(resolved(lookup.ZIP, false), nil), 2, "1 base x (1 + 1 reverse_geocode) = 2"},
		{"quick-zip: a coordinate uses the base of the type it resolves to", billing.ForQuickLookup(resolved(lookup.ZIP4, true), nil), 6, "2 base x (1 + 1 timezone + 1 reverse_geocode) = 6"},
		{"quick-zip: not found costs 1", c.quick("99999", true), 1, "1 base = 1"},
		{"quick-zip: an unknown add-on costs 1", c.quick("90210-9999", true), 1, "1 base = 1"},
		{"quick-zip: coordinates not found cost 2", c.quick("19.4,-99.1", true), 2, "1 base x (1 + 1 reverse_geocode) = 2"},
		{"quick-zip: a bad format costs 0", c.quick("9021", true), 0, ""},

		{"zip: 1 for every code type: ZIP", c.full("90210", ""), 1, "1 base = 1"},
		{"zip: 1 for every code type: ZIP+4", c.full("90210-1234", ""), 1, "1 base = 1"},
		{"zip: 1 for every code type: FSA", c.full("K1A", ""), 1, "1 base = 1"},
		{"zip: 1 for every code type: postal code", c.full("K1A 0B1", ""), 1, "1 base = 1"},
		{"zip: an add-on that does not exist is delivered", c.full("90210-9999", ""), 1, "1 base = 1"},
		{"zip: plus the billable flags", c.full("90210", "timezone"), 2, "1 base + 1 timezone = 2"},
		{"zip: a flag given twice counts once", c.full("90210", "timezone,Timezone"), 2, "1 base + 1 timezone = 2"},
		{
			"zip: plus every family, in the contract's order", c.full("90210", "medicare,school_district,state_leg,census,cd,demographics"),
			7, "1 base + 1 census + 1 cd + 1 state_leg + 1 school_district + 1 demographics + 1 medicare = 7",
		},
		{"zip: a family of which nothing was found is delivered", c.full("10001", "cd"), 2, "1 base + 1 cd = 2"},
		{"zip: Canada has two families", c.full("K1A", "census,cd"), 3, "1 base + 1 census + 1 cd = 3"},
		{"zip: a ZIP without a point has no families", c.full("09012", "census,cd"), 1, "1 base = 1"},
		{"zip: a ZIP without an area has those around its point", c.full("90209", "census,cd"), 3, "1 base + 1 census + 1 cd = 3"},
		{"zip: unavailable enrichments are never charged", c.full("90210", "timezone,acs_social_2019"), 2, "1 base + 1 timezone = 2"},
		{"zip: ACS, demographics, medicare, school_district and state_leg of Canadian codes cost 0", c.full("K1A", "acs_social,demographics,medicare,school_district,state_leg"), 1, "1 base = 1"},
		{"zip: unknown flags are ignored at no charge", c.full("90210", "geography"), 1, "1 base = 1"},
		{"zip: a ZIP not found costs 1", c.full("99999", "timezone"), 1, "1 base = 1"},
		{"zip: an FSA not found costs 1", c.full("X9X", ""), 1, "1 base = 1"},
		{"zip: a postal code not found costs 1", c.full("K1A 9Z9", ""), 1, "1 base = 1"},
		{"zip: coordinates inside no boundary cost 1", c.full("19.4,-99.1", ""), 1, "1 base = 1"},
		{"zip: a bad format costs 0", c.full("K1", ""), 0, ""},

		{"distance: 1 per pair", c.distance("90210", "K1A 0B1"), 1, "1 base = 1"},
		{"distance: coordinates cost nothing extra", c.distance("1,2", "3,4"), 1, "1 base = 1"},
		{"distance: not found costs 1", c.distance("99999", "10001"), 1, "1 base = 1"},
		{"distance: missing fields cost 0", c.distance("", "10001"), 0, ""},

		{"radius: a credit per 100 miles in centroid mode", billing.QuoteRadius(billing.RadiusSearch{Miles: 100}), 1, "1 base = 1"},
		{"radius: parts of 100 miles count in full", billing.QuoteRadius(billing.RadiusSearch{Miles: 100.1}), 2, "2 base = 2"},
		{"radius: a credit per 50 miles in spatial mode", billing.QuoteRadius(billing.RadiusSearch{Miles: 250, Spatial: true}), 5, "5 base = 5"},
		{"radius: the smallest costs 1", billing.QuoteRadius(billing.RadiusSearch{Miles: 0.1}), 1, "1 base = 1"},
		{
			"radius: times 1 plus the distinct flags",
			billing.QuoteRadius(billing.RadiusSearch{Miles: 500, Flags: []string{"timezone", "acs_social", "acs_housing_2019", "acs_social"}}),
			20, "5 base x (1 + 1 timezone + 1 acs_social + 1 acs_housing_2019) = 20",
		},
		{"radius: plus auto_radius", billing.QuoteRadius(billing.RadiusSearch{Miles: 150, Auto: true}), 4, "2 base x (1 + 1 auto_radius) = 4"},

		{
			"radius: by what was served, the resolved radius and auto_radius",
			billing.ForRadius(&radius.Result{Search: radius.Search{Max: 56.4, Mode: radius.Spatial, AutoMode: radius.Density}, Delivered: []string{"timezone"}}),
			6, "2 base x (1 + 1 timezone + 1 auto_radius) = 6",
		},
		{"radius: an unknown center costs 1", billing.ForError(&envelope.Failure{Kind: envelope.KindNotFound, Param: "center"}), 1, "1 base = 1"},
		{"radius: a bad parameter costs 0", billing.ForError(&envelope.Failure{Kind: envelope.KindInvalidParam}), 0, ""},
		{"coordinates in a dataset without areas cost 0", billing.ForQuickLookup(nil, &envelope.Failure{Kind: envelope.KindUnavailable, Thing: envelope.ThingCoordinates, Input: "1,2"}), 0, ""},
		{"coordinates in a dataset without areas cost 0", billing.ForError(&envelope.Failure{Kind: envelope.KindUnavailable, Thing: envelope.ThingCoordinates, Input: "1,2"}), 0, ""},

		{"suggest: up to 15 is 1", billing.QuoteSuggest(15), 1, "1 base = 1"},
		{"suggest: up to 50 is 2", billing.QuoteSuggest(16), 2, "2 base = 2"},
		{"suggest: up to 50 is 2", billing.QuoteSuggest(50), 2, "2 base = 2"},
		{"suggest: up to 150 is 3", billing.QuoteSuggest(51), 3, "3 base = 3"},
		{"suggest: up to 150 is 3", billing.QuoteSuggest(150), 3, "3 base = 3"},
		{"suggest: 151 to 500 is 5", billing.QuoteSuggest(151), 5, "5 base = 5"},
		{"suggest: 151 to 500 is 5", billing.QuoteSuggest(500), 5, "5 base = 5"},

		{"address: 1", billing.QuoteAddress(false), 1, "1 base = 1"},
		{"address: plus coordinates, even without a match", billing.QuoteAddress(true), 2, "1 base + 1 coordinates = 2"},
		{
			"address: plus delivered boundary flags and tract tags",
			billing.QuoteAddress(true, "cd", "acs_tract_social_2023"),
			4, "1 base + 1 coordinates + 1 cd + 1 acs_tract_social_2023 = 4",
		},

		{
			"batch: the sum of its items, duplicates included, invalid ones free",
			billing.Sum(c.quick("90210-1234", true), c.quick("90210", true), c.quick("90210", true), c.quick("9021", true), c.quick("99999", true)),
			9, "5 items = 9",
		},
		{"an unexpected failure costs 0", billing.ForError(errors.New("disk on fire")), 0, ""},
		{"a call that was cancelled costs 0", billing.ForQuickLookup(nil, context.Canceled), 0, ""},
	} {
		if row.cost.Used != row.used || row.cost.Calculation != row.calculation {
			t.Errorf("%s: %d by %q, want %d by %q", row.sentence, row.cost.Used, row.cost.Calculation, row.used, row.calculation)
		}
		total := row.cost.Base
		for _, e := range row.cost.Enrichments {
			total += e.Credits
		}
		if total != row.cost.Used {
			t.Errorf("%s: base and enrichments of %+v make %d", row.sentence, row.cost, total)
		}
	}
}

func TestSum(t *testing.T) {
	got := billing.Sum(
		billing.QuoteQuickLookup(lookup.MustParseCode("90210-1234"), true),
		billing.QuoteQuickLookup(lookup.MustParseCode("1,2"), true),
		billing.Cost{},
	)
	want := billing.Cost{
		Base:        3,
		Enrichments: []billing.Enrichment{{Flag: "timezone", Credits: 3}, {Flag: "reverse_geocode", Credits: 1}},
		Used:        7,
		Calculation: "3 items = 7",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sum (-want +got):\n%s", diff)
	}
	if one := billing.Sum(billing.QuoteDistance()); one.Calculation != "1 item = 1" {
		t.Errorf("one item is %q", one.Calculation)
	}
}

func TestQuotesOfNothing(t *testing.T) {
	if c := billing.QuoteQuickLookup(lookup.Code{}, true); c.Used != 0 {
		t.Errorf("a quick lookup of no code is quoted %+v", c)
	}
	if c := billing.QuoteLookup(lookup.Code{}, lookup.Options{Include: lookup.Include{Timezone: true}}); c.Used != 0 {
		t.Errorf("a lookup of no code is quoted %+v", c)
	}
	inc, _ := lookup.ParseOptions([]string{"timezone,census,cd,state_leg,school_district,demographics,medicare,acs_social"})
	for code, want := range map[string]int{"90210": 9, "K1A": 4, "1,2": 10} {
		if c := billing.QuoteLookup(lookup.MustParseCode(code), inc); c.Used != want {
			t.Errorf("all enrichments of %s are quoted %+v, want %d", code, c, want)
		}
	}
}

func ExampleQuoteQuickLookup() {
	cost := billing.QuoteQuickLookup(lookup.MustParseCode("90210-1234"), true)
	fmt.Println(cost.Used, "credits:", cost.Calculation)
	// Output: 4 credits: 2 base x (1 + 1 timezone) = 4
}

func ExampleSum() {
	cost := billing.Sum(billing.QuoteDistance(), billing.QuoteDistance(), billing.QuoteSuggest(50))
	fmt.Println(cost.Used, "credits:", cost.Calculation)
	// Output: 4 credits: 3 items = 4
}

// TestForAddress prices addresses that were matched, not matched, and never
// read.
func TestForAddress(t *testing.T) {
	none := &envelope.Failure{Kind: envelope.KindAmbiguous, Thing: envelope.ThingAddress, Input: "x"}
	tests := []struct {
		name string
		got  billing.Cost
		want int
	}{
		{"matched", billing.ForAddress(false, &address.Match{}, nil), 1},
		{"matched with coordinates", billing.ForAddress(true, &address.Match{}, nil), 2},
		{"not matched", billing.ForAddress(false, nil, none), 1},
		{"not matched with coordinates", billing.ForAddress(true, nil, none), 2},
		{"too short", billing.ForAddress(true, nil, &envelope.Failure{Kind: envelope.KindInvalidCode, Reason: envelope.ReasonTooShort, Thing: envelope.ThingAddress}), 0},
		{"incomplete", billing.ForAddress(false, nil, &envelope.Failure{Kind: envelope.KindInvalidCode, Reason: envelope.ReasonIncomplete, Thing: envelope.ThingAddress}), 1},
		{"without records", billing.ForAddress(true, nil, &envelope.Failure{Kind: envelope.KindUnavailable, Thing: envelope.ThingAddress}), 0},
		{"defect", billing.ForAddress(true, nil, errors.New("disk")), 0},
	}
	for _, tt := range tests {
		if got := tt.got.Used; got != tt.want {
			t.Errorf("%s costs %d, want %d", tt.name, got, tt.want)
		}
	}
}
