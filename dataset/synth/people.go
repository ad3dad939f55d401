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
// tenths to twelve tenths of that.
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

// WritePopulation writes a table in the form of the American Community
// Survey's population by ZCTA, which a user supplies: CSV with the columns
// zcta, label and pop_2024. It returns the number of rows.
func (c *Country) WritePopulation(ctx context.Context, w io.Writer) (int64, error) {
	t := newTable(w, ',')
	t.row("zcta", "label", "pop_2024")
	var rows int64
	for i := range c.ZIPs {
		if err := ctx.Err(); err != nil {
			return rows, err
		}
		if z := &c.ZIPs[i]; z.HasArea {
			t.row(z.Code.String(), c.Label+" people of "+z.City, itoa(z.Population))
			rows++
		}
	}
	return rows, t.flush()
}
