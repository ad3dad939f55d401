package facts

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
)

// regions reads the codes of every region: US codes from the folder zips,
// Canadian ones from the folder fsas; a region may have both.
func (l *loader) regions() {
	byName := map[string]int{}
	region := func(name string) *synth.RegionFact {
		i, ok := byName[name]
		if !ok {
			i = len(l.Regions)
			byName[name] = i
			l.Regions = append(l.Regions, synth.RegionFact{Name: name, Elevation: 10, Reach: reach})
		}
		return &l.Regions[i]
	}
	for r := range l.table("regions.csv", "region", "elevation_m", "west", "south", "east", "north", "reach") {
		g := region(r.get("region"))
		g.Elevation = r.number("elevation_m", math.Inf(1))
		if r.get("reach") == "all" {
			g.Reach = 0
		}
		if r.get("west") != "" {
			g.Box = r.box()
		}
	}
	l.zips(region)
	l.fsas(region)
	for r := range l.table("borders.csv", "region", "america", "latitude", "longitude") {
		b := &region(r.get("region")).Border
		b.America, b.Line = r.get("america"), append(b.Line, r.point())
	}
}

// number reads a number from -most to most.
func (r row) number(column string, most float64) float64 {
	v, err := strconv.ParseFloat(r.get(column), 64)
	if err != nil || !(math.Abs(v) <= most) {
		r.fail("%s %q is not a number of at most %v", column, r.get(column), most)
	}
	return v
}

func (r row) box() synth.Box {
	side := func(column string) int32 { return int32(math.Round(r.number(column, 180) * 1e6)) }
	return synth.Box{X0: side("west"), Y0: side("south"), X1: side("east"), Y1: side("north")}
}

func (r row) point() geo.LatLng {
	p, err := geo.ParseLatLng(r.get("latitude") + "," + r.get("longitude"))
	if err != nil {
		r.fail("%v", err)
	}
	return p
}

// code reads a code.
func code[C any](r row, column string, parse func(string) (C, bool)) C {
	c, ok := parse(r.get(column))
	if !ok {
		r.fail("%q is not a valid %s", r.get(column), column)
	}
	return c
}

func (r row) areaCodes() (codes []uint16) {
	for _, text := range strings.Fields(r.get("area_codes")) {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n < 201 || n > 989 {
			r.fail("area code %q is not 201 to 989", text)
		}
		codes = append(codes, uint16(n))
	}
	slices.Sort(codes)
	return codes
}

// zips reads the US codes of all regions.
func (l *loader) zips(region func(string) *synth.RegionFact) {
	p, aliases, areas := l.places(), map[string][]synth.Alias{}, map[string][]synth.Box{}
	for r := range l.table("aliases.csv", "zip", "city", "acceptable") {
		aliases[r.get("zip")] = append(aliases[r.get("zip")], synth.Alias{City: r.get("city"), Acceptable: r.get("acceptable") == "yes"})
	}
	for r := range l.table("more_areas.csv", "zip", "west", "south", "east", "north") {
		areas[r.get("zip")] = append(areas[r.get("zip")], r.box())
	}
	for _, name := range l.names("zips") {
		g := region(name)
		for r := range l.table("zips/"+name+".csv", "zip", "city", "county_fips", "latitude", "longitude", "class", "area_codes", "second_county_fips") {
			z := synth.ZIPFact{
				Code: code(r, "zip", dataset.ParseZIP), City: r.get("city"), County: r.get("county_fips"), SecondCounty: r.get("second_county_fips"),
				Place: p.place(r.get("city"), r.get("county_fips")), Point: r.point(), AreaCodes: r.areaCodes(),
				Aliases: aliases[r.get("zip")], More: areas[r.get("zip")],
			}
			var ok bool
			if z.Class, z.HasArea, ok = class(r.get("class")); !ok {
				r.fail("class %q is unknown", r.get("class"))
			}
			g.ZIPs = append(g.ZIPs, z)
		}
	}
}

// class reads the class of a ZIP and whether a census area has its code.
func class(s string) (c store.Class, area, ok bool) {
	switch s {
	case "general":
		return store.General, true, true
	case "general_point":
		return store.General, false, true
	case "po_box":
		return store.POBox, false, true
	case "po_box_area":
		return store.POBox, true, true
	case "unique":
		return store.Unique, false, true
	default:
		return 0, false, false
	}
}

// fsas reads the Canadian codes of all regions.
func (l *loader) fsas(region func(string) *synth.RegionFact) {
	municipalities := map[[2]string]string{}
	for r := range l.table("municipalities.csv", "city", "census_division", "municipality") {
		municipalities[[2]string{r.get("city"), r.get("census_division")}] = r.get("municipality")
	}
	for _, name := range l.names("fsas") {
		g := region(name)
		for r := range l.table("fsas/"+name+".csv", "fsa", "city", "census_division", "latitude", "longitude", "extent") {
			city, division := r.get("city"), r.get("census_division")
			g.FSAs = append(g.FSAs, synth.FSAFact{
				Code: code(r, "fsa", dataset.ParseFSA), City: city, Municipality: cmp.Or(municipalities[[2]string{city, division}], city), Division: division,
				Point: r.point(), HasArea: r.get("extent") == "area",
			})
		}
	}
}

func (l *loader) military() {
	for r := range l.table("military.csv", "zip", "city", "state") {
		l.Military = append(l.Military, synth.MilitaryFact{Code: code(r, "zip", dataset.ParseZIP), City: r.get("city"), State: r.get("state")})
	}
}

func (l *loader) postalCodes() {
	for r := range l.table("postal_codes.csv", "postal_code", "city", "latitude", "longitude") {
		l.PostalCodes = append(l.PostalCodes, synth.PostalCodeFact{Code: code(r, "postal_code", dataset.ParsePostalCode), City: r.get("city"), Point: r.point()})
	}
}
