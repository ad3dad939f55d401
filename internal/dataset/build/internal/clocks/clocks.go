package clocks

import (
	"context"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/internal/dataset/build/format"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
)

// Clocks are the clock rules of the tz database.
type Clocks struct {
	Rules   map[string]string // TZif files by zone
	Release string
}

// Source names the release.
func (c *Clocks) Source() string { return "tz database " + c.Release }

// clocks reads the clock rules of all zones of the tz database. The release that
// the file names is the vintage of the source.
type clocks struct {
	*plan.Env
	Clocks *Clocks `writes:"rows"`
}

func (b *clocks) Run(ctx context.Context) error {
	b.Clocks.Rules = map[string]string{}
	rows := func(in *format.Input) iter.Seq2[source.ClockRow, error] { return source.Clocks(in, &b.Clocks.Release) }
	err := plan.ReadText(ctx, b.Env, catalog.Clocks, rows, func(r source.ClockRow) error {
		b.Clocks.Rules[r.Zone] = r.Rules
		return nil
	})
	if err == nil && b.Clocks.Release == "" {
		err = fmt.Errorf("%s: %s: no src/tzdata/zoneinfo/tzdata.zi with the name of the release", catalog.Clocks, b.FileName(catalog.Clocks))
	}
	if err == nil {
		b.Describe(catalog.Clocks, "", b.Clocks.Release)
	}
	return err
}

// setRules gives every time zone its clock rules.
func (b *zones) setRules() error {
	for i := range b.Zones.List {
		z := &b.Zones.List[i]
		rules, ok := b.Clocks.Rules[z.Name]
		if !ok {
			return fmt.Errorf("time zone %s: not in the %s; the outlines of time zones may be of a later release", z.Name, b.Clocks.Source())
		}
		z.Rules = rules
	}
	return nil
}
