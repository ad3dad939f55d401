package synth

import (
	"context"
	"io"
	"math"
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
