package codes

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
)

// metros makes the tables of core based statistical areas and metropolitan
// divisions, in the order of their codes, from the delineation of counties.
type metros struct {
	*plan.Env
	Metros *draft.Metros `writes:"rows"`
}

func (b *metros) Run(ctx context.Context) error {
	var rows []source.DelineationRow
	seen := map[string]bool{}
	err := plan.ReadPath(ctx, b.Env, catalog.Delineation, source.Delineation, func(r source.DelineationRow) error {
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
	b.Metros.Of = make(map[string]draft.Metro, len(rows))
	for _, r := range rows {
		if n := len(b.Metros.CBSAs); n == 0 || b.Metros.CBSAs[n-1].Code != r.CBSA {
			b.Metros.CBSAs = append(b.Metros.CBSAs, dataset.CBSA{
				Code: r.CBSA, Title: r.CBSATitle, Metropolitan: r.Metropolitan, CSA: r.CSA, CSATitle: r.CSATitle,
			})
		}
		m := draft.Metro{CBSA: dataset.CBSAID(len(b.Metros.CBSAs)), Line: r.Line}
		if r.Division != "" {
			if n := len(b.Metros.Divisions); n == 0 || b.Metros.Divisions[n-1].Code != r.Division {
				b.Metros.Divisions = append(b.Metros.Divisions, dataset.Division{Code: r.Division, Title: r.DivisionTitle, CBSA: m.CBSA})
			}
			m.Division = dataset.DivisionID(len(b.Metros.Divisions))
		}
		b.Metros.Of[r.CountyFIPS] = m
	}
	return nil
}
