package draft

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// islandCounties are the county equivalents of the territories that the
// Gazetteer's county file leaves out (INCITS 31), with a point on each.
var islandCounties = []struct {
	fips, state, name string
	lat, lng          float64
}{
	{"60010", "AS", "Eastern District", -14.27, -170.66},
	{"60020", "AS", "Manu'a District", -14.22, -169.51},
	{"60050", "AS", "Western District", -14.33, -170.78},
	{"66010", "GU", "Guam", 13.44, 144.77},
	{"69085", "MP", "Northern Islands Municipality", 18.12, 145.77},
	{"69100", "MP", "Rota Municipality", 14.16, 145.21},
	{"69110", "MP", "Saipan Municipality", 15.19, 145.75},
	{"69120", "MP", "Tinian Municipality", 15.00, 145.63},
	{"78010", "VI", "St. Croix Island", 17.73, -64.73},
	{"78020", "VI", "St. John Island", 18.33, -64.73},
	{"78030", "VI", "St. Thomas Island", 18.34, -64.93},
}

// successors are the counties that replaced one that older files still name, by its
// code. connecticut are the codes of the counties that planning regions took the place
// of, by their names.
var successors, connecticut = formerByCode()

func formerByCode() (successors map[string][]string, connecticut map[string]string) {
	successors, connecticut = map[string][]string{}, map[string]string{}
	for _, f := range store.FormerCounties {
		if f.State == "CT" {
			connecticut[strings.ToUpper(strings.TrimSuffix(f.Name, " County"))] = f.FIPS
		} else {
			successors[f.FIPS] = f.Successors
		}
	}
	return successors, connecticut
}

// ReadCounties makes the table of counties, in the order of their codes, of the
// Gazetteer's counties and those of the islands.
func (d *Draft) ReadCounties(ctx context.Context) error {
	d.Counties.At = map[string]geo.LatLng{}
	take := func(fips, state, name string, at geo.LatLng) {
		m := d.Metros.Of[fips]
		d.Counties.List = append(d.Counties.List, store.County{
			FIPS: fips, Name: name, State: d.States.ID(store.US, state), CBSA: m.CBSA, Division: m.Division,
		})
		d.Counties.At[fips] = at
	}
	err := plan.Read(ctx, d.Env, catalog.GazetteerCounties, source.Gazetteer(5), func(r source.GazetteerRow) error {
		switch {
		case d.States.ID(store.US, r.State) == 0:
			return plan.Refused("unknown state", r.Line, r.State)
		case d.Counties.At[r.GEOID].IsValid():
			return plan.Refused("duplicate county", r.Line, r.GEOID)
		}
		take(r.GEOID, r.State, r.Name, r.Location)
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range islandCounties {
		if _, have := d.Counties.At[c.fips]; !have {
			take(c.fips, c.state, c.name, geo.MustLatLng(c.lat, c.lng))
		}
	}
	slices.SortFunc(d.Counties.List, func(a, b store.County) int { return strings.Compare(a.FIPS, b.FIPS) })
	d.Counties.IDs = make(map[string]store.CountyID, len(d.Counties.List))
	for i, c := range d.Counties.List {
		d.Counties.IDs[c.FIPS] = store.CountyID(i + 1)
	}
	for _, fips := range slices.Sorted(maps.Keys(d.Metros.Of)) {
		if d.Counties.IDs[fips] == 0 {
			d.Refuse(catalog.Delineation, "county that the Gazetteer lacks", d.At(catalog.Delineation, d.Metros.Of[fips].Line)+fips)
		}
	}
	return nil
}

// CountyName returns the name of a county without its legal description and
// without anything but letters and digits. "Saint Louis city", "St. Louis City"
// and "City of St. Louis" are equal. Independent cities keep a mark that
// separates them from counties of the same name.
func CountyName(name string) string {
	s := " " + Fold(name) + " "
	city := strings.HasSuffix(s, " city ") || strings.HasPrefix(s, " city of ")
	for _, cut := range []string{" city and borough of ", " municipality of ", " city of "} {
		if rest, ok := strings.CutPrefix(s, cut); ok {
			s = " " + rest
		}
	}
	for _, cut := range countySuffixes {
		if rest := strings.TrimSuffix(s, cut); rest != s && strings.TrimSpace(rest) != "" {
			s = rest + " "
			break
		}
	}
	s = strings.ReplaceAll(s, " saint ", " st ")
	s = strings.ReplaceAll(s, " sainte ", " ste ")
	s = strings.ReplaceAll(s, " ", "")
	if city {
		s += "/city"
	}
	return s
}

// countySuffixes are legal descriptions as fold leaves them, longest first.
var countySuffixes = []string{
	" city and borough ", " planning region ", " census area ", " municipality ", " municipio ",
	" borough ", " district ", " county ", " parish ", " island ", " city ",
}

// ReadMetros makes the tables of core based statistical areas and metropolitan
// divisions, in the order of their codes, from the delineation of counties.
func (d *Draft) ReadMetros(ctx context.Context) error {
	var rows []source.DelineationRow
	seen := map[string]bool{}
	err := plan.Read(ctx, d.Env, catalog.Delineation, source.Delineation, func(r source.DelineationRow) error {
		if seen[r.CountyFIPS] {
			return plan.Refused("duplicate county", r.Line, r.CountyFIPS)
		}
		seen[r.CountyFIPS] = true
		rows = append(rows, r)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(rows, func(a, b source.DelineationRow) int {
		return cmp.Or(strings.Compare(a.CBSA, b.CBSA), strings.Compare(a.Division, b.Division))
	})
	d.Metros.Of = make(map[string]Metro, len(rows))
	for _, r := range rows {
		if n := len(d.Metros.CBSAs); n == 0 || d.Metros.CBSAs[n-1].Code != r.CBSA {
			d.Metros.CBSAs = append(d.Metros.CBSAs, store.CBSA{
				Code: r.CBSA, Title: r.CBSATitle, Metropolitan: r.Metropolitan, CSA: r.CSA, CSATitle: r.CSATitle,
			})
		}
		m := Metro{CBSA: store.CBSAID(len(d.Metros.CBSAs)), Line: r.Line}
		if r.Division != "" {
			if n := len(d.Metros.Divisions); n == 0 || d.Metros.Divisions[n-1].Code != r.Division {
				d.Metros.Divisions = append(d.Metros.Divisions, store.Division{Code: r.Division, Title: r.DivisionTitle, CBSA: m.CBSA})
			}
			m.Division = store.DivisionID(len(d.Metros.Divisions))
		}
		d.Metros.Of[r.CountyFIPS] = m
	}
	return nil
}
