package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/shapes"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
)

// definitions is the path of the parts of a schema outside OpenAPI.
const definitions = "#/$defs/"

// An output is the shape of a tool's results.
type output struct {
	root    *openapi.Schema
	schemas *openapi.Schemas
}

// outputOf returns the shape of a type. entries are the types in a list, besides
// failed items. With choose, all members are optional.
func outputOf(t reflect.Type, entries []reflect.Type, choose bool) output {
	known := shapes.Known()
	for _, profile := range shapes.Profiles() { // over a hundred members each, all alike; acs_fields lists them
		known[profile] = openapi.Of(openapi.Object)
	}
	known[reflect.TypeFor[geometry]()] = openapi.Of(openapi.Object, openapi.Null)
	known[reflect.TypeFor[time.Time]()] = &openapi.Schema{Type: openapi.Types{openapi.String}, Format: "date-time"}
	of := &openapi.Schema{}
	known[reflect.TypeFor[entry]()] = of
	o := output{schemas: openapi.NewSchemas(openapi.Options{Shapes: known, Root: definitions})}
	if len(entries) > 0 {
		for _, e := range append(slices.Clone(entries), reflect.TypeFor[envelope.Item]()) {
			of.AnyOf = append(of.AnyOf, o.schemas.Of(e))
		}
	}
	o.root = o.schemas.Of(t)
	if part := o.schemas.Component(o.root); part != nil {
		o.root = part
	}
	if opaque := o.schemas.Opaque(); len(opaque) > 0 {
		panic(fmt.Sprintf("tools: unknown JSON shape of %v; define it in package shapes or by a method JSONShape", opaque)) // the types are ours
	}
	if choose {
		loosen(o.root)
		for _, part := range o.schemas.Components() {
			loosen(part.Value)
		}
	}
	return o
}

// loosen lets every member of a schema be absent.
func loosen(s *openapi.Schema) {
	s.Required = nil
	for _, p := range s.Properties {
		loosen(p.Value)
	}
	if s.Items != nil {
		loosen(s.Items)
	}
	if s.Additional != nil && s.Additional.Of != nil {
		loosen(s.Additional.Of)
	}
	for _, one := range s.AnyOf {
		loosen(one)
	}
}

func (o output) MarshalJSON() ([]byte, error) {
	document := struct {
		openapi.Schema
		Parts openapi.Map[*openapi.Schema] `json:"$defs,omitempty"`
	}{Schema: *o.root}
	for _, part := range o.schemas.Components() {
		if part.Value != o.root {
			document.Parts = append(document.Parts, part)
		}
	}
	return json.Marshal(document)
}

// A chosen is a set of members of a result. The empty set means all.
type chosen map[string]chosen

// choose parses paths such as matches.location.lat. It traverses lists.
func (o output) choose(paths []string) (chosen, error) {
	all := chosen{}
	for _, path := range paths {
		at, part, end := all, o.root, false
		names := strings.Split(path, ".")
		for i, name := range names {
			of, known, ok := o.member(part, name)
			if !ok {
				return nil, envelope.NewFault(envelope.ValidationInvalidParam, noMember(name, strings.Join(names[:i], "."), known))
			}
			next, seen := at[name]
			if end = seen && len(next) == 0; end { // all of it is chosen already
				break
			}
			if !seen {
				next = chosen{}
				at[name] = next
			}
			at, part = next, of
		}
		if !end {
			clear(at)
		}
	}
	return all, nil
}

func noMember(name, in string, known []string) string {
	where := "the answer"
	if in != "" {
		where = in
	}
	text := fmt.Sprintf("Parameter 'only' names %q, which %s does not have", clip(name), where)
	if len(known) == 0 {
		return text + "; there is nothing in it to choose."
	}
	return text + "; it has " + strings.Join(known, ", ") + "."
}

// member finds a member of a schema, through lists, references and alternatives.
// known are all members. A nil schema accepts every value.
func (o output) member(s *openapi.Schema, name string) (of *openapi.Schema, known []string, ok bool) {
	for s != nil && (s.Ref != "" || s.Items != nil) {
		if s.Ref != "" {
			s = o.schemas.Component(s)
		} else {
			s = s.Items
		}
	}
	switch {
	case s == nil:
		return nil, nil, true
	case len(s.AnyOf) > 0:
		for _, one := range s.AnyOf {
			of, more, ok := o.member(one, name)
			if ok && of != nil {
				return of, nil, true
			}
			for _, m := range more {
				if !slices.Contains(known, m) {
					known = append(known, m)
				}
			}
		}
		return nil, known, false
	case s.Additional != nil && s.Additional.Of != nil:
		return s.Additional.Of, nil, true
	case len(s.Properties) == 0 && slices.Contains(s.Type, openapi.Object):
		return nil, nil, true
	}
	if of, ok := s.Properties.Get(name); ok {
		return of, nil, true
	}
	for _, p := range s.Properties {
		known = append(known, p.Name)
	}
	return nil, known, false
}

// FailedItem is the key of the failed item in the metadata of an error. Errors have
// no structured content, because it would need the shape of the tool's results.
const FailedItem = "postgeo/item"

// failed returns the result of a call that failed, or an error if the caller has
// left.
func (s *service) failed(ctx context.Context, tool string, in any, err error) (*mcp.CallToolResult, error) {
	if gone := ctx.Err(); gone != nil {
		return nil, gone
	}
	failure, ok := envelope.OfInput(err)
	if !ok {
		failure = s.unexpected(ctx, tool, err)
	}
	var input envelope.Input
	if e, ok := in.(echoer); ok {
		input = e.Echo()
	}
	item := links.Failed(input, failure.(error), lookup.NormalizedNotices(input)...)
	out, err := envelope.Marshal(&item)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: plain.Line(string(failure.ContractCode()) + ": " + failure.ContractMessage())}},
		Meta:    mcp.Meta{FailedItem: json.RawMessage(out)},
	}, nil
}

// unexpected returns the failure for an error that is not about the input. It logs
// the error unless the client caused it.
func (s *service) unexpected(ctx context.Context, tool string, err error) *envelope.Fault {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return envelope.NewFault(envelope.ServiceUnavailable, wording.TimedOut)
	case errors.Is(err, postgeo.ErrClosed):
		return envelope.NewFault(envelope.ServiceUnavailable, wording.Unavailable)
	}
	s.logger.ErrorContext(ctx, "tool failed", "tool", tool, "error", err.Error())
	return envelope.NewFault(envelope.InternalError, wording.Internal)
}

// capitalized renders an error without the names of packages, as a message.
func capitalized(err error) string {
	text := err.Error()
	for _, prefix := range []string{"postgeo: ", "lookup: ", "radius: ", "geo: ", "acs: ", "dataset: "} {
		text = strings.ReplaceAll(text, prefix, "")
	}
	if text == "" {
		return text
	}
	if !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, ".") {
		text += "."
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
