package document

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/internal/operation"
)

// The debug option of every route with a key (decision D24).
var (
	paramDebug    = &operation.Param{Name: "debug", Help: "Adds meta.debug if the key has the debug scope."}
	paramDebugKey = &operation.Param{Name: "debug_key", Help: paramDebug.Help}
)

func (d *describer) parameters(rt *Route) (out []object) {
	params := rt.Params
	if !rt.Keyless {
		params = append(slices.Clip(params), paramDebug)
	}
	for _, p := range params {
		schema, style, explode, example := d.value(p), "", (*bool)(nil), json.RawMessage(nil)
		if p.List {
			schema, style, explode = d.list(p, false), "form", new(false)
		}
		if p.Example != "" {
			example = asJSON(p, p.Example)
		}
		out = append(out, openapi.Given(
			"name", p.Name, "in", "query", "description", p.Help, "required", p.Required, "style", style, "explode", explode, "schema", schema, "example", example))
	}
	return out
}

func (d *describer) body(rt *Route) object {
	about := "A JSON object of at most " + strconv.Itoa(MaxBodyBytes>>10) + " KiB. The query supplies missing fields."
	if rt.Batch {
		about = "A JSON object of at most " + strconv.Itoa(MaxBatchBytes>>10) + " KiB. The query is ignored."
	}
	schema := d.object(append(slices.Clip(rt.Params), paramDebugKey), rt.Batch)
	return openapi.Given("description", about, "required", rt.Batch, "content", jsonContent(openapi.Members("schema", schema, "example", exampleBody(rt))))
}

// exampleBody returns a body with the examples of the parameters.
func exampleBody(rt *Route) map[string]json.RawMessage {
	example := map[string]json.RawMessage{}
	for _, p := range rt.Params {
		switch {
		case p.Example == "":
		case p == rt.Items, p.Kind != operation.Text:
			example[p.Name] = json.RawMessage(p.Example)
		default:
			example[p.Name] = raw(p.Example)
		}
	}
	return example
}

// object returns the schema of a JSON object of parameters, of a batch or not. Other
// fields are ignored.
func (d *describer) object(params []*operation.Param, batch bool) *openapi.Schema {
	out := openapi.Of(openapi.Object)
	for _, p := range params {
		value := d.value(p)
		if p.List && p.Entry == nil && p.Fields == nil {
			value = &openapi.Schema{AnyOf: []*openapi.Schema{
				{Type: openapi.Types{openapi.String}, Description: "Separated by commas."}, d.list(p, batch),
			}}
		}
		value.Description = p.Help
		out.Properties.Add(p.Name, value)
		if p.Required {
			out.Required = append(out.Required, p.Name)
		}
	}
	return out
}

// list returns the schema of a list of flags, which only batches limit. Unknown flags
// are ignored, so the values are only examples: with an enum, generated clients would refuse
// the flags of a later year.
func (d *describer) list(p *operation.Param, batch bool) *openapi.Schema {
	flag := openapi.Of(openapi.String)
	for _, v := range p.Values {
		flag.Examples = append(flag.Examples, raw(v))
	}
	out := &openapi.Schema{Type: openapi.Types{openapi.Array}, Items: flag}
	if batch {
		out.MaxItems = MaxFlags
	}
	return out
}

func (d *describer) value(p *operation.Param) *openapi.Schema {
	out := &openapi.Schema{}
	switch {
	case p.Fields != nil || p.Entry != nil:
		return &openapi.Schema{Type: openapi.Types{openapi.Array}, Items: d.entry(p), MinItems: 1, MaxItems: p.MaxItems()}
	case p.Kind == operation.NumberOrText:
		number := bounds(p, openapi.Of(openapi.Number))
		out.AnyOf = []*openapi.Schema{number, openapi.OneOf(p.Values...), {Type: openapi.Types{openapi.String}, Pattern: `^[0-9]+(\.[0-9]+)?$`}}
	case p.Kind == operation.Object:
		out.AnyOf = []*openapi.Schema{openapi.Of(openapi.Object), {Type: openapi.Types{openapi.String}, Description: "The object as JSON text."}}
	case p.Kind == operation.Number:
		out = bounds(p, openapi.Of(openapi.Number))
	case p.Kind == operation.Integer:
		out = bounds(p, openapi.Of(openapi.Integer))
	default:
		out.Type, out.MaxLength = openapi.Types{openapi.String}, p.Chars
		if p.Required {
			out.MinLength = 1
		}
		if !p.List {
			out.Enum = p.Values
		}
	}
	if p.Default != "" {
		out.Default = asJSON(p, p.Default)
	}
	if p.Example != "" {
		out.Examples = []json.RawMessage{asJSON(p, p.Example)}
	}
	return out
}

