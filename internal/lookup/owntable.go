package lookup

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/fault"
)

// OwnTables are tables that users added to the dataset, by their names without
// "tables.".
type OwnTables map[string]OwnTable

// An OwnTable has the values of a table of the user for a place: its newest year, and
// in Years the earlier ones. Areas that lie in the place in part count by the share of
// their people, or of their area.
type OwnTable struct {
	Source       string    `json:"source"`                 // title of the table and file of the data
	Key          string    `json:"key"`                    // geography of the rows, e.g. "tract"
	Weight       Weight    `json:"weight"`                 // measure of the shares: "people", "housing" or "area"
	Basis        string    `json:"basis"`                  // exact: the place has a row; block_groups, blocks, blocks_and_block_groups: people or homes at points; largest_area: shares of area; contains_point: the row around the point
	People       *int      `json:"people,omitzero"`        // of the place, by the points of its block groups or blocks; not by area
	HousingUnits *int      `json:"housing_units,omitzero"` // of the place; of weight housing
	Areas        int       `json:"areas"`                  // areas of the key that lie in the place, in part or in full
	Values       OwnYear   `json:"values"`                 // of the newest year
	Years        []OwnYear `json:"years,omitzero"`         // earlier years, the latest first
}

// An OwnYear has the values of one year.
type OwnYear struct {
	Year        *int                 `json:"year,omitzero"`    // as the user gave it
	CoveragePct float64              `json:"coverage_pct"`     // part of the weight of the place in areas with a row, 0 to 100
	Columns     map[string]OwnColumn `json:"columns,omitzero"` // by name
}

// An OwnColumn is the value of a column. It has neither value nor category if no area
// of the place has one.
type OwnColumn struct {
	Meaning     dataset.Meaning `json:"meaning"`               // count is a sum, rate and mean are averages; median is the median of the areas' medians; category is the one with the largest part
	Weight      string          `json:"weight,omitzero"`       // what averages and categories are weighted by: a column, people, housing or area
	Value       *float64        `json:"value,omitzero"`        // counts with 2 decimals, others with 4
	Category    string          `json:"category,omitzero"`     // with the largest part
	Parts       []OwnCategory   `json:"parts,omitzero"`        // of categories, the largest first
	CoveragePct *float64        `json:"coverage_pct,omitzero"` // part of the weight of the place in areas with a value, if it differs from that of the year
}

// An OwnCategory is the part of a place that has a category.
type OwnCategory struct {
	Category string  `json:"category"` // as the rows have it
	Pct      float64 `json:"pct"`      // of the known parts, 0 to 100
}

// Year returns the values of a year, or nil.
func (t *OwnTable) Year(year int) *OwnYear {
	is := func(y *OwnYear) bool { return y.Year != nil && *y.Year == year }
	if is(&t.Values) {
		return &t.Values
	}
	for i := range t.Years {
		if is(&t.Years[i]) {
			return &t.Years[i]
		}
	}
	return nil
}

// TablePrefix begins the flags of tables of users.
const TablePrefix = "tables."

// MeaningCategory is the meaning of columns of texts.
const MeaningCategory = dataset.MeaningCategory

// TableFlag returns the table of the user that a flag such as tables.svi names, false
// for other flags.
func TableFlag(flag string) (name string, ok bool) {
	name, ok = strings.CutPrefix(flag, TablePrefix)
	return name, ok && dataset.ValidTableName(name)
}

// ownTable takes the flag of a table of the user and reports whether it is one.
func (inc *Include) ownTable(flag string) bool {
	name, ok := TableFlag(flag)
	if ok {
		AddTable(&inc.Tables, name)
	}
	return ok
}

