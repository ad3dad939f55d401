package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server/openapi"
)

// The debug option of every route that asks for a key (decision D24).
var (
	paramDebug    = &param{name: "debug", doc: "Adds meta.debug for keys with the debug scope; ignored for others."}
	paramDebugKey = &param{name: "debug_key", doc: paramDebug.doc}
)

// parameters are those of a GET.
func (d *describer) parameters(rt *route) []openapi.Parameter {
	var out []openapi.Parameter
	params := rt.params
	if !rt.keyless {
		params = append(slices.Clip(params), paramDebug)
	}
	for _, p := range params {
		q := openapi.Parameter{Name: p.name, In: "query", Description: p.doc, Required: p.required, Schema: d.value(p)}
		if p.example != "" {
			q.Example = p.json(p.example)
		}
		if p.list {
			q.Style, q.Explode = "form", ptr(false)
			q.Schema = d.list(p)
		}
		out = append(out, q)
	}
	return out
}

// body is that of a POST.
func (d *describer) body(rt *route) *openapi.RequestBody {
	schema := d.object(append(slices.Clip(rt.params), paramDebugKey))
	example := map[string]json.RawMessage{}
	for _, p := range rt.params {
		switch {
		case p.example == "":
		case p == rt.about.items, p.kind != textParam:
			example[p.name] = json.RawMessage(p.example)
		default:
			example[p.name] = raw(p.example)
		}
	}
	shown, _ := json.Marshal(example) // of raw JSON
	body := &openapi.RequestBody{Required: rt.batch, Content: jsonContent(&openapi.MediaType{Schema: schema, Example: shown})}
	if rt.batch {
		body.Description = "A JSON object of at most " + strconv.Itoa(maxBatchBytes>>10) + " KiB. Nothing is taken from the query."
	} else {
		body.Description = "A JSON object of at most " + strconv.Itoa(maxBodyBytes>>10) + " KiB. What it lacks is taken from the query."
	}
	return body
}

// object is the schema of a JSON object of parameters. Others are ignored.
func (d *describer) object(params []*param) *openapi.Schema {
	out := openapi.Of(openapi.Object)
	for _, p := range params {
		value := d.value(p)
		if p.list && p.entry == nil && p.fields == nil {
			value = &openapi.Schema{AnyOf: []*openapi.Schema{
				{Type: openapi.Types{openapi.String}, Description: "Divided by commas."}, d.list(p),
			}}
		}
		value.Description = p.doc
		out.Properties.Add(p.name, value)
		if p.required {
			out.Required = append(out.Required, p.name)
		}
	}
	return out
}

// list is the schema of a list of flags. What has no meaning is ignored, so
// that the values are examples and not all there are.
func (d *describer) list(p *param) *openapi.Schema {
	flag := openapi.Of(openapi.String)
	for _, v := range p.values {
		flag.Examples = append(flag.Examples, raw(v))
	}
	return &openapi.Schema{Type: openapi.Types{openapi.Array}, Items: flag, MaxItems: maxListItems}
}

// value is the schema of one parameter.
func (d *describer) value(p *param) *openapi.Schema {
	out := &openapi.Schema{}
	switch {
	case p.fields != nil || p.entry != nil:
		return &openapi.Schema{Type: openapi.Types{openapi.Array}, Items: d.entry(p), MinItems: 1, MaxItems: p.items()}
	case p.kind == numberOrTextParam:
		number := p.bounds(openapi.Of(openapi.Number))
		out.AnyOf = []*openapi.Schema{number, openapi.OneOf(p.values...), {Type: openapi.Types{openapi.String}, Pattern: `^[0-9]+(\.[0-9]+)?$`}}
	case p.kind == numberParam:
		out = p.bounds(openapi.Of(openapi.Number))
	case p.kind == integerParam:
		out = p.bounds(openapi.Of(openapi.Integer))
	default:
		out.Type, out.MaxLength = openapi.Types{openapi.String}, p.chars
		if p.required {
			out.MinLength = 1
		}
		if !p.list {
			out.Enum = p.values
		}
	}
	if p.def != "" {
		out.Default = p.json(p.def)
	}
	if p.example != "" {
		out.Examples = []json.RawMessage{p.json(p.example)}
	}
	return out
}

// entry is the schema of one item of a list. Null and blanks are items that
// fail alone (decision D8).
func (d *describer) entry(p *param) *openapi.Schema {
	if p.entry != nil {
		one := d.value(p.entry)
		one.MinLength = 0
		return openapi.Nullable(one)
	}
	return openapi.Nullable(d.object(p.fields))
}

// json returns a value of the parameter as JSON.
func (p *param) json(v string) json.RawMessage {
	if _, err := strconv.ParseFloat(v, 64); err == nil && p.kind != textParam {
		return json.RawMessage(v)
	}
	return raw(v)
}

// bounds adds the range of a number.
func (p *param) bounds(s *openapi.Schema) *openapi.Schema {
	switch {
	case p.kind == numberOrTextParam && p.least == 0:
		s.ExclusiveMinimum = ptr(0.0)
	default:
		s.Minimum = ptr(p.least)
	}
	if p.most > 0 {
		s.Maximum = ptr(p.most)
	}
	return s
}

// headers adds the headers of answers to the components.
func (d *describer) headers() {
	add := func(name, doc string, required bool, s *openapi.Schema) {
		d.doc.Components.Headers.Add(name, &openapi.Header{Description: doc, Required: required, Schema: s})
	}
	add("X-Request-Id", "The ULID of meta.request_id.", true, &openapi.Schema{Type: openapi.Types{openapi.String}, Pattern: "^[0-9A-HJKMNP-TV-Z]{26}$"})
	add("X-Api-Version", "The version of the interface.", true, openapi.OneOf(envelope.HeaderVersion))
	add("Cache-Control", "Answers are not stored.", true, openapi.OneOf(headerNoStore...))
	whole := func() *openapi.Schema {
		return &openapi.Schema{Type: openapi.Types{openapi.Integer}, Minimum: ptr(0.0)}
	}
	add("X-RateLimit-Limit", "Requests a minute; absent without accounts.", false, whole())
	add("X-RateLimit-Remaining", "Requests left in this minute.", false, whole())
	add("X-RateLimit-Reset", "Unix time at which all requests are left again.", false, whole())
	add("X-RateLimit-Window", "What the limit counts by.", false, openapi.OneOf(headerMinute...))
	add("Retry-After", "Seconds after which the same request may succeed; absent with retryable false.", false, whole())
}

// answerHeaders refer to the headers that an answer with a status has. A route
// that counts no requests tells no time to wait either.
func answerHeaders(rated bool, status int) openapi.Map[*openapi.Header] {
	var out openapi.Map[*openapi.Header]
	names := []string{"X-Request-Id", "X-Api-Version", "Cache-Control"}
	if rated {
		names = append(names, "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Window")
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			names = append(names, "Retry-After")
		}
	}
	for _, name := range names {
		out.Add(name, &openapi.Header{Ref: "#/components/headers/" + name})
	}
	return out
}
