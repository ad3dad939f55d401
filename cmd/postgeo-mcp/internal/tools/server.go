// Package tools offers operations of package operation as tools of the Model Context
// Protocol.
//
// # Usage
//
// [New] makes a server that any transport of the SDK can carry:
//
//	s, err := tools.New(db, tools.Options{Version: version})
//	err = s.Run(ctx, &mcp.StdioTransport{})
//
// Every tool reads and none writes. A result is the item of the HTTP interface, as text.
// A call that fails is a tool error: the text begins with a code of that interface, and
// the metadata has the failed item, see [FailedItem]. As many calls run at once as there
// are processors.
package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
)

// Defaults and bounds of [Options].
const (
	DefaultMaxResult = 64 << 10 // about the size that a model's client accepts at once
	MostResult       = 4 << 20
	DefaultTimeout   = 30 * time.Second
	AllTools         = "all" // selects every tool
)

// Options configures a server. The zero value serves all tools.
type Options struct {
	Version   string        // of the program, as clients see it; default: "(devel)"
	Timeout   time.Duration // limit of a call; default: DefaultTimeout
	MaxResult int           // limit of a result's JSON in bytes; default: DefaultMaxResult
	Tools     []string      // names of the offered tools; default: AllTools
	Logger    *slog.Logger  // receives internal errors; default: none
}

// links are the pages in errors.
var links = envelope.Links{
	Site: "https://github.com/postgeo/postgeo",
	Docs: "https://github.com/postgeo/postgeo/blob/main/docs/mcp.md",
}

const instructions = `Postal geography of the United States and Canada from one local dataset: ZIP, ZIP+4, FSA and Canadian postal codes, coordinates, distances, radius searches, areas (counties, tracts, districts), US addresses and profiles of the American Community Survey.

A code is a ZIP (90210), ZIP+4 (90210-1234), FSA (K1A), postal code (K1A 0B1) or latitude,longitude (34.0901,-118.4065). Distances are miles on the ellipsoid.
Read dataset_info first: a dataset whose version begins with "sample" has a few hundred codes only, and its ZIP+4 records and profiles are invented: do not pass these on as facts. Missing data is named in notices.
Every tool only reads. Lists are short unless limit is given, and only selects members of a result. The message of a failed call describes what to change.`

// A tool describes how an operation is offered. Limits are small, because results fill
// a model's context.
type tool struct {
	*operation.Operation
	limit, most int // default and maximum of the argument limit
}

// offered lists the tools. They are few because a client shows all of them to its model
// in every turn.
func offered() []tool {
	return []tool{
		{Operation: datasetInfo},
		{Operation: lookupCode},
		{Operation: operation.Suggest, limit: 10, most: 50},
		{Operation: operation.Address},
		{Operation: operation.Geocode},
		{Operation: operation.Reverse},
		{Operation: operation.Radius, limit: 50, most: 500},
		{Operation: operation.Nearest},
		{Operation: operation.Inside, limit: 50, most: 500},
		{Operation: operation.Distance},
		{Operation: operation.CodesIn, limit: 50, most: 5000},
		{Operation: operation.Crosswalk, limit: 50, most: 500},
		{Operation: operation.Profile},
		{Operation: operation.Series},
	}
}

// A service serves tools from a dataset.
type service struct {
	db      *postgeo.DB
	timeout time.Duration
	most    int // bytes of a result
	logger  *slog.Logger
	queue   *admission.Queue // of calls; program limits the requests of its transports
}

// New returns a server whose tools and resources read db, which must stay open
// while the server runs. It returns an error if options name an unknown tool.
func New(db *postgeo.DB, opt Options) (*mcp.Server, error) {
	s := &service{
		db: db, timeout: cmp.Or(opt.Timeout, DefaultTimeout), most: cmp.Or(opt.MaxResult, DefaultMaxResult), logger: cmp.Or(opt.Logger, slog.New(slog.DiscardHandler)),
		// Without Memory: turns reserve none.
		queue: admission.NewQueue(admission.Options{Processors: runtime.GOMAXPROCS(0), Waiting: math.MaxInt}),
	}
	server := mcp.NewServer(
		&mcp.Implementation{Name: "postgeo", Title: "postgeo: US and Canadian postal geography", Version: cmp.Or(opt.Version, "(devel)"), WebsiteURL: links.Site},
		&mcp.ServerOptions{
			Instructions: instructions,
			Logger:       s.logger,
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}}, // neither list changes
		},
	)
	names := []string{AllTools}
	for _, t := range offered() {
		names = append(names, t.Name)
		if len(opt.Tools) == 0 || slices.Contains(opt.Tools, t.Name) || slices.Contains(opt.Tools, AllTools) {
			s.add(server, t)
		}
	}
	for _, name := range opt.Tools {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("unknown tool %q; expected %s", name, strings.Join(names, ", "))
		}
	}
	s.addResources(server)
	return server, nil
}