// AddTable appends the name of a table, unless it is "" or in the list.
func AddTable(list *[]string, name string) {
	if name != "" && !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

// The basis of a place with a row in the table.
const exactRow = "exact"

// Decimals of values.
const (
	countDecimals = 2
	valueDecimals = 4
)

// A tablePart is an area of a table's key that lies in a place.
type tablePart struct {
	id     string
	area   int     // of the placement; -1 without
	share  float64 // of the area that lies in the place, 0 to 1; 0 is unknown
	weight float64 // people or square miles that the area and the place share
}

// A tablePlace is a place with the areas of the key in it.
type tablePlace struct {
	parts           []tablePart
	whole           float64 // people or square miles of the place
	weight          Weight
	basis           string
	people, housing *int                                        // of the place; nil by area
	rows            func(t *dataset.OwnTable, p *tablePart) int // -1 without a row
}

// values returns the values of the years of a table for a place, false if no area has
// a row.
func (p *tablePlace) values(r *Reader, years []*dataset.OwnTable) (OwnTable, bool) {
	info := years[0].Info()
	out := OwnTable{Source: sourceName(r.data, info.Source), Key: info.Key, Weight: p.weight, Basis: p.basis, People: p.people, HousingUnits: p.housing, Areas: len(p.parts)}
	var list []OwnYear
	for _, t := range years {
		if y, ok := p.year(t); ok {
			list = append(list, y)
		}
	}
	if len(list) == 0 {
		return out, false
	}
	out.Values, out.Years = list[0], list[1:]
	if len(out.Years) == 0 {
		out.Years = nil
	}
	return out, true
}

func (p *tablePlace) year(t *dataset.OwnTable) (OwnYear, bool) {
	info := t.Info()
	y := OwnYear{Columns: make(map[string]OwnColumn, len(info.Columns))}
	if info.Year != 0 {
		y.Year = &info.Year
	}
	rows := make([]int, len(p.parts))
	covered, found := 0.0, false
	for i := range p.parts {
		if rows[i] = p.rows(t, &p.parts[i]); rows[i] >= 0 {
			covered, found = covered+p.parts[i].weight, true
		}
	}
	y.CoveragePct = p.percent(covered)
	for c := range info.Columns {
		out, known := p.column(t, c, rows)
		found = found || known > 0
		if pct := p.percent(known); pct != y.CoveragePct {
			out.CoveragePct = &pct
		}
		y.Columns[info.Columns[c].Name] = out
	}
	return y, found
}

// percent returns a part of the weight of the place with 1 decimal.
func (p *tablePlace) percent(part float64) float64 {
	if p.whole == 0 {
		return 0
	}
	return min(geo.Round(100*part/p.whole, 1), 100)
}

// column combines the values of a column. It also returns the weight of the areas
// with one.
func (p *tablePlace) column(t *dataset.OwnTable, c int, rows []int) (out OwnColumn, known float64) {
	col := &t.Info().Columns[c]
	out.Meaning = col.Meaning
	if col.Meaning != dataset.MeaningCount {
		out.Weight = cmp.Or(col.Weight, p.weight.String())
	}
	if col.Meaning == MeaningCategory {
		known = p.category(&out, t, c, rows)
		return out, known
	}
	by := -1
	if col.Weight != "" {
		by = t.Column(col.Weight)
	}
	var values []weighted
	for i, row := range rows {
		if row < 0 {
			continue
		}
		part := &p.parts[i]
		v, ok := t.Number(c, row)
		w := part.weight
		switch {
		case col.Meaning == dataset.MeaningCount:
			w, ok = part.share, ok && part.share > 0
		case by >= 0 && len(rows) > 1:
			var has bool
			if w, has = t.Number(by, row); !has || w < 0 {
				ok = false
			}
			w *= part.share
		default:
		}
		if ok {
			known += part.weight
			values = append(values, weighted{v, w})
		}
	}
	if v, ok := combine(col.Meaning, values); ok {
		out.Value = &v
	}
	return out, known
}

// A weighted is a value and its weight.
type weighted struct{ value, weight float64 }

// combine combines values, false for none with a weight.
func combine(m dataset.Meaning, list []weighted) (float64, bool) {
	switch {
	case len(list) == 0:
		return 0, false
	case m == dataset.MeaningCount:
		sum := 0.0
		for _, v := range list {
			sum += float64(v.value * v.weight)
		}
		return geo.Round(sum, countDecimals), true
	case len(list) == 1: // also of an area without people
		return list[0].value, true
	}
	total, sum := 0.0, 0.0
	for _, v := range list {
		total += v.weight
		sum += float64(v.value * v.weight)
	}
	if total <= 0 {
		return 0, false
	}
	if m != dataset.MeaningMedian {
		return geo.Round(sum/total, valueDecimals), true
	}
	order := ordered(len(list), func(x, y int32) int { return cmp.Compare(list[x].value, list[y].value) })
	below := 0.0
	for _, i := range order {
		if below += list[i].weight; 2*below >= total {
			return list[i].value, true
		}
	}
	return list[order[len(order)-1]].value, true
}

// ordered returns the numbers below n in an order, equal ones ascending. Programs link
// one sort of numbers in place of one for each type.
func ordered(n int, compare func(x, y int32) int) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int { return cmp.Or(compare(x, y), cmp.Compare(x, y)) })
	return order
}

