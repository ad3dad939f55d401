package lookup

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/store"
)

// A period describes the layers of a family.
type period struct {
	source, vintage string
	year            int
	known           bool // the dataset has one of the layers
}

// periods are the families' periods of a dataset.
type periods struct {
	census, legislature, schools, canada period
}

func newPeriods(d *store.Dataset) periods {
	return periods{
		census:      periodOf(d, layersOf(usKinds[:], store.LayerCBSA, store.LayerMetropolitanDivision)),
		legislature: periodOf(d, []store.LayerID{store.LayerStateUpper, store.LayerStateLower}),
		schools:     periodOf(d, []store.LayerID{store.LayerSchoolDistrict}),
		canada:      periodOf(d, layersOf(canadianKinds[:])),
	}
}

// leadingNumber returns the number that a text begins with, 0 without.
func leadingNumber(s string) int {
	n := 0
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && i < 4; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n
}

// periodOf summarizes the layers of the dataset. Year and vintage come from the
// first layer; a different vintage of another layer is added with its name. If
// the sources differ, their publishers are listed.
func periodOf(d *store.Dataset, ids []store.LayerID) period {
	var p period
	var publishers []string
	same := true
	for _, id := range ids {
		l := d.Layer(id)
		if l == nil {
			continue
		}
		info := l.Info()
		if who := publisher(info.Source); !slices.Contains(publishers, who) {
			publishers = append(publishers, who)
		}
		if !p.known {
			p = period{source: info.Source, vintage: info.Vintage, year: info.Year, known: true}
			continue
		}
		same = same && info.Source == p.source
		if first, _, _ := strings.Cut(p.vintage, "; "); info.Vintage != first && info.Vintage != "" {
			p.vintage += "; " + strings.ReplaceAll(id.String(), "_", " ") + " " + info.Vintage
		}
	}
	if !same {
		p.source = strings.Join(publishers, "; ")
	}
	return p
}

// publisher removes file names and a vintage from a source. File names have no
// spaces, and a vintage is in parentheses.
func publisher(source string) string {
	source, _, _ = strings.Cut(source, " (")
	for {
		at := strings.LastIndex(source, ", ")
		if at <= 0 || strings.Contains(source[at+2:], " ") {
			return source
		}
		source = source[:at]
	}
}

// usCensus returns nil if the dataset has no census layer.
func (f *finder) usCensus() (*Census, error) {
	if !f.r.periods.census.known {
		return nil, nil
	}
	c := &CensusPeriod{Source: f.r.periods.census.source, Year: f.r.periods.census.year, Vintage: f.r.periods.census.vintage, Basis: f.basis()}
	found, err := f.kinds(usKinds[:], &c.County, &c.CountySubdivision, &c.Place, &c.Tract, &c.BlockGroup)
	if err != nil {
		return nil, err
	}
	if f.only.metro() {
		if c.County == nil && f.only.Selection != nil {
			if c.County, err = f.census(store.LayerCounty); err != nil {
				return nil, err
			}
		}
		f.metro(c)
	}
	if !found {
		return &Census{}, nil
	}
	return &Census{Current: c}, nil
}

// A kind is a member of a CensusPeriod with the areas of a layer.
type kind struct {
	id   store.LayerID
	name string // in JSON
}

// layersOf lists the layers of kinds, and others after them.
func layersOf(kinds []kind, others ...store.LayerID) (list []store.LayerID) {
	for _, k := range kinds {
		list = append(list, k.id)
	}
	return append(list, others...)
}

// usKinds are the areas of the census in the United States, in the contract's order.
var usKinds = [...]kind{
	{store.LayerCounty, "county"},
	{store.LayerCountySubdivision, "county_subdivision"},
	{store.LayerPlace, "place"},
	{store.LayerTract, "tract"},
	{store.LayerBlockGroup, "block_group"},
}

// kinds fills the needed members of a CensusPeriod and reports whether any member
// has an area.
func (f *finder) kinds(all []kind, into ...*[]CensusArea) (found bool, err error) {
	err = f.only.eachKind(all, func(i int) (bool, error) {
		areas, err := f.census(all[i].id)
		*into[i] = areas
		found = found || len(areas) > 0
		return len(areas) > 0, err
	})
	return found, err
}

// eachKind calls find with the numbers of the needed kinds, and with others until one
// of all has an area.
func (s selection) eachKind(all []kind, find func(i int) (bool, error)) error {
	found := false
	for _, needed := range [...]bool{true, false} {
		for i, k := range all {
			if s.census(k.name) != needed || !needed && found {
				continue
			}
			has, err := find(i)
			if err != nil {
				return err
			}
			found = found || has
		}
	}
	return nil
}

// metro sets the statistical area and division that hold the largest part of
// the code. Both consist of counties, so shares of counties decide. It sets
// nothing if the largest part lies outside all of them.
func (f *finder) metro(c *CensusPeriod) {
	var cbsas, divisions tally
	count := func(fips string, part float64) {
		id, _ := f.r.data.CountyByFIPS(fips)
		county := f.r.data.County(id)
		cbsas.add(int(county.CBSA), part)
		divisions.add(int(county.Division), part)
	}
	if f.basis() == LargestArea {
		l := f.r.data.Layer(store.LayerCounty)
		for _, o := range f.overlaps.Of(store.LayerCounty) {
			count(l.GEOID(o.Area), o.PercentOfCode)
		}
	} else {
		for i := range c.County {
			count(c.County[i].FIPS, 1)
		}
	}
	cbsa := f.r.data.CBSA(store.CBSAID(cbsas.largest(func(int) bool { return true })))
	if cbsa.Code == "" {
		return
	}
	c.CBSA = &CBSA{cbsa.Code, cbsa.Title}
	within := func(id int) bool {
		return id != 0 && f.r.data.CBSA(f.r.data.Division(store.DivisionID(id)).CBSA).Code == cbsa.Code
	}
	if v := f.r.data.Division(store.DivisionID(divisions.largest(within))); v.Code != "" {
		c.MetropolitanDivision = &MetroDivision{v.Code, v.Title, cbsa.Code}
	}
}

// A tally adds up the parts of a few things by their numbers.
type tally struct {
	ids   []int
	parts []float64
}

func (t *tally) add(id int, part float64) {
	i := slices.Index(t.ids, id)
	if i < 0 {
		i = len(t.ids)
		t.ids, t.parts = append(t.ids, id), append(t.parts, 0)
	}
	t.parts[i] += part
}

// largest returns the accepted thing with the largest part, 0 if none.
func (t *tally) largest(want func(id int) bool) int {
	best, most := 0, 0.0
	for i, id := range t.ids {
		if t.parts[i] > most && want(id) {
			best, most = id, t.parts[i]
		}
	}
	return best
}
