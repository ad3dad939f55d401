package source

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/source/format"
)

// An FSAPopulationRow holds the census counts of a forward sortation area.
type FSAPopulationRow struct {
	FSA               dataset.FSA
	Population        *int64
	Dwellings         *int64
	DwellingsOccupied *int64
	Line              int
}

// FSAPopulation reads table 98-10-0019 of Statistics Canada, either as its CSV
// download (one row per area) or in the viewer's "database loading" layout. The
// latter has one row per value, with the three of an area in sequence. Rows of
// Canada as a whole are skipped. A row is refused when its area is not an FSA
// or a count is malformed.
func FSAPopulation(in *format.Input) iter.Seq2[FSAPopulationRow, error] {
	counts := fsaCounts(new(FSAPopulationRow))
	columns := []format.Column{{Name: "GEO"}, {Name: "VALUE", Optional: true}, {Name: "characteristic", Match: isCharacteristic, Optional: true}}
	for _, c := range counts {
		columns = append(columns, format.Column{Name: c.name, Match: format.Words("dwelling counts", ":"+c.header), Optional: true})
	}
	t, err := format.NewTable(in, format.TableOptions{Quoted: true, Columns: columns})
	if err != nil {
		return failed[FSAPopulationRow](err)
	}
	long := slices.ContainsFunc(counts, func(c fsaCount) bool { return t.Column(c.name) < 0 })
	if long && (t.Column("VALUE") < 0 || t.Column("characteristic") < 0) {
		return failed[FSAPopulationRow](&format.Error{
			File: in.Name(), Line: 1, Err: format.ErrColumns,
			Reason: "neither the three counts of table 98-10-0019 nor VALUE in the header",
		})
	}
	rows := parsed(t.Rows(), func(r format.Row) (FSAPopulationRow, error) { return fsaRow(r, long) })
	if long {
		return joined(rows)
	}
	return rows
}

// An fsaCount is a count of a row: its name in the long layout and its header in the
// other one.
type fsaCount struct {
	name, header string
	to           **int64
}

func fsaCounts(p *FSAPopulationRow) []fsaCount {
	return []fsaCount{
		{"Population", "population, 2021", &p.Population},
		{"Total private dwellings", "total private dwellings", &p.Dwellings},
		{"Private dwellings occupied", "private dwellings occupied", &p.DwellingsOccupied},
	}
}

// isCharacteristic recognizes the column with the name of a row's value in the
// long layout: its header has no value's name after a colon.
func isCharacteristic(header string) bool {
	return format.Words("population and dwelling counts")(header) && !strings.Contains(header, ":")
}

// fsaRow reads the counts of a row, in the long layout the one that it has. It skips
// Canada as a whole.
func fsaRow(r format.Row, long bool) (p FSAPopulationRow, err error) {
	var ok bool
	if p.FSA, ok = dataset.ParseFSA(r.Get("GEO")); r.Get("GEO") == "Canada" {
		return p, errSkip
	} else if !ok {
		return p, r.Errorf("GEO", "%q is not a forward sortation area", r.Get("GEO"))
	}
	p.Line = r.Line()
	known := false
	for _, c := range fsaCounts(&p) {
		column := c.name
		if long {
			column = "VALUE"
			if !strings.HasPrefix(r.Get("characteristic"), c.name) {
				continue
			}
		}
		known = true
		if *c.to, err = optionalCount(r, column); err != nil {
			return p, err
		}
	}
	if !known {
		return p, r.Errorf("characteristic", "%q, expected population or dwellings", r.Get("characteristic"))
	}
	return p, nil
}

// joined merges adjacent rows of the same FSA.
func joined(rows iter.Seq2[FSAPopulationRow, error]) iter.Seq2[FSAPopulationRow, error] {
	return func(yield func(FSAPopulationRow, error) bool) {
		var open *FSAPopulationRow
		for r, err := range rows {
			if err != nil {
				if !yield(FSAPopulationRow{}, err) {
					return
				}
				continue
			}
			if open != nil && open.FSA == r.FSA {
				open.merge(r)
				continue
			}
			if open != nil && !yield(*open, nil) {
				return
			}
			open = &r
		}
		if open != nil {
			yield(*open, nil)
		}
	}
}

func (p *FSAPopulationRow) merge(r FSAPopulationRow) {
	p.Population = cmp.Or(r.Population, p.Population)
	p.Dwellings = cmp.Or(r.Dwellings, p.Dwellings)
	p.DwellingsOccupied = cmp.Or(r.DwellingsOccupied, p.DwellingsOccupied)
}

// An FSALandRow is the outline and the land area of a forward sortation area.
type FSALandRow struct {
	AreaRow
	FSA dataset.FSA
}

// FSALand reads land areas and outlines from the boundary file of the forward
// sortation areas at the path. A record is refused without an FSA or an
// outline, and with a malformed land area (square kilometers).
func FSALand(path string) iter.Seq2[FSALandRow, error] {
	columns := LayerColumns{ID: "CFSAUID", LandKM2: "LANDAREA"}
	return shapefile(path, []string{columns.ID, columns.LandKM2}, func(s format.Shape) (r FSALandRow, err error) {
		area, err := columns.row(s)
		if r.AreaRow = area.AreaRow; err != nil {
			return r, err
		}
		var ok bool
		if r.FSA, ok = dataset.ParseFSA(r.ID); !ok {
			return r, s.Errorf(columns.ID, "%q is not a forward sortation area", r.ID)
		}
		if r.Land == nil {
			return r, s.Errorf(columns.LandKM2, "blank, expected square kilometers")
		}
		return r, nil
	})
}
