package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/plain"
)

// A definition describes a tool.
type definition struct {
	name, title, description string
	bounds                   []bound        // of arguments
	entries                  []reflect.Type // types of the entries of a list, besides failed items
	core                     bool           // offered by default
	choose                   bool           // has the argument only
	heavy                    bool           // a call may take long
}

// Inputs echo what a failed item is about.
type echoer interface{ echo() envelope.Input }

// onlyIn is the argument of tools whose answers callers choose from.
type onlyIn struct {
	Only flags `json:"only,omitempty"`
}

// add registers a tool whose arguments are the fields of In and whose answer,
// an Out, is written as the interface writes it.
func add[In, Out any](server *mcp.Server, s *service, def definition, answer func(context.Context, In) (Out, error)) {
	s.names = append(s.names, def.name)
	if !s.offers(def) {
		return
	}
	schema := schemaOf[In](def.bounds)
	if def.choose {
		only := *schemasOfTypes()[reflect.TypeFor[flags]()]
		only.Description = onlyText
		if schema.Properties == nil {
			schema.Properties = map[string]*jsonschema.Schema{}
		}
		schema.Properties["only"] = &only
		schema.PropertyOrder = append(schema.PropertyOrder, "only")
	}
	out := outputOf(reflect.TypeFor[Out](), def.entries, def.choose)
	no := false
	tool := &mcp.Tool{
		Name: def.name, Description: def.description, InputSchema: schema,
		Annotations: &mcp.ToolAnnotations{Title: def.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}
	if s.structured {
		declared, err := json.Marshal(out)
		if err != nil {
			panic(err) // the types are constant
		}
		tool.OutputSchema = json.RawMessage(declared)
	}
	args := arguments{schema: schema}
	places := s.light
	if def.heavy {
		places = s.heavy
	}
	call := func(ctx context.Context, caller string, data json.RawMessage, in *In) ([]byte, error) {
		var only onlyIn
		if err := args.read(data, reflect.ValueOf(in).Elem(), reflect.ValueOf(&only).Elem()); err != nil {
			return nil, err
		}
		members, err := out.choose(only.Only.texts())
		if err != nil {
			return nil, err
		}
		return s.work(ctx, places, caller, func(ctx context.Context) ([]byte, error) {
			v, err := answer(ctx, *in)
			if err != nil {
				return nil, err
			}
			return written(v, members, s.most)
		})
	}
	server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in In
		text, err := call(ctx, callerOf(ctx, req.Session), req.Params.Arguments, &in)
		if err != nil {
			return s.failed(ctx, def.name, in, err)
		}
		if s.structured {
			return &mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: json.RawMessage(text)}, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, nil
	})
}

// offers reports whether the options select a tool.
func (s *service) offers(def definition) bool {
	if len(s.tools) == 0 {
		return def.core
	}
	return slices.Contains(s.tools, def.name) || slices.Contains(s.tools, AllTools)
}

// schemaOf is the schema of a tool's arguments: the fields of In with the
// sentences of their tags, and their bounds.
func schemaOf[In any](bounds []bound) *jsonschema.Schema {
	schema, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: schemasOfTypes()})
	if err != nil {
		panic(err) // the types are ours
	}
	for _, p := range schema.Properties {
		if len(p.Types) == 2 && p.Types[0] == "null" { // optional arguments are left out, null says the same
			p.Type, p.Types = p.Types[1], nil
		}
	}
	for _, set := range bounds {
		set(schema)
	}
	return schema
}

// work runs a call when the queue has a place for it. The time that it waits
// counts. A panic is an error.
func (s *service) work(ctx context.Context, places *queue, caller string, call func(context.Context) ([]byte, error)) (out []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if err := places.enter(ctx, caller); err != nil {
		return nil, err
	}
	defer places.leave()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return call(ctx)
}

// written returns the JSON of the chosen members of an answer, with hidden
// characters escaped: a model would read them, and people who watch would not.
func written(v any, members chosen, most int) ([]byte, error) {
	out, err := envelope.Marshal(v)
	if err != nil {
		return nil, err
	}
	if out, err = members.of(out); err != nil {
		return nil, err
	}
	out = plain.Append(nil, out)
	return out, fits(len(out), most)
}

// fits refuses a result that is too large.
func fits(size, most int) error {
	if size <= most {
		return nil
	}
	return envelope.NewFault(envelope.BadRequest, fmt.Sprintf("The result has more than the %d bytes that a tool may return. Request less: fewer codes, flags, years or rows, or some members by only.", most))
}
