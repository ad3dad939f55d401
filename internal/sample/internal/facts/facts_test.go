package facts_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/sample/internal/facts"
	"github.com/postgeo/postgeo/internal/synth"
)

func TestLoad(t *testing.T) {
	f, err := facts.Load()
	if err != nil {
		t.Fatal(err)
	}
	c, err := synth.FromFacts(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(len(c.ZIPs), len(c.FSAs), len(c.PostalCodes))
}
