package source

import (
	"cmp"
	"iter"
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

const (
	colPopulation = "population"
	colDwellings  = "dwellings"
	colOccupied   = "occupied"
)

// FSAPopulation reads table 98-10-0019 of Statistics Canada, either as its CSV
// download (one row per area) or in the viewer's "database loading" layout. The
// latter has one row per value, with the three of an area in sequence. Rows of
// Canada as a whole are skipped. A row is refused when its area is not an FSA
// or a count is malformed.
func FSAPopulation(in *format.Input) iter.Seq2[FSAPopulationRow, error] {
	columns := []format.Column{
		{Name: "GEO"},
		{Name: colPopulation, Match: format.Words("dwelling counts", ":population, 2021"), Optional: true},
		{Name: colDwellings, Match: format.Words("dwelling counts", ":total private dwellings"), Optional: true},
		{Name: colOccupied, Match: format.Words("dwelling counts", ":private dwellings occupied"), Optional: true},
		{Name: "VALUE", Optional: true},
		{Name: "characteristic", Match: isCharacteristic, Optional: true},
	}
	t, err := format.NewTable(in, format.TableOptions{Quoted: true, Columns: columns})
	if err != nil {
		return failed[FSAPopulationRow](err)
	}
	switch {
	case t.Column(colPopulation) >= 0 && t.Column(colDwellings) >= 0 && t.Column(colOccupied) >= 0:
		return parsed(t.Rows(), wideCounts)
	case t.Column("VALUE") >= 0 && t.Column("characteristic") >= 0:
		return joined(parsed(t.Rows(), longCount))
	default:
		return failed[FSAPopulationRow](&format.Error{
			File: in.Name(), Line: 1, Err: format.ErrColumns,
			Reason: "neither the three counts of table 98-10-0019 nor VALUE in the header",
		})
	}
}

// isCharacteristic recognizes the column with the name of a row's value in the
// long layout: its header has no value's name after a colon.
func isCharacteristic(header string) bool {
	return format.Words("population and dwelling counts")(header) && !strings.Contains(header, ":")
}

// censusFSA reads the area of a row. It skips Canada as a whole.
func censusFSA(r format.Row) (p FSAPopulationRow, err error) {
	name := r.Get("GEO")
	if name == "Canada" {
		return p, errSkip
	}
	fsa, ok := dataset.ParseFSA(name)
	if !ok {
		return p, r.Errorf("GEO", "%q is not a forward sortation area", name)
	}
	return FSAPopulationRow{FSA: fsa, Line: r.Line()}, nil
}

func wideCounts(r format.Row) (FSAPopulationRow, error) {
	p, err := censusFSA(r)
	if err == nil {
		p.Population, err = optionalCount(r, colPopulation)
	}
	if err == nil {
		p.Dwellings, err = optionalCount(r, colDwellings)
	}
	if err == nil {
		p.DwellingsOccupied, err = optionalCount(r, colOccupied)
	}
	return p, err
}

func longCount(r format.Row) (FSAPopulationRow, error) {
	p, err := censusFSA(r)
	if err != nil {
		return p, err
	}
	n, err := optionalCount(r, "VALUE")
	if err != nil {
		return p, err
	}
	switch name := r.Get("characteristic"); {
	case strings.HasPrefix(name, "Population"):
		p.Population = n
	case strings.HasPrefix(name, "Total private dwellings"):
		p.Dwellings = n
	case strings.HasPrefix(name, "Private dwellings occupied"):
		p.DwellingsOccupied = n
	default:
		return p, r.Errorf("characteristic", "%q, expected population or dwellings", name)
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
