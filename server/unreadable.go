package server

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/server/internal/conn"
)

// unreadable returns the complete response to a request that net/http cannot read,
// in place of its plain text.
func (s *Server) unreadable(status []byte) []byte {
	text, _, _ := strings.Cut(string(status), " ")
	code, err := strconv.Atoi(text)
	if err != nil {
		code = http.StatusBadRequest
	}
	reason := http.StatusText(code)
	if _, after, ok := strings.Cut(string(status), ": "); ok {
		reason = after // a constant of net/http
	}
	now := s.cfg.Now()
	id, _ := s.ids.next(now) // optional
	fault := &envelope.Fault{Code: envelope.BadRequest, Message: wording.RequestUnreadable(reason), Status: code}
	if code == http.StatusRequestHeaderFieldsTooLarge {
		fault.Message = wording.HeaderTooLarge(s.cfg.MaxHeaderBytes >> 10)
	}
	resp := &envelope.FailedResponse{
		Error: s.links.Error(fault),
		Meta:  envelope.Meta{RequestID: id, Version: envelope.Version, Credits: envelope.Credits{Source: envelope.SourceNone}},
	}
	body, _ := resp.AppendJSON(nil) // it can be written
	s.metrics.CountUnreadable(code, fault.Code)
	s.cfg.Logger.Info("unreadable request", slog.String("request_id", id), slog.Int("status", code))
	var out bytes.Buffer
	fmt.Fprintf(&out, "HTTP/1.1 %s\r\n", bytes.TrimRight(status, "\r\n"))
	h := http.Header{
		"Content-Type": headerJSON, "Content-Length": {strconv.Itoa(len(body))}, "Connection": {"close"}, "X-Request-Id": {id},
		"Cache-Control": headerNoStore, "X-Api-Version": headerVersion, "Access-Control-Allow-Origin": headerAnyOrigin,
	}
	_ = h.Write(&out) // to memory
	out.WriteString("\r\n")
	out.Write(body)
	return out.Bytes()
}

// twoLengths returns the failure of a request with two lengths (decision D58). It
// closes the connection, because the next request has no defined beginning.
func (c *call) twoLengths() error {
	if len(c.r.TransferEncoding) == 0 || !conn.Of(c.r.Context()).TwoLengths() {
		return nil
	}
	c.w.Header()["Connection"] = []string{"close"}
	return envelope.NewFault(envelope.BadRequest, wording.TwoLengths)
}
