package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/openapi"
)

// LLMs returns /llms.txt: the interface as a short Markdown text for language
// models.
func LLMs(routes []*Route) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n> %s HTTP interface, version %s.\n\n%s\n", title, summary, envelope.Version, documentIntro)
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
	codes := errorTable(routes)
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		fmt.Fprintf(&b, "- %d: %s\n", status, strings.Join(slices.Sorted(slices.Values(codes[status])), ", "))
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

// errorTable returns the codes of failed requests by status.
func errorTable(routes []*Route) map[int][]string {
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
	return byStatus
}

// Pricing returns /pricing.json: limits and prices from package billing.
func Pricing(routes []*Route) ([]byte, error) {
	var plans, prices, bands []any
	most := 0
	for _, p := range billing.Plans() {
		l := p.Limits()
		plan := openapi.Members("name", p, "paid", p.Paid(), "rate_per_minute", l.RatePerMinute, "daily_credits", l.DailyCredits)
		if l.MonthlyCredits > 0 || !p.Paid() { // else it is agreed with the account
			plan.Add("monthly_credits", l.MonthlyCredits)
		}
		plans = append(plans, append(plan, openapi.Members("radius_centroid_miles", l.CentroidMiles, "radius_spatial_miles", l.SpatialMiles,
			"max_suggestions", l.Suggestions, "keys", l.Keys, "batch", l.Batch)...))
		most = max(most, l.Suggestions)
	}
	for _, rt := range routes {
		credits := rt.Price
		if rt.Batch {
			credits = "The sum of its items. " + credits
		}
		prices = append(prices, openapi.Members("path", rt.Path, "credits", credits))
	}
	// The bands follow from the quote of every limit, so that package billing alone has them.
	for limit := 1; limit <= most; limit++ { // in effect
		if credits := billing.QuoteSuggest(limit).Used; limit == most || credits != billing.QuoteSuggest(limit+1).Used {
			bands = append(bands, openapi.Members("up_to", limit, "credits", credits))
		}
	}
	return json.Marshal(openapi.Members(
		"unit", "credits", "plans", plans, "packs", billing.PackSizes(), "routes", prices, "head", "The same as GET.", "suggestions", bands,
		"demo", openapi.Members("rate_per_minute", billing.DemoRatePerMinute, "codes", DemoCodes, "addresses", DemoAddresses),
		"test", openapi.Members("radius_miles", TestRadiusMiles, "codes", DemoCodes, "addresses", DemoAddresses),
		"spending_order", []envelope.CreditSource{envelope.SourceFreeDaily, envelope.SourceSubscription, envelope.SourcePack},
	))
}
