package server_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/server"
)

// Every field of responses and of request bodies has a description in the OpenAPI
// document.
func TestFieldsHaveMeaning(t *testing.T) {
	_, schemas, err := server.PlainDocument(newServer(t, openDB(t)))
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	for _, part := range schemas {
		for _, p := range part.Value.Properties {
			fields++
			if meaning(p.Value, schemas) == "" {
				t.Errorf("%s.%s says nothing of what it means; write a comment at the field", part.Name, p.Name)
			}
		}
	}
	if fields < 500 {
		t.Errorf("only %d fields were looked at", fields)
	}
}

// meaning is the comment of a field or of its type.
func meaning(s *openapi.Schema, schemas openapi.Map[*openapi.Schema]) string {
	text := s.Description
	if of, ok := schemas.Get(strings.TrimPrefix(s.Ref, "#/components/schemas/")); ok && text == "" {
		text = of.Description
	}
	for _, part := range s.AllOf {
		if text == "" {
			text = meaning(part, schemas)
		}
	}
	return strings.NewReplacer("\n", " ", "|", "\\|").Replace(text)
}
