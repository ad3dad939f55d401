package build

import (
	"context"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// readClocks reads the clock rules of all zones of the tz database. The name of
// the release in the file is the vintage of the source.
func readClocks(ctx context.Context, b *builder) error {
	b.tables.clocks = map[string]string{}
	release := ""
	rows := func(in *format.Input) iter.Seq2[source.ClockRow, error] { return source.Clocks(in, &release) }
	err := readText(ctx, b, srcClocks, rows, func(r source.ClockRow) error {
		b.tables.clocks[r.Zone] = r.Rules
		return nil
	})
	if err == nil && release == "" {
		err = fmt.Errorf("%s: %s: no src/tzdata/zoneinfo/tzdata.zi with the name of the release", srcClocks, b.fileName(srcClocks))
	}
	if err != nil {
		return err
	}
	b.files[srcClocks].Source.Vintage = release
	for i := range b.order {
		if b.order[i].ID == srcClocks {
			b.order[i].Vintage, b.report.Sources[i].Vintage = release, release
		}
	}
	return nil
}

// clockSource names the release of the clock rules.
func (b *builder) clockSource() string { return "tz database " + b.files[srcClocks].Source.Vintage }

// setRules gives every time zone its clock rules.
func (b *builder) setRules() error {
	for i := range b.tables.zones {
		z := &b.tables.zones[i]
		rules, ok := b.tables.clocks[z.Name]
		if !ok {
			return fmt.Errorf("time zone %s: not in the %s; the outlines of time zones may be of a later release", z.Name, b.clockSource())
		}
		z.Rules = rules
	}
	return nil
}
