package store

import (
	"context"
	"database/sql/driver"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// LayerInfo describes the source of a layer.
type LayerInfo struct {
	ID      LayerID `sql:"-"`
	Source  string  // publisher and file, e.g. "U.S. Census Bureau, cb_2024_us_tract_500k"; with the vintage if the file's name lacks it, "U.S. Census Bureau (school year 2013-14)"
	Year    int     `sql:"omitzero"` // of the areas, e.g. 2024; 0 if unknown
	Vintage string  // as the file really is, e.g. "2020 (2592 rows 2018)"
	Title   string  // of an own layer; "" for others
	Period  string  // period of the publisher: Congress "119", legislative year "2024", school year "2024-2025", "2013 representation order"; "" for most

	// FitForShares is true if the outlines are precise enough for shares.
	// Otherwise overlaps list the areas of a code roughly, and their percentages
	// should not be shown.
	FitForShares bool
	// People is true if overlaps have the number of residents.
	People bool
	// Plan is the plan of districts. It has no ID for a layer without plans.
	Plan Plan
}

// UnknownArea marks an extent that no source states.
const UnknownArea = -1

// A LayerArea is one area of a layer.
type LayerArea struct {
	GEOID  string
	Name   string // official name, with its legal description if the publisher has one
	NameFR string // French name of an area of Canada if it differs; else ""
	// Type is the kind of area if the layer has kinds; "" if unknown:
	//
	//   - "unified", "elementary" or "secondary" for a school district.
	//   - "CMA" or "CA" for a metropolitan area of Canada.
	//   - Statistics Canada's type of a municipality or division ("CY", "RM").
	//   - The legal/statistical code of a place or subdivision ("25").
	Type string
	// Parent is the GEOID of the area around, or "". It is the county of a tract
	// or subdivision, the tract of a block group, or the CBSA of a metropolitan
	// division. In Canada it is the census division of a subdivision.
	Parent string `sql:"-"`
	State  StateID
	Land   int64 `sql:"omitunknown"` // square meters stated by the publisher, or UnknownArea
	Water  int64 `sql:"omitunknown"` // square meters stated by the publisher, or UnknownArea

	// Outline is the extent of the outline that overlaps are measured with; 0
	// without an outline.
	Outline geo.SquareMeters `sql:"omitzero"`
	// Point usually lies in the area. It is the publisher's, else one within the
	// outline. It is not valid for an area without either.
	Point geo.LatLng
}

// A Layer is the areas of one kind, in ascending order of their GEOIDs. Names
// and numbers are in memory; outlines are read from the file when they are
// first needed, and then kept. All methods may be called on nil, which holds
// no areas, and from any number of goroutines at once.
type Layer struct {
	d        *Dataset
	row      LayerRow
	info     LayerInfo
	at       int         // its first area among those of all layers
	areas    *file.Table // nil until its section is loaded
	outlines string      // name of the outlines; "" none

	// index is nil until it is needed: the outlines of a national file are more than half of its
	// 205 MB, and few programs need more than those of two or three layers. loading is held by
	// the goroutine that reads them. It sets areaOf and keyOf before index, so that whoever has
	// the index may read them.
	index   atomic.Pointer[spatial.PolygonIndex]
	loading sync.Mutex

	alone planList // of an own layer: itself

	areaOf []int32 // by area of the index; nil if both numbers are equal
	keyOf  []int32 // by area of the layer its area of the index, or -1; nil as above
}

// A LayerRow begins the row of a layer, before its [LayerInfo].
type LayerRow struct {
	ID    LayerID
	Name  string
	First int64 // number of its first area in the file
	Count int   // areas
}

// CountyOutlines is the name of the outlines of counties, [Dataset.CountyAreas], which the
// layer of counties shares.
const CountyOutlines = "county"

// Columns of a [LayerArea].
const (
	columnGEOID   = 0
	columnState   = 4
	columnOutline = 7
)

// Layer returns the layer, or nil if the dataset does not have it.
func (d *Dataset) Layer(id LayerID) *Layer { return d.byID[id] }

// LoadLayers reads the sections of the layers of a country; see [Dataset.Load].
func (d *Dataset) LoadLayers(ctx context.Context, c Country) error {
	return d.Load(ctx, d.sections[c])
}

// Layers returns the layers that the dataset has, in ascending order. The list must
// not be changed.
func (d *Dataset) Layers() []*Layer { return d.layers }

// ID returns the number of the layer, 0 for nil.
func (l *Layer) ID() LayerID {
	if l == nil {
		return 0
	}
	return l.info.ID
}

// Info describes the sources of the layer, which must not be changed. It is zero
// for nil.
func (l *Layer) Info() *LayerInfo {
	if l == nil {
		return new(LayerInfo)
	}
	return &l.info
}

// Len returns the number of areas.
func (l *Layer) Len() int {
	if l == nil {
		return 0
	}
	return l.row.Count
}

// HasOutlines reports whether the dataset holds outlines of the layer.
func (l *Layer) HasOutlines() bool { return l != nil && l.outlines != "" }

// GEOID returns the code of an area, or "" for an invalid number.
func (l *Layer) GEOID(i int) string {
	if i < 0 || i >= l.Len() {
		return ""
	}
	l.need()
	return l.areas.Text(columnGEOID, i)
}

// Area returns an area; a zero Area for a number that is none.
func (l *Layer) Area(i int) LayerArea {
	if i < 0 || i >= l.Len() {
		return LayerArea{}
	}
	l.need()
	a := file.RowOf[LayerArea](l.areas, i)
	switch n := l.info.ID.facts().parent; {
	case n > 0 && n < len(a.GEOID):
		a.Parent = a.GEOID[:n]
	case l.info.ID == LayerMetropolitanDivision:
		a.Parent = l.d.cbsaOfDivision(a.GEOID)
	}
	return a
}

// cbsaOfDivision returns the code of the area that a metropolitan division is
// part of.
func (d *Dataset) cbsaOfDivision(code string) string {
	for _, v := range d.Divisions() {
		if v.Code == code {
			return d.CBSA(v.CBSA).Code
		}
	}
	return ""
}

// outline returns the measured extent of an area's outline.
func (l *Layer) outline(i int) geo.SquareMeters {
	return geo.SquareMeters(l.areas.Float(columnOutline, i))
}

// Find returns the area with the GEOID. GEOIDs ascend, so there is no index of them in memory.
func (l *Layer) Find(geoid string) (i int, ok bool) {
	if l == nil || geoid == "" {
		return 0, false
	}
	l.need()
	return l.areas.Find(columnGEOID, geoid)
}

// Containing appends the areas around the point to into, smallest first. Most
// layers have one such area. Several exist if areas lie within one another, as
// school districts may. A point on a shared edge belongs to one of the areas.
// The first call reads the outlines of the layer, unless [Layer.Prepare] has
// read them. Later calls read nothing, and allocate nothing if into has room.
func (l *Layer) Containing(ctx context.Context, p geo.LatLng, into []int) ([]int, error) {
	if !l.HasOutlines() {
		return into, nil
	}
	index, err := l.Outlines(ctx)
	if err != nil {
		return into, err
	}
	from := len(into)
	into = index.AppendAround(into, p)
	if l.areaOf == nil {
		return into, nil
	}
	kept := into[:from]
	for _, k := range into[from:] {
		if i := l.areaOf[k]; i >= 0 {
			kept = append(kept, int(i))
		}
	}
	return kept, nil
}

// Clear reports whether no outline comes within a distance of the point; see
// [spatial.PolygonIndex.Clear].
func (l *Layer) Clear(ctx context.Context, p geo.LatLng, d geo.Meters) (bool, error) {
	if !l.HasOutlines() {
		return false, nil
	}
	index, err := l.Outlines(ctx)
	return err == nil && index.Clear(p, d), err
}

// Polygons returns the outline of an area as [spatial.PolygonIndex.Polygons] does, or
// nil if it has none.
func (l *Layer) Polygons(ctx context.Context, i int) (orb.MultiPolygon, error) {
	index, k, err := l.drawn(ctx, i)
	if index == nil {
		return nil, err
	}
	return index.Polygons(k), nil
}

// Box returns the box around an area, an empty one for an area without an outline.
func (l *Layer) Box(ctx context.Context, i int) (geo.Box, error) {
	index, k, err := l.drawn(ctx, i)
	if index == nil {
		return geo.Box{}, err
	}
	return index.Box(k), nil
}

// drawn returns the index with the outline of an area and its number there, nil if
// the area has none.
func (l *Layer) drawn(ctx context.Context, i int) (index *spatial.PolygonIndex, k int, err error) {
	if !l.HasOutlines() || i < 0 || i >= l.Len() {
		return nil, 0, nil
	}
	if index, err = l.Outlines(ctx); err != nil {
		return nil, 0, err
	}
	if l.keyOf != nil {
		if i = int(l.keyOf[i]); i < 0 {
			return nil, 0, nil
		}
	}
	return index, i, nil
}

// Load reads the codes, names and numbers of the areas; see [Dataset.Load].
func (l *Layer) Load(ctx context.Context) error {
	if l == nil {
		return nil
	}
	return l.d.Load(ctx, l.info.ID.Section())
}

func (l *Layer) need() { l.d.Need(l.info.ID.Section()) }

// Prepare reads the outlines of the layer, so that no later call has to.
func (l *Layer) Prepare(ctx context.Context) error {
	if !l.HasOutlines() {
		return nil
	}
	_, err := l.Outlines(ctx)
	return err
}

// Outlines returns the index of the outlines of a layer that has some, and reads it if need
// be. A failed reading is tried again by the next caller.
func (l *Layer) Outlines(ctx context.Context) (*spatial.PolygonIndex, error) {
	if x := l.index.Load(); x != nil {
		return x, nil
	}
	if err := l.Load(ctx); err != nil { // which index refers to
		return nil, err
	}
	l.loading.Lock()
	defer l.loading.Unlock()
	if x := l.index.Load(); x != nil {
		return x, nil
	}
	if l.outlines == CountyOutlines {
		return l.shareCounties(ctx)
	}
	var x *spatial.PolygonIndex
	err := l.d.Query(ctx, "the outlines of the layer "+l.row.Name, outlineSQL, func(v []driver.Value) (err error) {
		x, err = decodeOutlines(v[0], l.Len())
		return err
	}, l.outlines)
	if err == nil {
		l.index.Store(x)
	}
	return x, err
}

// shareCounties makes the layer use the outlines of counties, which the file has once. Their
// numbers differ, and a county can be in one of the two lists only.
func (l *Layer) shareCounties(ctx context.Context) (*spatial.PolygonIndex, error) {
	if err := l.d.Load(ctx, SectionCountyAreas); err != nil {
		return nil, err
	}
	a := &l.d.countyAreas
	if a.Len() == 0 {
		return nil, l.d.Damaged("the layer %s has the outlines of counties, which are missing", l.info.ID)
	}
	l.areaOf = make([]int32, a.Len())
	l.keyOf = slices.Repeat([]int32{-1}, l.Len())
	for k, id := range a.Keys() {
		l.areaOf[k] = -1
		if i, ok := l.Find(l.d.County(id).FIPS); ok {
			l.areaOf[k], l.keyOf[i] = int32(i), int32(k)
		}
	}
	l.index.Store(a.Index())
	return a.Index(), nil
}
