package acs

import (
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
)

// Layout returns the table of a profile of a year at a level, with one column
// for each field. A year without fields has no columns.
func (r *Registry) Layout(level Level, p Profile, year int) dataset.ACSTable {
	fields := r.Columns(p, year)
	t := dataset.ACSTable{Level: level, Year: year, Name: p.Table()}
	for _, f := range fields {
		c := dataset.ACSColumn{
			Field: f.Key(), Number: f.Number(year), Decimals: f.Decimals, Class: dataset.ACSPlain, Denominator: -1,
			Core: f.Core, Stable: f.Stable(year),
		}
		switch {
		case f.Kind == PercentOnly:
			c.Class = dataset.ACSPercentOnly
		case f.Denominator != "":
			c.Class = dataset.ACSShare
			c.Denominator = slices.IndexFunc(fields, func(d *Field) bool { return d.Section+"."+d.Name == f.Denominator })
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}
