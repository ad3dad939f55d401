package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/dataset"
)

// crosswalkCmd is "postgeo crosswalk".
type crosswalkCmd struct {
	From       string `arg:"" help:"zip or fsa, or a kind of area."`
	To         string `arg:"" help:"A kind of area, or zip or fsa. One of the two is a kind of code, the other a kind of area."`
	State      string `help:"Only codes of this state or province." placeholder:"XX"`
	Slivers    bool   `help:"Every pair that shares anything, however little."`
	Population bool   `help:"Add the residents that both have, through census tracts; for all areas of the United States."`

	dataFlag
	formatFlag
}

// Help explains the rows.
func (crosswalkCmd) Help() string {
	return "Writes a row for each pair that shares something, ordered by the first kind, the largest part first. Percentages are of areas, with --population of residents too."
}

// Run writes the pairs.
func (c *crosswalkCmd) Run(ctx context.Context, env *Env) error {
	layer, byArea, err := c.kinds()
	if err != nil {
		return err
	}
	all := withoutShare(output.Columns[postgeo.CrosswalkRow](), layer)
	if !c.Population {
		kept := all[:0]
		for _, col := range all {
			if !strings.Contains(col.Header, "pop") && !strings.Contains(col.Header, "people") {
				kept = append(kept, col)
			}
		}
		all = kept
	}
	opts, err := c.options(env, view{all: all, summary: all, array: true})
	if err != nil {
		return err
	}
	db, _, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()
	w := output.NewWriter(env.Stdout, opts)
	for row, err := range db.Crosswalk(ctx, layer, postgeo.CrosswalkOptions{ByArea: byArea, State: c.State, Slivers: c.Slivers, Population: c.Population}) {
		if err != nil {
			return errors.Join(err, w.Close())
		}
		if err := w.Write(&row); err != nil {
			return err
		}
	}
	return w.Close()
}

// kinds reads which kind of area is wanted, and whether rows are in its order.
func (c *crosswalkCmd) kinds() (layer postgeo.LayerID, byArea bool, err error) {
	code, area := strings.ToLower(c.From), c.To
	if other := strings.ToLower(c.To); other == "zip" || other == "fsa" {
		code, area, byArea = other, c.From, true
	}
	if code != "zip" && code != "fsa" {
		return 0, false, wrongUse("neither %q nor %q is zip or fsa; one of the two must be", c.From, c.To)
	}
	if layer, err = parseLayer(area); err != nil {
		return 0, false, err
	}
	if country := layer.Country(); (country == dataset.CA) != (code == "fsa") {
		return 0, false, wrongUse("%s and %s are of different countries; give zip with areas of the United States, fsa with those of Canada", code, layer)
	}
	return layer, byArea, nil
}
