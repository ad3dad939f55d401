package server

import (
	"net/http"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/wording"
)

const prefix = "/v2"

// find returns the route of a path, or a failure (decision D9).
func (s *Server) find(path string) (*route, error) {
	if rt, ok := s.routes[path]; ok {
		return rt, nil
	}
	if path == prefix || strings.HasPrefix(path, prefix+"/") {
		return nil, &envelope.Fault{Code: envelope.BadRequest, Message: wording.PathUnknown, Status: http.StatusNotFound}
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if isVersion(first) {
		return nil, envelope.NewFault(envelope.UnknownVersion, wording.PathUnknownVersion(first))
	}
	return nil, envelope.NewFault(envelope.MissingVersion, wording.PathWithoutVersion)
}

// isVersion reports whether a segment looks like a version: v1, V3, v2.0.
func isVersion(segment string) bool {
	const longest = 16
	if len(segment) < 2 || len(segment) > longest || segment[0]|0x20 != 'v' {
		return false
	}
	for number := range strings.SplitSeq(segment[1:], ".") {
		if number == "" || strings.Trim(number, "0123456789") != "" {
			return false
		}
	}
	return true
}

func (rt *route) allows(method string) bool { return slices.Contains(rt.Methods, method) }

// methodNotAllowed returns the response to an unsupported method.
func (c *call) methodNotAllowed(rt *route) answer {
	last := len(rt.Methods) - 1
	allowed := rt.Methods[last]
	if last > 0 {
		allowed = strings.Join(rt.Methods[:last], ", ") + " or " + allowed
	}
	a := c.fail(&envelope.Fault{
		Code: envelope.BadRequest, Message: wording.MethodNotAllowed(c.r.Method, allowed),
		Status: http.StatusMethodNotAllowed,
	})
	a.header = append(a.header, headerField{"Allow", rt.allow()})
	return a
}

func (rt *route) allow() string {
	return strings.Join(rt.Methods, ", ") + ", " + http.MethodOptions
}
