package synth

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/postgeo/postgeo/dataset"
)

// settle gives every ZIP with an area people: five thousand on the first
// square kilometre and fewer on each further one, as towns thin out, from four
// tenths to twelve tenths of that. They live spread over the land of the ZIP's
// cells, and so in counties, subdivisions and places.
func (d *draft) settle() {
	for i := range d.ZIPs {
		z := &d.ZIPs[i]
		if !z.HasArea {
			continue
		}
		share := 0.4 + float64(0.8*float64(hash(d.seed, uint64(z.Code), 'p')>>11)/(1<<53))
		people := 5000 * math.Sqrt(float64(z.Area.Land)/1e6) * share
		z.Population = int32(min(people, 110_000))
	}
	land := make([]int64, len(d.ZIPs)) // of each ZIP's cells so far
	for i := range d.Cells {
		c := &d.Cells[i]
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

// blockGroupCenters writes the centers of population of block groups in the
// form of the census of 2020. The people of a ZIP live in the block group around
// its point, those of a ZIP whose point lies elsewhere in its first one.
func (c *Country) blockGroupCenters(_ context.Context, w io.Writer) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	t := newTable(w, ',')
	t.row("STATEFP", "COUNTYFP", "TRACTCE", "BLKGRPCE", "POPULATION", "LATITUDE", "LONGITUDE")
	groups := c.held(dataset.LayerBlockGroup, "")
	if groups == nil {
		return t.flush()
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
	for i := range groups.Areas {
		a := &groups.Areas[i]
		id := a.GEOID
		t.row(id[:2], id[2:5], id[5:11], id[11:], itoa(people[i]), fmt.Sprintf("%+010.6f", a.Point.Lat()), fmt.Sprintf("%+011.6f", a.Point.Lng()))
	}
	return t.flush()
}

const summaryDir = "www2.census.gov/programs-surveys/acs/summary_file/2024/table-based-SF/data/5YRData/acsdt5y2024-"

// summaryFiles are the tables of the American Community Survey's summary file.
func (c *Country) summaryFiles() []mirrorFile {
	rows := len(c.Counties) + len(c.Subdivisions) + len(c.Places) + c.countZIPs(func(z *ZIP) bool { return z.HasArea })
	for i := range c.States {
		if c.States[i].FIPS != "" {
			rows++
		}
	}
	return []mirrorFile{
		{summaryDir + "b01003.dat", rows, c.totalPopulation},
		{summaryDir + "b25001.dat", rows, c.housingUnits},
	}
}

// totalPopulation writes table B01003.
func (c *Country) totalPopulation(_ context.Context, w io.Writer) error {
	return c.summaryTable(w, "B01003", func(people int32) int32 { return people })
}

// housingUnits writes table B25001: twelve units for every 29 people.
func (c *Country) housingUnits(_ context.Context, w io.Writer) error {
	return c.summaryTable(w, "B25001", func(people int32) int32 { return int32(int64(people) * 12 / 29) })
}

// summaryTable writes a count that follows from the people of each area.
// Margins are blank.
func (c *Country) summaryTable(w io.Writer, name string, count func(people int32) int32) error {
	t := newTable(w, '|')
	t.row("GEO_ID", name+"_E001", name+"_M001")
	states := make([]int32, len(c.States))
	for i := range c.Counties {
		states[c.Counties[i].State] += c.Counties[i].Population
	}
	area := func(geoid string, people int32) { t.row(geoid, itoa(count(people)), "") }
	for i := range c.States {
		if fips := c.States[i].FIPS; fips != "" {
			area("0400000US"+fips, states[i])
		}
	}
	for i := range c.Counties {
		area("0500000US"+c.Counties[i].FIPS, c.Counties[i].Population)
	}
	for i := range c.Subdivisions {
		area("0600000US"+c.Subdivisions[i].GEOID, c.Subdivisions[i].Population)
	}
	for i := range c.Places {
		area("1600000US"+c.Places[i].GEOID, c.Places[i].Population)
	}
	for i := range c.ZIPs {
		if z := &c.ZIPs[i]; z.HasArea {
			area("860Z200US"+z.Code.String(), z.Population)
		}
	}
	return t.flush()
}
