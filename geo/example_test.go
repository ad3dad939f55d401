package geo_test

import (
	"fmt"
	"log"

	"github.com/postgeo/postgeo/geo"
)

func ExampleParseLatLng() {
	p, err := geo.ParseLatLng(" 34.1, -118.4150001 ")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Lat(), p.Lng(), p.IsValid(), p.Rounded())
	_, err = geo.ParseLatLng("118.4,34.1") // the longitude first
	fmt.Println(err)
	// Output:
	// 34.1 -118.4150001 true 34.1,-118.415
	// geo: invalid coordinates: latitude 118.4 is not within -90 to 90
}

func ExampleLatLngFromDegrees() {
	p, err := geo.LatLngFromDegrees(34.1, -118.415)
	fmt.Println(p, err)
	_, err = geo.LatLngFromDegrees(91, 0)
	fmt.Println(err != nil)
	fmt.Println(geo.LatLngFromMicrodegrees(34_100_000, -118_415_000) == p)
	// Output:
	// 34.1,-118.415 <nil>
	// true
	// true
}

func ExampleMeters() {
	d := geo.Miles(1).Meters()
	fmt.Println(d, geo.Round(float64(d.Kilometers()), 2))
	// Output: 1609.344 1.61
}

func ExampleBox_Contains() {
	aleutians := geo.Box{SouthWest: geo.MustLatLng(51, 172), NorthEast: geo.MustLatLng(55, -163)}
	fmt.Println(aleutians.CrossesAntimeridian(), aleutians.Center())
	fmt.Println(aleutians.Contains(geo.MustLatLng(52, 179)), aleutians.Contains(geo.MustLatLng(52, -170)), aleutians.Contains(geo.MustLatLng(52, 0)))
	fmt.Println(geo.Box{}.IsEmpty())
	// Output:
	// true 53,-175.5
	// true true false
	// true
}
