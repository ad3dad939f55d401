package synth

import (
	"fmt"
	"math"
	"strings"

	"github.com/postgeo/postgeo/internal/store"
)

// settle invents the people of every ZIP with an area. Their number grows with
// the root of the land: about 5,000 on a square kilometer, between 0.4 and 1.2
// times that. They are spread over the land of the ZIP's cells.
func (d *draft) settle() {
	for _, z := range all(d.ZIPs) {
		if !z.HasArea {
			continue
		}
		share := 0.4 + float64(0.8*float64(hash(d.seed, uint64(z.Code), 'p')>>11)/(1<<53))
		people := 5000 * math.Sqrt(float64(z.Area.Land)/1e6) * share
		z.Population = int32(min(people, 110_000))
	}
	land := make([]int64, len(d.ZIPs)) // of each ZIP's cells so far
	for _, c := range all(d.Cells) {
		if c.ZIP == None || c.Area.Land == 0 {
			continue
		}
		z := &d.ZIPs[c.ZIP]
		upTo := func(land int64) int32 { return int32(float64(z.Population) * (float64(land) / float64(z.Area.Land))) }
		people := upTo(land[c.ZIP]+c.Area.Land) - upTo(land[c.ZIP])
		land[c.ZIP] += c.Area.Land
		if c.County != None {
			d.Counties[c.County].Population += people
		}
		if c.Subdivision != None {
			d.Subdivisions[c.Subdivision].Population += people
		}
		if c.Place != None {
			d.Places[c.Place].Population += people
		}
	}
}

// blockGroupCenters writes the centers of population of block groups. The
// people of a ZIP live in the block group around its point, or in its first one
// if the point lies elsewhere.
func (c *Country) blockGroupCenters(t *table) {
	groups := c.held(store.LayerBlockGroup, "")
	if groups == nil {
		return
	}
	people := make([]int32, len(groups.Areas))
	home := map[int32]int32{} // by ZIP: its block group
	for i, g := range groups.owner {
		z := c.Cells[i].ZIP
		if g == None || z == None {
			continue
		}
		if _, have := home[z]; !have || vertexAt(groups.Areas[g].Point) == vertexAt(c.ZIPs[z].Point) {
			home[z] = g
		}
	}
	for z, g := range home {
		people[g] += c.ZIPs[z].Population
	}
	for i, a := range all(groups.Areas) {
		id := a.GEOID
		t.row(id[:2], id[2:5], id[5:11], id[11:], itoa(people[i]), fmt.Sprintf("%+010.6f", a.Point.Lat()), fmt.Sprintf("%+011.6f", a.Point.Lng()))
	}
}

// summaryFiles are two tables of the American Community Survey's summary file:
// people, and housing units, 12 for every 29 people. Margins are empty.
func (c *Country) summaryFiles() []mirrorFile {
	table := func(name string, count func(people int32) int32) mirrorFile {
		const dir = "www2.census.gov/programs-surveys/acs/summary_file/2024/table-based-SF/data/5YRData/acsdt5y2024-"
		return pipes.file(dir+strings.ToLower(name)+".dat", "", func(t *table) {
			t.line("GEO_ID", name+"_E001", name+"_M001")
			c.eachPopulation(func(geoid string, people int32) { t.row(geoid, itoa(count(people)), "") })
		})
	}
	return []mirrorFile{
		table("B01003", func(people int32) int32 { return people }),
		table("B25001", func(people int32) int32 { return int32(int64(people) * 12 / 29) }),
	}
}

// eachPopulation calls visit for the areas of the summary file.
func (c *Country) eachPopulation(visit func(geoid string, people int32)) {
	states := make([]int32, len(c.States))
	for _, k := range all(c.Counties) {
		states[k.State] += k.Population
	}
	for i, s := range all(c.States) {
		if s.FIPS != "" {
			visit("0400000US"+s.FIPS, states[i])
		}
	}
	for _, k := range all(c.Counties) {
		visit("0500000US"+k.FIPS, k.Population)
	}
	for _, s := range all(c.Subdivisions) {
		visit("0600000US"+s.GEOID, s.Population)
	}
	for _, p := range all(c.Places) {
		visit("1600000US"+p.GEOID, p.Population)
	}
	for _, z := range all(c.ZIPs) {
		if z.HasArea {
			visit("860Z200US"+z.Code.String(), z.Population)
		}
	}
}

