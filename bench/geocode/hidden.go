package main

import (
	"context"
	"math"
	"os"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// hidden prints how often reverse geocoding finds the street and nearly the number at
// hidden points. Its classes are distances of the nearest known point of the street.
func hidden(ctx context.Context, db *postgeo.DB, known, list []place) error {
	const far = 3_000 // meters
	roads := map[string][]geo.LatLng{}
	for _, p := range known {
		key := p.street + p.zip.String()
		roads[key] = append(roads[key], p.at)
	}
	type class struct {
		name                string
		below               float64
		all, street, number int
	}
	classes := []class{
		{name: "below 50 m", below: 50},
		{name: "50 to 100 m", below: 100},
		{name: "100 to 200 m", below: 200},
		{name: "200 to 500 m", below: 500},
		{name: "500 m to 3 km", below: far},
		{name: "no point within 3 km", below: math.Inf(1)},
		{name: "all"},
	}
	all := &classes[len(classes)-1]
	for _, p := range list {
		nearest := math.MaxFloat64
		for _, at := range roads[p.street+p.zip.String()] {
			nearest = min(nearest, float64(geo.Distance(at, p.at)))
		}
		of := 0
		for nearest >= classes[of].below {
			of++
		}
		r, err := db.Reverse(ctx, p.at, postgeo.ReverseOptions{Within: far})
		if err != nil {
			return err
		}
		n, _ := store.ParseHouseNumber(r.Number)
		for _, c := range [...]*class{&classes[of], all} {
			c.all++
			if r.Street == p.street && r.ZIP == p.zip.String() {
				c.street++
			}
			if max(n.Value, p.number.Value)-min(n.Value, p.number.Value) <= 10 {
				c.number++
			}
		}
	}
	table := results.Table{Title: "hidden", Columns: []string{"nearest known point of the street", "hidden points", "street", "number within 10"}}
	for _, c := range classes {
		table.Add(c.name, share(c.all, all.all), share(c.street, c.all), share(c.number, c.all))
	}
	table.Print(os.Stdout)
	return nil
}
