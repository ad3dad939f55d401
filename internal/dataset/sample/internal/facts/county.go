package facts

import "github.com/postgeo/postgeo/internal/dataset/synth"

func metros(f *synth.Facts) error {
	rows, err := table("cbsas.csv", "code", "title", "kind", "csa", "csa_title")
	if err != nil {
		return err
	}
	for _, r := range rows {
		f.CBSAs = append(f.CBSAs, synth.CBSAFact{
			Code: r.get("code"), Title: r.get("title"), Metropolitan: r.get("kind") == "metropolitan",
			CSA: r.get("csa"), CSATitle: r.get("csa_title"),
		})
	}
	if rows, err = table("divisions.csv", "code", "title", "cbsa"); err != nil {
		return err
	}
	for _, r := range rows {
		f.Divisions = append(f.Divisions, synth.DivisionFact{Code: r.get("code"), Title: r.get("title"), CBSA: r.get("cbsa")})
	}
	return nil
}

func counties(f *synth.Facts) error {
	rows, err := countyRows()
	if err != nil {
		return err
	}
	for _, r := range rows {
		f.Counties = append(f.Counties, synth.CountyFact{
			FIPS: r.get("fips"), Name: r.get("name"), CBSA: r.get("cbsa"), Division: r.get("division"), Zone: r.get("time_zone"),
		})
	}
	return nil
}

func countyRows() ([]row, error) {
	return table("counties.csv", "fips", "name", "cbsa", "division", "time_zone", "place")
}

// places maps cities and counties to incorporated places.
type places struct {
	ofCounty map[string]string    // the place of all ZIPs of a county; "-" none
	ofCity   map[[2]string]string // by city and county
}

func loadPlaces() (places, error) {
	p := places{map[string]string{}, map[[2]string]string{}}
	rows, err := countyRows()
	if err != nil {
		return p, err
	}
	for _, r := range rows {
		if r.get("place") != "" {
			p.ofCounty[r.get("fips")] = r.get("place")
		}
	}
	if rows, err = table("places.csv", "city", "county_fips", "place"); err != nil {
		return p, err
	}
	for _, r := range rows {
		p.ofCity[[2]string{r.get("city"), r.get("county_fips")}] = r.get("place")
	}
	return p, nil
}

// place returns the place of a city. By default it is the city itself.
func (p places) place(city, county string) string {
	if name, ok := p.ofCity[[2]string{city, county}]; ok {
		return name
	}
	switch name := p.ofCounty[county]; name {
	case "":
		return city
	case "-":
		return ""
	default:
		return name
	}
}

func censusDivisions(f *synth.Facts) error {
	rows, err := table("census_divisions.csv", "uid", "name", "type")
	if err != nil {
		return err
	}
	for _, r := range rows {
		f.CensusDivisions = append(f.CensusDivisions, synth.CensusDivisionFact{UID: r.get("uid"), Name: r.get("name"), Type: r.get("type")})
	}
	return nil
}
