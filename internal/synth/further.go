package synth

import (
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/internal/store"
)

// withoutVoting are states that reported no voting districts.
var withoutVoting = []string{"CA", "OR"}

// holdFurther makes the layers of the United States that a build has by their names
// only:
//
//   - Public Use Microdata Areas of adjacent cells of a state.
//   - An urban area in every second place.
//   - Tribal areas of a cell: a reservation, or its land outside.
//   - Voting districts of adjacent cells of a county, in most states.
func (d *draft) holdFurther(order []int32) {
	microdata, urban := d.holder(store.LayerPUMA, ""), d.holder(store.LayerUrbanArea, "")
	tribal, voting := d.holder(store.LayerTribalArea, ""), d.holder(store.LayerVotingDistrict, "")
	inMicrodata, inVoting := newRuns(15, 20), newRuns(1, 2)
	const apart = 90 // cells between tribal areas
	for n, i := range order {
		c := &d.Cells[i]
		if c.County == None || c.ZIP == None {
			continue
		}
		county, s := &d.Counties[c.County], &d.States[c.State]
		state := int(c.State)
		part := inMicrodata.next(c.State) + 1
		microdata.give(i, HeldArea{GEOID: fmt.Sprintf("%s%05d", s.FIPS, 100*part), Name: fmt.Sprintf("%s--Part %d PUMA", s.Name, part), State: state})
		if c.Place != None && c.Place%2 == 0 {
			name := d.Places[c.Place].Base + ", " + s.Abbr
			urban.give(i, HeldArea{GEOID: fmt.Sprintf("%05d", c.Place/2+37), Base: name, Name: name + " Urban Area", State: None})
		}
		if n%apart == 0 {
			number, kind, words := n/apart/2+10, "R", "Reservation"
			if n/apart%2 == 1 {
				kind, words = "T", "Off-Reservation Trust Land"
			}
			tribal.give(i, HeldArea{GEOID: fmt.Sprintf("%04d%s", number, kind), Base: county.Base, Name: county.Base + " " + words, Kind: kind, State: None})
		}
		if !slices.Contains(withoutVoting, s.Abbr) {
			number := inVoting.next(c.County) + 1
			voting.give(i, HeldArea{GEOID: fmt.Sprintf("%s%06d", county.FIPS, number), Base: fmt.Sprint(number), Name: fmt.Sprintf("Voting District %d", number), State: state})
		}
	}
}

// furtherFiles are the files of these layers: one of the country, or of each state.
func (c *Country) furtherFiles() []heldFile {
	const (
		area  = "ALAND20:N14 AWATER20:N14"
		tiger = tigerDir + "TIGER2024/"
	)
	return []heldFile{
		{
			store.LayerPUMA, "", tiger + "PUMA20/tl_2024_SS_puma20", "STATEFP20:2 PUMACE20:5 GEOID20:7 GEOIDFQ20:16 NAMELSAD20:100 MTFCC20:5 FUNCSTAT20:1 " + area, false,
			func(a *HeldArea) []string {
				return append([]string{a.GEOID[:2], a.GEOID[2:], a.GEOID, "795P200US" + a.GEOID, a.Name, "G6120", "S"}, a.Area.squareMeters()...)
			},
		},
		{
			store.LayerUrbanArea, "", tiger + "UAC20/tl_2024_us_uac20", "UACE20:5 GEOID20:5 GEOIDFQ20:14 NAME20:100 NAMELSAD20:100 LSAD20:2 MTFCC20:5 FUNCSTAT20:1 " + area, false,
			func(a *HeldArea) []string {
				return append([]string{a.GEOID, a.GEOID, "400C200US" + a.GEOID, a.Base, a.Name, "76", "G3500", "S"}, a.Area.squareMeters()...)
			},
		},
		{
			store.LayerTribalArea, "", tiger + "AIANNH/tl_2024_us_aiannh", "AIANNHCE:4 AIANNHNS:8 GEOID:5 GEOIDFQ:14 NAME:100 NAMELSAD:100 LSAD:2 CLASSFP:2 COMPTYP:1 AIANNHR:1 ALAND:N14 AWATER:N14", false,
			func(a *HeldArea) []string {
				return append([]string{a.GEOID[:4], "00000000", a.GEOID, "2500000US" + a.GEOID, a.Base, a.Name, "86", "D2", a.Kind, "F"}, a.Area.squareMeters()...)
			},
		},
		{
			store.LayerVotingDistrict, "", tigerDir + "TIGER2020PL/LAYER/VTD/2020/tl_2020_SS_vtd20", "STATEFP20:2 COUNTYFP20:3 VTDST20:6 GEOID20:11 VTDI20:1 NAME20:100 NAMELSAD20:100 LSAD20:2 MTFCC20:5 FUNCSTAT20:1 " + area, false,
			func(a *HeldArea) []string {
				return append([]string{a.GEOID[:2], a.GEOID[2:5], a.GEOID[5:], a.GEOID, "A", a.Base, a.Name, "V1", "G5240", "N"}, a.Area.squareMeters()...)
			},
		},
	}
}

// byState returns the file of each state that has areas of a layer.
func (c *Country) byState(f heldFile, l *HeldLayer) (files []mirrorFile) {
	for s := range c.States {
		if !slices.ContainsFunc(l.Areas, func(a HeldArea) bool { return a.State == s }) {
			continue
		}
		files = append(files, c.outlined(inState(f.base, c.States[s].FIPS), f.columns, f.canada, l.cells, func(i int) []string {
			if l.Areas[i].State != s {
				return nil
			}
			return f.values(&l.Areas[i])
		}))
	}
	return files
}
