package server

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/operation/operationtest"
	"github.com/postgeo/postgeo/server/internal/deadline"
	"github.com/postgeo/postgeo/server/internal/document"
)

// Deadline is the context of a request's work.
var Deadline = func(parent context.Context, after time.Duration) context.Context {
	return deadline.New(parent, after, 0)
}

// OpaqueTypes are the types of results that the document leaves open.
func OpaqueTypes() []string {
	_, opaque, err := document.OpenAPI(described((&Server{}).routeList()))
	if err != nil {
		return []string{err.Error()}
	}
	return opaque
}

// PlainDocument is the document of a server without the examples of answers,
// which are golden answers themselves.
func PlainDocument(s *Server) (openapi.Document, error) {
	doc, _, err := document.OpenAPI(described(s.list))
	doc.Components.Examples = nil
	strip := func(answers openapi.Map[*openapi.Response]) {
		for _, answer := range answers {
			for _, media := range answer.Value.Content {
				media.Value.Example, media.Value.Examples = nil, nil
			}
		}
	}
	strip(doc.Components.Responses)
	for _, item := range doc.Paths {
		for _, op := range []*openapi.Operation{item.Value.Get, item.Value.Post} {
			if op != nil {
				strip(op.Responses)
			}
		}
	}
	return doc, err
}

// ReservedForBodies returns the bytes that bodies have reserved.
func ReservedForBodies(s *Server) int64 { return s.bodies.Stats().Reserved }

// ParseBody is parseBody.
func ParseBody(data []byte) (map[string]json.RawMessage, error) { return parseBody(data) }

// RoutePaths are the paths of a server's routes.
func RoutePaths(s *Server) []string {
	var paths []string
	for _, r := range s.list {
		paths = append(paths, r.Path)
	}
	return paths
}

// A RouteInfo is what a test needs to know of a route to misuse it.
type RouteInfo struct {
	Path    string
	Methods []string
	Keyless bool
	Batch   bool
	Params  []ParamInfo
}

// A ParamInfo is a parameter of a route.
type ParamInfo struct {
	Name     string
	Required bool
	List     bool
	Items    bool // the items of a batch
	Example  string
}

// Routes are a server's routes.
func Routes(s *Server) []RouteInfo {
	var list []RouteInfo
	for _, r := range s.list {
		info := RouteInfo{Path: strings.ReplaceAll(r.Path, "{name}", "zip_city"), Methods: r.Methods, Keyless: r.Keyless, Batch: r.Batch}
		for _, p := range r.Params {
			info.Params = append(info.Params, ParamInfo{p.Name, p.Required, p.List, p == r.Items, p.Example})
		}
		list = append(list, info)
	}
	return list
}

// AddressExample is the address that the document shows for /v2/address.
var AddressExample = operation.Address.Param("address").Example

// Waiting returns how many requests wait for a processor or for memory.
func (s *Server) Waiting() int { return s.queue.Stats().Waiting }

// Planted returns a server with a route of an invented operation.
func Planted(db DB) (*Server, error) {
	s, err := New(db, Config{})
	if err != nil {
		return nil, err
	}
	rt := s.described(operationtest.Echo)
	s.list = append(s.list, rt)
	s.routes[rt.Path] = rt
	return s, nil
}
