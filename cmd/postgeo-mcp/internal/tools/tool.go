package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo/envelope"
)

// A definition is what callers are told of a tool.
type definition struct {
	name, title, description string
	refine                   func(*jsonschema.Schema) // bounds that a Go type cannot tell; nil for none
	aliases                  map[string][]string      // names under which callers look for a required argument (decision D5)
}

// Inputs echo what a failed item is about.
type echoer interface{ echo() envelope.Input }

// add registers a tool whose arguments are the fields of In and whose answer
// is written as the interface writes it.
func add[In any](server *mcp.Server, s *service, def definition, answer func(context.Context, In) (any, error)) {
	schema := schemaOf[In](def.refine)
	no := false
	tool := &mcp.Tool{
		Name: def.name, Title: def.title, Description: def.description, InputSchema: schema,
		Annotations: &mcp.ToolAnnotations{Title: def.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}
	args := arguments{schema: schema, aliases: def.aliases}
	server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in In
		if err := args.read(req.Params.Arguments, reflect.ValueOf(&in).Elem()); err != nil {
			return s.failed(ctx, def.name, in, err)
		}
		out, err := s.work(ctx, func(ctx context.Context) ([]byte, error) {
			v, err := answer(ctx, in)
			if err != nil {
				return nil, err
			}
			return written(v)
		})
		if err != nil {
			return s.failed(ctx, def.name, in, err)
		}
		return &mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: string(out)}},
			StructuredContent: json.RawMessage(out),
		}, nil
	})
}

// schemaOf is the schema of a tool's arguments: the fields of In with the
// sentences of their tags, and what refine adds.
func schemaOf[In any](refine func(*jsonschema.Schema)) *jsonschema.Schema {
	schema, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: schemasOfTypes()})
	if err != nil {
		panic(err) // the types are ours
	}
	for _, p := range schema.Properties {
		if len(p.Types) == 2 && p.Types[0] == "null" { // optional arguments are left out, null says the same
			p.Type, p.Types = p.Types[1], nil
		}
	}
	if refine != nil {
		refine(schema)
	}
	return schema
}

// work runs a call when there is room for it. A panic is an error.
func (s *service) work(ctx context.Context, call func(context.Context) ([]byte, error)) (out []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return call(ctx)
}

// written is the JSON of an answer.
func written(v any) ([]byte, error) {
	out, err := envelope.Marshal(v)
	if err != nil {
		return nil, err
	}
	return out, fits(len(out))
}

// fits refuses a result that is too large.
func fits(size int) error {
	if size <= MaxResult {
		return nil
	}
	return envelope.NewFault(envelope.BadRequest, fmt.Sprintf("The result has more than the %d bytes that a tool may return. Ask for less: fewer codes, flags, years or rows.", MaxResult))
}
