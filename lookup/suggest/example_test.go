package suggest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup/suggest"
)

func ExampleEngine_Suggest() {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	engine := suggest.New(d)
	types, err := suggest.ParseTypes([]string{"place", "county"})
	if err != nil {
		log.Fatal(err)
	}
	r, err := engine.Suggest(context.Background(), "los angeles", suggest.Options{Include: types, Limit: 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range r.Matches {
		fmt.Println(m.Type, m.Name, m.State, m.AssociatedZIPs.IsZero())
	}
	fmt.Println(types)
	// Output:
	// place Los Angeles CA false
	// county Los Angeles County CA true
	// [place county]
}

func ExampleReason_Score() {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	r, err := suggest.New(d).Suggest(context.Background(), "portl", suggest.Options{Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	reason := &r.Matches[0].Reason
	fmt.Println(r.Matches[0].Name, reason.Bucket)
	fmt.Println(reason.Score() == reason.Prominence+reason.Evidence+reason.Proximity)
	// Output:
	// Portland prefix
	// true
}
