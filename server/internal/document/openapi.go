package document

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/shapes"
)

// An object is a part of a document. Its members keep their order.
type object = openapi.Map[any]

// The document follows from the routes, the types of their results and the comments of
// these, so that it cannot describe another API than the one that is served. It is built from
// plain ordered objects: types that mirror the OpenAPI specification were more code than
// the document needs, and a map would lose the order in which people read it.
//
// Equal responses and schemas are components that routes refer to. Golden files of package
// server hold the bytes, and tests compare real responses with the schemas.

// A describer builds the OpenAPI document.
type describer struct {
	schemas *openapi.Schemas
	samples samples
	shown   map[string]bool // names of used examples

	tags      []object
	paths     object
	responses object // that routes share, by name
}

// The names of the security schemes.
const (
	keyInHeader = "KeyInHeader"
	keyInQuery  = "KeyInQuery"
)

const (
	title   = "postgeo"
	summary = "Postal geography of the United States and Canada."
)

// OpenAPI describes routes in their order. It also returns the schemas of the document.
func OpenAPI(routes []*Route) (openapi.Map[any], *openapi.Schemas, error) {
	read, err := readSamples()
	if err != nil {
		return nil, nil, err
	}
	d := describer{
		schemas: openapi.NewSchemas(openapi.Options{Shapes: shapes.Known(), Likes: shapes.Likes(), Comments: read.comments}),
		samples: read, shown: map[string]bool{},
	}
	of := func(t reflect.Type) *openapi.Schema { return d.schemas.Of(t) }
	d.schemas.Add("FailedResponse", openapi.Closed("The response to a request that failed as a whole. It costs nothing.",
		"success", &openapi.Schema{Const: new(false), Description: "False: the request failed."},
		"request", of(reflect.TypeFor[operation.PathRequest]()), "error", of(reflect.TypeFor[envelope.Error]()), "meta", of(reflect.TypeFor[envelope.Meta]())))
	for _, rt := range routes {
		d.route(rt)
	}
	var examples object
	for _, e := range d.samples.errors {
		if d.shown[e.Name] {
			examples.Add(e.Name, openapi.Members("value", e.Value))
		}
	}
	scheme := func(name, in, about string) object {
		return openapi.Members("type", "apiKey", "name", name, "in", in, "description", about)
	}
	return openapi.Members(
		"openapi", openapi.Version,
		"info", openapi.Members(
			"title", title, "summary", summary, "description", documentIntro,
			"contact", openapi.Members("name", "postgeo", "url", "https://github.com/postgeo/postgeo/issues"),
			"license", openapi.Members("name", "MIT", "identifier", "MIT"), "version", envelope.Version),
		"servers", []object{openapi.Members("url", "/", "description", "This server")},
		"tags", d.tags,
		"paths", d.paths,
		"components", openapi.Given(
			"securitySchemes", openapi.Members(
				keyInHeader, scheme("X-Api-Key", "header", "The API key. It takes precedence over the key in the query."),
				keyInQuery, scheme("key", "query", "The API key, for clients that cannot send headers.")),
			"headers", headers(), "parameters", openapi.Members(OnceHeader, onceParameter()),
			"examples", examples, "responses", d.responses, "schemas", d.schemas.Components()),
	), d.schemas, nil
}

func (d *describer) route(rt *Route) {
	tag := tagOf(rt.Path)
	if n := len(d.tags); n == 0 || d.tags[n-1][0].Value != tag {
		d.tags = append(d.tags, openapi.Members("name", tag, "description", rt.Summary))
	}
	security := []map[string][]string{}
	if !rt.Keyless {
		security = append(security, map[string][]string{keyInHeader: {}}, map[string][]string{keyInQuery: {}})
	}
	var item object
	for _, method := range rt.Methods {
		if method == http.MethodHead {
			continue
		}
		var parameters []object
		var body object
		responses := d.responsesOf(rt, method)
		if method == http.MethodPost {
			body = d.body(rt)
		} else {
			parameters = d.parameters(rt)
		}
		item.Add(strings.ToLower(method), openapi.Given(
			"tags", []string{tag}, "summary", rt.Summary, "description", description(rt), "operationId", operationID(rt.Path, method),
			"parameters", parameters, "requestBody", body, "responses", responses, "security", security))
	}
	if !rt.Keyless {
		item.Add("parameters", []object{openapi.Members("$ref", "#/components/parameters/"+OnceHeader)})
	}
	d.paths.Add(rt.Path, item)
}

// description returns the detail and the price of a route and the rules of batches.
func description(rt *Route) string {
	if rt.Batch && rt.Echo != nil {
		return "Every item has an entry in results, in the order of the request. A failed item does not affect the others. For paid plans." +
			"\n\nCredits of an item: " + rt.Price + " The request costs their sum; repeated items count each."
	}
	return strings.TrimLeft(rt.Detail+"\n\nCredits: "+rt.Price, "\n")
}

// tagOf returns the group of a path: zip for /v2/zip/batch.
func tagOf(path string) string {
	tag, _, _ := strings.Cut(strings.TrimPrefix(path, "/v2/"), "/")
	return tag
}

