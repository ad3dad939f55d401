package draft

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// medicareTables are the crosswalk of SSA codes and the rating areas.
type medicareTables struct {
	ssa     map[string]string   // by county FIPS code, abolished counties included
	county  map[string]uint8    // rating area by county FIPS code
	zip3    map[[2]string]uint8 // by state or county FIPS code, and first three digits
	byState map[string]bool     // state FIPS codes whose rating areas are sets of ZIP Codes
}

// ReadMedicare gives ZIP Codes the SSA code and the rating area of their postal
// county. A county that replaced an abolished one alone has its values. Tables may
// have Connecticut's counties of before 2022. Then a ZIP Code there has the
// one that a source names, else that of the nearest ZIP Code with a name. Some
// states, and Los Angeles County, define their rating areas by the first three
// digits of the ZIP Code.
func (d *Draft) ReadMedicare(ctx context.Context) error {
	if !d.Includes(catalog.Medicare) {
		return nil
	}
	t, err := d.readMedicare(ctx)
	if err != nil {
		return err
	}
	former := d.formerCounties(t)
	var unknown struct{ ssa, area int64 }
	for _, z := range d.ZIPs.List {
		if z.Row.County == 0 {
			continue
		}
		county := d.Counties.FIPS(z.Row.County)
		old := county
		if f := former[z.Row.ZIP]; f != "" {
			old = f
		}
		m := store.Medicare{SSA: cmp.Or(t.ssa[county], t.ssa[old]), RatingArea: t.ratingArea(county, old, z.Row.ZIP)}
		unknown.ssa += plan.Missing(m.SSA != "")
		unknown.area += plan.Missing(m.RatingArea != 0)
		if m != (store.Medicare{}) {
			z.Detail.Medicare = &m
		}
	}
	d.Gap("ZIPs with a county but without an SSA code", unknown.ssa)
	d.Gap("ZIPs with a county but without a rating area", unknown.area)
	return nil
}

// ratingArea returns the rating area of a ZIP, 0 for unknown.
func (t *medicareTables) ratingArea(county, old string, zip postcode.ZIP) uint8 {
	digits := zip.String()[:3]
	if a := t.zip3[[2]string{county, digits}]; a != 0 {
		return a
	}
	if t.byState[county[:2]] {
		return t.zip3[[2]string{county[:2], digits}]
	}
	return t.county[old]
}

func (d *Draft) readMedicare(ctx context.Context) (*medicareTables, error) {
	t := &medicareTables{ssa: map[string]string{}, county: map[string]uint8{}, zip3: map[[2]string]uint8{}, byState: map[string]bool{}}
	err := plan.Read(ctx, d.Env, catalog.SSACounties, source.SSACounties, func(r source.SSACountyRow) error {
		if t.ssa[r.CountyFIPS] != "" {
			return plan.Refused("second SSA code of a county, the first is kept", r.Line, r.CountyFIPS+" "+r.SSA)
		}
		t.ssa[r.CountyFIPS] = r.SSA
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = plan.Read(ctx, d.Env, catalog.RatingAreas, source.RatingAreas, func(r source.RatingAreaRow) error {
		if r.ZIP3 == "" {
			if t.county[r.CountyFIPS] != 0 {
				return plan.Refused("duplicate county", r.Line, r.CountyFIPS)
			}
			t.county[r.CountyFIPS] = r.RatingArea
			return nil
		}
		area := r.CountyFIPS
		if area == "" {
			id := d.States.ID(store.US, r.State)
			if id == 0 {
				return plan.Refused("unknown state", r.Line, r.State)
			}
			area = d.States.FIPS(id)
			t.byState[area] = true
		}
		key := [2]string{area, r.ZIP3}
		if t.zip3[key] != 0 {
			return plan.Refused("duplicate ZIP digits", r.Line, r.State+" "+r.ZIP3)
		}
		t.zip3[key] = r.RatingArea
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, old := range slices.Sorted(maps.Keys(successors)) {
		for _, county := range successors[old] {
			t.inherit(d, county, old)
		}
	}
	return t, nil
}

// inherit gives a county the values that the tables have only for its
// predecessor.
func (t *medicareTables) inherit(b *Draft, county, old string) {
	if t.ssa[county] == "" && t.ssa[old] != "" {
		t.ssa[county] = t.ssa[old]
		b.Applied("SSA code of an abolished county", county+" has that of "+old)
	}
	if t.county[county] == 0 && t.county[old] != 0 && !t.byState[county[:2]] {
		t.county[county] = t.county[old]
		b.Applied("rating area of an abolished county", county+" has that of "+old)
	}
}

// formerCounties returns the county of before 2022 of each ZIP of Connecticut
// whose county the tables lack.
func (d *Draft) formerCounties(t *medicareTables) map[postcode.ZIP]string {
	former := map[postcode.ZIP]string{}
	near := shape.NewNearest()
	var open []*ZIP
	for _, z := range d.ZIPs.List {
		county := d.Counties.FIPS(z.Row.County)
		if z.State != "CT" || z.Row.County == 0 || t.ssa[county] != "" && t.county[county] != 0 {
			continue
		}
		if old := formerCounty(z); old != "" {
			former[z.Row.ZIP] = old
			if at := z.Spot(); at.IsValid() {
				near.Add(at, old)
			}
			continue
		}
		open = append(open, z)
	}
	for _, z := range open {
		if at := z.Spot(); at.IsValid() {
			if old, _ := near.Find(at, func(string) bool { return true }); old != "" {
				former[z.Row.ZIP] = old
				d.Applied("former county in Connecticut of the nearest ZIP with one in a source", fmt.Sprintf("%s %s", z.Row.ZIP, old))
			}
		}
	}
	return former
}

// formerCounty returns the county of before 2022 that a source names for a ZIP
// of Connecticut, or "".
func formerCounty(z *ZIP) string {
	const state = "09"
	var codes []string
	if p := z.Preferred(); p != nil {
		codes = append(codes, state+p.CountyFIPS)
	}
	if z.GeoNames != nil {
		codes = append(codes, state+z.GeoNames.CountyCode)
	}
	names := []string{countyThen(z)}
	if z.Supplied != nil {
		names = append(names, z.Supplied.County)
	}
	for _, name := range names {
		codes = append(codes, connecticut[strings.TrimSuffix(strings.ToUpper(name), " COUNTY")])
	}
	for _, code := range codes {
		if slices.Contains(formerCodes, code) {
			return code
		}
	}
	return ""
}

var formerCodes = slices.Sorted(maps.Values(connecticut))
