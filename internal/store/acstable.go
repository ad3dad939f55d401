package store

import (
	"cmp"
	"database/sql/driver"
	"slices"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// An acsArea is an area of a level with its position along the curve.
type acsArea struct {
	GEOID    uint64
	Position uint32
}

// findACSArea returns the position of an area among ascending ones.
func findACSArea(areas []acsArea, geoid uint64) (uint32, bool) {
	i, ok := slices.BinarySearchFunc(areas, geoid, func(a acsArea, g uint64) int { return cmp.Compare(a.GEOID, g) })
	if !ok {
		return 0, false
	}
	return areas[i].Position, true
}

// acsParts returns the parts of the survey.
func (d *Dataset) acsParts() []file.Part { return []file.Part{d.acsYearsPart(), d.acsTablesPart()} }

// acsYearsPart reads the years of the tables of each level, newest first, so that they are known
// without the tables.
func (d *Dataset) acsYearsPart() file.Part {
	return file.Part{Load: func(m *file.Memory) error {
		clear(d.acsYears[:])
		return m.Query("SELECT DISTINCT level, year FROM acs_table ORDER BY level, year DESC", func(v []driver.Value) error {
			var r struct{ Level, Year int }
			file.Scan(&r, v)
			d.acsYears[r.Level-1] = append(d.acsYears[r.Level-1], r.Year)
			return nil
		})
	}}
}

// acsTablesPart reads the areas of each level, the tables with their columns, and the places of
// their pages.
func (d *Dataset) acsTablesPart() file.Part {
	return file.Part{
		Section: SectionSurvey,
		Queries: []file.Query{
			{Name: "acs_area", SQL: "SELECT level, geoid, position FROM acs_area ORDER BY level, geoid"},
			{Name: "acs_table", SQL: "SELECT level, year, name, row_count FROM acs_table ORDER BY id"},
			{Name: "acs_column", SQL: "SELECT table_id, f.field, number, decimals, class, denominator, core, stable FROM acs_column c JOIN acs_field f ON f.id = c.field ORDER BY table_id, position"},
			{Name: "acs_page", SQL: "SELECT table_id, first_area FROM acs_page ORDER BY id"},
		},
		Load: d.loadSurvey,
	}
}

func (d *Dataset) loadSurvey(m *file.Memory) error {
	areas, err := file.Rows[struct {
		Level ACSLevel
		acsArea
	}](m, "acs_area")
	clear(d.acsAreas[:])
	for _, a := range areas {
		d.acsAreas[a.Level-1] = append(d.acsAreas[a.Level-1], a.acsArea)
	}
	if err != nil {
		return err
	}
	tables, err := file.Rows[struct {
		Level ACSLevel
		Year  int
		Name  string
		Rows  int
	}](m, "acs_table")
	if err != nil {
		return err
	}
	d.acsTables = make([]ACSTable, len(tables))
	for i, t := range tables {
		d.acsTables[i] = ACSTable{Level: t.Level, Year: t.Year, Name: t.Name, Rows: t.Rows}
	}
	columns, err := file.Rows[struct {
		Table int
		ACSColumn
	}](m, "acs_column")
	for _, c := range columns {
		t := &d.acsTables[c.Table]
		t.Columns = append(t.Columns, c.ACSColumn)
	}
	if err != nil {
		return err
	}
	pages, err := file.Rows[struct {
		Table int
		First uint32
	}](m, "acs_page")
	for i, p := range pages {
		t := &d.acsTables[p.Table]
		t.pages = append(t.pages, acsPage{uint32(i), p.First})
	}
	return err
}

func compareACSTables(a, b ACSTable) int {
	return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Year, b.Year), cmp.Compare(a.Name, b.Name))
}
