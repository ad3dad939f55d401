package layers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

const (
	// leastOfCounty is the part of a ZIP's outline or of its people that a second
	// county must hold for the ZIP to count as one of several counties.
	leastOfCounty = 0.01
	// leastInCounties is the part of a ZIP's outline that the outlines of
	// counties must cover for them to decide.
	leastInCounties = 0.98
)

// countyShare is the part of a ZIP's outline, 0 to 1, that a county holds.
type countyShare struct {
	county store.CountyID
	part   float64
}

// ShareCounties decides by exact overlaps and by the people whether a ZIP lies in
// several counties. It does if a second county holds at least 1 % of its outline,
// or of the people within; the first is the ZIP's county, or the largest. Outlines of counties that cover
// less than 98 % of it do not decide if only one of them holds 1 %. Then the
// City State product's second county stays.
func (b *Build) ShareCounties(ctx context.Context) error {
	if !b.Includes(catalog.Boundaries) || len(b.ZIPOutlines.Areas.Polygons)+len(b.ZIPOutlines.Points.Polygons) == 0 || len(b.CountyOutlines.Polygons) == 0 {
		return nil
	}
	for _, id := range []string{catalog.ZCTAAreas, catalog.CountyAreas} {
		if f := b.File(id); f == nil || !f.FitForShares {
			b.Applied("no shares of counties, for outlines that are absent or too coarse", id)
			return nil
		}
	}
	counties, err := b.CountyOutlines.LayOut()
	if err != nil {
		return err
	}
	ids := b.CountyOutlines.Keys()
	for _, set := range []*shape.OutlineSet[postcode.ZIP]{b.ZIPOutlines.Areas, b.ZIPOutlines.Points} {
		outlines, err := set.LayOut()
		if err != nil {
			return err
		}
		parts, err := shape.Parts(ctx, outlines, counties)
		if err != nil {
			return err
		}
		for i, zip := range set.Keys() {
			var shares []countyShare // the largest first
			for _, p := range parts[i] {
				shares = append(shares, countyShare{ids[p.Area], p.Shared / float64(outlines[i].Area())})
			}
			slices.SortStableFunc(shares, func(p, q countyShare) int { return cmp.Compare(q.part, p.part) })
			b.decideCounties(b.ZIPs.At[zip], shares)
		}
	}
	return nil
}

// decideCounties applies the shares of counties to a ZIP.
func (b *Build) decideCounties(z *draft.ZIP, shares []countyShare) {
	sum, large, own := 0.0, 0, z.Row.County
	for _, p := range shares {
		sum += p.part
		if p.part >= leastOfCounty {
			large++
		}
	}
	text := func() string {
		parts := []string{}
		for _, p := range shares {
			parts = append(parts, fmt.Sprintf("%.1f %% in %s", 100*p.part, b.Counties.FIPS(p.county)))
		}
		return z.Row.ZIP.String() + ": " + strings.Join(parts, ", ")
	}
	elsewhere := b.peopleElsewhere(z)
	if sum < leastInCounties && large < 2 && elsewhere < leastOfCounty {
		b.Applied("several counties or one: the outlines of counties do not cover that of the ZIP", text())
		return
	}
	if own == 0 {
		own = shares[0].county
	}
	at := slices.IndexFunc(shares, func(p countyShare) bool { return p.county == own })
	if at < 0 || shares[at].part < leastOfCounty {
		b.Applied("county of the sources that holds less than 1 % of the ZIP's outline, kept", text())
	}
	second := 0.0 // the largest part of another county
	for _, p := range shares {
		if p.county != own {
			second = max(second, p.part)
		}
	}
	switch {
	case second >= leastOfCounty:
		b.Applied("ZIP of several counties, by the outlines", text())
		z.Row.MultiCounty = store.Yes
	case elsewhere >= leastOfCounty:
		b.Applied("ZIP of several counties, by its people", text())
		z.Row.MultiCounty = store.Yes
	case z.Row.MultiCounty == store.Yes:
		b.Applied("ZIP of several counties, by the City State product alone", text())
	default:
		b.Applied("ZIP of one county, by the outlines", z.Row.ZIP.String())
		z.Row.MultiCounty = store.No
	}
}

// peopleElsewhere returns the largest part of a ZIP's people, 0 to 1, in a county
// other than that of the record, or than that of most if the record has none.
func (b *Build) peopleElsewhere(z *draft.ZIP) float64 {
	people, all := map[string]int{}, 0
	for _, c := range b.Residents.Of[z.Row.ZIP] {
		people[c.County] += c.People
		all += c.People
	}
	own := b.Counties.FIPS(z.Row.County)
	first, second := 0, 0
	for fips, n := range people {
		if fips != own {
			first, second = max(first, n), max(second, min(first, n))
		}
	}
	if own == "" {
		first = second
	}
	return float64(first) / float64(max(all, 1))
}