// category adds up the weights of the texts of a column.
func (p *tablePlace) category(out *OwnColumn, t *dataset.OwnTable, c int, rows []int) (known float64) {
	texts := t.Categories(c)
	absent := t.Info().Columns[c].Absent
	sums := map[string]float64{}
	one := len(p.parts) == 1
	for i, row := range rows {
		text := absent
		if row >= 0 {
			text = ""
			if n := t.Category(c, row); n >= 0 {
				text = texts[n]
			}
		}
		if w := p.parts[i].weight; text != "" && (w > 0 || one) {
			sums[text] += w
			known += w
		}
	}
	found := slices.Sorted(maps.Keys(sums))
	for _, i := range ordered(len(found), func(x, y int32) int { return cmp.Compare(sums[found[y]], sums[found[x]]) }) {
		pct := 100.0
		if known > 0 {
			pct = geo.Round(100*sums[found[i]]/known, 1)
		}
		out.Parts = append(out.Parts, OwnCategory{found[i], pct})
	}
	if len(out.Parts) > 0 {
		out.Category = out.Parts[0].Category
	}
	if len(out.Parts) < 2 {
		out.Parts = nil
	}
	return known
}

// A TableInfo describes a table of the user.
type TableInfo struct {
	Name    string        `json:"name"`             // without "tables."
	Source  string        `json:"source"`           // title of the table and file of the data
	License string        `json:"license,omitzero"` // of the data
	Key     string        `json:"key"`              // geography of the rows
	Weight  Weight        `json:"weight"`           // measure of shares
	Years   []int         `json:"years,omitzero"`   // the latest first
	Rows    int           `json:"rows"`             // of the newest year
	Columns []TableColumn `json:"columns"`
}

// A TableColumn describes a column of a table of the user.
type TableColumn struct {
	Name    string          `json:"name"`            // in results
	Meaning dataset.Meaning `json:"meaning"`         // how values of several areas combine
	Weight  string          `json:"weight,omitzero"` // column of the denominator or weight
}

// Tables lists the tables of users.
func (r *Reader) Tables(ctx context.Context) (list []TableInfo, err error) {
	if err := r.loadTables(ctx); err != nil {
		return nil, err
	}
	for _, t := range r.data.OwnTables() {
		info := t.Info()
		if n := len(list); n > 0 && list[n-1].Name == info.Name {
			if info.Year != 0 {
				list[n-1].Years = append(list[n-1].Years, info.Year)
			}
			continue
		}
		of := TableInfo{
			Name: info.Name, Source: sourceName(r.data, info.Source), License: info.License, Key: info.Key, Weight: weightOf(info), Rows: t.Len(),
			Columns: make([]TableColumn, len(info.Columns)),
		}
		if info.Year != 0 {
			of.Years = []int{info.Year}
		}
		for i, c := range info.Columns {
			of.Columns[i] = TableColumn{Name: c.Name, Meaning: c.Meaning, Weight: c.Weight}
		}
		list = append(list, of)
	}
	return list, nil
}

func (r *Reader) loadTables(ctx context.Context) error {
	if err := r.data.Load(ctx, dataset.SectionTables); err != nil {
		return fmt.Errorf("lookup: tables of users: %w", err)
	}
	return nil
}

// weightOf returns the measure of the shares of a table. Canada has no people of small
// areas.
func weightOf(info *dataset.OwnTableInfo) Weight {
	if info.Weight == WeightArea.String() || info.Key == "fsa" {
		return WeightArea
	}
	if id, ok := dataset.ParseLayerID(info.Key); ok && !dataset.LayerIn(id, dataset.US) {
		return WeightArea
	}
	if info.Weight == WeightHousing.String() {
		return WeightHousing
	}
	return WeightPeople
}

// years returns the years of a table, the newest first.
func (r *Reader) years(ctx context.Context, name string) ([]*dataset.OwnTable, error) {
	if err := r.loadTables(ctx); err != nil {
		return nil, err
	}
	all := r.data.OwnTables()
	var list []*dataset.OwnTable
	var names []string
	for _, t := range all {
		if t.Info().Name == name {
			list = append(list, t)
		} else if !slices.Contains(names, t.Info().Name) {
			names = append(names, t.Info().Name)
		}
	}
	if len(list) == 0 {
		of := "the dataset has no table of a user; add one with postgeo dataset add-layer --table"
		if len(names) > 0 {
			of = fmt.Sprintf("the dataset has no table %q; it has %s", name, strings.Join(names, ", "))
		}
		return nil, &fault.Error{Op: "table", Kind: fault.Unavailable, Thing: fault.Layer, Param: "table", Input: name, Lacks: "table " + name, Detail: of}
	}
	return list, nil
}
