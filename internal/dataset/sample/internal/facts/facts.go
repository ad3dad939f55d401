// Package facts holds the real part of the embedded sample. It has codes with
// their city, county or census division, area codes and rounded coordinates, and
// the names of those areas.
//
// The CSV files of the folder data were written from general knowledge. A test
// compares them with official files if they are available.
package facts

import (
	"embed"
	"encoding/csv"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/synth"
)

//go:embed data
var data embed.FS

// Parameters of the country around the facts.
const (
	seed         = 20260101
	detail       = 2
	postalPerFSA = 9
	reach        = 80_000 // of areas from their points, in millionths of a degree: nine kilometers
)

// Load reads the facts of the sample. It returns an error that names file and
// line if the embedded files are inconsistent.
func Load() (synth.Facts, error) {
	f := synth.Facts{Label: "sample", PostalPerFSA: postalPerFSA, Seed: seed, Detail: detail}
	for _, step := range []func(*synth.Facts) error{metros, counties, censusDivisions, regions, military, postalCodes} {
		if err := step(&f); err != nil {
			return f, err
		}
	}
	return f, nil
}

// A row is a line of a table, by the names of its columns.
type row struct {
	file    string
	line    int
	columns map[string]int
	values  []string
}

func (r row) get(column string) string { return r.values[r.columns[column]] }

func (r row) errorf(format string, args ...any) error {
	return fmt.Errorf("facts: %s, line %d: %s", r.file, r.line, fmt.Sprintf(format, args...))
}

// table reads a file that has exactly these columns.
func table(name string, columns ...string) ([]row, error) {
	file, err := data.Open(path.Join("data", name))
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("facts: %s: %w", name, err)
	}
	if strings.Join(head, ",") != strings.Join(columns, ",") {
		return nil, fmt.Errorf("facts: %s has the columns %v; expected %v", name, head, columns)
	}
	index := make(map[string]int, len(columns))
	for i, c := range columns {
		index[c] = i
	}
	var rows []row
	for {
		values, err := r.Read()
		if values == nil {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("facts: %s: %w", name, err)
		}
		line, _ := r.FieldPos(0)
		rows = append(rows, row{name, line, index, values})
	}
	return rows, nil
}

// names lists the tables of a folder without their extension.
func names(folder string) ([]string, error) {
	entries, err := fs.ReadDir(data, path.Join("data", folder))
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".csv"))
	}
	return out, nil
}

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
