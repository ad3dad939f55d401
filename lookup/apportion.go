package lookup

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
)

// An Apportionment holds values of areas divided among the areas of another
// geography.
type Apportionment struct {
	Weight   Weight             `json:"weight"`            // measure of the parts
	Basis    string             `json:"basis"`             // block_groups or largest_area
	Values   map[string]float64 `json:"values"`            // by code or GEOID
	Outside  float64            `json:"outside"`           // the part outside every area of the other geography
	Unplaced map[string]float64 `json:"unplaced,omitzero"` // given values of unknown areas and of areas without people or outline
}

// An areaPart is the part of an area that lies in another one.
type areaPart struct {
	to     string
	weight float64
}

// Apportion divides counts of areas, such as customers by tract, among the areas of
// another geography. The parts of a whole number are whole numbers. Values, Outside and
// Unplaced sum to the given values; areas that overlap, as school districts may, share
// them. See [Reader.Crosswalk] for geographies and weights. The options Slivers,
// MinShare and Remainder have no effect.
func (r *Reader) Apportion(ctx context.Context, values map[string]float64, from, to Layer, opt CrosswalkOptions) (*Apportionment, error) {
	opt.Slivers, opt.MinShare, opt.Remainder = true, 0, true
	out := &Apportionment{Values: map[string]float64{}, Unplaced: maps.Clone(values)}
	parts, rest := map[string][]areaPart{}, false
	for row, err := range r.Crosswalk(ctx, from, to, opt) {
		if err != nil {
			return nil, err
		}
		if out.Weight, out.Basis = row.Weight, cmpBasis(out.Basis, row.Basis); row.From == "" {
			continue
		}
		if _, given := values[row.From]; !given {
			continue
		}
		rest = rest || row.People == nil // no pair has the area outside
		p := areaPart{to: row.To, weight: 100}
		switch {
		case row.HousingUnits != nil && row.Basis != string(ContainsPoint):
			p.weight = float64(*row.HousingUnits)
		case row.People != nil && row.Weight == WeightPeople && row.Basis != string(ContainsPoint):
			p.weight = float64(*row.People)
		case row.PctOfFrom != nil:
			p.weight = *row.PctOfFrom
		}
		parts[row.From] = append(parts[row.From], p)
	}
	for _, id := range slices.Sorted(maps.Keys(parts)) { // sums of floats depend on their order
		delete(out.Unplaced, id)
		list := parts[id]
		whole := 0.0
		for _, p := range list {
			whole += p.weight
		}
		if rest && whole < 100 {
			list = append(list, areaPart{weight: 100 - whole})
			whole = 100
		}
		for i, v := range divide(values[id], list, whole) {
			if list[i].to == "" {
				out.Outside += v
			} else {
				out.Values[list[i].to] += v
			}
		}
	}
	return out, nil
}

// cmpBasis returns the first basis of pairs with figures.
func cmpBasis(have, of string) string {
	if have == "" || have == string(ContainsPoint) {
		return of
	}
	return have
}

// divide divides a value by weights. A whole number is divided into whole numbers: each
// part is rounded down, and those with the largest remainders get one more, which is the
// method of Hamilton for seats. Rounding each part instead would change the sum. Beyond 2^53
// a float64 has no whole numbers to give.
func divide(value float64, list []areaPart, whole float64) []float64 {
	const exact = 1 << 53
	parts := make([]float64, len(list))
	given := 0.0
	order := make([]int, len(list))
	for i, p := range list {
		parts[i] = value * p.weight / whole
		order[i] = i
	}
	if value != math.Trunc(value) || math.Abs(value) > exact {
		return parts
	}
	rest := make([]float64, len(list))
	for i := range parts {
		floor := math.Floor(parts[i])
		rest[i], parts[i] = parts[i]-floor, floor
		given += floor
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(rest[y], rest[x]) })
	for i := 0; given < value; i++ {
		parts[order[i%len(order)]]++
		given++
	}
	return parts
}