// add registers an operation as a tool.
func (s *service) add(server *mcp.Server, t tool) {
	args := t.arguments()
	no := false
	server.AddTool(&mcp.Tool{
		Name: t.Name, Description: t.Description(), InputSchema: schemaOf(append(slices.Clip(args), onlyParam)),
		Annotations: &mcp.ToolAnnotations{Title: t.Title(), ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		in := reflect.New(t.Input)
		only, err := read(args, req.Params.Arguments, in.Elem())
		var text []byte
		if err == nil {
			text, err = s.work(ctx, cmp.Or(Caller(ctx), fmt.Sprintf("session %p", req.Session)), func(ctx context.Context) ([]byte, error) {
				if _, err := operation.ResolveNames(ctx, s.db, t.Params, in.Elem()); err != nil {
					return nil, err
				}
				v, err := t.Run(ctx, s.db, in.Interface())
				if err != nil {
					return nil, err
				}
				return written(v, only, s.most)
			})
		}
		if err != nil {
			return s.failed(ctx, t.Name, in.Interface(), err)
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, nil
	})
}

// work runs a call when the queue has a place for it. The timeout includes the wait.
// A panic is an error of this call alone.
func (s *service) work(ctx context.Context, caller string, call func(context.Context) ([]byte, error)) (out []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	turn, err := s.queue.Enter(ctx, caller, 0)
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

type callerKey struct{}

// WithCaller returns a context whose calls belong to a caller. Calls without a
// caller belong to their session.
func WithCaller(ctx context.Context, caller string) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// Caller returns the caller of a context, or "".
func Caller(ctx context.Context) string {
	caller, _ := ctx.Value(callerKey{}).(string)
	return caller
}

// written returns the JSON of the chosen members of a result, unless it is too large.
// It escapes hidden characters, which a model would read and people would not see.
func written(v any, only []string, most int) ([]byte, error) {
	out, err := encode.Marshal(v)
	if err == nil {
		out, err = choose(out, only)
	}
	if err != nil {
		return nil, err
	}
	if out = plain.Append(nil, out); len(out) > most {
		return nil, &envelope.Fault{Code: envelope.BadRequest, Message: fmt.Sprintf("The result has more than the %d bytes that a tool may return. Request less: fewer codes, flags, years or rows, or some members by only.", most)}
	}
	return out, nil
}

// FailedItem is the key of the failed item in the metadata of an error.
const FailedItem = "postgeo/item"

// failed returns the result of a call that failed, or an error if the caller has
// left.
func (s *service) failed(ctx context.Context, tool string, in any, err error) (*mcp.CallToolResult, error) {
	if gone := ctx.Err(); gone != nil { // the client's; the timeout of work is in its own
		return nil, gone
	}
	failure := envelope.OfInput(err)
	if failure == nil {
		failure = s.unexpected(ctx, tool, err)
	}
	var input envelope.Input
	if e, ok := in.(interface{ Echo() envelope.Input }); ok {
		input = e.Echo()
	}
	item := links.Failed(input, failure, lookup.NormalizedNotices(input)...)
	out, err := encode.Marshal(&item)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: plain.Line(string(failure.Code) + ": " + failure.Message)}},
		Meta:    mcp.Meta{FailedItem: json.RawMessage(out)},
	}, nil
}

// unexpected returns the failure for an error that is not about the input. It logs
// the error unless the client caused it.
func (s *service) unexpected(ctx context.Context, tool string, err error) *envelope.Fault {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &envelope.Fault{Code: envelope.ServiceUnavailable, Message: wording.TimedOut}
	case errors.Is(err, postgeo.ErrClosed):
		return &envelope.Fault{Code: envelope.ServiceUnavailable, Message: wording.Unavailable}
	}
	s.logger.ErrorContext(ctx, "tool failed", "tool", tool, "error", err.Error())
	return &envelope.Fault{Code: envelope.InternalError, Message: wording.Internal}
}
