package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// crossings compares the crossings of a county's segments with those of invented houses
// along them. No public file has address points of the county.
func crossings(ctx context.Context, county, dir, mirror string) error {
	const part = 0.1 // of the pairs
	d, err := store.Open(county)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Load(ctx, store.SectionRoads); err != nil {
		return err
	}
	lines, err := postgeo.Open(county)
	if err != nil {
		return err
	}
	defer lines.Close()
	table := results.Table{Title: "crossings", Columns: []string{"houses", "crossings of segments", "found", "median", "p90", "p99", "within `radius_m`", "other pairs of streets found"}}
	for _, h := range []houses{
		{"every 22 m, 18 m from the street", 22, 18, 1},
		{"the same, half of them missing", 22, 18, 0.5},
		{"every 80 m, 35 m from the street", 80, 35, 1},
	} {
		rng := rand.New(rand.NewPCG(18, 3))
		var list []place
		roads := map[store.RoadArea][]store.Road{}
		for area := range d.RoadAreas() {
			for r, err := range d.AllRoads(ctx, area) {
				if err != nil {
					return err
				}
				if zip, ok := area.ZIP(); ok && len(r.Segments) > 0 {
					list = h.along(rng, &r, zip, list)
					roads[area] = append(roads[area], r)
				}
			}
		}
		db, err := points(ctx, filepath.Join(dir, "houses"), mirror, list)
		if err != nil {
			return err
		}
		var found []residual
		total, others, without := 0, 0, 0
		for area := range d.RoadAreas() {
			for i := range roads[area] {
				for k := range roads[area][:i] {
					if rng.Float64() > part {
						continue
					}
					a, b := &roads[area][i], &roads[area][k]
					text := fmt.Sprintf("%s & %s, %s", a.RoadName, b.RoadName, area)
					truth, err := lines.Geocode(ctx, text, postgeo.GeocodeOptions{})
					if err != nil {
						continue
					}
					r, err := db.Geocode(ctx, text, postgeo.GeocodeOptions{})
					met, answered := truth.Precision == geocode.Intersection, err == nil && r.Precision == geocode.Intersection
					if met {
						total++
					} else if others++; answered {
						without++
					}
					if met && answered {
						found = append(found, residual{error: float64(geo.Distance(truth.Location, r.Location)), radius: float64(r.RadiusM)})
					}
				}
			}
		}
		table.Add(append(append([]any{h.name, total, share(len(found), total)}, summary(found)...), fmt.Sprintf("%d of %s", without, results.Number(float64(others))))...)
		if err := db.Close(); err != nil {
			return err
		}
	}
	table.Print(os.Stdout)
	return nil
}

// houses is a way to invent houses along segments, with meters and the part that is known.
type houses struct {
	name                    string
	spacing, setback, known float64
}

// along adds the houses of a road.
func (h houses) along(rng *rand.Rand, r *store.Road, zip dataset.ZIP, list []place) []place {
	const corner = 12 // meters without houses at a crossing
	varied := func(m float64) float64 { return m * (0.7 + 0.6*rng.Float64()) }
	for _, s := range r.Segments {
		length := 0.0
		for i := 1; i < len(s.Line); i++ {
			length += float64(geo.Distance(s.Line[i-1], s.Line[i]))
		}
		for side, of := range [...]store.NumberRange{s.Left, s.Right} {
			for m := corner + h.spacing*rng.Float64(); of.Parity != 0 && m < length-corner; m += varied(h.spacing) {
				left := varied(h.setback)
				if side == 1 {
					left = -left
				}
				if rng.Float64() > h.known {
					continue
				}
				steps := math.Round((float64(of.To) - float64(of.From)) * m / length / 2)
				n := store.HouseNumber{Prefix: of.Prefix, Value: uint32(float64(of.From) + 2*steps)}
				list = append(list, place{street: r.String(), number: n, zip: zip, at: moved(s.Line, m, left)})
			}
		}
	}
	return list
}

// moved returns the point at a distance along a line, moved to the left, in meters.
func moved(line []geo.LatLng, meters, left float64) geo.LatLng {
	const perDegree = 111_320
	last := len(line) - 2
	for i := range last + 1 {
		from, to := line[i], line[i+1]
		d := float64(geo.Distance(from, to))
		if meters > d && i < last {
			meters -= d
			continue
		}
		narrow := math.Cos(from.Lat() * math.Pi / 180)
		north, east := (to.Lat()-from.Lat())*perDegree/d, (to.Lng()-from.Lng())*narrow*perDegree/d
		return geo.MustLatLng(from.Lat()+(north*meters+east*left)/perDegree, from.Lng()+(east*meters-north*left)/perDegree/narrow)
	}
	return line[0]
}
