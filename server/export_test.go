package server

import (
	"context"
	"encoding/json"
	"slices"
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
	return new(deadline.Context).Start(parent, after, 0)
}

// OpaqueTypes are the types of results that the document leaves open.
func OpaqueTypes() []string {
	_, schemas, err := document.OpenAPI(described((&Server{}).routeList()))
	if err != nil {
		return []string{err.Error()}
	}
	return schemas.Opaque()
}

// PlainDocument is the document of a server without the examples of answers,
// which are golden answers themselves, and its schemas.
func PlainDocument(s *Server) (openapi.Map[any], openapi.Map[*openapi.Schema], error) {
	doc, schemas, err := document.OpenAPI(described(s.list))
	if err != nil {
		return nil, nil, err
	}
	components, _ := doc.Get("components")
	for i, m := range components.(openapi.Map[any]) {
		if m.Name == "examples" {
			doc[len(doc)-1].Value = slices.Delete(components.(openapi.Map[any]), i, i+1)
			break
		}
	}
	return withoutExamples(doc, false).(openapi.Map[any]), schemas.Components(), nil
}

// withoutExamples removes the examples of responses from a part of a document.
func withoutExamples(part any, response bool) any {
	of, ok := part.(openapi.Map[any])
	if !ok {
		return part
	}
	of = slices.DeleteFunc(of, func(m openapi.Member[any]) bool { return response && (m.Name == "example" || m.Name == "examples") })
	for i, m := range of {
		of[i].Value = withoutExamples(m.Value, response || m.Name == "responses")
	}
	return of
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
	rt := s.route(operationtest.Echo, describedTerms(operationtest.Echo))
	s.list = append(s.list, rt)
	s.routes[rt.Path] = rt
	return s, nil
}
