package store

import (
	"database/sql/driver"
	"fmt"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// AreaKey is the type of the codes or identifiers of areas.
type AreaKey interface {
	postcode.ZIP | postcode.FSA | StateID | CountyID | ZoneID
}

// Areas are the outlines of one kind of thing. Not everything of the kind need
// have one. All methods may be called from any number of goroutines at once.
type Areas[K AreaKey] struct {
	sources []string // of the areas
	keys    []K
	set     file.CodeSet
	index   *spatial.PolygonIndex
}

// SourceOf returns the source file of the key's outline, or "" if the key has no
// area or the source is unknown.
func (a *Areas[K]) SourceOf(key K) string {
	if area, ok := a.Find(key); ok {
		return a.sources[area]
	}
	return ""
}

// Len returns the number of areas.
func (a *Areas[K]) Len() int { return len(a.keys) }

// Index returns the index of the areas, or nil if there are none. Its area i
// belongs to Keys()[i].
func (a *Areas[K]) Index() *spatial.PolygonIndex { return a.index }

// Keys returns the keys of the areas in ascending order, including areas
// without an outline. It must not be changed.
func (a *Areas[K]) Keys() []K { return a.keys }

// Find returns the number of the key's area. It returns false if the key has no
// area, or one without an outline.
func (a *Areas[K]) Find(key K) (area int, ok bool) {
	if area, ok = a.set.Row(uint32(key)); !ok || !a.index.HasPolygon(area) {
		return 0, false
	}
	return area, true
}

// Containing returns the key of the area around the point. Of overlapping areas
// it takes the one that [spatial.PolygonIndex.Containing] prefers. It returns false
// if no area contains the point.
func (a *Areas[K]) Containing(p geo.LatLng) (key K, ok bool) {
	if a.index == nil {
		return 0, false
	}
	area, ok := a.index.Containing(p)
	if !ok {
		return 0, false
	}
	return a.keys[area], true
}

// ZIPAreas returns the areas of ZIP Codes.
func (d *Dataset) ZIPAreas() *Areas[postcode.ZIP] { return needed(d, SectionZIPAreas, &d.zipAreas) }

// FSAAreas returns the areas of forward sortation areas.
func (d *Dataset) FSAAreas() *Areas[postcode.FSA] { return needed(d, SectionFSAAreas, &d.fsaAreas) }

// StateAreas returns the areas of states and provinces.
func (d *Dataset) StateAreas() *Areas[StateID] { return needed(d, SectionStateAreas, &d.stateAreas) }

// CountyAreas returns the areas of counties.
func (d *Dataset) CountyAreas() *Areas[CountyID] {
	return needed(d, SectionCountyAreas, &d.countyAreas)
}

// ZoneAreas returns the areas of time zones.
func (d *Dataset) ZoneAreas() *Areas[ZoneID] { return needed(d, SectionZoneAreas, &d.zoneAreas) }

// needed returns a part of a section, which it loads.
func needed[T any](d *Dataset, s Sections, part *T) *T {
	d.Need(s)
	return part
}

// areasOf reads the outlines with a name. number is the SQL of the number of k.key. The file has
// keys (a FIPS code), memory has identifiers (a [CountyID]), which can differ between files.
func areasOf[K AreaKey](section file.Sections, name, number string, limit uint32, a *Areas[K]) file.Part {
	type owner struct {
		Number uint32
		Source string
	}
	sql := "SELECT " + number + ", coalesce(k.source, o.source) FROM outline_key k JOIN outline o USING (outline)" +
		" WHERE outline = '" + name + "' ORDER BY k.number"
	return file.PartOf(section, "outline."+name, sql, func(m *file.Connection, owners []owner) (err error) {
		*a = Areas[K]{}
		if len(owners) == 0 {
			return nil
		}
		for _, o := range owners {
			a.keys, a.sources = append(a.keys, K(o.Number)), append(a.sources, o.Source)
		}
		if a.set, err = file.NewCodeSet(limit, owners, func(o *owner) uint32 { return o.Number }); err != nil {
			return err
		}
		a.index, err = readOutlines(m, name, len(a.keys))
		return err
	})
}

const outlineSQL = "SELECT data FROM outline WHERE outline = ?"

func readOutlines(m *file.Connection, name string, areas int) (x *spatial.PolygonIndex, err error) {
	err = m.Query(outlineSQL, func(v []driver.Value) error {
		x, err = decodeOutlines(v[0], areas)
		return err
	}, name)
	if err == nil && x == nil {
		err = fmt.Errorf("the outlines of %s are missing", name)
	}
	return x, err
}

// decodeOutlines decodes the outlines of so many areas.
func decodeOutlines(v driver.Value, areas int) (*spatial.PolygonIndex, error) {
	data, _ := v.([]byte)
	x, err := spatial.DecodePolygonIndex(data)
	if err == nil && x.Len() != areas {
		err = fmt.Errorf("it holds %d outlines, expected %d", x.Len(), areas)
	}
	return x, err
}
