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
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/synth"
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
	l := &loader{Facts: synth.Facts{Label: "sample", PostalPerFSA: postalPerFSA, Seed: seed, Detail: detail}}
	l.metros()
	l.counties()
	l.censusDivisions()
	l.regions()
	l.military()
	l.postalCodes()
	return l.Facts, l.err
}

// A loader collects facts. After an error its tables have no rows.
type loader struct {
	synth.Facts
	err error
}

func (l *loader) fail(err error) {
	if l.err == nil && err != nil {
		l.err = fmt.Errorf("facts: %w", err)
	}
}

// A row is a line of a table, by the names of its columns.
type row struct {
	l       *loader
	file    string
	line    int
	columns []string
	values  []string
}

func (r row) get(column string) string { return r.values[slices.Index(r.columns, column)] }

func (r row) fail(format string, args ...any) {
	r.l.fail(fmt.Errorf("%s, line %d: %s", r.file, r.line, fmt.Sprintf(format, args...)))
}

// table yields the rows of a file that has exactly these columns.
func (l *loader) table(name string, columns ...string) iter.Seq[row] {
	return func(yield func(row) bool) {
		file, err := data.Open(path.Join("data", name))
		if err != nil {
			l.fail(err)
			return
		}
		defer file.Close()
		r := csv.NewReader(file)
		if head, err := r.Read(); err != nil || !slices.Equal(head, columns) {
			l.fail(fmt.Errorf("%s has the columns %v; expected %v", name, head, columns))
		}
		for l.err == nil {
			values, err := r.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				l.fail(fmt.Errorf("%s: %w", name, err))
				return
			}
			line, _ := r.FieldPos(0)
			if !yield(row{l, name, line, columns, values}) {
				return
			}
		}
	}
}

// names lists the tables of a folder without their extension.
func (l *loader) names(folder string) (out []string) {
	entries, err := fs.ReadDir(data, path.Join("data", folder))
	l.fail(err)
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".csv"))
	}
	return out
}

func (l *loader) metros() {
	for r := range l.table("cbsas.csv", "code", "title", "kind", "csa", "csa_title") {
		l.CBSAs = append(l.CBSAs, synth.CBSA{
			Code: r.get("code"), Title: r.get("title"), Metropolitan: r.get("kind") == "metropolitan",
			CSA: r.get("csa"), CSATitle: r.get("csa_title"),
		})
	}
	for r := range l.table("divisions.csv", "code", "title", "cbsa") {
		l.Divisions = append(l.Divisions, synth.DivisionFact{Code: r.get("code"), Title: r.get("title"), CBSA: r.get("cbsa")})
	}
}

func (l *loader) counties() {
	for r := range l.countyRows() {
		l.Counties = append(l.Counties, synth.CountyFact{
			FIPS: r.get("fips"), Name: r.get("name"), CBSA: r.get("cbsa"), Division: r.get("division"), Zone: r.get("time_zone"),
		})
	}
}

func (l *loader) countyRows() iter.Seq[row] {
	return l.table("counties.csv", "fips", "name", "cbsa", "division", "time_zone", "place")
}

// places maps cities and counties to incorporated places.
type places struct {
	ofCounty map[string]string    // the place of all ZIPs of a county; "-" none
	ofCity   map[[2]string]string // by city and county
}

func (l *loader) places() places {
	p := places{map[string]string{}, map[[2]string]string{}}
	for r := range l.countyRows() {
		if r.get("place") != "" {
			p.ofCounty[r.get("fips")] = r.get("place")
		}
	}
	for r := range l.table("places.csv", "city", "county_fips", "place") {
		p.ofCity[[2]string{r.get("city"), r.get("county_fips")}] = r.get("place")
	}
	return p
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

func (l *loader) censusDivisions() {
	for r := range l.table("census_divisions.csv", "uid", "name", "type") {
		l.CensusDivisions = append(l.CensusDivisions, synth.CensusDivision{UID: r.get("uid"), Name: r.get("name"), Type: r.get("type")})
	}
}
