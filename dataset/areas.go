package dataset

import (
	"fmt"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/postgeo/postgeo/geo"
)

// AreaKey is what an area can belong to.
type AreaKey interface {
	ZIP | FSA | StateID | CountyID | ZoneID
}

// An AreaLayer is what a [Writer] is given of the areas of one kind of thing.
type AreaLayer[K AreaKey] struct {
	Source string // the file that the outlines come from, e.g. "cb_2020_us_zcta520_500k"
	Keys   []K    // what area i of Packed belongs to, ascending, each once
	Packed []byte // the areas, as geo.PolygonIndexBuilder packs them; the writer keeps it. Areas without an outline are allowed.
}

// Areas are the outlines of one kind of thing. Not everything of the kind need
// have one. All methods may be called on nil, which holds no areas, and from
// any number of goroutines at once.
type Areas[K AreaKey] struct {
	source string
	keys   []K
	set    codeSet
	index  *geo.PolygonIndex
	packed []byte // what the index was read from, and keeps
}

// Source returns the file that the outlines come from, e.g.
// "cb_2020_us_zcta520_500k"; "" where there are none.
func (a *Areas[K]) Source() string {
	if a == nil {
		return ""
	}
	return a.source
}

// Len returns the number of areas.
func (a *Areas[K]) Len() int {
	if a == nil {
		return 0
	}
	return len(a.keys)
}

// Index returns the index of the areas, nil where there are none. Its area i
// belongs to Keys()[i].
func (a *Areas[K]) Index() *geo.PolygonIndex {
	if a == nil {
		return nil
	}
	return a.index
}

// Keys returns what the areas belong to, ascending, areas without an outline
// included. It must not be changed.
func (a *Areas[K]) Keys() []K {
	if a == nil {
		return nil
	}
	return a.keys
}

// Find returns the number of the area that belongs to the key. It is false
// where the key has no area, or one without an outline.
func (a *Areas[K]) Find(key K) (area int, ok bool) {
	if a == nil {
		return 0, false
	}
	if area, ok = a.set.row(uint32(key)); !ok || !a.index.HasPolygon(area) {
		return 0, false
	}
	return area, true
}

// Containing returns what the area around the point belongs to; of
// overlapping areas the one that [geo.PolygonIndex.Containing] prefers. It is
// false where no area holds the point.
func (a *Areas[K]) Containing(p geo.LatLng) (key K, ok bool) {
	if a == nil {
		return 0, false
	}
	area, ok := a.index.Containing(p)
	if !ok {
		return 0, false
	}
	return a.keys[area], true
}

// ZIPAreas returns the areas of ZIP Codes, nil where the dataset has none.
func (d *Dataset) ZIPAreas() *Areas[ZIP] { return d.zipAreas }

// FSAAreas returns the areas of forward sortation areas, nil where the dataset
// has none.
func (d *Dataset) FSAAreas() *Areas[FSA] { return d.fsaAreas }

// StateAreas returns the areas of states and provinces, nil where the dataset
// has none.
func (d *Dataset) StateAreas() *Areas[StateID] { return d.stateAreas }

// CountyAreas returns the areas of counties, nil where the dataset has none.
func (d *Dataset) CountyAreas() *Areas[CountyID] { return d.countyAreas }

// ZoneAreas returns the areas of time zones, nil where the dataset has none.
func (d *Dataset) ZoneAreas() *Areas[ZoneID] { return d.zoneAreas }

// indexes yields the indexes of the layers that the dataset has, by the names
// of their columns.
func (d *Dataset) indexes() iter.Seq2[string, *geo.PolygonIndex] {
	return func(yield func(string, *geo.PolygonIndex) bool) {
		for _, l := range [...]struct {
			name  string
			index *geo.PolygonIndex
		}{
			{stateAreasName, d.stateAreas.Index()},
			{countyAreasName, d.countyAreas.Index()},
			{zipAreasName, d.zipAreas.Index()},
			{fsaAreasName, d.fsaAreas.Index()},
			{zoneAreasName, d.zoneAreas.Index()},
		} {
			if l.index != nil && !yield(l.name, l.index) {
				return
			}
		}
	}
}

// SetZIPAreas gives the areas of ZIP Codes, all of which AddZIP must be given
// too. Without them the dataset has none.
func (w *Writer) SetZIPAreas(l AreaLayer[ZIP]) error { return setAreas(w, "ZIPs", &w.zipAreas, l) }

// SetFSAAreas gives the areas of forward sortation areas, all of which AddFSA
// must be given too. Without them the dataset has none.
func (w *Writer) SetFSAAreas(l AreaLayer[FSA]) error { return setAreas(w, "FSAs", &w.fsaAreas, l) }

