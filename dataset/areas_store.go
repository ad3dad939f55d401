package dataset

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/postgeo/postgeo/geo"
)

// SetZIPAreas gives the areas of ZIP Codes, all of which AddZIP must be given
// too. Without them the dataset has none.
func (w *layersWriter) SetZIPAreas(l AreaLayer[ZIP]) error {
	return setAreas(w, "ZIPs", &w.zipAreas, l)
}

// SetFSAAreas gives the areas of forward sortation areas, all of which AddFSA
// must be given too. Without them the dataset has none.
func (w *layersWriter) SetFSAAreas(l AreaLayer[FSA]) error {
	return setAreas(w, "FSAs", &w.fsaAreas, l)
}

// SetStateAreas gives the areas of states and provinces. Without them the
// dataset has none.
func (w *layersWriter) SetStateAreas(l AreaLayer[StateID]) error {
	return setAreas(w, "states", &w.stateAreas, l)
}

// SetCountyAreas gives the areas of counties. Without them the dataset has
// none.
func (w *layersWriter) SetCountyAreas(l AreaLayer[CountyID]) error {
	return setAreas(w, "counties", &w.countyAreas, l)
}

// SetZoneAreas gives the areas of time zones. Without them the dataset has
// none.
func (w *layersWriter) SetZoneAreas(l AreaLayer[ZoneID]) error {
	return setAreas(w, "time zones", &w.zoneAreas, l)
}

