package layers

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// SetZIPAreas sets the areas of ZIP Codes. AddZIP must add each of these codes.
func (w *Writer) SetZIPAreas(l Outlines[dataset.ZIP]) error {
	return setAreas(w, "ZIPs", &w.zipAreas, l)
}

// SetFSAAreas sets the areas of forward sortation areas. AddFSA must add each of
// these codes.
func (w *Writer) SetFSAAreas(l Outlines[dataset.FSA]) error {
	return setAreas(w, "FSAs", &w.fsaAreas, l)
}

// SetStateAreas sets the areas of states and provinces.
func (w *Writer) SetStateAreas(l Outlines[codes.StateID]) error {
	return setAreas(w, "states", &w.stateAreas, l)
}

// SetCountyAreas sets the areas of counties.
func (w *Writer) SetCountyAreas(l Outlines[codes.CountyID]) error {
	return setAreas(w, "counties", &w.countyAreas, l)
}

// SetZoneAreas sets the areas of time zones.
func (w *Writer) SetZoneAreas(l Outlines[codes.ZoneID]) error {
	return setAreas(w, "time zones", &w.zoneAreas, l)
}

func setAreas[K AreaKey](w *Writer, kind string, to **Outlines[K], l Outlines[K]) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if *to != nil {
		return file.Invalid("the areas of %s were given twice", kind)
	}
	if err := checkSources(l.Sources, l.From, len(l.Keys)); err != nil {
		return file.InvalidRow("areas of "+kind, err)
	}
	for i := 1; i < len(l.Keys); i++ {
		if l.Keys[i] <= l.Keys[i-1] {
			return file.Invalid("areas of %s: the key %d after %d; expected ascending order, each key once", kind, l.Keys[i], l.Keys[i-1])
		}
	}
	index, err := spatial.DecodePolygonIndex(l.Packed)
	if err == nil {
		err = index.Verify()
	}
	if err != nil {
		return file.InvalidRow("areas of "+kind, err)
	}
	if index.Len() != len(l.Keys) {
		return file.Invalid("areas of %s: %d areas for %d keys; expected one for each", kind, index.Len(), len(l.Keys))
	}
	l.Keys, l.Sources, l.From = slices.Clone(l.Keys), slices.Clone(l.Sources), slices.Clone(l.From)
	*to = &l
	return nil
}

// checkSources checks where so many areas come from.
func checkSources(sources []string, from []uint8, areas int) error {
	const most = 1 << 8
	if len(sources) > most {
		return fmt.Errorf("%d sources, expected at most %d", len(sources), most)
	}
	for _, s := range sources {
		if !utf8.ValidString(s) {
			return fmt.Errorf("the source %q is not UTF-8", s)
		}
	}
	if several := len(sources) > 1; several && len(from) != areas || !several && from != nil {
		return fmt.Errorf("%d areas are from one of %d sources, expected %d with several sources, and none else", len(from), len(sources), areas)
	}
	for i, f := range from {
		if int(f) >= len(sources) {
			return fmt.Errorf("area %d is from source %d of %d", i, f, len(sources))
		}
	}
	return nil
}

// The names of the layers' columns.
const (
	stateAreasName  = "state_areas"
	countyAreasName = "county_areas"
	zipAreasName    = "zip_areas"
	fsaAreasName    = "fsa_areas"
	zoneAreasName   = "zone_areas"
)

var (
	zipAreasTable = areasTable(zipAreasName, dataset.NumZIPs,
		func(w *Writer) *Outlines[dataset.ZIP] { return w.zipAreas },
		func(d *Reader) **Areas[dataset.ZIP] { return &d.zipAreas },
		func(d *Reader, z dataset.ZIP) error {
			if zips, _, _ := codes.Sets(d.codes); !zips.Has(uint32(z)) {
				return fmt.Errorf("ZIP %s is not in the dataset", z)
			}
			return nil
		})
	fsaAreasTable = areasTable(fsaAreasName, dataset.NumFSAs,
		func(w *Writer) *Outlines[dataset.FSA] { return w.fsaAreas },
		func(d *Reader) **Areas[dataset.FSA] { return &d.fsaAreas },
		func(d *Reader, f dataset.FSA) error {
			if _, fsas, _ := codes.Sets(d.codes); !fsas.Has(uint32(f)) {
				return fmt.Errorf("FSA %s is not in the dataset", f)
			}
			return nil
		})
	stateAreasTable = areasTable(stateAreasName, 1<<8,
		func(w *Writer) *Outlines[codes.StateID] { return w.stateAreas },
		func(d *Reader) **Areas[codes.StateID] { return &d.stateAreas },
		func(d *Reader, id codes.StateID) error {
			return checkOwner("state", int(id), codes.CheckState(d.codes, id))
		})
	countyAreasTable = areasTable(countyAreasName, 1<<16,
		func(w *Writer) *Outlines[codes.CountyID] { return w.countyAreas },
		func(d *Reader) **Areas[codes.CountyID] { return &d.countyAreas },
		func(d *Reader, id codes.CountyID) error {
			return checkOwner("county", int(id), codes.CheckCounty(d.codes, id))
		})
	zoneAreasTable = areasTable(zoneAreasName, 1<<8,
		func(w *Writer) *Outlines[codes.ZoneID] { return w.zoneAreas },
		func(d *Reader) **Areas[codes.ZoneID] { return &d.zoneAreas },
		func(d *Reader, id codes.ZoneID) error {
			return checkOwner("time zone", int(id), codes.CheckZone(d.codes, id))
		})
)

