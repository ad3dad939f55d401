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

// The used parts of a Postman collection, format 2.1.
type (
	postman struct {
		Info     postmanInfo       `json:"info"`
		Auth     postmanAuth       `json:"auth"`
		Item     []postmanFolder   `json:"item"`
		Variable []postmanVariable `json:"variable"`
	}
	postmanInfo struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Schema      string `json:"schema"`
	}
	postmanAuth struct {
		Type   string            `json:"type"`
		APIKey []postmanVariable `json:"apikey,omitempty"`
	}
	postmanVariable struct {
		Key   string `json:"key"`
		Value string `json:"value"`
		Type  string `json:"type,omitzero"`
	}
	postmanFolder struct {
		Name string        `json:"name"`
		Item []postmanItem `json:"item"`
	}
	postmanItem struct {
		Name    string         `json:"name"`
		Request postmanRequest `json:"request"`
	}
	postmanRequest struct {
		Method      string            `json:"method"`
		Description string            `json:"description"`
		Auth        *postmanAuth      `json:"auth,omitzero"` // nil: the collection's
		Header      []postmanVariable `json:"header"`
		Body        *postmanBody      `json:"body,omitzero"`
		URL         postmanURL        `json:"url"`
	}
	postmanBody struct {
		Mode    string         `json:"mode"`
		Raw     string         `json:"raw"`
		Options postmanOptions `json:"options"`
	}
	postmanOptions struct {
		Raw struct {
			Language string `json:"language"`
		} `json:"raw"`
	}
	postmanURL struct {
		Raw   string         `json:"raw"`
		Host  []string       `json:"host"`
		Path  []string       `json:"path"`
		Query []postmanParam `json:"query,omitempty"`
	}
	postmanParam struct {
		Key         string `json:"key"`
		Value       string `json:"value"`
		Description string `json:"description"`
		Disabled    bool   `json:"disabled"` // optional ones can be enabled
	}
)

const postmanFormat = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

// PostmanBase is the base address in a collection, which the server replaces by its
// own.
const PostmanBase = "http://127.0.0.1:8080"

// Postman returns the operations of a document as a Postman collection.
func Postman(doc openapi.Document) ([]byte, error) {
	out := postman{
		Info: postmanInfo{Name: doc.Info.Title, Description: doc.Info.Description, Schema: postmanFormat},
		Auth: postmanAuth{Type: "apikey", APIKey: []postmanVariable{
			{Key: "key", Value: "X-Api-Key", Type: "string"}, {Key: "value", Value: "{{apiKey}}", Type: "string"}, {Key: "in", Value: "header", Type: "string"},
		}},
		Variable: []postmanVariable{
			{Key: "baseUrl", Value: PostmanBase, Type: "string"}, {Key: "apiKey", Value: "", Type: "string"},
		},
	}
	for _, tag := range doc.Tags {
		folder := postmanFolder{Name: tag.Name}
		for _, p := range doc.Paths {
			for _, m := range []struct {
				method string
				op     *openapi.Operation
			}{{http.MethodGet, p.Value.Get}, {http.MethodPost, p.Value.Post}} {
				if m.op == nil || m.op.Tags[0] != tag.Name {
					continue
				}
				item, err := newPostmanItem(p.Name, m.method, m.op)
				if err != nil {
					return nil, err
				}
				folder.Item = append(folder.Item, item)
			}
		}
		out.Item = append(out.Item, folder)
	}
	return json.Marshal(out)
}

func newPostmanItem(path, method string, op *openapi.Operation) (postmanItem, error) {
	for _, p := range op.Parameters {
		if p.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", p.Schema.Enum[0])
		}
	}
	r := postmanRequest{
		Method: method, Description: op.Summary + "\n\n" + op.Description, Header: []postmanVariable{},
		URL: postmanURL{Raw: "{{baseUrl}}" + path, Host: []string{"{{baseUrl}}"}, Path: strings.Split(strings.Trim(path, "/"), "/")},
	}
	if len(op.Security) == 0 {
		r.Auth = &postmanAuth{Type: "noauth"}
	}
	for i, p := range op.Parameters {
		if p.In != "query" {
			continue
		}
		given := p.Required || i == 0 // routes without a required parameter take one of several
		q := postmanParam{Key: p.Name, Description: p.Description, Disabled: !given}
		if examples := exampleOf(p.Schema); len(examples) > 0 {
			var text string
			if err := json.Unmarshal(examples, &text); err != nil {
				text = string(examples)
			}
			q.Value = text
		}
		r.URL.Query = append(r.URL.Query, q)
		if given {
			r.URL.Raw += string("?&"[min(i, 1)]) + p.Name + "=" + url.QueryEscape(q.Value)
		}
	}
	if op.RequestBody != nil {
		media, _ := op.RequestBody.Content.Get("application/json")
		var text bytes.Buffer
		if err := json.Indent(&text, media.Example, "", "  "); err != nil {
			return postmanItem{}, fmt.Errorf("document: example of %s %s: %w", method, path, err)
		}
		r.Header = append(r.Header, postmanVariable{Key: "Content-Type", Value: "application/json"})
		r.Body = &postmanBody{Mode: "raw", Raw: text.String()}
		r.Body.Options.Raw.Language = "json"
	}
	return postmanItem{Name: method + " " + path, Request: r}, nil
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
