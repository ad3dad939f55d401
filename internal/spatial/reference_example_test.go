package spatial_test

import (
	"fmt"
	"log"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// degreeSquare is an area of a degree by a degree whose lower left corner is given.
func degreeSquare(lng, lat float64) orb.MultiPolygon {
	return orb.MultiPolygon{{{{lng, lat}, {lng + 1, lat}, {lng + 1, lat + 1}, {lng, lat + 1}, {lng, lat}}}}
}

func ExamplePolygonArea() {
	p := degreeSquare(-1, 0)[0]
	whole, err := spatial.PolygonArea(p)
	if err != nil {
		log.Fatal(err)
	}
	ring, err := spatial.RingArea(p[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f square miles, %t\n", float64(whole.SquareMiles()), whole == ring)
	// Output: 4752.3 square miles, true
}

func ExampleBoundingBox() {
	fiji, err := spatial.BoundingBox(orb.MultiPolygon{degreeSquare(179.5, -18)[0]}) // across the antimeridian
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fiji.CrossesAntimeridian(), fiji.Contains(geo.MustLatLng(-17.5, -179.8)), fiji.Contains(geo.MustLatLng(-17.5, 0)))
	both := spatial.Union(fiji, fiji)
	fmt.Println(both.IsEmpty(), both == fiji)
	// Output:
	// true true false
	// false true
}

func ExampleNewCircle() {
	c, err := spatial.NewCircle(geo.MustLatLng(34.1, -118.415), geo.Miles(5).Meters())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Radius().Miles(), c.Contains(geo.MustLatLng(34.05, -118.4)), c.Contains(geo.MustLatLng(34.3, -118.4)))
	// Output: 5 true false
}

func ExampleNewBorder() {
	b, err := spatial.NewBorder(degreeSquare(0, 0), 1)
	if err != nil {
		log.Fatal(err)
	}
	shared, err := b.Shared(degreeSquare(1, 0)) // the square to the east
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f of 100\n", float64(100*shared/b.Length()))
	// Output: 25 of 100
}

func ExamplePointIndex() {
	points := []geo.LatLng{geo.MustLatLng(34.1, -118.4), geo.MustLatLng(34.0, -118.5), geo.MustLatLng(40.7, -74)}
	x := spatial.NewPointIndex(points)
	center, near := geo.MustLatLng(34.05, -118.45), geo.Miles(20).Meters()
	fmt.Println(x.Len(), x.Count(center, 0, near), x.MemoryBytes() > 0)
	nearest, all := x.AppendNearestWithin(nil, center, 0, near, 1)
	fmt.Println(nearest[0].Index, "of", all)

	// An index is kept as bytes, beside the points that it was made of.
	data, err := x.AppendBinary(nil)
	if err != nil {
		log.Fatal(err)
	}
	y, err := spatial.DecodePointIndex(len(points), func(i int) geo.LatLng { return points[i] }, data)
	if err != nil {
		log.Fatal(err)
	}
	y.Load() // all points at once, instead of when they are first needed
	fmt.Println(y.Count(center, 0, near))
	// Output:
	// 3 2 true
	// 0 of 2
	// 2
}

func ExamplePolygonIndex() {
	var b spatial.PolygonIndexBuilder
	for _, m := range []orb.MultiPolygon{degreeSquare(-119, 34), degreeSquare(-118, 34), nil} {
		if err := b.Add(m); err != nil {
			log.Fatal(err)
		}
	}
	data, err := b.AppendBinary(nil)
	if err != nil {
		log.Fatal(err)
	}
	x, err := spatial.DecodePolygonIndex(data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Len(), "areas,", x.Vertices(), "vertices,", x.HasPolygon(2), x.MemoryBytes() > 0)

	edge := geo.MustLatLng(34.5, -118) // a point on the edge belongs to one of them
	fmt.Println(x.AppendContaining(nil, edge), x.AppendAround(nil, edge), x.Covers(0, geo.MustLatLng(34.5, -118.5)))
	fmt.Println(x.Box(0).Contains(edge), len(x.Polygons(0)[0][0]))

	inner, err := spatial.NewCircle(edge, geo.Miles(5).Meters())
	if err != nil {
		log.Fatal(err)
	}
	outer, err := spatial.NewCircle(edge, geo.Miles(10).Meters())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f %% inside the larger one\n", x.Share(0, outer))
	for _, s := range x.AppendRingShares(nil, inner, outer) {
		fmt.Printf("%d: %.1f %% between both\n", s.Index, s.Percent)
	}
	// Output:
	// 3 areas, 8 vertices, false true
	// [0 1] [1] true
	// true 5
	// 4.0 % inside the larger one
	// 1: 3.0 % between both
	// 0: 3.0 % between both
}
