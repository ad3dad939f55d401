package build

import (
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/geo"
)

// provinceLetters are the provinces by the first letter of their FSAs; X is
// shared by two territories.
var provinceLetters = map[byte]string{
	'A': "NL", 'B': "NS", 'C': "PE", 'E': "NB", 'G': "QC", 'H': "QC", 'J': "QC", 'K': "ON", 'L': "ON", 'M': "ON", 'N': "ON", 'P': "ON",
	'R': "MB", 'S': "SK", 'T': "AB", 'V': "BC", 'Y': "YT",
}

// provinceOf returns the province of an FSA: as GeoNames has it, else by its
// first letter; 0 for a letter of no single province.
func (b *builder) provinceOf(fsa dataset.FSA) dataset.StateID {
	if f := b.tables.fsaAt[fsa]; f != nil {
		return f.row.Province
	}
	return b.state(dataset.CA, provinceLetters[fsa.String()[0]])
}

// adoptFSAs makes FSAs that GeoNames' list lacks of their postal codes: at the
// median of their points, with the city that most of them name. Codes of an FSA
// that has neither are refused.
func (b *builder) adoptFSAs() {
	t := &b.tables
	var kept []dataset.PostalRow
	b.eachFSA(func(f *fsaDraft, rows []dataset.PostalRow) {
		fsa := rows[0].Code.FSA()
		if f == nil {
			center, _ := medianPoint(rows)
			city := b.commonCity(rows)
			if !center.IsValid() || city == "" {
				for _, r := range rows {
					b.report.refuse(srcCorrespondence, "postal code of an unknown FSA", r.Code.String())
				}
				return
			}
			f = &fsaDraft{province: t.states[rows[0].Province-1].Abbr}
			f.row = dataset.FSARow{FSA: fsa, City: city, Province: rows[0].Province, Location: center}
			f.quality.PointSource = pointCodes
			f.detail.AreaCodes = overlays[fsaAreaCode(fsa)]
			if p, ok := t.census[fsa]; ok {
				f.count(p)
			}
			if land, ok := t.fsaLand[fsa]; ok {
				f.detail.LandArea = &land
			}
			t.fsaAt[fsa] = f
			t.fsas = append(t.fsas, f)
			b.report.applied("FSA that GeoNames lacks, made of its postal codes", fsa.String()+" "+city)
		}
		kept = append(kept, rows...)
	})
	t.postal = kept
	slices.SortFunc(t.fsas, func(a, b *fsaDraft) int { return int(a.row.FSA) - int(b.row.FSA) })
}

// commonCity returns the city that most of the codes name, the first in the
// alphabet of several, or else that of the nearest FSA.
func (b *builder) commonCity(rows []dataset.PostalRow) string {
	counts := map[string]int{}
	best := ""
	for _, r := range rows {
		if r.City == "" {
			continue
		}
		counts[r.City]++
		if n := counts[r.City]; n > counts[best] || n == counts[best] && r.City < best {
			best = r.City
		}
	}
	if center, _ := medianPoint(rows); best == "" && center.IsValid() {
		near := newNearest()
		for _, f := range b.tables.fsas {
			if f.row.Location.IsValid() && f.row.Province == rows[0].Province {
				near.add(f.row.Location, f.row.City)
			}
		}
		best, _ = near.find(center, func(string) bool { return true })
	}
	return best
}

// moveFSAs moves the point of an FSA that lies far from its postal codes to
// their median: farther than 5 km where many codes have a point. Of fewer, an
// FSA without outline is moved when it lies farther than 30 miles and than five
// times their median distance from it. Reviewed points and those among the
// people stay.
func (b *builder) moveFSAs() {
	const (
		enough, many = 5, 20 // codes
		near         = 5_000 // metres
	)
	b.eachFSA(func(f *fsaDraft, rows []dataset.PostalRow) {
		code := f.row.FSA.String()
		settled := f.quality.PointSource == pointReviewed || f.quality.PointSource == pointAreas
		if settled || len(rows) < enough || !f.row.Location.IsValid() {
			return
		}
		center, spread := medianPoint(rows)
		if !center.IsValid() {
			return
		}
		if pointed(rows) >= many {
			if d := float64(geo.Distance(f.row.Location, center)); d > near {
				b.report.applied("FSA point more than 5 km from the median of its postal codes gives way to it", fmt.Sprintf("%s, %.0f km", code, d/1000))
				f.row.Location, f.quality.PointSource = center, pointCodes
			}
			return
		}
		if b.tables.fsaInside[code].IsValid() {
			return
		}
		if d := miles(f.row.Location, center); d > 30 && d > 5*spread {
			b.report.applied("FSA point far from its postal codes gives way to their median", code)
			f.row.Location, f.quality.PointSource = center, pointCodes
		}
	})
}

// pointed counts the codes with a point.
func pointed(rows []dataset.PostalRow) int {
	n := 0
	for _, r := range rows {
		if r.Location.IsValid() {
			n++
		}
	}
	return n
}

// count takes the counts of the census.
func (f *fsaDraft) count(p source.FSAPopulationRow) {
	f.detail.Population = narrow(p.Population)
	f.detail.Dwellings = narrow(p.Dwellings)
	f.detail.DwellingsOccupied = narrow(p.DwellingsOccupied)
	if f.detail.Population != nil {
		f.quality.PopulationYear, f.quality.PopulationSource = censusYear, srcFSAPopulation
	}
}

// censusYear is the year of the census of Canada that counted the areas.
const censusYear = 2021