// SetStateAreas gives the areas of states and provinces. Without them the
// dataset has none.
func (w *Writer) SetStateAreas(l AreaLayer[StateID]) error {
	return setAreas(w, "states", &w.stateAreas, l)
}

// SetCountyAreas gives the areas of counties. Without them the dataset has
// none.
func (w *Writer) SetCountyAreas(l AreaLayer[CountyID]) error {
	return setAreas(w, "counties", &w.countyAreas, l)
}

// SetZoneAreas gives the areas of time zones. Without them the dataset has
// none.
func (w *Writer) SetZoneAreas(l AreaLayer[ZoneID]) error {
	return setAreas(w, "time zones", &w.zoneAreas, l)
}

func setAreas[K AreaKey](w *Writer, kind string, to **AreaLayer[K], l AreaLayer[K]) error {
	if err := w.open(); err != nil {
		return err
	}
	if *to != nil {
		return invalid("the areas of %s were given twice", kind)
	}
	if !utf8.ValidString(l.Source) {
		return invalid("areas of %s: the source %q is not UTF-8", kind, l.Source)
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
	l.Keys = slices.Clone(l.Keys)
	*to = &l
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
		func(w *Writer) *AreaLayer[ZIP] { return w.zipAreas },
		func(d *Dataset) **Areas[ZIP] { return &d.zipAreas },
		func(d *Dataset, z ZIP) error {
			if _, ok := d.zipSet.row(uint32(z)); !ok {
				return fmt.Errorf("ZIP %s is not in the dataset", z)
			}
			return nil
		})
	fsaAreasTable = areasTable(fsaAreasName, NumFSAs,
		func(w *Writer) *AreaLayer[FSA] { return w.fsaAreas },
		func(d *Dataset) **Areas[FSA] { return &d.fsaAreas },
		func(d *Dataset, f FSA) error {
			if _, ok := d.fsaSet.row(uint32(f)); !ok {
				return fmt.Errorf("FSA %s is not in the dataset", f)
			}
			return nil
		})
	stateAreasTable = areasTable(stateAreasName, 1<<8,
		func(w *Writer) *AreaLayer[StateID] { return w.stateAreas },
		func(d *Dataset) **Areas[StateID] { return &d.stateAreas },
		func(d *Dataset, id StateID) error { return checkOwner("state", int(id), d.states) })
	countyAreasTable = areasTable(countyAreasName, 1<<16,
		func(w *Writer) *AreaLayer[CountyID] { return w.countyAreas },
		func(d *Dataset) **Areas[CountyID] { return &d.countyAreas },
		func(d *Dataset, id CountyID) error { return checkOwner("county", int(id), d.counties) })
	zoneAreasTable = areasTable(zoneAreasName, 1<<8,
		func(w *Writer) *AreaLayer[ZoneID] { return w.zoneAreas },
		func(d *Dataset) **Areas[ZoneID] { return &d.zoneAreas },
		func(d *Dataset, id ZoneID) error { return checkOwner("time zone", int(id), d.zones) })
)

// checkOwner is checkID for a reference that must not be 0.
func checkOwner[R any](what string, id int, table []R) error {
	if id == 0 {
		return fmt.Errorf("the %s 0 has an area", what)
	}
	return checkID(what, id, table)
}

// areasTable stores a layer as three columns: the keys, the source and the
// packed areas. Without the layer there are none.
func areasTable[K AreaKey](
	name string, limit uint32, layer func(*Writer) *AreaLayer[K], areas func(*Dataset) **Areas[K], check func(*Dataset, K) error,
) residentTable {
	keys, source := name+".keys", name+".source"
	return residentTable{
		name: name,
		encode: func(w *Writer, c *columnSet) error {
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
			c.add(column{name: source, width: 1, rows: len(l.Source), data: []byte(l.Source)})
			c.add(column{name: name, rows: rows, data: l.Packed})
			return nil
		},
		decode: func(d *Dataset, c *columnSet) error {
			if !c.follows(keys) {
				return nil
			}
			list, err := c.take(keys, 0)
			if err != nil {
				return err
			}
			text, err := c.take(source, 1)
			if err != nil {
				return err
			}
			packed, err := c.take(name, 0)
			if err != nil {
				return err
			}
			if packed.rows != list.rows {
				return fmt.Errorf("column %s has %d rows, expected %d", name, packed.rows, list.rows)
			}
			a := &Areas[K]{source: string(text.data), packed: packed.data}
			if !utf8.Valid(text.data) {
				return fmt.Errorf("column %s: %w", source, errText)
			}
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
