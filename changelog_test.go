package postgeo_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
)

func TestChangelog(t *testing.T) {
	want, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), postgeo.Changelog()); diff != "" {
		t.Errorf("Changelog differs from the file (-want +got):\n%s", diff)
	}
}
