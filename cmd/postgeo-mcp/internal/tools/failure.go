package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/wording"
)

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
