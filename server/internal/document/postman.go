package document

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/internal/operation"
)

const postmanFormat = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

// PostmanBase is the base address in a collection, which the server replaces by its
// own: Postman has no relative addresses.
const PostmanBase = "http://127.0.0.1:8080"

// variable returns a variable of a collection.
func variable(key, value string) object {
	return openapi.Members("key", key, "value", value, "type", "string")
}

// Postman returns routes as a Postman collection, format 2.1.
func Postman(routes []*Route) ([]byte, error) {
	var folders []object
	var items []object // of the last folder
	for i, rt := range routes {
		for _, method := range rt.Methods {
			if method != http.MethodHead {
				items = append(items, openapi.Members("name", method+" "+rt.Path, "request", postmanRequest(rt, method)))
			}
		}
		if tag := tagOf(rt.Path); i+1 == len(routes) || tagOf(routes[i+1].Path) != tag {
			folders = append(folders, openapi.Members("name", tag, "item", items))
			items = nil
		}
	}
	return json.Marshal(openapi.Members(
		"info", openapi.Members("name", title, "description", documentIntro, "schema", postmanFormat),
		"auth", openapi.Members("type", "apikey", "apikey", []any{variable("key", "X-Api-Key"), variable("value", "{{apiKey}}"), variable("in", "header")}),
		"item", folders,
		"variable", []any{variable("baseUrl", PostmanBase), variable("apiKey", "")},
	))
}

func postmanRequest(rt *Route, method string) object {
	r := openapi.Members("method", method, "description", rt.Summary+"\n\n"+description(rt))
	if rt.Keyless {
		r.Add("auth", openapi.Members("type", "noauth")) // in place of that of the collection
	}
	address := "{{baseUrl}}" + rt.Path
	var query []any
	if method == http.MethodPost {
		text, _ := json.MarshalIndent(exampleBody(rt), "", "  ") // of raw JSON
		r.Add("header", []any{openapi.Members("key", "Content-Type", "value", "application/json")})
		r.Add("body", openapi.Members("mode", "raw", "raw", string(text), "options", openapi.Members("raw", openapi.Members("language", "json"))))
	} else {
		r.Add("header", []any{})
		params := rt.Params
		if !rt.Keyless {
			params = append(slices.Clip(params), paramDebug)
		}
		for i, p := range params {
			given, value := p.Required || i == 0, exampleOf(p) // routes without a required parameter take one of several
			query = append(query, openapi.Members("key", p.Name, "value", value, "description", p.Help, "disabled", !given))
			if given {
				address += string("?&"[min(i, 1)]) + p.Name + "=" + url.QueryEscape(value)
			}
		}
	}
	to := openapi.Members("raw", address, "host", []string{"{{baseUrl}}"}, "path", strings.Split(strings.Trim(rt.Path, "/"), "/"))
	if query != nil {
		to.Add("query", query)
	}
	r.Add("url", to)
	return r
}

// exampleOf returns an example of a value, else its default, or "".
func exampleOf(p *operation.Param) string {
	if p.List && len(p.Values) > 0 {
		return p.Values[0]
	}
	return cmp.Or(p.Example, p.Default)
}
