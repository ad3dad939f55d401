package synth

import (
	"cmp"
	"fmt"

	"github.com/postgeo/postgeo/internal/dataset"
)

// holdCanada makes the layers of Canada:
//
//   - Economic regions of census divisions.
//   - Consolidated subdivisions of municipalities.
//   - Metropolitan areas of towns, with tracts in the large ones.
//   - A population center in every town.
//   - Designated places in rural municipalities.
//   - Federal electoral districts.
func (d *draft) holdCanada(order []int32) {
	regions, consolidated := d.holder(dataset.LayerEconomicRegion, ""), d.holder(dataset.LayerConsolidatedSubdivision, "")
	metros, tracts := d.holder(dataset.LayerMetroArea, ""), d.holder(dataset.LayerCensusTract, "")
	centers, places := d.holder(dataset.LayerPopulationCentre, ""), d.holder(dataset.LayerDesignatedPlace, "")
	federal := d.holder(dataset.LayerFederalDistrict, "")
	inFederal, inTract := newRuns(7, 10), newRuns(1, 2)
	towns, numberOf := d.countTowns()
	halves := map[int32]int{}
	for _, i := range order {
		c := &d.Cells[i]
		if c.Municipality == None {
			continue
		}
		m := &d.Municipalities[c.Municipality]
		division := &d.CensusDivisions[m.Division]
		province := &d.States[c.State]
		state := int(c.State)
		region := regionOf(division.UID)
		regions.give(i, region, func() HeldArea {
			name := "Region of " + division.Name
			return HeldArea{GEOID: region, Base: name, Name: name, French: "Région de " + division.Name, State: state}
		})
		number := numberOf[c.Municipality]
		ccs := fmt.Sprintf("%s%03d", division.UID, 1+3*(number/2))
		consolidated.give(i, ccs, func() HeldArea { return HeldArea{GEOID: ccs, Base: m.Name, Name: m.Name, State: state} })
		n := inFederal.next(c.State) + 1
		riding := fmt.Sprintf("%s%03d", province.PRUID, n)
		federal.give(i, riding, func() HeldArea {
			return HeldArea{GEOID: riding, Base: m.Name + "--" + province.Name, French: m.Name + "--" + cmp.Or(province.NameFR, province.Name), State: state}
		})
		half := halves[c.Municipality]
		halves[c.Municipality]++
		if rural(m) {
			if number%2 == 1 && half == 1 {
				place := fmt.Sprintf("%s%04d", province.PRUID, 100+int(c.Municipality))
				places.give(i, place, func() HeldArea {
					return HeldArea{GEOID: place, Base: m.Name + " Station", Kind: "DPL", State: state}
				})
			}
			continue
		}
		if half == 0 {
			center := fmt.Sprintf("%04d", 100+c.Municipality)
			centers.give(i, center, func() HeldArea { return HeldArea{GEOID: center, Base: m.Name, Kind: "4", State: state} })
		}
		code, name := d.metroOf(m.Division)
		if code == "" && towns[m.Division] < 2 {
			continue
		}
		kind := "CA"
		if code == "" {
			code, name = fmt.Sprintf("%03d", 100+m.Division), m.Name
		} else {
			kind = "CMA"
		}
		if towns[m.Division] >= 3 {
			kind = "CMA"
		}
		if kind == "CMA" {
			t := inTract.next(int32(m.Division)) + 1
			tract := fmt.Sprintf("%s%04d.00", code, t)
			tracts.give(i, tract, func() HeldArea { return HeldArea{GEOID: tract, Base: tract[3:], State: state} })
		}
		metros.give(i, code, func() HeldArea { return HeldArea{GEOID: code, Base: name, Kind: kind, State: None} })
	}
	for _, h := range []*holder{tracts, metros, regions, centers, consolidated, places, federal} {
		for _, a := range all(h.layer.Areas) {
			if a.Name == "" {
				a.Name = a.Base
			}
		}
		h.done()
	}
}

// metroAreas are census metropolitan areas by their largest census division,
// for countries that are grown around real codes.
var metroAreas = map[string][2]string{
	"1001": {"001", "St. John's"},
	"1209": {"205", "Halifax"},
	"2423": {"421", "Québec"},
	"2466": {"462", "Montréal"},
	"3506": {"505", "Ottawa - Gatineau"},
	"3520": {"535", "Toronto"},
	"3525": {"537", "Hamilton"},
	"3526": {"539", "St. Catharines - Niagara"},
	"3537": {"559", "Windsor"},
	"3539": {"555", "London"},
	"4611": {"602", "Winnipeg"},
	"4706": {"705", "Regina"},
	"4711": {"725", "Saskatoon"},
	"4806": {"825", "Calgary"},
	"4811": {"835", "Edmonton"},
	"5915": {"933", "Vancouver"},
	"5917": {"935", "Victoria"},
}

// metroOf returns the real metropolitan area around a census division, or "" if
// it has none or the country is invented.
func (d *draft) metroOf(division int) (code, name string) {
	if !d.grown {
		return "", ""
	}
	m := metroAreas[d.CensusDivisions[division].UID]
	return m[0], m[1]
}

// countTowns counts the towns of each census division, and numbers the
// municipalities within theirs.
func (d *draft) countTowns() (towns map[int]int, number []int) {
	towns, number = map[int]int{}, make([]int, len(d.Municipalities))
	seen := map[int]int{}
	for i, m := range all(d.Municipalities) {
		number[i] = seen[m.Division]
		seen[m.Division]++
		if !rural(m) {
			towns[m.Division]++
		}
	}
	return towns, number
}

func rural(m *Municipality) bool { return m.Type == "RM" }

// regionOf returns the code of a census division's economic region, which has
// three divisions.
func regionOf(division string) string {
	return fmt.Sprintf("%s%d0", division[:2], 1+number4(division[2:])/3%9)
}
