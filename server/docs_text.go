package server

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/server/openapi"
)

// pathSegments returns the segments of a path.
func pathSegments(path string) []string { return strings.Split(strings.Trim(path, "/"), "/") }

// textForModels writes /llms.txt: the interface as a short Markdown text, in
// the form that language models are given to read.
func (s *Server) textForModels(doc openapi.Document) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n> %s HTTP interface, version %s.\n\n%s\n", doc.Info.Title, doc.Info.Summary, doc.Info.Version, doc.Info.Description)
	b.WriteString(`
## Documents

- [OpenAPI 3.1](/v2/openapi.json): every route, parameter, answer and error
- [Reference](/docs): the same to read and try in a browser
- [Playground](/): fill in a request, see its answer on a map
- [Postman collection](/v2/postman.json)
- [Plans and prices](/pricing.json)
- [Changes](/changelog)

## Keys

A server with accounts asks for an API key in the header X-Api-Key, or in the query parameter key where a header cannot be
sent. Authorization: Bearer is not read. These documents and /v2/health need no key.

`)
	fmt.Fprintf(&b, "Demo and test keys take these codes: %s; and these addresses: %s.\n\n## Routes\n",
		strings.Join(billing.DemoCodes(), ", "), strings.Join(billing.DemoAddresses(), "; "))
	for _, rt := range s.list {
		methods := slices.DeleteFunc(slices.Clone(rt.methods), func(m string) bool { return m == "HEAD" })
		fmt.Fprintf(&b, "\n### %s %s\n\n%s\n\n", strings.Join(methods, ", "), rt.path, rt.summary)
		for _, p := range rt.params {
			need := "optional"
			if p.required {
				need = "required"
			}
			if p.def != "" {
				need += ", default " + p.def
			}
			fmt.Fprintf(&b, "- `%s` (%s): %s\n", p.name, need, p.doc)
			if p.list && len(p.values) > 1 {
				fmt.Fprintf(&b, "  Flags: %s.\n", strings.Join(p.values, ", "))
			}
		}
		if rt.batch {
			fmt.Fprintf(&b, "\nCredits of an item: %s\n", rt.about.price)
		} else {
			fmt.Fprintf(&b, "\nCredits: %s\n", rt.about.price)
		}
		if path, ok := examplePath(rt); ok {
			fmt.Fprintf(&b, "Example: %s\n", path)
		}
	}
	b.WriteString("\n## Errors\n\nA request that fails as a whole has success false and error {code, message, url}; retryable is true where the same request may succeed later.\n\n")
	for _, e := range s.errorTable() {
		fmt.Fprintf(&b, "- %d: %s\n", e.status, e.codes)
	}
	return []byte(b.String())
}

// examplePath returns a GET of the route with the examples of its required
// parameters.
func examplePath(rt *route) (string, bool) {
	if rt.batch || len(rt.params) == 0 {
		return "", false
	}
	query := ""
	for _, p := range rt.params {
		if !p.required {
			continue
		}
		if p.example == "" {
			return "", false
		}
		query += "&" + p.name + "=" + url.QueryEscape(p.example)
	}
	return rt.path + "?" + strings.TrimPrefix(query, "&"), true
}

// A statusCodes is a status and the codes of failed requests that have it.
type statusCodes struct {
	status int
	codes  string
}

// errorTable lists what the routes together can fail with.
func (s *Server) errorTable() []statusCodes {
	var out []statusCodes
	byStatus := map[int][]string{}
	for _, rt := range s.list {
		for _, m := range rt.methods {
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
