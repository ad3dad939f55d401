package billing_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

func newReader(t *testing.T) *lookup.Reader {
	t.Helper()
	return lookuptest.Reader(t, lookuptest.Dataset(t))
}

// TestPrices checks the sentences of the contract about what a call costs, which are in
// testdata/prices.txt. No price is above its quote.
func TestPrices(t *testing.T) {
	r := newReader(t)
	lookuptest.Table(t, "prices.txt", *billing.Update, func(text string) string {
		quote, cost := price(t, r, strings.Fields(text))
		total := cost.Base
		for _, e := range cost.Enrichments {
			total += e.Credits
		}
		if cost.Used > quote.Used || total != cost.Used {
			t.Errorf("%s: the price %+v is above its quote %+v, or not the sum of its parts", text, cost, quote)
		}
		return fmt.Sprintf("%d: %s", cost.Used, cmp.Or(cost.Calculation, "free"))
	})
}

// price returns the quote and the price of a call in words, which prices.txt explains.
func price(t *testing.T, r *lookup.Reader, w []string) (quote, cost billing.Cost) {
	t.Helper()
	ctx, list := t.Context(), strings.Split(strings.Join(w[min(2, len(w)):], ","), ",")
	timezone := slices.Contains(list, "timezone")
	parsed, parseErr := lookup.ParseCode(w[min(1, len(w)-1)])
	switch w[0] {
	case "quick":
		if parseErr == nil {
			quote = billing.QuoteQuickLookup(parsed, timezone)
		}
		rec, err := r.Quick(ctx, w[1], lookup.QuickOptions{Timezone: timezone})
		return quote, billing.ForQuickLookup(rec, err)
	case "zip-quote":
		inc, _ := lookup.ParseOptions(list)
		quote = billing.QuoteLookup(parsed, inc)
	case "zip":
		inc, _ := lookup.ParseOptions(list)
		if parseErr == nil {
			quote = billing.QuoteLookup(parsed, inc)
		}
		rec, err := r.Full(ctx, w[1], inc)
		if err != nil {
			return quote, billing.ForError(err)
		}
		return quote, billing.ForLookup(rec)
	case "distance":
		quote = billing.QuoteDistance()
		if _, err := radius.Distance(ctx, r, w[1], w[2], radius.DistanceOptions{}); err != nil {
			return quote, billing.ForError(err)
		}
		return quote, quote
	case "radius":
		miles, err := strconv.ParseFloat(w[1], 64)
		check(t, err)
		search := billing.RadiusSearch{Miles: geo.Miles(miles), Spatial: slices.Contains(list, "spatial"), Auto: slices.Contains(list, "auto")}
		search.Flags = slices.DeleteFunc(list, func(s string) bool { return s == "" || s == "spatial" || s == "auto" })
		quote = billing.QuoteRadius(search)
	case "suggest":
		n, err := strconv.Atoi(w[1])
		check(t, err)
		quote = billing.QuoteSuggest(n)
	case "address":
		quote = billing.QuoteAddress(slices.Contains(w, "coordinates"), slices.DeleteFunc(w[1:], func(s string) bool { return s == "coordinates" })...)
	}
	return quote, quote
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

// TestPricesOfOutcomes prices results and failures.
func TestPricesOfOutcomes(t *testing.T) {
	unavailable := &envelope.Failure{Kind: envelope.KindUnavailable, Thing: envelope.ThingCoordinates, Input: "1,2"}
	none := &envelope.Failure{Kind: envelope.KindAmbiguous, Thing: envelope.ThingAddress, Input: "x"}
	short := &envelope.Failure{Kind: envelope.KindInvalidCode, Reason: envelope.ReasonTooShort, Thing: envelope.ThingAddress}
	incomplete := &envelope.Failure{Kind: envelope.KindInvalidCode, Reason: envelope.ReasonIncomplete, Thing: envelope.ThingAddress}
	search := radius.Search{Max: 56.4, Mode: radius.Spatial, AutoMode: radius.Density}
	for _, row := range []struct {
		name        string
		cost        billing.Cost
		used        int
		calculation string
	}{
		{"coordinates", billing.ForQuickLookup(resolved(lookup.ZIP, false), nil), 2, "1 base x (1 + 1 reverse_geocode) = 2"},
		{"the base of the type that they resolve to", billing.ForQuickLookup(resolved(lookup.ZIP4, true), nil), 6, "2 base x (1 + 1 timezone + 1 reverse_geocode) = 6"},
		{"the resolved radius", billing.ForRadius(&radius.Result{Search: search, Delivered: []string{"timezone"}}), 6, "2 base x (1 + 1 timezone + 1 auto_radius) = 6"},
		{"an unknown center", billing.ForError(&envelope.Failure{Kind: envelope.KindNotFound, Param: "center"}), 1, "1 base = 1"},
		{"a bad parameter", billing.ForError(&envelope.Failure{Kind: envelope.KindInvalidParam}), 0, ""},
		{"coordinates in a dataset without areas", billing.ForQuickLookup(nil, unavailable), 0, ""},
		{"the same in full", billing.ForError(unavailable), 0, ""},
		{"an unexpected failure", billing.ForError(errors.New("disk on fire")), 0, ""},
		{"a canceled call", billing.ForQuickLookup(nil, context.Canceled), 0, ""},
		{"a matched address", billing.ForAddress(false, &address.Match{}, nil), 1, "1 base = 1"},
		{"with coordinates", billing.ForAddress(true, &address.Match{}, nil), 2, "1 base + 1 coordinates = 2"},
		{"no match", billing.ForAddress(false, nil, none), 1, "1 base = 1"},
		{"no match with coordinates", billing.ForAddress(true, nil, none), 2, "1 base + 1 coordinates = 2"},
		{"a short address", billing.ForAddress(true, nil, short), 0, ""},
		{"an incomplete address", billing.ForAddress(false, nil, incomplete), 1, "1 base = 1"},
		{"no address records", billing.ForAddress(true, nil, &envelope.Failure{Kind: envelope.KindUnavailable, Thing: envelope.ThingAddress}), 0, ""},
		{"a defect at an address", billing.ForAddress(true, nil, errors.New("disk")), 0, ""},
		{"a quick lookup of no code", billing.QuoteQuickLookup(lookup.Code{}, true), 0, ""},
		{"a lookup of no code", billing.QuoteLookup(lookup.Code{}, lookup.Options{Include: lookup.Include{Timezone: true}}), 0, ""},
	} {
		if row.cost.Used != row.used || row.cost.Calculation != row.calculation {
			t.Errorf("%s: %d by %q, want %d by %q", row.name, row.cost.Used, row.cost.Calculation, row.used, row.calculation)
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
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("sum (-want +got):\n%s", diff)
	}
	// Duplicates count, invalid items are free.
	zip, quick := lookup.MustParseCode("90210"), func(c lookup.Code) billing.Cost { return billing.QuoteQuickLookup(c, true) }
	all := billing.Sum(quick(lookup.MustParseCode("90210-1234")), quick(zip), quick(zip), billing.Cost{}, billing.ForError(&envelope.Failure{Kind: envelope.KindNotFound}))
	if all.Used != 9 || all.Calculation != "5 items = 9" {
		t.Errorf("sum of five %+v", all)
	}
	if one := billing.Sum(billing.QuoteDistance()); one.Calculation != "1 item = 1" {
		t.Errorf("one item is %q", one.Calculation)
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
