package document

import (
	_ "embed" // for examples.json
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/internal/shapes"
)

// documentIntro opens the document.
const documentIntro = "Send parameters in the query of a GET or in the JSON body of a POST; the body takes precedence. HEAD works like GET and costs the same. " +
	"A well-formed code that does not exist is an item with success false and status 200. " +
	"Every response has its price in meta.credits. A request that fails as a whole costs nothing. " +
	"A server without accounts requires no key. Error codes are stable; messages are for people."

// sampleFile holds a response of each route and a failed request of each code.
// The tests of package server write it from their golden files.
//
//go:embed examples.json
var sampleFile []byte

// samples are the examples and descriptions of the document.
type samples struct {
	answers  map[string]json.RawMessage // by path
	errors   openapi.Map[json.RawMessage]
	comments map[string]string
}

func readSamples() (s samples, err error) {
	var file struct {
		Answers map[string]json.RawMessage `json:"answers"`
		Errors  map[string]json.RawMessage `json:"errors"`
	}
	if err := json.Unmarshal(sampleFile, &file); err != nil {
		return s, fmt.Errorf("document: examples of the document: %w", err)
	}
	if s.comments, err = shapes.Comments(); err != nil {
		return s, fmt.Errorf("document: descriptions of the document: %w", err)
	}
	s.answers = file.Answers
	for _, code := range slices.Sorted(maps.Keys(file.Errors)) {
		s.errors.Add(code, file.Errors[code])
	}
	return s, nil
}
