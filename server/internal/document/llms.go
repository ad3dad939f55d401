package document

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/openapi"
)

// LLMs returns /llms.txt: the interface as a short Markdown text for language
// models.
func LLMs(routes []*Route, doc openapi.Document) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n> %s HTTP interface, version %s.\n\n%s\n", doc.Info.Title, doc.Info.Summary, doc.Info.Version, doc.Info.Description)
	b.WriteString(`
## Documents

- [OpenAPI 3.1](/v2/openapi.json): every route, parameter, response and error
- [Reference](/docs): the same as a page that sends requests
- [Map](/): search for places, see codes, areas and survey figures
- [Changelog](/changelog)
- [Postman collection](/v2/postman.json)
- [Plans and prices](/pricing.json)

## Keys

A server with accounts requires an API key in the header X-Api-Key, or in the query parameter key if the client cannot send
headers. Authorization: Bearer is not read. These documents and /v2/health need no key.

`)
	fmt.Fprintf(&b, "Demo and test keys accept these codes: %s; and these addresses: %s.\n\n## Routes\n",
		strings.Join(DemoCodes, ", "), strings.Join(DemoAddresses, "; "))
	for _, rt := range routes {
		methods := slices.DeleteFunc(slices.Clone(rt.Methods), func(m string) bool { return m == "HEAD" })
		fmt.Fprintf(&b, "\n### %s %s\n\n%s\n\n", strings.Join(methods, ", "), rt.Path, rt.Summary)
		for _, p := range rt.Params {
			need := "optional"
			if p.Required {
				need = "required"
			}
			if p.Default != "" {
				need += ", default " + p.Default
			}
			fmt.Fprintf(&b, "- `%s` (%s): %s\n", p.Name, need, p.Help)
			if p.List && len(p.Values) > 1 {
				fmt.Fprintf(&b, "  Flags: %s.\n", strings.Join(p.Values, ", "))
			}
		}
		if rt.Batch {
			fmt.Fprintf(&b, "\nCredits of an item: %s\n", rt.Price)
		} else {
			fmt.Fprintf(&b, "\nCredits: %s\n", rt.Price)
		}
		if path, ok := examplePath(rt); ok {
			fmt.Fprintf(&b, "Example: %s\n", path)
		}
	}
	b.WriteString("\n## Errors\n\nA request that fails as a whole has success false and error {code, message, url}. The field retryable is true if the same request may succeed later.\n\n")
	for _, e := range errorTable(routes) {
		fmt.Fprintf(&b, "- %d: %s\n", e.status, e.codes)
	}
	return []byte(b.String())
}

// examplePath returns a GET of the route with examples of its required
// parameters, and false if it has none.
func examplePath(rt *Route) (string, bool) {
	if rt.Batch || len(rt.Params) == 0 {
		return "", false
	}
	query := ""
	for _, p := range rt.Params {
		if !p.Required {
			continue
		}
		if p.Example == "" {
			return "", false
		}
		query += "&" + p.Name + "=" + url.QueryEscape(p.Example)
	}
	return rt.Path + "?" + strings.TrimPrefix(query, "&"), true
}

// A statusCodes lists the codes of failed requests with a status.
type statusCodes struct {
	status int
	codes  string
}

func errorTable(routes []*Route) []statusCodes {
	var out []statusCodes
	byStatus := map[int][]string{}
	for _, rt := range routes {
		for _, m := range rt.Methods {
			for _, f := range failuresOf(rt, m) {
				for _, c := range f.codes {
					if !slices.Contains(byStatus[f.status], string(c)) {
						byStatus[f.status] = append(byStatus[f.status], string(c))
					}
				}
			}
		}
	}
	for status, codes := range byStatus {
		slices.Sort(codes)
		out = append(out, statusCodes{status, strings.Join(codes, ", ")})
	}
	slices.SortFunc(out, func(a, b statusCodes) int { return a.status - b.status })
	return out
}

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
		Demo:          priceDemo{RatePerMinute: billing.DemoRatePerMinute, Codes: DemoCodes, Addresses: DemoAddresses},
		Test:          priceTest{RadiusMiles: TestRadiusMiles, Codes: DemoCodes, Addresses: DemoAddresses},
		SpendingOrder: []envelope.CreditSource{envelope.SourceFreeDaily, envelope.SourceSubscription, envelope.SourcePack},
	}
	most := 0
	for _, p := range billing.Plans() {
		l := p.Limits()
		plan := pricePlan{
			Name: string(p), Paid: p.Paid(), RatePerMinute: l.RatePerMinute, DailyCredits: l.DailyCredits,
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
		if credits := billing.QuoteSuggest(limit).Used; limit == most || credits != billing.QuoteSuggest(limit+1).Used {
			list.Suggestions = append(list.Suggestions, priceBand{limit, credits})
		}
	}
	return json.Marshal(list)
}
