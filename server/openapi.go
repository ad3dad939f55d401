package server

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server/openapi"
	"github.com/postgeo/postgeo/server/shapes"
)

func ptr[T any](v T) *T { return &v }

// A describer makes the document of an interface.
type describer struct {
	schemas *openapi.Schemas
	samples samples
	doc     openapi.Document
}

// The names of the security schemes.
const (
	keyInHeader = "KeyInHeader"
	keyInQuery  = "KeyInQuery"
)

// newDocument describes routes, in their order.
func newDocument(routes []*route) (openapi.Document, []string, error) {
	read, err := readSamples()
	if err != nil {
		return openapi.Document{}, nil, err
	}
	d := describer{
		schemas: openapi.NewSchemas(openapi.Options{Shapes: shapes.Known(), Comments: read.comments, Hidden: "not in the interface"}),
		samples: read,
		doc: openapi.Document{
			OpenAPI: openapi.Version,
			Info: openapi.Info{
				Title:       "postgeo",
				Summary:     "Postal geography of the United States and Canada.",
				Description: documentIntro,
				License:     openapi.License{Name: "MIT", Identifier: "MIT"},
				Version:     envelope.Version,
			},
			Servers: []openapi.Server{{URL: "/", Description: "This server"}},
		},
	}
	schemes := &d.doc.Components.SecuritySchemes
	schemes.Add(keyInHeader, &openapi.SecurityScheme{Type: "apiKey", In: "header", Name: "X-Api-Key", Description: "The API key; it wins over the one in the query."})
	schemes.Add(keyInQuery, &openapi.SecurityScheme{Type: "apiKey", In: "query", Name: "key", Description: "The API key, where a header cannot be sent."})
	d.headers()
	d.common()
	for _, rt := range routes {
		d.route(rt)
	}
	for _, e := range d.samples.errors {
		d.doc.Components.Examples.Add(e.Name, &openapi.Example{Value: e.Value})
	}
	d.doc.Components.Schemas = d.schemas.Components()
	return d.doc, d.schemas.Opaque(), nil
}

// common adds the schemas that all routes share.
func (d *describer) common() {
	of := func(t reflect.Type) *openapi.Schema { return d.schemas.Of(t) }
	failed := &openapi.Schema{
		Type: openapi.Types{openapi.Object}, Additional: &openapi.Additional{}, Required: []string{"success", "request", "error", "meta"},
		Description: "The answer to a request that failed as a whole. It costs nothing.",
	}
	failed.Properties.Add("success", &openapi.Schema{Const: ptr(false), Description: "False: the request could not be served."})
	failed.Properties.Add("request", of(reflect.TypeFor[envelope.PathRequest]()))
	failed.Properties.Add("error", of(reflect.TypeFor[envelope.Error]()))
	failed.Properties.Add("meta", of(reflect.TypeFor[envelope.Meta]()))
	d.schemas.Add("FailedResponse", failed)
}

// route adds the operations of a route.
func (d *describer) route(rt *route) {
	tag := tagOf(rt.path)
	if len(d.doc.Tags) == 0 || d.doc.Tags[len(d.doc.Tags)-1].Name != tag {
		d.doc.Tags = append(d.doc.Tags, openapi.Tag{Name: tag})
	}
	item := &openapi.PathItem{}
	for _, method := range rt.methods {
		op := &openapi.Operation{
			Tags: []string{tag}, Summary: rt.summary, Description: description(rt),
			OperationID: operationID(rt.path, method), Responses: d.responses(rt, method), Security: []map[string][]string{}, Go: goCall(rt.path),
		}
		if !rt.keyless {
			op.Security = append(op.Security, map[string][]string{keyInHeader: {}}, map[string][]string{keyInQuery: {}})
		}
		switch method {
		case http.MethodGet:
			op.Parameters = d.parameters(rt)
			item.Get = op
		case http.MethodPost:
			op.RequestBody = d.body(rt)
			item.Post = op
		}
	}
	d.doc.Paths.Add(rt.path, item)
}

// description says in words what a route costs and what else its summary
// leaves out.
func description(rt *route) string {
	parts := []string{}
	if rt.batch {
		parts = append(parts, "Every item has an entry in results, in the order of the request. An item that is malformed, unknown or goes wrong fails alone. For paid plans.")
		parts = append(parts, "Credits of an item: "+rt.about.price+" The request costs their sum; repeated items count each.")
	} else {
		parts = append(parts, "Credits: "+rt.about.price)
	}
	return strings.Join(parts, "\n\n")
}

// tagOf returns the group of a path: /v2/zip/batch is of zip.
func tagOf(path string) string {
	tag, _, _ := strings.Cut(strings.TrimPrefix(path, prefix+"/"), "/")
	return tag
}

