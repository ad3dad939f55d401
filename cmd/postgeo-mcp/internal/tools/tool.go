package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/plain"
)

// A tool describes how an operation is offered.
type tool struct {
	limit, most int            // default and maximum of the argument limit
	entries     []reflect.Type // types of the entries of a list, besides failed items
	core        bool           // offered by default
	choose      bool           // has the argument only
	heavy       bool           // a call may take long
}

// An echoer is an input that failed items repeat.
type echoer interface{ Echo() envelope.Input }

// onlyParam is the argument of tools with results that callers choose from.
var onlyParam = &operation.Param{
	Name: "only", List: true, Help: "Members of the result to return, by paths such as city or matches.location.lat; lists are traversed. Default: all.",
}

func (t tool) params(o *operation.Operation) arguments {
	list := slices.Clone(o.Params)
	for i, p := range list {
		if p.Name == "limit" && t.most > 0 {
			list[i] = p.But(func(p *operation.Param) { p.Default, p.Most = strconv.Itoa(t.limit), float64(t.most) })
		}
	}
	if t.choose {
		list = append(list, onlyParam)
	}
	return list
}

// add registers an operation as a tool. run fills no more than In.
func add[In, Out any](server *mcp.Server, s *service, o *operation.Operation, t tool, run func(*In, context.Context, *postgeo.DB) (Out, error)) {
	s.names = append(s.names, o.Name)
	if !s.offers(o.Name, t) {
		return
	}
	args := t.params(o)
	out := outputOf(reflect.TypeFor[Out](), t.entries, t.choose)
	no := false
	declaration := &mcp.Tool{
		Name: o.Name, Description: o.Description(), InputSchema: schemaOf(args),
		Annotations: &mcp.ToolAnnotations{Title: o.Title(), ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}
	if s.structured {
		declared, err := json.Marshal(out)
		if err != nil {
			panic(err) // the types are constant
		}
		declaration.OutputSchema = json.RawMessage(declared)
	}
	places := s.light
	if t.heavy {
		places = s.heavy
	}
	call := func(ctx context.Context, caller string, data json.RawMessage, in *In) ([]byte, error) {
		only, err := args.read(data, reflect.ValueOf(in).Elem())
		if err != nil {
			return nil, err
		}
		members, err := out.choose(only)
		if err != nil {
			return nil, err
		}
		return s.work(ctx, places, caller, func(ctx context.Context) ([]byte, error) {
			if _, err := operation.ResolveNames(ctx, s.db, o.Params, reflect.ValueOf(in).Elem()); err != nil {
				return nil, err
			}
			v, err := run(in, ctx, s.db)
			if err != nil {
				return nil, err
			}
			return written(v, members, s.most)
		})
	}
	server.AddTool(declaration, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		in := new(In)
		text, err := call(ctx, callerOf(ctx, req.Session), req.Params.Arguments, in)
		if err != nil {
			return s.failed(ctx, o.Name, in, err)
		}
		if s.structured {
			return &mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: json.RawMessage(text)}, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, nil
	})
}

func (s *service) offers(name string, t tool) bool {
	if len(s.tools) == 0 {
		return t.core
	}
	return slices.Contains(s.tools, name) || slices.Contains(s.tools, AllTools)
}

// work runs a call when the queue has a place for it. The timeout includes the wait.
// A panic is an error.
func (s *service) work(ctx context.Context, places *admission.Queue, caller string, call func(context.Context) ([]byte, error)) (out []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	turn, err := places.Enter(ctx, caller, 0)
	if err != nil {
		return nil, err
	}
	defer turn.Leave()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return call(ctx)
}

// written returns the JSON of the chosen members of a result. It escapes hidden
// characters, which a model would read and people would not see.
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
