// Command scale writes a dataset as large as the contract's whole: the names
// and codes of a national dataset, and beside them invented ones, up to
// 130,000 names and 890,000 Canadian postal codes. It holds what suggestions
// need and nothing else.
//
//	go run ./bench/scale national.db scale.db
//
// Invented places are called after real ones ("Akron Crossing"), and invented
// postal codes lie where the first code of their forward sortation area does.
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/namekey"
)

const (
	names       = 130_000
	postalCodes = 890_000
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: scale DATASET NEW")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	d, err := dataset.Open(from)
	if err != nil {
		return err
	}
	defer d.Close()
	if d.Entities() == nil {
		return fmt.Errorf("%s holds no names; build it with this release", from)
	}
	w, err := dataset.Create(to)
	if err != nil {
		return err
	}
	for _, write := range []func(*dataset.Dataset, *dataset.Writer) error{tables, codes, postal, entities} {
		if err := write(d, w); err != nil {
			return errors.Join(err, w.Abort())
		}
	}
	return w.Finish(dataset.Manifest{
		Version: "scale", Built: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Builder: "bench/scale", Layers: []string{"identity"},
		Sources: []dataset.Source{{ID: "scale", Title: "A dataset, and what was invented beside it", Licence: "none"}},
	})
}

func tables(d *dataset.Dataset, w *dataset.Writer) error {
	if err := w.SetStates(d.States()); err != nil {
		return err
	}
	if err := w.SetCBSAs(d.CBSAs()); err != nil {
		return err
	}
	counties := slices.Clone(d.Counties())
	for i := range counties {
		counties[i].Division = 0
	}
	return w.SetCounties(counties)
}

func codes(d *dataset.Dataset, w *dataset.Writer) error {
	people := func(n int32, ok bool) *int32 {
		if !ok {
			return nil
		}
		return &n
	}
	for row := range d.ZIPs() {
		row.Zone = 0
		if err := w.AddZIP(row, dataset.ZIPDetail{Population: people(d.ZIPPopulation(row.ZIP))}); err != nil {
			return err
		}
	}
	for row := range d.FSAs() {
		row.Zone = 0
		if err := w.AddFSA(row, dataset.FSADetail{Population: people(d.FSAPopulation(row.FSA))}); err != nil {
			return err
		}
	}
	return nil
}

// postal writes the postal codes, and invented ones evenly between them.
func postal(d *dataset.Dataset, w *dataset.Writer) error {
	const ofFSA = 2_000 // combinations of digit, letter and digit that Canada Post uses
	const letters = "ABCEGHJKLMNPRSTVWXYZ"
	have, areas := 0, 0
	for range d.PostalCodesFrom(0) {
		have++
	}
	for range d.FSAs() {
		areas++
	}
	invented, possible := max(0, postalCodes-have), areas*ofFSA-have
	n := 0
	for f := range d.FSAs() {
		for i := range ofFSA {
			text := fmt.Sprintf("%s %d%c%d", f.FSA, i/200, letters[i/10%20], i%10)
			code, ok := dataset.ParsePostalCode(text)
			if !ok {
				return fmt.Errorf("postal code %q cannot be", text)
			}
			row, listed := d.PostalCode(code)
			if !listed {
				n++
				if n*invented/possible == (n-1)*invented/possible {
					continue
				}
				row = dataset.PostalRow{Code: code, City: f.City, Province: f.Province, Location: f.Location}
			}
			row.Zone = 0
			if err := w.AddPostalCode(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// entities writes the names, and behind the last place the invented ones.
func entities(d *dataset.Dataset, w *dataset.Writer) error {
	t := d.Entities()
	given := make([]dataset.EntityNames, t.Len())
	for i, e := range t.Starts.Entity {
		n, key := &given[e&^dataset.AliasKey], t.Key(t.Starts.Offset[i])
		if e&dataset.AliasKey != 0 {
			n.Other = append(n.Other, key)
		} else {
			n.Own = append(n.Own, key)
		}
	}
	for i, e := range t.Joined.Entity {
		given[e&^dataset.AliasKey].Joined = append(given[e&^dataset.AliasKey].Joined, t.Key(t.Joined.Offset[i]))
	}
	var places []dataset.Entity
	end := 0 // behind the last place
	for i, e := range t.All() {
		if e.Kind == dataset.EntityPlace {
			places, end = append(places, e), i+1
		}
	}
	invented := max(0, names-t.Len())
	for i, e := range t.All() {
		if i == end {
			if err := invent(w, places, invented); err != nil {
				return err
			}
		}
		if e.Twin >= end {
			e.Twin += invented
		}
		if err := w.AddEntity(e, given[i]); err != nil {
			return err
		}
	}
	return nil
}

// invent writes places called after others.
func invent(w *dataset.Writer, places []dataset.Entity, n int) error {
	kinds := []string{"Crossing", "Heights", "Junction", "Village", "Springs", "Corners"}
	for i := range n {
		e := places[i*7919%len(places)]
		e.Name += " " + kinds[i%len(kinds)]
		e.Ref, e.Population, e.Twin, e.ZIPs = 0, dataset.NoPopulation, -1, nil
		e.Prominence /= 2
		keys := namekey.Keys(e.Name)
		if err := w.AddEntity(e, dataset.EntityNames{Own: keys[:1], Joined: slices.Clone(keys[1:])}); err != nil {
			return err
		}
	}
	return nil
}