// typeName returns the name that the schemas of a route begin with:
// /v2/quick-zip/batch is QuickZipBatch.
func typeName(path string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(strings.TrimPrefix(path, prefix), func(r rune) bool { return r == '/' || r == '-' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// operationID returns e.g. getQuickZip.
func operationID(path, method string) string { return strings.ToLower(method) + typeName(path) }

// responses are the answers of a route by status.
func (d *describer) responses(rt *route, method string) openapi.Map[*openapi.Response] {
	var out openapi.Map[*openapi.Response]
	ok := &openapi.Response{
		Description: "The request was worked, even if an item in it failed.", Headers: answerHeaders(!rt.keyless, http.StatusOK),
		Content: jsonContent(&openapi.MediaType{Schema: d.answer(rt), Example: d.samples.answers[rt.path]}),
	}
	out.Add("200", ok)
	for _, f := range failuresOf(rt, method) {
		media := &openapi.MediaType{Schema: failedWith(f.codes)}
		if rt.about.echo == nil {
			media = &openapi.MediaType{Schema: d.answer(rt)} // health tells its state with every status
		}
		for _, code := range f.codes {
			if _, ok := d.samples.errors.Get(string(code)); ok && rt.about.echo != nil {
				media.Examples.Add(string(code), &openapi.Example{Ref: "#/components/examples/" + string(code)})
			}
		}
		out.Add(strconv.Itoa(f.status), d.shared(typeName(rt.path), f.status, &openapi.Response{
			Description: f.meaning, Headers: answerHeaders(!rt.keyless, f.status), Content: jsonContent(media),
		}))
	}
	return out
}

// shared returns a reference to an answer among the components: the one that
// is named by the status alone, where they are the same.
func (d *describer) shared(route string, status int, r *openapi.Response) *openapi.Response {
	all := &d.doc.Components.Responses
	name := strings.ReplaceAll(http.StatusText(status), " ", "")
	for _, name := range []string{name, route + name} {
		same, taken := all.Get(name)
		if !taken {
			all.Add(name, r)
		} else if !reflect.DeepEqual(same, r) {
			continue
		}
		return &openapi.Response{Ref: "#/components/responses/" + name}
	}
	return r
}

// failedWith narrows the codes of a failed request.
func failedWith(codes []envelope.Code) *openapi.Schema {
	code, failure, narrowed := openapi.OneOf(), &openapi.Schema{}, &openapi.Schema{}
	for _, c := range codes {
		code.Enum = append(code.Enum, string(c))
	}
	failure.Properties.Add("code", code)
	narrowed.Properties.Add("error", failure)
	return &openapi.Schema{AllOf: []*openapi.Schema{openapi.Ref("FailedResponse"), narrowed}}
}

// answer is the schema of a successful answer.
func (d *describer) answer(rt *route) *openapi.Schema {
	about := &rt.about
	if about.echo == nil {
		return d.schemas.Of(about.result)
	}
	name := typeName(rt.path)
	delivered := d.schemas.Of(about.result)
	d.delivered(delivered)
	failed := d.schemas.Add(name+"Failure", d.failure(rt))
	results := &openapi.Schema{
		Type: openapi.Types{openapi.Array}, Items: &openapi.Schema{OneOf: []*openapi.Schema{delivered, failed}}, MinItems: 1, MaxItems: 1,
		Description: "What was found, or why nothing was.",
	}
	meta := openapi.Ref("Meta")
	if rt.batch {
		results.MaxItems = rt.maxItems()
		results.Description = "One entry for each item, in their order."
		meta = &openapi.Schema{AllOf: []*openapi.Schema{meta, {Required: []string{"batch"}}}}
	}
	out := &openapi.Schema{
		Type: openapi.Types{openapi.Object}, Additional: &openapi.Additional{}, Required: []string{"success", "request", "results", "meta"},
	}
	out.Properties.Add("success", &openapi.Schema{Type: openapi.Types{openapi.Boolean}, Description: "The request was worked."})
	out.Properties.Add("request", d.schemas.Of(about.echo))
	out.Properties.Add("results", results)
	out.Properties.Add("meta", meta)
	return d.schemas.Add(name+"Response", out)
}

// delivered narrows the schema of a result: an entry with an error is a
// failure's.
func (d *describer) delivered(ref *openapi.Schema) {
	part := d.schemas.Component(ref)
	if part == nil {
		return
	}
	var kept openapi.Map[*openapi.Schema]
	for _, p := range part.Properties {
		switch p.Name {
		case "success":
			kept.Add(p.Name, &openapi.Schema{Const: ptr(true), Description: "True: this is what was found. An input that could not be served has false."})
		case "error":
		default:
			kept.Add(p.Name, p.Value)
		}
	}
	part.Properties = kept
}

// failure is the schema of an item that failed.
func (d *describer) failure(rt *route) *openapi.Schema {
	code := openapi.OneOf()
	for _, c := range itemFailuresOf(rt) {
		code.Enum = append(code.Enum, string(c))
	}
	text := openapi.Of(openapi.String)
	failed := &openapi.Schema{Type: openapi.Types{openapi.Object}, Additional: &openapi.Additional{}, Required: []string{"code", "message", "url"}, Description: "Why the input could not be served."}
	failed.Properties.Add("code", code)
	failed.Properties.Add("message", text)
	failed.Properties.Add("url", &openapi.Schema{Type: openapi.Types{openapi.String}, Format: "uri-reference", Description: "A page that helps further."})
	out := &openapi.Schema{
		Type: openapi.Types{openapi.Object}, Additional: &openapi.Additional{}, Required: []string{"success", "input", "error"},
		Description: "An input that could not be served.",
	}
	out.Properties.Add("success", &openapi.Schema{Const: ptr(false), Description: "False: the input could not be served."})
	out.Properties.Add("input", d.schemas.Of(reflect.TypeFor[envelope.Input]()))
	out.Properties.Add("error", failed)
	out.Properties.Add("notices", &openapi.Schema{Type: openapi.Types{openapi.Array}, Items: d.schemas.Of(reflect.TypeFor[envelope.Notice]()), Description: "What was noticed about the input."})
	return out
}

// maxItems is how many items a batch takes.
func (rt *route) maxItems() int { return rt.about.items.items() }

func jsonContent(m *openapi.MediaType) openapi.Map[*openapi.MediaType] {
	return openapi.Map[*openapi.MediaType]{{Name: "application/json", Value: m}}
}

// raw returns the JSON of a string.
func raw(text string) json.RawMessage {
	out, _ := json.Marshal(text) // a string has JSON
	return out
}
