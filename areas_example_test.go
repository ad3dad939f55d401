package postgeo_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

func ExampleDB_CodesIn() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	county, _ := lookup.ParseLayer("county")
	in, err := db.CodesIn(context.Background(), county, "09190", lookup.CodesInOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(in.Area.Name)
	for _, c := range in.Codes {
		fmt.Println(c.City, *c.PctOfZIP)
	}
	// Output:
	// Western Connecticut Planning Region
	// Stamford 99.4
	// Stamford 100
}

func ExampleDB_FamiliesAt() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	fam, _, err := db.FamiliesAt(context.Background(), geo.MustLatLng(34.09, -118.41), lookup.Options{Include: lookup.Include{Census: true, CongressionalDistrict: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fam.Census.Current.County[0].Name)
	fmt.Println(fam.CongressionalDistrict.Current.Primary.State, fam.CongressionalDistrict.Current.Primary.Basis)
	// Output:
	// Los Angeles County
	// CA contains_point
}

func ExampleDB_Neighbors() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	n, err := db.Neighbors(context.Background(), "90210", lookup.NeighborOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range n.Codes {
		if c.City == "West Hollywood" {
			fmt.Println(n.Code, "touches", c.Code, c.City)
		}
	}
	// Output:
	// 90210 touches 90069 West Hollywood
}

func ExampleDB_ZIP3() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	r, err := db.ZIP3(context.Background(), "902")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Code, r.SafeHarbor)
	// Output:
	// 902 902
}

func ExampleDB_Crosswalk() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	for row, err := range db.Crosswalk(context.Background(), "zip", "county", lookup.CrosswalkOptions{State: "CT", Weight: lookup.WeightPeople}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if row.To == "09120" {
			fmt.Println(row.From, row.To, row.ToName, *row.PctOfFrom)
		}
	}
	// Output:
	// 06604 09120 Greater Bridgeport Planning Region 100
	// 06605 09120 Greater Bridgeport Planning Region 100
}

func ExampleDB_Apportion() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	clients := map[string]float64{"06037": 1000}
	got, err := db.Apportion(context.Background(), clients, "county", "cd", lookup.CrosswalkOptions{Weight: lookup.WeightPeople})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(got.Values, got.Outside, got.Weight)
	// Output:
	// map[0628:31 0629:96 0630:168 0632:81 0634:130 0636:161 0637:183 0642:80 0643:49 0644:20] 1 people
}

func ExampleDB_AreaOutline() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	county, _ := lookup.ParseLayer("county")
	area, outline, err := db.AreaOutline(context.Background(), county, "06037")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(area.Name, len(outline) > 0)
	// Output:
	// Los Angeles County true
}

func ExampleDB_AreaIDsAt() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	county, _ := lookup.ParseLayer("county")
	points := []geo.LatLng{geo.MustLatLng(34.09, -118.41), geo.MustLatLng(0, 0)}
	for geoid, err := range db.AreaIDsAt(context.Background(), county, slices.Values(points)) {
		fmt.Printf("%q %v\n", geoid, err)
	}
	// Output:
	// "06037" <nil>
	// "" <nil>
}
