package export

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/lookup"
)

// SurveyOptions selects data of the American Community Survey.
type SurveyOptions struct {
	Fields []string // full names, "economic.income.median_household_income"; nil is all
	Years  []int    // nil is all that the dataset has
	Tracts bool     // census tracts instead of ZIP Code Tabulation Areas
	MOE    bool     // with margins of error
}

// columns returns the selected fields, by default all in the order of the catalog.
func (o *SurveyOptions) columns() ([]*acs.Field, error) {
	if len(o.Fields) == 0 {
		return acs.Fields(acs.Query{}), nil
	}
	var list []*acs.Field
	for _, key := range o.Fields {
		f, ok := acs.FieldByKey(key)
		if !ok {
			return nil, fmt.Errorf("export: no field %q; expected a full name such as economic.income.median_household_income", key)
		}
		if slices.Contains(list, f) {
			return nil, fmt.Errorf("export: field %q is named twice; a table has a column once", key)
		}
		list = append(list, f)
	}
	return list, nil
}

// SurveyFields are the columns of [Survey]: code, year, and the estimate of each field.
// With MOE, the margin of error follows under the field's name and "_moe".
func SurveyFields(o SurveyOptions) ([]table.Field, error) {
	chosen, err := o.columns()
	fields := []table.Field{{Name: "geoid", Type: enrich.String}, {Name: "year", Type: enrich.Int}}
	for _, f := range chosen {
		fields = append(fields, table.Field{Name: f.Key(), Type: enrich.Float})
		if o.MOE {
			fields = append(fields, table.Field{Name: f.Key() + "_moe", Type: enrich.Float})
		}
	}
	return fields, err
}

// Survey writes a row for each area and year with published figures, by area, then newest
// year first. It returns the number of rows. Unpublished figures are null.
func Survey(ctx context.Context, db *postgeo.DB, o SurveyOptions, w *table.Writer) (n int64, err error) {
	chosen, err := o.columns()
	if err != nil {
		return 0, err
	}
	level, areas := acs.ZCTA, db.Codes(ctx, lookup.ZIP)
	if o.Tracts {
		level, areas = acs.Tract, db.AreaIDs(ctx, lookup.LayerTract)
	}
	tags, err := o.tags(ctx, db, level, chosen)
	if err != nil {
		return 0, err
	}
	var values []enrich.Value
	for area, err := range areas {
		if err != nil {
			return n, err
		}
		// All that was published: a table of all years should not lack those in which a
		// field's label was another, and chosen fields may be extra ones (D23).
		res, err := db.ACSProfile(ctx, area, tags, acs.Options{Bridged: true, Extras: true})
		if err != nil {
			return n, err
		}
		for i := range res.Years {
			b := &res.Years[i]
			if all := acs.AllProfiles(); !slices.ContainsFunc(all[:], b.Has) {
				continue // most areas lack some years, and a row of nulls has no use
			}
			values = append(values[:0], enrich.ValueOf(area), enrich.ValueOf(int64(b.Year)))
			for _, f := range chosen {
				m := b.Metric(f)
				if values = append(values, figure(m.Estimate)); o.MOE {
					values = append(values, figure(m.MOE))
				}
			}
			if err := w.Write(values); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

func figure(v acs.Value) enrich.Value {
	if n, ok := v.Float64(); ok {
		return enrich.ValueOf(n)
	}
	return enrich.Value{}
}

// tags returns the tables of the fields, for every year.
func (o *SurveyOptions) tags(ctx context.Context, db *postgeo.DB, level acs.Level, chosen []*acs.Field) (tags []acs.Tag, err error) {
	have, err := db.ACSYears(ctx, level)
	if err != nil {
		return nil, err
	}
	if len(have) == 0 {
		return nil, errors.New("export: the dataset has no tables of the American Community Survey for such areas; build it with --acs")
	}
	for _, year := range have {
		if len(o.Years) > 0 && !slices.Contains(o.Years, year) {
			continue
		}
		for _, p := range acs.AllProfiles() {
			if slices.ContainsFunc(chosen, func(f *acs.Field) bool { return f.Profile == p }) {
				tags = append(tags, acs.Tag{Profile: p, Year: year})
			}
		}
	}
	if len(tags) == 0 {
		list := func(years []int) string { return strings.ReplaceAll(strings.Trim(fmt.Sprint(years), "[]"), " ", ", ") }
		return nil, fmt.Errorf("export: the dataset has none of the years %s; it has %s", list(o.Years), list(have))
	}
	return tags, nil
}
