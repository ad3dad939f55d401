package build

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// metro is what the delineation says of a county.
type metro struct {
	cbsa     dataset.CBSAID
	division dataset.DivisionID
	line     int // of the delineation
}

// deriveMetros makes the tables of core based statistical areas and
// metropolitan divisions, in the order of their codes, from the delineation's
// rows by county.
func deriveMetros(ctx context.Context, b *builder) error {
	var rows []source.DelineationRow
	seen := map[string]bool{}
	err := readPath(ctx, b, srcDelineation, source.Delineation, func(r source.DelineationRow) error {
		if seen[r.CountyFIPS] {
			return refusal{"duplicate county", r.Line, r.CountyFIPS}
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
	t := &b.tables
	t.metroOf = make(map[string]metro, len(rows))
	for _, r := range rows {
		if n := len(t.cbsas); n == 0 || t.cbsas[n-1].Code != r.CBSA {
			t.cbsas = append(t.cbsas, dataset.CBSA{
				Code: r.CBSA, Title: r.CBSATitle, Metropolitan: r.Metropolitan, CSA: r.CSA, CSATitle: r.CSATitle,
			})
		}
		m := metro{cbsa: dataset.CBSAID(len(t.cbsas)), line: r.Line}
		if r.Division != "" {
			if n := len(t.divisions); n == 0 || t.divisions[n-1].Code != r.Division {
				t.divisions = append(t.divisions, dataset.Division{Code: r.Division, Title: r.DivisionTitle, CBSA: m.cbsa})
			}
			m.division = dataset.DivisionID(len(t.divisions))
		}
		t.metroOf[r.CountyFIPS] = m
	}
	return nil
}
