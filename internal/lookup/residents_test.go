package lookup_test

import (
	"errors"
	"math"
	"testing"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/lookup"
)

// TestPeopleAddUp spreads the people of the sample's tracts over layers whose
// borders cut tracts and codes. The layers tile the country, so that the parts
// of a code's people add up to all of them, in every layer to the same number,
// and those of an area's people to no more than all.
func TestPeopleAddUp(t *testing.T) {
	r := sampleReader(t)
	of := map[string]float64{} // people of a code by counties, which are made of whole tracts
	differ := 0                // rows whose part of the people is not that of the area
	for _, id := range []dataset.LayerID{
		dataset.LayerCounty, dataset.LayerCountySubdivision, dataset.LayerBlockGroup,
		dataset.LayerCongressionalDistrict, dataset.LayerStateUpper, dataset.LayerStateLower,
	} {
		people, parts, areas := map[string]float64{}, map[string]float64{}, map[string]float64{}
		cut := 0 // codes that several areas share
		for row, err := range r.Crosswalk(t.Context(), id, lookup.CrosswalkOptions{Population: true, Slivers: true}) {
			if err != nil {
				t.Fatal(err)
			}
			if row.PctOfPopulation == nil {
				continue
			}
			if *row.PctOfPopulation > 1 && *row.PctOfPopulation < 99 {
				cut++
			}
			people[row.Code] += float64(*row.Population)
			parts[row.Code] += *row.PctOfPopulation
			if row.PctOfAreaPeople != nil {
				areas[row.GEOID] += *row.PctOfAreaPeople
			}
			if math.Abs(*row.PctOfPopulation-*row.PctOfZIP) > 1 {
				differ++
			}
		}
		if len(parts) == 0 {
			t.Fatalf("%s: no people", id)
		}
		for code, sum := range parts {
			if math.Abs(sum-100) > 0.01 {
				t.Errorf("%s: the parts of the people of %s add up to %v", id, code, sum)
			}
			if id == dataset.LayerCounty {
				of[code] = people[code]
			} else if rounding := 20.0; math.Abs(people[code]-of[code]) > rounding {
				t.Errorf("%s: %v people of %s, by counties %v", id, people[code], code, of[code])
			}
		}
		for area, sum := range areas {
			if sum > 100.01 {
				t.Errorf("%s: the codes of %s have %v %% of its people", id, area, sum)
			}
		}
		if id == dataset.LayerBlockGroup && cut == 0 {
			t.Errorf("%s: no code has several areas", id)
		}
	}
	if differ == 0 {
		t.Error("people are spread as areas are everywhere")
	}
}

// TestPeopleRefused asks for people of a layer of Canada, whose tracts have
// none.
func TestPeopleRefused(t *testing.T) {
	r := sampleReader(t)
	var last error
	for row, err := range r.Crosswalk(t.Context(), dataset.LayerCensusDivision, lookup.CrosswalkOptions{Population: true}) {
		if last = err; err == nil {
			t.Fatalf("a row of Canada: %+v", row)
		}
	}
	if !errors.Is(last, fault.ErrUnavailable) {
		t.Errorf("error %v, want ErrNoPopulation", last)
	}
}
