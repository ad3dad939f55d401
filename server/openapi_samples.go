package server

import (
	_ "embed" // the files beside the documents
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/postgeo/postgeo/internal/comments"
	"github.com/postgeo/postgeo/server/openapi"
)

// documentIntro opens the document.
const documentIntro = "Parameters come in the query of a GET or in the JSON body of a POST; the body wins. HEAD is answered as GET and costs the same. " +
	"A well-formed code that does not exist is an item with success false under status 200. " +
	"Every answer tells in meta.credits what it cost; what fails as a whole costs nothing. " +
	"Without accounts a server asks nobody for a key. Codes of errors are stable; sentences are for people."

// sampleFile holds what the golden answers of the tests show: an answer of
// each route and a failed request of each code. The tests write it.
//
//go:embed docs/examples.json
var sampleFile []byte

// The comments of types describe the document, and fields in lists.
//
//go:generate go run ./openapi/gen -o ../internal/comments/comments.json ../acs ../address ../enrich ../envelope ../lookup ../lookup/suggest ../radius ../geo

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
		return s, fmt.Errorf("server: examples of the document: %w", err)
	}
	if s.comments, err = comments.All(); err != nil {
		return s, fmt.Errorf("server: descriptions of the document: %w", err)
	}
	s.answers = file.Answers
	for _, code := range slices.Sorted(maps.Keys(file.Errors)) {
		s.errors.Add(code, file.Errors[code])
	}
	return s, nil
}