// checkOwner returns the error of a reference, which must not be 0.
func checkOwner(what string, id int, err error) error {
	if id == 0 {
		return fmt.Errorf("the %s 0 has an area", what)
	}
	return err
}

// areasTable stores a layer as columns: the keys, the sources, the source of
// each area if there are several, and the packed areas. Without the layer it has
// no columns.
func areasTable[K AreaKey](
	name string, limit uint32, layer func(*Writer) *Outlines[K], areas func(*Reader) **Areas[K], check func(*Reader, K) error,
) table {
	keys := name + ".keys"
	return table{
		Name: name,
		Verify: func(d *Reader) error {
			if index := (*areas(d)).Index(); index != nil {
				return index.Verify()
			}
			return nil
		},
		Encode: func(w *Writer, c *file.Columns) error {
			l := layer(w)
			if l == nil {
				return nil
			}
			data, rows := file.EncodeCodes(func(yield func(uint32) bool) {
				for _, k := range l.Keys {
					if !yield(uint32(k)) {
						return
					}
				}
			})
			c.Add(file.Column{Name: keys, Rows: rows, Data: data})
			err := encodeSources(c, name, l.Sources, l.From)
			c.Add(file.Column{Name: name, Rows: rows, Data: l.Packed})
			return err
		},
		Decode: func(d *Reader, c *file.Columns) error {
			if !c.Has(keys) {
				return nil
			}
			list, err := c.Take(keys, 0)
			if err != nil {
				return err
			}
			a := &Areas[K]{}
			if a.sources, a.from, err = decodeSources(c, name, list.Rows); err != nil {
				return err
			}
			packed, err := c.Take(name, 0)
			if err != nil {
				return err
			}
			if packed.Rows != list.Rows {
				return fmt.Errorf("column %s has %d rows, expected %d", name, packed.Rows, list.Rows)
			}
			a.packed = packed.Data
			if a.set, err = file.DecodeCodes(list, limit); err != nil {
				return err
			}
			a.keys = make([]K, 0, list.Rows)
			for _, k := range a.set.All() {
				if err := check(d, K(k)); err != nil {
					return fmt.Errorf("column %s: %w", keys, err)
				}
				a.keys = append(a.keys, K(k))
			}
			if a.index, err = spatial.DecodePolygonIndex(packed.Data); err != nil {
				return fmt.Errorf("column %s: %w", name, err)
			}
			if a.index.Len() != len(a.keys) {
				return fmt.Errorf("column %s holds %d areas, expected %d", name, a.index.Len(), len(a.keys))
			}
			*areas(d) = a
			return nil
		},
	}
}

// encodeSources stores the sources of the areas of a layer.
func encodeSources(c *file.Columns, layer string, sources []string, from []uint8) error {
	err := file.AddList(c, layer+".sources", file.NewCoder(nil), sources, file.CodeText)
	if from != nil {
		c.Add(file.Column{Name: layer + ".from", Width: 1, Rows: len(from), Data: from})
	}
	return err
}

func decodeSources(c *file.Columns, layer string, areas int) (sources []string, from []uint8, err error) {
	if sources, err = file.TakeList(c, layer+".sources", file.DecodeWith(nil, nil), file.CodeText); err != nil {
		return nil, nil, err
	}
	if c.Has(layer + ".from") {
		col, err := c.Take(layer+".from", 1)
		if err != nil {
			return nil, nil, err
		}
		from = col.Data
	}
	if err := checkSources(sources, from, areas); err != nil {
		return nil, nil, fmt.Errorf("column %s.sources: %w", layer, err)
	}
	return sources, from, nil
}