func setAreas[K AreaKey](w *layersWriter, kind string, to **AreaLayer[K], l AreaLayer[K]) error {
	if err := w.out.open(); err != nil {
		return err
	}
	if *to != nil {
		return invalid("the areas of %s were given twice", kind)
	}
	if err := checkSources(l.Sources, l.From, len(l.Keys)); err != nil {
		return invalidRow("areas of "+kind, err)
	}
	for i := 1; i < len(l.Keys); i++ {
		if l.Keys[i] <= l.Keys[i-1] {
			return invalid("areas of %s: the key %d after %d; expected ascending order, each key once", kind, l.Keys[i], l.Keys[i-1])
		}
	}
	index, err := geo.DecodePolygonIndex(l.Packed)
	if err == nil {
		err = index.Verify()
	}
	if err != nil {
		return invalidRow("areas of "+kind, err)
	}
	if index.Len() != len(l.Keys) {
		return invalid("areas of %s: %d areas for %d keys; expected one for each", kind, index.Len(), len(l.Keys))
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
	zipAreasTable = areasTable(zipAreasName, NumZIPs,
		func(w *layersWriter) *AreaLayer[ZIP] { return w.zipAreas },
		func(d *layersReader) **Areas[ZIP] { return &d.zipAreas },
		func(d *layersReader, z ZIP) error {
			if zips, _, _ := codeSets(d.codes); !zips.has(uint32(z)) {
				return fmt.Errorf("ZIP %s is not in the dataset", z)
			}
			return nil
		})
	fsaAreasTable = areasTable(fsaAreasName, NumFSAs,
		func(w *layersWriter) *AreaLayer[FSA] { return w.fsaAreas },
		func(d *layersReader) **Areas[FSA] { return &d.fsaAreas },
		func(d *layersReader, f FSA) error {
			if _, fsas, _ := codeSets(d.codes); !fsas.has(uint32(f)) {
				return fmt.Errorf("FSA %s is not in the dataset", f)
			}
			return nil
		})
	stateAreasTable = areasTable(stateAreasName, 1<<8,
		func(w *layersWriter) *AreaLayer[StateID] { return w.stateAreas },
		func(d *layersReader) **Areas[StateID] { return &d.stateAreas },
		func(d *layersReader, id StateID) error {
			return checkOwner("state", int(id), checkStateID(d.codes, id))
		})
	countyAreasTable = areasTable(countyAreasName, 1<<16,
		func(w *layersWriter) *AreaLayer[CountyID] { return w.countyAreas },
		func(d *layersReader) **Areas[CountyID] { return &d.countyAreas },
		func(d *layersReader, id CountyID) error {
			return checkOwner("county", int(id), checkCountyID(d.codes, id))
		})
	zoneAreasTable = areasTable(zoneAreasName, 1<<8,
		func(w *layersWriter) *AreaLayer[ZoneID] { return w.zoneAreas },
		func(d *layersReader) **Areas[ZoneID] { return &d.zoneAreas },
		func(d *layersReader, id ZoneID) error {
			return checkOwner("time zone", int(id), checkZoneID(d.codes, id))
		})
)

// checkOwner returns the error of a reference, which must not be 0.
func checkOwner(what string, id int, err error) error {
	if id == 0 {
		return fmt.Errorf("the %s 0 has an area", what)
	}
	return err
}

// areasTable stores a layer as columns: the keys, the sources, which of them
// each area is from where there are several, and the packed areas. Without the
// layer there are none.
func areasTable[K AreaKey](
	name string, limit uint32, layer func(*layersWriter) *AreaLayer[K], areas func(*layersReader) **Areas[K], check func(*layersReader, K) error,
) layersTable {
	keys := name + ".keys"
	return layersTable{
		name: name,
		verify: func(d *layersReader) error {
			if index := (*areas(d)).Index(); index != nil {
				return index.Verify()
			}
			return nil
		},
		encode: func(w *layersWriter, c *columnSet) error {
			l := layer(w)
			if l == nil {
				return nil
			}
			data, rows := encodeCodes(func(yield func(uint32) bool) {
				for _, k := range l.Keys {
					if !yield(uint32(k)) {
						return
					}
				}
			})
			c.add(column{name: keys, rows: rows, data: data})
			encodeSources(c, name, l.Sources, l.From)
			c.add(column{name: name, rows: rows, data: l.Packed})
			return nil
		},
		decode: func(d *layersReader, c *columnSet) error {
			if !c.has(keys) {
				return nil
			}
			list, err := c.take(keys, 0)
			if err != nil {
				return err
			}
			a := &Areas[K]{}
			if a.sources, a.from, err = decodeSources(c, name, list.rows); err != nil {
				return err
			}
			packed, err := c.take(name, 0)
			if err != nil {
				return err
			}
			if packed.rows != list.rows {
				return fmt.Errorf("column %s has %d rows, expected %d", name, packed.rows, list.rows)
			}
			a.packed = packed.data
			if a.set, err = decodeCodes(list, limit); err != nil {
				return err
			}
			a.keys = make([]K, 0, list.rows)
			for _, k := range a.set.all() {
				if err := check(d, K(k)); err != nil {
					return fmt.Errorf("column %s: %w", keys, err)
				}
				a.keys = append(a.keys, K(k))
			}
			if a.index, err = geo.DecodePolygonIndex(packed.data); err != nil {
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

// encodeSources stores where the areas of a layer come from.
func encodeSources(c *columnSet, layer string, sources []string, from []uint8) {
	var e encoder
	for _, s := range sources {
		e.string(s)
	}
	c.add(column{name: layer + ".sources", rows: len(sources), data: e.b})
	if from != nil {
		c.add(column{name: layer + ".from", width: 1, rows: len(from), data: from})
	}
}

func decodeSources(c *columnSet, layer string, areas int) (sources []string, from []uint8, err error) {
	list, err := c.take(layer+".sources", 0)
	if err != nil {
		return nil, nil, err
	}
	dec := decoder{b: list.data}
	for len(dec.b) > 0 {
		sources = append(sources, dec.string())
	}
	if err := dec.end(); err != nil {
		return nil, nil, fmt.Errorf("column %s: %w", list.name, err)
	}
	if len(sources) != list.rows {
		return nil, nil, fmt.Errorf("column %s holds %d sources, expected %d", list.name, len(sources), list.rows)
	}
	if c.has(layer + ".from") {
		col, err := c.take(layer+".from", 1)
		if err != nil {
			return nil, nil, err
		}
		from = col.data
	}
	if err := checkSources(sources, from, areas); err != nil {
		return nil, nil, fmt.Errorf("column %s: %w", list.name, err)
	}
	return sources, from, nil
}