// typeName returns the prefix of a route's schemas: QuickZipBatch for
// /v2/quick-zip/batch.
func typeName(path string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(strings.TrimPrefix(path, "/v2"), func(r rune) bool { return strings.ContainsRune("/-{}", r) }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// operationID returns e.g. getQuickZip.
func operationID(path, method string) string { return strings.ToLower(method) + typeName(path) }

func (d *describer) responsesOf(rt *Route, method string) (out object) {
	out.Add("200", openapi.Members(
		"description", "The request was processed, even if an item failed.", "headers", answerHeaders(!rt.Keyless, http.StatusOK),
		"content", jsonContent(openapi.Given("schema", d.answer(rt), "example", d.samples.answers[rt.Path]))))
	if rt.Plain() {
		out.Add(strconv.Itoa(http.StatusMethodNotAllowed), openapi.Members(
			"description", "The method is not served.", "headers", answerHeaders(false, http.StatusMethodNotAllowed),
			"content", jsonContent(openapi.Members("schema", d.failedWith([]envelope.Code{envelope.BadRequest})))))
	}
	for _, f := range failuresOf(rt, method) {
		schema := d.failedWith(f.codes)
		if rt.Plain() {
			schema = d.answer(rt) // health has the same body with every status
		}
		var examples object
		for _, code := range f.codes {
			if _, ok := d.samples.errors.Get(string(code)); ok && !rt.Plain() {
				d.shown[string(code)] = true
				examples.Add(string(code), openapi.Members("$ref", "#/components/examples/"+string(code)))
			}
		}
		out.Add(strconv.Itoa(f.status), d.shared(typeName(rt.Path), f.status, openapi.Members(
			"description", f.meaning, "headers", answerHeaders(!rt.Keyless, f.status),
			"content", jsonContent(openapi.Given("schema", schema, "examples", examples)))))
	}
	return out
}

// shared returns a reference to a response among the components. Equal responses
// share the one that is named by the status.
func (d *describer) shared(route string, status int, response object) object {
	name := strings.ReplaceAll(http.StatusText(status), " ", "")
	for _, name := range []string{name, route + name} {
		same, taken := d.responses.Get(name)
		if !taken {
			d.responses.Add(name, response)
		} else if !reflect.DeepEqual(same, response) {
			continue
		}
		return openapi.Members("$ref", "#/components/responses/"+name)
	}
	return response
}

// failedWith returns the schema of a failed request with one of the codes. It lists all
// fields of the error, because linters take others for unknown.
func (d *describer) failedWith(codes []envelope.Code) *openapi.Schema {
	code, failure, narrowed := openapi.OneOf(), &openapi.Schema{}, &openapi.Schema{}
	for _, c := range codes {
		code.Enum = append(code.Enum, string(c))
	}
	for _, p := range d.schemas.Component(d.schemas.Of(reflect.TypeFor[envelope.Error]())).Properties {
		if p.Name == "code" {
			p.Value = code
		} else {
			p.Value = &openapi.Schema{}
		}
		failure.Properties.Add(p.Name, p.Value)
	}
	narrowed.Properties.Add("error", failure)
	return &openapi.Schema{AllOf: []*openapi.Schema{openapi.Ref("FailedResponse"), narrowed}}
}

func (d *describer) answer(rt *Route) *openapi.Schema {
	if rt.Echo == nil {
		return d.schemas.Of(rt.Result)
	}
	name := typeName(rt.Path)
	delivered := d.schemas.Of(rt.Result)
	d.delivered(delivered)
	failed := d.schemas.Add(name+"Failure", d.failure(rt))
	results := &openapi.Schema{
		Type: openapi.Types{openapi.Array}, Items: &openapi.Schema{OneOf: []*openapi.Schema{delivered, failed}}, MinItems: 1, MaxItems: 1,
		Description: "The result, or the reason why there is none.",
	}
	meta := openapi.Ref("Meta")
	if rt.Batch {
		results.MaxItems = rt.Items.MaxItems()
		results.Description = "One entry per item, in the order of the request."
		meta = &openapi.Schema{AllOf: []*openapi.Schema{meta, {Required: []string{"batch"}}}}
	}
	return d.schemas.Add(name+"Response", openapi.Closed("",
		"success", &openapi.Schema{Type: openapi.Types{openapi.Boolean}, Description: "The request was processed."},
		"request", d.schemas.Of(rt.Echo), "results", results, "meta", meta))
}

// delivered removes the error from the schema of a result. Entries with an error
// have the schema of failures: with success as a constant in both, generated clients
// can distinguish the two.
func (d *describer) delivered(ref *openapi.Schema) {
	part := d.schemas.Component(ref)
	if part == nil {
		return
	}
	var kept openapi.Map[*openapi.Schema]
	for _, p := range part.Properties {
		switch p.Name {
		case "success":
			kept.Add(p.Name, &openapi.Schema{Const: new(true), Description: "True: this is a result. Failed inputs have false."})
		case "error":
		default:
			kept.Add(p.Name, p.Value)
		}
	}
	part.Properties = kept
}

func (d *describer) failure(rt *Route) *openapi.Schema {
	code := openapi.OneOf()
	for _, c := range itemFailuresOf(rt) {
		code.Enum = append(code.Enum, string(c))
	}
	out := openapi.Closed("An input that failed.",
		"success", &openapi.Schema{Const: new(false), Description: "False: the input failed."},
		"input", d.schemas.Of(reflect.TypeFor[envelope.Input]()),
		"error", openapi.Closed("The reason of the failure.", "code", code, "message", openapi.Of(openapi.String),
			"url", &openapi.Schema{Type: openapi.Types{openapi.String}, Format: "uri-reference", Description: "A page with further help."}))
	out.Properties.Add("notices", &openapi.Schema{Type: openapi.Types{openapi.Array}, Items: d.schemas.Of(reflect.TypeFor[envelope.Notice]()), Description: "Remarks about the input."})
	return out
}

func jsonContent(media object) object { return openapi.Members("application/json", media) }

func raw(text string) json.RawMessage {
	out, _ := json.Marshal(text) // a string has JSON
	return out
}
