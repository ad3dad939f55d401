package facts

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/synth"
)

// regions reads the codes of every region: US codes from the folder zips,
// Canadian ones from the folder fsas; a region may have both.
func regions(f *synth.Facts) error {
	shapes, err := table("regions.csv", "region", "elevation_m", "west", "south", "east", "north", "reach")
	if err != nil {
		return err
	}
	byName := map[string]int{}
	region := func(name string) *synth.RegionFact {
		i, ok := byName[name]
		if !ok {
			i = len(f.Regions)
			byName[name] = i
			f.Regions = append(f.Regions, synth.RegionFact{Name: name, Elevation: 10, Reach: reach})
		}
		return &f.Regions[i]
	}
	for _, r := range shapes {
		g := region(r.get("region"))
		if g.Elevation, err = strconv.ParseFloat(r.get("elevation_m"), 64); err != nil {
			return r.errorf("elevation %q is not a number", r.get("elevation_m"))
		}
		if r.get("reach") == "all" {
			g.Reach = 0
		}
		if r.get("west") != "" {
			if g.Box, err = box(r); err != nil {
				return err
			}
		}
	}
	if err := zips(region); err != nil {
		return err
	}
	if err := fsas(region); err != nil {
		return err
	}
	return borders(region)
}

// borders reads the border of the United States through regions.
func borders(region func(string) *synth.RegionFact) error {
	rows, err := table("borders.csv", "region", "america", "latitude", "longitude")
	if err != nil {
		return err
	}
	for _, r := range rows {
		p, err := point(r)
		if err != nil {
			return err
		}
		b := &region(r.get("region")).Border
		b.America, b.Line = r.get("america"), append(b.Line, p)
	}
	return nil
}

func box(r row) (synth.Box, error) {
	var sides [4]int32
	for i, name := range []string{"west", "south", "east", "north"} {
		v, err := strconv.ParseFloat(r.get(name), 64)
		if err != nil || math.Abs(v) > 180 {
			return synth.Box{}, r.errorf("%s %q is not in degrees", name, r.get(name))
		}
		sides[i] = int32(math.Round(v * 1e6))
	}
	return synth.Box{X0: sides[0], Y0: sides[1], X1: sides[2], Y1: sides[3]}, nil
}

func point(r row) (geo.LatLng, error) {
	p, err := geo.ParseLatLng(r.get("latitude") + "," + r.get("longitude"))
	if err != nil {
		return p, r.errorf("%v", err)
	}
	return p, nil
}

func areaCodes(r row) ([]uint16, error) {
	var codes []uint16
	for _, text := range strings.Fields(r.get("area_codes")) {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n < 201 || n > 989 {
			return nil, r.errorf("area code %q is not 201 to 989", text)
		}
		codes = append(codes, uint16(n))
	}
	slices.Sort(codes)
	return codes, nil
}

// extras are the tables that add to single ZIPs.
type extras struct {
	aliases map[string][]synth.Alias
	areas   map[string][]synth.Box
}

func loadExtras() (extras, error) {
	e := extras{map[string][]synth.Alias{}, map[string][]synth.Box{}}
	rows, err := table("aliases.csv", "zip", "city", "acceptable")
	if err != nil {
		return e, err
	}
	for _, r := range rows {
		e.aliases[r.get("zip")] = append(e.aliases[r.get("zip")], synth.Alias{City: r.get("city"), Acceptable: r.get("acceptable") == "yes"})
	}
	if rows, err = table("more_areas.csv", "zip", "west", "south", "east", "north"); err != nil {
		return e, err
	}
	for _, r := range rows {
		b, err := box(r)
		if err != nil {
			return e, err
		}
		e.areas[r.get("zip")] = append(e.areas[r.get("zip")], b)
	}
	return e, nil
}

