package api_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/postgeo/postgeo/api"
)

// TestAliases verifies that types.go of each public package declares the names of
// names.txt, with the comments, fields and methods of their types.
func TestAliases(t *testing.T) {
	names, err := os.ReadFile("names.txt")
	if err != nil {
		t.Fatal(err)
	}
	files, err := api.Aliases("..", string(names))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if was, err := os.ReadFile(name); err == nil && bytes.Equal(was, text) {
			continue
		}
		if !*update {
			t.Errorf("%s is out of date; run 'go test ./api -update'", name)
		} else if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
