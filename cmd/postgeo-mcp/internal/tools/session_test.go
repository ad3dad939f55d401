package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
	"github.com/postgeo/postgeo/internal/plain"
)

// A client is a session with a server of the sample, in memory, that returns
// text, and one that returns structured content.
type client struct {
	*mcp.ClientSession
	structured *mcp.ClientSession
	db         *postgeo.DB
	log        *bytes.Buffer
	shapes     map[string]*jsonschema.Resolved // of the results of each tool
}

func connect(t testing.TB, opt tools.Options) *client {
	t.Helper()
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	return connectTo(t, db, opt)
}

// connectTo connects to a server of a dataset, which it closes.
func connectTo(t testing.TB, db *postgeo.DB, opt tools.Options) *client {
	t.Helper()
	t.Cleanup(func() { _ = db.Close() })
	c := &client{db: db, log: &bytes.Buffer{}}
	opt.Logger = slog.New(slog.NewTextHandler(c.log, &slog.HandlerOptions{Level: slog.LevelError}))
	if opt.Tools == nil {
		opt.Tools = []string{tools.AllTools}
	}
	c.ClientSession = session(t, db, opt)
	opt.Structured = true
	c.structured = session(t, db, opt)
	list, err := c.structured.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.shapes = make(map[string]*jsonschema.Resolved, len(list.Tools))
	for _, tool := range list.Tools {
		data, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		if c.shapes[tool.Name], err = schema.Resolve(nil); err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
	}
	return c
}

// session connects a client to a new server.
func session(t testing.TB, db *postgeo.DB, opt tools.Options) *mcp.ClientSession {
	t.Helper()
	server, err := tools.New(db, opt)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := mcp.NewInMemoryTransports()
	ctx := context.WithoutCancel(t.Context()) // the client disconnects in a cleanup
	if _, err := server.Connect(ctx, ours, nil); err != nil {
		t.Fatal(err)
	}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// call calls a tool with arguments in JSON and returns the text of the result.
// It verifies that structured content is the same and has the declared shape.
func (c *client) call(t testing.TB, tool, args string) (text string, isError bool) {
	t.Helper()
	params := &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)}
	r, err := c.CallTool(t.Context(), params)
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	if len(r.Content) != 1 || r.StructuredContent != nil {
		t.Fatalf("%s %s: %d contents, structured %v; expected one text", tool, args, len(r.Content), r.StructuredContent)
	}
	text = r.Content[0].(*mcp.TextContent).Text
	if plain.Clean(text) != text {
		t.Errorf("%s %s: the text has hidden characters: %q", tool, args, text)
	}
	if r.IsError {
		failed, err := json.Marshal(r.Meta[tools.FailedItem])
		if err != nil {
			t.Fatal(err)
		}
		var item struct {
			Error struct{ Code, Message, URL string }
		}
		if err := json.Unmarshal(failed, &item); err != nil || plain.Line(item.Error.Code+": "+item.Error.Message) != text || item.Error.URL == "" || r.StructuredContent != nil {
			t.Errorf("%s %s: text %q, item %s, structured content %v, %v", tool, args, text, failed, r.StructuredContent, err)
		}
		return text, true
	}
	if r, err = c.structured.CallTool(t.Context(), params); err != nil || r.IsError || len(r.Content) != 0 {
		t.Fatalf("%s %s: structured: %+v, %v", tool, args, r, err)
	}
	structured, err := json.Marshal(r.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.shapes[tool].Validate(r.StructuredContent); err != nil {
		t.Errorf("%s %s: the result does not match the declared schema: %v\n%.2000s", tool, args, err, text)
	}
	if !sameJSON(t, []byte(text), structured) {
		t.Errorf("%s %s: text %s, structured content %s", tool, args, text, structured)
	}
	return text, false
}

// sameJSON reports whether two documents say the same.
func sameJSON(t testing.TB, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatalf("%v: %s", err, a)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return bytes.Equal(p, q)
}
