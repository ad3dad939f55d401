package server

import "github.com/postgeo/postgeo/server/openapi"

// Deadline is the context of a request's work.
var Deadline = newDeadline

// OpaqueTypes are the types of results that the document leaves open.
func OpaqueTypes() []string {
	_, opaque, err := newDocument((&Server{}).routeList())
	if err != nil {
		return []string{err.Error()}
	}
	return opaque
}

// PlainDocument is the document of a server without the examples of answers,
// which are golden answers themselves.
func PlainDocument(s *Server) (openapi.Document, error) {
	doc, _, err := newDocument(s.list)
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

// RoutePaths are the paths of a server's routes.
func RoutePaths(s *Server) []string {
	var paths []string
	for _, r := range s.list {
		paths = append(paths, r.path)
	}
	return paths
}
