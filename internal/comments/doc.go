// Package comments holds the comments of the results' types and of their
// fields, for documents and lists that are made from the types.
//
// # Usage
//
//	all, err := comments.All()
//	all["lookup.Street"]        // of a type
//	all["lookup.Street.Prefix"] // of a field
//
// # Data
//
// The file is made of the source by "go generate ./server".
package comments

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed comments.json
var file []byte

// All returns the comments of types that have fields in JSON, and of those
// fields, by the names that [reflect.Type.String] gives types.
func All() (map[string]string, error) {
	var all map[string]string
	if err := json.Unmarshal(file, &all); err != nil {
		return nil, fmt.Errorf("comments: read the comments of types: %w", err)
	}
	return all, nil
}