// entry returns the schema of one item of a list. Null and empty items fail
// without the request (decision D8).
func (d *describer) entry(p *operation.Param) *openapi.Schema {
	if p.Entry != nil {
		one := d.value(p.Entry)
		one.MinLength = 0
		return openapi.Nullable(one)
	}
	return openapi.Nullable(d.object(p.Fields, true))
}

func asJSON(p *operation.Param, v string) json.RawMessage {
	if _, err := strconv.ParseFloat(v, 64); err == nil && p.Kind != operation.Text {
		return json.RawMessage(v)
	}
	return raw(v)
}

func bounds(p *operation.Param, s *openapi.Schema) *openapi.Schema {
	switch {
	case p.Kind == operation.NumberOrText && p.Least == 0:
		s.ExclusiveMinimum = new(0.0)
	default:
		s.Minimum = new(p.Least)
	}
	if p.Most > 0 {
		s.Maximum = new(p.Most)
	}
	return s
}

// headers are those of responses.
func headers() (out object) {
	add := func(name, about string, required bool, s *openapi.Schema) {
		out.Add(name, openapi.Given("description", about, "required", required, "schema", s))
	}
	add("X-Request-Id", "The ULID of meta.request_id.", true, &openapi.Schema{Type: openapi.Types{openapi.String}, Pattern: "^[0-9A-HJKMNP-TV-Z]{26}$"})
	add("X-Api-Version", "The version of the interface.", true, openapi.OneOf(envelope.HeaderVersion))
	add("Cache-Control", "Responses are not cached.", true, openapi.OneOf("no-store"))
	whole := &openapi.Schema{Type: openapi.Types{openapi.Integer}, Minimum: new(0.0)}
	add("X-RateLimit-Limit", "Requests per minute; absent without accounts.", false, whole)
	add("X-RateLimit-Remaining", "Requests left in this minute.", false, whole)
	add("X-RateLimit-Reset", "Unix time at which the limit is fully available again.", false, whole)
	add("X-RateLimit-Window", "Period of the limit.", false, openapi.OneOf("minute"))
	add("Retry-After", "Seconds until the same request may succeed; absent if retryable is false.", false, whole)
	return out
}

// answerHeaders returns references to the headers of a response. Only routes with
// a rate limit have Retry-After.
func answerHeaders(rated bool, status int) (out object) {
	names := []string{"X-Request-Id", "X-Api-Version", "Cache-Control"}
	if rated {
		names = append(names, "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Window")
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			names = append(names, "Retry-After")
		}
	}
	for _, name := range names {
		out.Add(name, openapi.Members("$ref", "#/components/headers/"+name))
	}
	return out
}

func onceParameter() object {
	return openapi.Members("name", OnceHeader, "in", "header",
		"description", "A random text that you choose for a request and repeat when you send it again, such as after a timeout. Within 24 hours the request is charged once: later responses repeat meta.credits and have the notice IDEMPOTENT_REPLAY. Another request with the key fails with 422.",
		"schema", &openapi.Schema{Type: openapi.Types{openapi.String}, Pattern: "^[ -~]+$", MinLength: 1, MaxLength: MaxOnceKey})
}

// OnceHeader is the name of the header under whose value a request is charged once
// (decision D76).
const OnceHeader = "Idempotency-Key"

// The limits of requests.
const (
	MaxOnceKey    = 255       // characters of OnceHeader
	MaxBodyBytes  = 256 << 10 // of single routes (decision D7)
	MaxBatchBytes = 1 << 20   // of batch routes
	MaxFlags      = 50        // of a list in the JSON of a batch
)

// A Route describes one route.
type Route struct {
	Path    string
	Summary string
	Detail  string   // further sentences
	Methods []string // as in the header Allow, without OPTIONS
	Params  []*operation.Param
	Batch   bool // for paid plans only
	Keyless bool // no key is required

	Echo     reflect.Type     // of the response's request; nil if results have no envelope
	Result   reflect.Type     // of an entry of results, or of a response without envelope
	Items    *operation.Param // the list of a batch
	Failures []envelope.Code
	Refusals []envelope.Code
	Price    string
}

// Plain reports whether all responses are the result itself, as those of health are.
func (rt *Route) Plain() bool { return rt.Echo == nil }
