package survey

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
)

// Base is the dataset that an extension adds to.
type Base struct {
	*dataset.Dataset
	Create func() (*dataset.Extension, error)
	Names  map[string]string // identifiers in the extended dataset by those of the build
}

// extension writes the tables of the survey into the extension of a dataset and
// renews the counts of its ZIP Codes.
type extension struct {
	*plan.Env
	States   *draft.States
	Counties *draft.Counties
	Fields   *Fields
	Tables   *Tables
	Base     *Base
}

func (b *extension) Run(ctx context.Context) error {
	counts := countReader{env: b.Env, people: draft.SurveyCounts{}, homes: draft.SurveyCounts{}}
	others, err := counts.readTables(ctx, b.Tables.Profiles)
	if err != nil {
		return err
	}
	if len(others) > 0 {
		return fmt.Errorf("%s; expected a table of a data profile, or one of people or homes by ZCTA", others[0])
	}
	w, err := b.Base.Create()
	if err != nil {
		return err
	}
	p := profiles{env: b.Env, fields: b.Fields, states: b.States, counties: b.Counties}
	if err := p.copyTables(ctx, w, b.Tables.Tables); err != nil {
		return err
	}
	return b.recount(ctx, w, counts)
}

// recount renews the counts of the base's ZIP Codes.
func (b *extension) recount(ctx context.Context, w *dataset.Extension, counts countReader) error {
	if len(counts.people)+len(counts.homes) == 0 {
		return nil
	}
	for _, list := range []draft.SurveyCounts{counts.people, counts.homes} {
		for area, c := range list {
			c.Source = b.Base.Names[c.Source]
			list[area] = c
		}
	}
	for row := range b.Base.ZIPs() {
		detail, err := b.Base.ZIPDetail(ctx, row.ZIP)
		if err != nil {
			return err
		}
		if _, changed := counts.count(row.ZIP, detail, &detail.Quality); !changed {
			continue
		}
		b.Applied("counts of people and homes renewed; ranks of suggestions remain until a build from the sources", row.ZIP.String())
		if err := w.SetZIPDetail(row.ZIP, detail); err != nil {
			return err
		}
	}
	return nil
}
