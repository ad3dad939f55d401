package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/store"
)

// Sizes of the scaled dataset.
const (
	scaledNames       = 130_000
	scaledPostalCodes = 890_000
)

// scale writes the names and codes of the dataset from to the file to, together
// with invented ones up to the sizes above. The file holds only what suggestions
// need.
//
// Invented places are named after real ones ("Akron Crossing"). Invented postal
// codes have the location of the first code of their forward sortation area.
func scale(from, to string) error {
	d, err := store.Open(from)
	if err != nil {
		return err
	}
	defer d.Close()
	if d.Entities() == nil {
		return fmt.Errorf("%s contains no names; rebuild it", from)
	}
	w, err := store.Create(to)
	if err != nil {
		return err
	}
	for _, write := range []func(*store.Dataset, *store.Writer) error{tables, codes, postal, entities} {
		if err := write(d, w); err != nil {
			return errors.Join(err, w.Abort())
		}
	}
	return w.Finish(dataset.Manifest{
		Version: "scale", Built: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Builder: "bench/suggest", Layers: []string{"identity"},
		Sources: []dataset.Source{{ID: "scale", Title: "A dataset with invented names and codes", License: "none"}},
	})
}

func tables(d *store.Dataset, w *store.Writer) error {
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

func codes(d *store.Dataset, w *store.Writer) error {
	people := func(n int32, ok bool) *int32 {
		if !ok {
			return nil
		}
		return &n
	}
	for row := range d.ZIPs() {
		row.Zone = 0
		if err := w.AddZIP(row, store.ZIPDetail{Population: people(d.ZIPPopulation(row.ZIP))}); err != nil {
			return err
		}
	}
	for row := range d.FSAs() {
		row.Zone = 0
		if err := w.AddFSA(row, store.FSADetail{Population: people(d.FSAPopulation(row.FSA))}); err != nil {
			return err
		}
	}
	return nil
}

// postal writes the postal codes and spreads the invented ones evenly among them.
func postal(d *store.Dataset, w *store.Writer) error {
	const ofFSA = 2_000 // combinations of digit, letter and digit
	const letters = "ABCEGHJKLMNPRSTVWXYZ"
	have, areas := 0, 0
	for range d.PostalCodesFrom(0) {
		have++
	}
	for range d.FSAs() {
		areas++
	}
	invented, possible := max(0, scaledPostalCodes-have), areas*ofFSA-have
	n := 0
	for f := range d.FSAs() {
		for i := range ofFSA {
			text := fmt.Sprintf("%s %d%c%d", f.FSA, i/200, letters[i/10%20], i%10)
			code, ok := dataset.ParsePostalCode(text)
			if !ok {
				return fmt.Errorf("postal code %q is not valid", text)
			}
			row, listed := d.PostalCode(code)
			if !listed {
				n++
				if n*invented/possible == (n-1)*invented/possible {
					continue
				}
				row = store.PostalRow{Code: code, City: f.City, Province: f.Province, Location: f.Location}
			}
			row.Zone = 0
			if err := w.AddPostalCode(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// entities writes the names, and the invented ones after the last place.
func entities(d *store.Dataset, w *store.Writer) error {
	t := d.Entities()
	given := make([]store.EntityNames, t.Len())
	for i, e := range t.Starts.Entity {
		n, key := &given[e&^store.AliasKey], t.Key(t.Starts.Offset[i])
		if e&store.AliasKey != 0 {
			n.Other = append(n.Other, key)
		} else {
			n.Own = append(n.Own, key)
		}
	}
	for i, e := range t.Joined.Entity {
		given[e&^store.AliasKey].Joined = append(given[e&^store.AliasKey].Joined, t.Key(t.Joined.Offset[i]))
	}
	var places []store.Entity
	end := 0 // index after the last place
	for i := range t.Len() {
		e := t.At(i)
		if e.Kind == store.EntityPlace {
			places, end = append(places, e), i+1
		}
	}
	invented := max(0, scaledNames-t.Len())
	for i := range t.Len() {
		e := t.At(i)
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

// invent writes n places named after others.
func invent(w *store.Writer, places []store.Entity, n int) error {
	kinds := []string{"Crossing", "Heights", "Junction", "Village", "Springs", "Corners"}
	for i := range n {
		e := places[i*7919%len(places)]
		e.Name += " " + kinds[i%len(kinds)]
		e.Ref, e.Population, e.Twin, e.ZIPs = 0, store.NoPopulation, -1, nil
		e.Prominence /= 2
		keys := namekey.Keys(e.Name)
		if err := w.AddEntity(e, store.EntityNames{Own: keys[:1], Joined: slices.Clone(keys[1:])}); err != nil {
			return err
		}
	}
	return nil
}
