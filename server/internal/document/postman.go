package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/postgeo/postgeo/internal/openapi"
)

const postmanFormat = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

// PostmanBase is the base address in a collection, which the server replaces by its
// own.
const PostmanBase = "http://127.0.0.1:8080"

// object returns a JSON object of names and values.
func object(members ...any) (o openapi.Map[any]) {
	for i := 0; i < len(members); i += 2 {
		o.Add(members[i].(string), members[i+1])
	}
	return o
}

// variable returns a variable of a collection.
func variable(key, value string) openapi.Map[any] {
	return object("key", key, "value", value, "type", "string")
}

// Postman returns the operations of a document as a Postman collection, format 2.1.
func Postman(doc openapi.Document) ([]byte, error) {
	var folders []any
	for _, tag := range doc.Tags {
		var items []any
		for _, p := range doc.Paths {
			for _, m := range []struct {
				method string
				op     *openapi.Operation
			}{{http.MethodGet, p.Value.Get}, {http.MethodPost, p.Value.Post}} {
				if m.op == nil || m.op.Tags[0] != tag.Name {
					continue
				}
				request, err := postmanRequest(p.Name, m.method, m.op)
				if err != nil {
					return nil, err
				}
				items = append(items, object("name", m.method+" "+p.Name, "request", request))
			}
		}
		folders = append(folders, object("name", tag.Name, "item", items))
	}
	return json.Marshal(object(
		"info", object("name", doc.Info.Title, "description", doc.Info.Description, "schema", postmanFormat),
		"auth", object("type", "apikey", "apikey", []any{variable("key", "X-Api-Key"), variable("value", "{{apiKey}}"), variable("in", "header")}),
		"item", folders,
		"variable", []any{variable("baseUrl", PostmanBase), variable("apiKey", "")},
	))
}

func postmanRequest(path, method string, op *openapi.Operation) (any, error) {
	r := object("method", method, "description", op.Summary+"\n\n"+op.Description)
	if len(op.Security) == 0 {
		r.Add("auth", object("type", "noauth")) // in place of that of the collection
	}
	headers := []any{}
	var body any
	if op.RequestBody != nil {
		media, _ := op.RequestBody.Content.Get("application/json")
		var text bytes.Buffer
		if err := json.Indent(&text, media.Example, "", "  "); err != nil {
			return nil, fmt.Errorf("document: example of %s %s: %w", method, path, err)
		}
		headers = append(headers, object("key", "Content-Type", "value", "application/json"))
		body = object("mode", "raw", "raw", text.String(), "options", object("raw", object("language", "json")))
	}
	r.Add("header", headers)
	if body != nil {
		r.Add("body", body)
	}
	whole := "{{baseUrl}}" + path
	var query []any
	for i, p := range op.Parameters {
		if p.In != "query" {
			continue
		}
		given, value := p.Required || i == 0, "" // routes without a required parameter take one of several
		if example := exampleOf(p.Schema); len(example) > 0 && json.Unmarshal(example, &value) != nil {
			value = string(example)
		}
		query = append(query, object("key", p.Name, "value", value, "description", p.Description, "disabled", !given))
		if given {
			whole += string("?&"[min(i, 1)]) + p.Name + "=" + url.QueryEscape(value)
		}
	}
	address := object("raw", whole, "host", []string{"{{baseUrl}}"}, "path", strings.Split(strings.Trim(path, "/"), "/"))
	if query != nil {
		address.Add("query", query)
	}
	r.Add("url", address)
	return r, nil
}

// exampleOf returns an example of a schema, else its default, or nil.
func exampleOf(s *openapi.Schema) json.RawMessage {
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case s.Default != nil:
		return s.Default
	case s.Items != nil:
		return exampleOf(s.Items)
	default:
		return nil
	}
}
