package document

import (
	"encoding/json"

	"github.com/postgeo/postgeo/internal/billing"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/price"
)

// A priceList is /pricing.json: limits and prices from package billing.
type priceList struct {
	Unit          string                  `json:"unit"`
	Plans         []pricePlan             `json:"plans"`
	Packs         []int                   `json:"packs"` // credits; they do not expire
	Routes        []priceRoute            `json:"routes"`
	HEAD          string                  `json:"head"` // price of the method, on every route
	Suggestions   []priceBand             `json:"suggestions"`
	Demo          priceDemo               `json:"demo"`
	Test          priceTest               `json:"test"`
	SpendingOrder []envelope.CreditSource `json:"spending_order"`
}

type pricePlan struct {
	Name           string `json:"name"`
	Paid           bool   `json:"paid"`
	RatePerMinute  int    `json:"rate_per_minute"`
	DailyCredits   int    `json:"daily_credits"`
	MonthlyCredits *int   `json:"monthly_credits,omitzero"` // nil: agreed with the account
	CentroidMiles  int    `json:"radius_centroid_miles"`
	SpatialMiles   int    `json:"radius_spatial_miles"`
	MaxSuggestions int    `json:"max_suggestions"`
	Keys           int    `json:"keys"`
	Batch          bool   `json:"batch"`
}

type priceRoute struct {
	Path    string `json:"path"`
	Credits string `json:"credits"`
}

type priceBand struct {
	UpTo    int `json:"up_to"` // suggestions, the limit in effect
	Credits int `json:"credits"`
}

type priceDemo struct {
	RatePerMinute int      `json:"rate_per_minute"` // of one address
	Codes         []string `json:"codes"`
	Addresses     []string `json:"addresses"`
}

type priceTest struct {
	RadiusMiles int      `json:"radius_miles"`
	Codes       []string `json:"codes"`
	Addresses   []string `json:"addresses"`
}

// Pricing returns /pricing.json.
func Pricing(routes []*Route) ([]byte, error) {
	list := priceList{
		Unit:          "credits",
		HEAD:          "The same as GET.",
		Packs:         billing.PackSizes(),
		Demo:          priceDemo{RatePerMinute: billing.DemoRatePerMinute, Codes: billing.DemoCodes(), Addresses: billing.DemoAddresses()},
		Test:          priceTest{RadiusMiles: billing.TestRadiusMiles, Codes: billing.DemoCodes(), Addresses: billing.DemoAddresses()},
		SpendingOrder: []envelope.CreditSource{envelope.SourceFreeDaily, envelope.SourceSubscription, envelope.SourcePack},
	}
	most := 0
	for _, p := range billing.Plans() {
		l := p.Limits()
		plan := pricePlan{
			Name: p.String(), Paid: p.Paid(), RatePerMinute: l.RatePerMinute, DailyCredits: l.DailyCredits,
			CentroidMiles: l.CentroidMiles, SpatialMiles: l.SpatialMiles, MaxSuggestions: l.Suggestions, Keys: l.Keys, Batch: l.Batch,
		}
		if l.MonthlyCredits > 0 || !p.Paid() {
			plan.MonthlyCredits = &l.MonthlyCredits
		}
		most = max(most, l.Suggestions)
		list.Plans = append(list.Plans, plan)
	}
	for _, rt := range routes {
		credits := rt.Price
		if rt.Batch {
			credits = "The sum of its items. " + credits
		}
		list.Routes = append(list.Routes, priceRoute{rt.Path, credits})
	}
	for limit := 1; limit <= most; limit++ {
		if credits := price.QuoteSuggest(limit).Used; limit == most || credits != price.QuoteSuggest(limit+1).Used {
			list.Suggestions = append(list.Suggestions, priceBand{limit, credits})
		}
	}
	return json.Marshal(list)
}
