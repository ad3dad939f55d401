// Package codes holds the tables of ZIP Codes, forward sortation areas and postal
// codes. Small tables have the states, counties, metropolitan areas and time
// zones of codes.
package codes

import (
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Reader holds the codes and the small tables of one file.
type Reader struct {
	file *file.File

	states       []State
	stateByAbbr  map[string]StateID
	counties     []County
	countyByFIPS map[string]CountyID
	cbsas        []CBSA
	divisions    []Division
	zones        []Zone
	zipSet       file.CodeSet
	zips         []ZIPRow
	fsaSet       file.CodeSet
	fsas         []FSARow
	postalSet    file.CodeSet
	postal       []postalPlace
	places       []place // that postal codes refer to
	codePoints   *spatial.PointIndex
	areaPoints   *spatial.PointIndex
	zipDensity   []density
	fsaDensity   []density
	zipZones     map[uint32][]ZoneShare
	fsaZones     map[uint32][]ZoneShare
	entities     *Entities

	// Decoded rows of codes that were read lately.
	zipDetails *cache.Recent[dataset.ZIP, *ZIPDetail]
	fsaDetails *cache.Recent[dataset.FSA, *FSADetail]
}

// maxDetails is the number of details of each kind that are kept.
const maxDetails = 4096

// A Writer collects the codes and the small tables of a new file.
type Writer struct {
	out *file.Writer

	states      []State
	counties    []County
	cbsas       []CBSA
	divisions   []Division
	zones       []Zone
	zips        []zipRow
	fsas        []fsaRow
	postal      []PostalRow
	zoneShares  []codeShare
	entities    []Entity
	entityNames []EntityNames

	base *Reader // of an extended file, else nil
}

// The sections of codes.
const (
	SectionPostalCodes file.Sections = 1 << iota // full postal codes of Canada
	SectionPoints                                // indexes of the points of all codes
	SectionDensity                               // residents and land of ZIP Codes and forward sortation areas
	SectionZoneShares                            // time zones of areas
	SectionEntities                              // named places that suggestions find
)

type table = file.ResidentTable[*Reader, *Writer]

func tables() []table {
	list := append(slices.Clone(smallTables), zipsTable, fsasTable)
	add := func(section, needs file.Sections, tables ...table) {
		for _, t := range tables {
			t.Section, t.Needs = section, needs
			list = append(list, t)
		}
	}
	add(SectionPostalCodes, 0, postalCodesTable)
	add(SectionPoints, SectionPostalCodes, codePointsTable, areaPointsTable)
	add(SectionDensity, 0, zipDensityTable, fsaDensityTable)
	add(SectionZoneShares, 0, zipZonesTable, fsaZonesTable)
	add(SectionEntities, 0, entitiesTable, entityKeysTable)
	return list
}

// New registers the tables of codes with a file.
func New(f *file.File) *Reader {
	d := &Reader{
		file: f, stateByAbbr: map[string]StateID{}, countyByFIPS: map[string]CountyID{},
		zipDetails: cache.NewRecent[dataset.ZIP, *ZIPDetail](maxDetails), fsaDetails: cache.NewRecent[dataset.FSA, *FSADetail](maxDetails),
	}
	var list []file.Bound
	for _, t := range tables() {
		list = append(list, t.Bind(d, nil))
	}
	f.Tables.Add(list, nil)
	return d
}

// NewWriter registers the tables of codes with a new file.
func NewWriter(out *file.Writer) *Writer {
	w := &Writer{out: out}
	out.Flush = append(out.Flush, w.writeTables)
	for _, t := range tables() {
		out.Add(t.Bind(nil, w))
	}
	return w
}

// Sets returns the codes that the file holds, for the tables of other rooms
// that refer to them.
func Sets(d *Reader) (zips, fsas, postal *file.CodeSet) {
	return &d.zipSet, &d.fsaSet, &d.postalSet
}

// Extend lets the writer copy the codes of a file.
func (w *Writer) Extend(base *Reader) {
	w.base = base
}

// Points returns the points of the file's ZIP Codes.
func (w *Writer) Points() map[dataset.ZIP]geo.LatLng {
	points := map[dataset.ZIP]geo.LatLng{}
	if w.base != nil {
		for z := range w.base.ZIPs() {
			points[z.ZIP] = z.Location
		}
	}
	for i := range w.zips {
		points[w.zips[i].ZIP] = w.zips[i].Location
	}
	return points
}
