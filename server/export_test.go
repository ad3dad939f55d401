package server

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

// RoutePaths are the paths of a server's routes.
func RoutePaths(s *Server) []string {
	var paths []string
	for _, r := range s.list {
		paths = append(paths, r.path)
	}
	return paths
}