// A businessRow is a row of ZIP Code Business Patterns.
type businessRow struct {
	establishments, employees int64
	q1, annual                int64 // payrolls in thousands of dollars
}

// business invents the establishments of a ZIP Code: one per forty residents and
// a few more. Each has 4 to 24 employees, who earn 30 to 80 thousand dollars a
// year. Military ZIP Codes have none.
func (c *Country) business(z *ZIP) (businessRow, bool) {
	if z.County == None || z.Decommissioned {
		return businessRow{}, false
	}
	draw := func(stream byte, n uint64) int64 { return int64(hash(c.seed, uint64(z.Code), uint64(stream)) % n) }
	b := businessRow{establishments: 1 + int64(z.Population)/40 + draw('e', 5)}
	b.employees = b.establishments * (4 + draw('w', 21))
	b.annual = b.employees * (30 + draw('a', 51))
	b.q1 = b.annual * (22 + draw('q', 6)) / 100
	return b, true
}

// businessTables are the totals of 2020 and those of 2016. ZIP Codes of fewer
// than three establishments are missing in 2020. In 2016 their figures are
// withheld, except for the number and size of establishments. The last row
// counts establishments without a ZIP Code.
func (c *Country) businessTables() []mirrorFile {
	file := func(year string, withheld bool) mirrorFile {
		member := "zbp" + year + "totals"
		f := form{delimiter: ',', quoted: true, crlf: withheld, latin1: true}
		return f.file("www2.census.gov/programs-surveys/cbp/datasets/20"+year+"/"+member+".zip", member+".txt",
			func(t *table) { c.writeBusiness(t, withheld) })
	}
	return []mirrorFile{file("20", false), file("16", true)}
}

func (c *Country) writeBusiness(t *table, withheld bool) {
	const least = 3
	row := func(zip, name, empflag, noise string, b businessRow, city, state, county string) {
		values := []string{zip, name}
		if withheld {
			values = append(values, empflag)
		}
		t.row(append(values, noise, itoa(b.employees), noise, itoa(b.q1), noise, itoa(b.annual), itoa(b.establishments), city, state, county)...)
	}
	head := []string{"zip", "name", "emp_nf", "emp", "qp1_nf", "qp1", "ap_nf", "ap", "est", "city", "stabbr", "cty_name"}
	if withheld {
		head = append(head[:2:2], append([]string{"empflag"}, head[2:]...)...)
	}
	t.line(head...)
	var rest businessRow
	for _, z := range all(c.ZIPs) {
		b, ok := c.business(z)
		if !ok {
			continue
		}
		city, state := strings.ToUpper(z.City), c.States[z.State].Abbr
		county := strings.ToUpper(c.Counties[z.County].Base)
		if f, ok := formerCountyOf[c.Counties[z.County].FIPS]; ok {
			county = f.name
		}
		switch name := city + ", " + state; {
		case b.establishments >= least:
			row(z.Code.String(), name, "", "G", b, city, state, county)
		case withheld:
			row(z.Code.String(), name, sizeClass(b.employees), "D", businessRow{establishments: b.establishments}, city, state, county)
		}
		rest = businessRow{rest.establishments + b.establishments/10, rest.employees + b.employees/10, rest.q1 + b.q1/10, rest.annual + b.annual/10}
	}
	row("99999", "UNCLASSIFIED", "", "G", rest, "", "", "")
}

// sizeClass returns the letter for a withheld number of employees.
func sizeClass(employees int64) string {
	if employees < 20 {
		return "A"
	}
	return "B"
}
