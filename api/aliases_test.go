package api_test

import (
	"os"
	"testing"

	"github.com/postgeo/postgeo/api"
)

// TestAliases verifies that the documentation of each alias of a public package has
// the fields and methods of its type.
func TestAliases(t *testing.T) {
	for _, dir := range []string{"", "server", "server/client"} {
		changed, err := api.Aliases("..", dir)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range changed {
			if !*update {
				t.Errorf("%s is out of date; run 'go test ./api -update'", name)
			} else if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