// zips reads the US codes of all regions.
func zips(region func(string) *synth.RegionFact) error {
	p, err := loadPlaces()
	if err != nil {
		return err
	}
	e, err := loadExtras()
	if err != nil {
		return err
	}
	tables, err := names("zips")
	if err != nil {
		return err
	}
	for _, name := range tables {
		rows, err := table("zips/"+name+".csv", "zip", "city", "county_fips", "latitude", "longitude", "class", "area_codes", "second_county_fips")
		if err != nil {
			return err
		}
		g := region(name)
		for _, r := range rows {
			z := synth.ZIPFact{
				City: r.get("city"), County: r.get("county_fips"), SecondCounty: r.get("second_county_fips"),
				Place: p.place(r.get("city"), r.get("county_fips")), Aliases: e.aliases[r.get("zip")], More: e.areas[r.get("zip")],
			}
			var ok bool
			if z.Code, ok = dataset.ParseZIP(r.get("zip")); !ok {
				return r.errorf("%q is not a valid ZIP Code", r.get("zip"))
			}
			if z.Class, z.HasArea, ok = class(r.get("class")); !ok {
				return r.errorf("class %q is unknown", r.get("class"))
			}
			if z.Point, err = point(r); err != nil {
				return err
			}
			if z.AreaCodes, err = areaCodes(r); err != nil {
				return err
			}
			g.ZIPs = append(g.ZIPs, z)
		}
	}
	return nil
}

// class reads the class of a ZIP and whether a census area has its code.
func class(s string) (c dataset.Class, area, ok bool) {
	switch s {
	case "general":
		return dataset.General, true, true
	case "general_point":
		return dataset.General, false, true
	case "po_box":
		return dataset.POBox, false, true
	case "po_box_area":
		return dataset.POBox, true, true
	case "unique":
		return dataset.Unique, false, true
	default:
		return 0, false, false
	}
}

// fsas reads the Canadian codes of all regions.
func fsas(region func(string) *synth.RegionFact) error {
	tables, err := names("fsas")
	if err != nil {
		return err
	}
	others, err := table("municipalities.csv", "city", "census_division", "municipality")
	if err != nil {
		return err
	}
	municipalities := map[[2]string]string{}
	for _, r := range others {
		municipalities[[2]string{r.get("city"), r.get("census_division")}] = r.get("municipality")
	}
	for _, name := range tables {
		rows, err := table("fsas/"+name+".csv", "fsa", "city", "census_division", "latitude", "longitude", "extent", "area_codes")
		if err != nil {
			return err
		}
		g := region(name)
		for _, r := range rows {
			a := synth.FSAFact{City: r.get("city"), Division: r.get("census_division"), HasArea: r.get("extent") == "area"}
			if a.Municipality = municipalities[[2]string{a.City, a.Division}]; a.Municipality == "" {
				a.Municipality = a.City
			}
			var ok bool
			if a.Code, ok = dataset.ParseFSA(r.get("fsa")); !ok {
				return r.errorf("%q is not a valid FSA", r.get("fsa"))
			}
			if a.Point, err = point(r); err != nil {
				return err
			}
			if a.AreaCodes, err = areaCodes(r); err != nil {
				return err
			}
			g.FSAs = append(g.FSAs, a)
		}
	}
	return nil
}

func military(f *synth.Facts) error {
	rows, err := table("military.csv", "zip", "city", "state")
	if err != nil {
		return err
	}
	for _, r := range rows {
		z, ok := dataset.ParseZIP(r.get("zip"))
		if !ok {
			return r.errorf("%q is not a valid ZIP Code", r.get("zip"))
		}
		f.Military = append(f.Military, synth.MilitaryFact{Code: z, City: r.get("city"), State: r.get("state")})
	}
	return nil
}

func postalCodes(f *synth.Facts) error {
	rows, err := table("postal_codes.csv", "postal_code", "city", "latitude", "longitude")
	if err != nil {
		return err
	}
	for _, r := range rows {
		p := synth.PostalCodeFact{City: r.get("city")}
		var ok bool
		if p.Code, ok = dataset.ParsePostalCode(r.get("postal_code")); !ok {
			return r.errorf("%q is not a valid postal code", r.get("postal_code"))
		}
		if p.Point, err = point(r); err != nil {
			return err
		}
		f.PostalCodes = append(f.PostalCodes, p)
	}
	return nil
}
