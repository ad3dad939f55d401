package radius_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// exampleReader reads the sample; a program handles the errors.
func exampleReader() (r *lookup.Reader, done func() error) {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		log.Fatal(err)
	}
	if r, err = lookup.NewReader(d); err != nil {
		log.Fatal(err)
	}
	return r, d.Close
}

// Parameters as they stand in a request or on a command line.
func ExampleParseMax() {
	limit, auto, err := radius.ParseMax("25")
	fmt.Println(limit, auto == "", err)
	_, auto, err = radius.ParseMax("auto")
	fmt.Println(auto, auto.MaxMiles(), err)
	// Output:
	// 25 true <nil>
	// density 150 <nil>
}

func ExampleParseInclude() {
	inc, unknown := radius.ParseInclude([]string{"timezone", "acs_economic", "weather"})
	fmt.Println(inc.Timezone, inc.ACS, unknown)
	_, unknown = radius.ParseIncludeUntil([]string{"acs_economic_2031"}, 2024)
	fmt.Println(unknown)
	// Output:
	// true [acs_economic] [weather]
	// [acs_economic_2031]
}

func ExampleOptions_Check() {
	opt := radius.Options{Max: 5, Min: 10}
	fmt.Println(opt.Check())
	// Output: postgeo: radius: min is 10; expected at least 0 miles and below max
}

func ExampleDistanceMatrix() {
	r, done := exampleReader()
	defer done()
	m, err := radius.DistanceMatrix(context.Background(), r, []string{"90210", "10001"}, []string{"98101"}, radius.DistanceOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range m.From {
		fmt.Printf("%s %.0f miles\n", m.From[i].Code, float64(m.Miles[i][0]))
	}
	// Output:
	// 90210 955 miles
	// 10001 2408 miles
}

func ExamplePairsWithin() {
	r, done := exampleReader()
	defer done()
	for p, err := range radius.PairsWithin(context.Background(), r, []string{"98101", "98104", "90210"}, geo.Miles(2).Meters()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.A, p.B)
	}
	// Output: 0 1
}

// What a circle and a polygon hold, as the parts of an aggregate of the survey.
func ExampleEngine_Parts() {
	r, done := exampleReader()
	defer done()
	e := radius.NewEngine(r)
	if err := e.Prepare(context.Background()); err != nil {
		log.Fatal(err)
	}
	miles, err := e.AutoRadius(context.Background(), "98101", radius.Density)
	if err != nil {
		log.Fatal(err)
	}
	parts, search, err := e.Parts(context.Background(), "98101", radius.Options{Max: miles, Mode: radius.Spatial})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(parts) > 0, search.Center.Code)

	square := orb.Polygon{{{-118.5, 34}, {-118.3, 34}, {-118.3, 34.2}, {-118.5, 34.2}, {-118.5, 34}}}
	parts, err = e.PolygonParts(context.Background(), square, radius.Centroid)
	if err != nil {
		log.Fatal(err)
	}
	res, err := e.InPolygon(context.Background(), square, radius.PolygonOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(parts) > 0, len(res.Matches) >= len(parts))

	b, err := e.Boundary(context.Background(), "34.0736,-118.4004", "90069")
	fmt.Println(b.Inside, errors.Is(err, fault.ErrNotFound))
	// Output:
	// true 98101
	// true true
	// false false
}

// The JSON of a long result, handed on in pieces.
func ExampleResult_AppendPieces() {
	r := &radius.Result{Matches: make([]radius.Match, 5000)}
	pieces, size := 0, 0
	rest, err := r.AppendPieces(nil, func(dst []byte) ([]byte, error) {
		pieces++
		size += len(dst)
		return dst[:0], nil
	})
	whole, _ := r.AppendJSON(nil)
	fmt.Println(pieces, size+len(rest) == len(whole), err)
	// Output: 3 true <nil>
}
