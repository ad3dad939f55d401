package codes

import (
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/shape"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
)

// provinceLetters are the provinces by the first letter of their FSAs; X is
// shared by two territories.
var provinceLetters = map[byte]string{
	'A': "NL", 'B': "NS", 'C': "PE", 'E': "NB", 'G': "QC", 'H': "QC", 'J': "QC", 'K': "ON", 'L': "ON", 'M': "ON", 'N': "ON", 'P': "ON",
	'R': "MB", 'S': "SK", 'T': "AB", 'V': "BC", 'Y': "YT",
}

// provinceOf returns the province of an FSA: as GeoNames has it, else by its
// first letter; 0 for a letter of no single province.
func (b *postalCodes) provinceOf(fsa dataset.FSA) dataset.StateID {
	if f := b.FSAs.At[fsa]; f != nil {
		return f.Row.Province
	}
	return b.States.ID(dataset.CA, provinceLetters[fsa.String()[0]])
}

// adoptFSAs makes FSAs that GeoNames' list lacks of their postal codes: at the
// median of their points, with the city that most of them name. Codes of an FSA
// that has neither are refused.
func (b *postalCodes) adoptFSAs() {
	var kept []dataset.PostalRow
	b.eachFSA(func(f *draft.FSA, rows []dataset.PostalRow) {
		fsa := rows[0].Code.FSA()
		if f == nil {
			center, _ := medianPoint(rows)
			city := b.commonCity(rows)
			if !center.IsValid() || city == "" {
				for _, r := range rows {
					b.Refuse(catalog.Correspondence, "postal code of an unknown FSA", r.Code.String())
				}
				return
			}
			f = &draft.FSA{Province: b.States.List[rows[0].Province-1].Abbr}
			f.Row = dataset.FSARow{FSA: fsa, City: city, Province: rows[0].Province, Location: center}
			f.Quality.PointSource = pointCodes
			if p, ok := b.FSACensus.ByFSA[fsa]; ok {
				countFSA(f, p)
			}
			if land, ok := b.FSAAreas.Land[fsa]; ok {
				f.Detail.LandArea = &land
			}
			b.FSAs.At[fsa] = f
			b.FSAs.List = append(b.FSAs.List, f)
			b.Applied("FSA that GeoNames lacks, made of its postal codes", fsa.String()+" "+city)
		}
		kept = append(kept, rows...)
	})
	b.Postal.Rows = kept
	slices.SortFunc(b.FSAs.List, func(a, b *draft.FSA) int { return int(a.Row.FSA) - int(b.Row.FSA) })
}

// commonCity returns the city that most of the codes name, the first in the
// alphabet of several, or else that of the nearest FSA.
func (b *postalCodes) commonCity(rows []dataset.PostalRow) string {
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
		near := shape.NewNearest()
		for _, f := range b.FSAs.List {
			if f.Row.Location.IsValid() && f.Row.Province == rows[0].Province {
				near.Add(f.Row.Location, f.Row.City)
			}
		}
		best, _ = near.Find(center, func(string) bool { return true })
	}
	return best
}

// moveFSAs moves the point of an FSA that lies far from its postal codes to
// their median. With many codes the limit is 5 km. With fewer, only an FSA
// without outline is moved, beyond 30 miles and five times their median
// distance from it. Reviewed points and those among the people stay.
func (b *postalCodes) moveFSAs() {
	const (
		enough, many = 5, 20 // codes
		near         = 5_000 // meters
	)
	b.eachFSA(func(f *draft.FSA, rows []dataset.PostalRow) {
		code := f.Row.FSA.String()
		settled := f.Quality.PointSource == pointReviewed || f.Quality.PointSource == pointAreas
		if settled || len(rows) < enough || !f.Row.Location.IsValid() {
			return
		}
		center, spread := medianPoint(rows)
		if !center.IsValid() {
			return
		}
		if pointed(rows) >= many {
			if d := float64(geo.Distance(f.Row.Location, center)); d > near {
				b.Applied("FSA point more than 5 km from the median of its postal codes gives way to it", fmt.Sprintf("%s, %.0f km", code, d/1000))
				f.Row.Location, f.Quality.PointSource = center, pointCodes
			}
			return
		}
		if b.FSAAreas.Inside[code].IsValid() {
			return
		}
		if d := shape.Miles(f.Row.Location, center); d > 30 && d > 5*spread {
			b.Applied("FSA point far from its postal codes gives way to their median", code)
			f.Row.Location, f.Quality.PointSource = center, pointCodes
		}
	})
}

func pointed(rows []dataset.PostalRow) int {
	n := 0
	for _, r := range rows {
		if r.Location.IsValid() {
			n++
		}
	}
	return n
}

func countFSA(f *draft.FSA, p source.FSAPopulationRow) {
	f.Detail.Population = draft.Count32(p.Population)
	f.Detail.Dwellings = draft.Count32(p.Dwellings)
	f.Detail.DwellingsOccupied = draft.Count32(p.DwellingsOccupied)
	if f.Detail.Population != nil {
		f.Quality.PopulationYear, f.Quality.PopulationSource = censusYear, catalog.FSAPopulation
	}
}

// censusYear is the year of the census of Canada that counted the areas.
const censusYear = 2021
