package comments_test

import (
	"fmt"
	"log"
	"testing"

	"github.com/postgeo/postgeo/internal/comments"
)

func TestAll(t *testing.T) {
	all, err := comments.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lookup.Identity", "lookup.Identity.City", "radius.Match.DistanceMiles", "suggest.Match.GEOID"} {
		if all[name] == "" {
			t.Errorf("%s has no comment", name)
		}
	}
}

func ExampleAll() {
	all, err := comments.All()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all["radius.Length.Km"])
	// Output: kilometers, rounded to 2 decimals
}
