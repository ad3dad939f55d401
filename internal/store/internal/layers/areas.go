package layers

import (
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// AreaKey is the type of the codes or identifiers of areas.
type AreaKey interface {
	dataset.ZIP | dataset.FSA | codes.StateID | codes.CountyID | codes.ZoneID
}

// An Outlines is the input of a [Writer] for all areas with one type of key.
type Outlines[K AreaKey] struct {
	Sources []string // the files that the outlines come from, e.g. "cb_2020_us_zcta520_500k"; at most 256
	From    []uint8  // index in Sources for each area; nil for fewer than two sources
	Keys    []K      // what area i of Packed belongs to, ascending, each once
	Packed  []byte   // the areas, as geo.PolygonIndexBuilder packs them; the writer keeps it. Areas without an outline are allowed.
}

// Areas are the outlines of one kind of thing. Not everything of the kind need
// have one. All methods may be called on nil, which holds no areas, and from
// any number of goroutines at once.
type Areas[K AreaKey] struct {
	sources []string
	from    []uint8 // nil for fewer than two sources
	keys    []K
	set     file.CodeSet
	index   *spatial.PolygonIndex
	packed  []byte // bytes that the index keeps and reads
}

// Sources returns the files that the outlines come from, e.g.
// "cb_2020_us_zcta520_500k". It must not be changed.
func (a *Areas[K]) Sources() []string {
	if a == nil {
		return nil
	}
	return a.sources
}

// SourceOf returns the source file of the key's outline, or "" if the key has no
// area or the source is unknown.
func (a *Areas[K]) SourceOf(key K) string {
	area, ok := a.Find(key)
	switch {
	case !ok || len(a.sources) == 0:
		return ""
	case a.from == nil:
		return a.sources[0]
	default:
		return a.sources[a.from[area]]
	}
}

// Len returns the number of areas.
func (a *Areas[K]) Len() int {
	if a == nil {
		return 0
	}
	return len(a.keys)
}

// Index returns the index of the areas, or nil if there are none. Its area i
// belongs to Keys()[i].
func (a *Areas[K]) Index() *spatial.PolygonIndex {
	if a == nil {
		return nil
	}
	return a.index
}

// Keys returns the keys of the areas in ascending order, including areas
// without an outline. It must not be changed.
func (a *Areas[K]) Keys() []K {
	if a == nil {
		return nil
	}
	return a.keys
}

// Find returns the number of the key's area. It returns false if the key has no
// area, or one without an outline.
func (a *Areas[K]) Find(key K) (area int, ok bool) {
	if a == nil {
		return 0, false
	}
	if area, ok = a.set.Row(uint32(key)); !ok || !a.index.HasPolygon(area) {
		return 0, false
	}
	return area, true
}

// Containing returns the key of the area around the point. Of overlapping areas
// it takes the one that [spatial.PolygonIndex.Containing] prefers. It returns false
// if no area contains the point.
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

// ZIPAreas returns the areas of ZIP Codes, or nil if the dataset has none.
func (d *Reader) ZIPAreas() *Areas[dataset.ZIP] {
	d.file.Need(SectionZIPAreas)
	return d.zipAreas
}

// FSAAreas returns the areas of forward sortation areas, or nil if the dataset
// has none.
func (d *Reader) FSAAreas() *Areas[dataset.FSA] {
	d.file.Need(SectionFSAAreas)
	return d.fsaAreas
}

// StateAreas returns the areas of states and provinces, or nil if the dataset has
// none.
func (d *Reader) StateAreas() *Areas[codes.StateID] {
	d.file.Need(SectionStateAreas)
	return d.stateAreas
}

// CountyAreas returns the areas of counties, or nil if the dataset has none.
func (d *Reader) CountyAreas() *Areas[codes.CountyID] {
	d.file.Need(SectionCountyAreas)
	return d.countyAreas
}

// ZoneAreas returns the areas of time zones, or nil if the dataset has none.
func (d *Reader) ZoneAreas() *Areas[codes.ZoneID] {
	d.file.Need(SectionZoneAreas)
	return d.zoneAreas
}
