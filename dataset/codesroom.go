package dataset

import (
	"fmt"

	"github.com/postgeo/postgeo/geo"
)

// A codesReader holds the codes and the small tables of one file.
type codesReader struct {
	file *file

	states       []State
	stateByAbbr  map[stateKey]StateID
	counties     []County
	countyByFIPS map[string]CountyID
	cbsas        []CBSA
	divisions    []Division
	zones        []Zone
	zipSet       codeSet
	zips         column
	fsaSet       codeSet
	fsas         column
	postalSet    codeSet
	postal       column
	places       []place // that postal codes refer to
	codePoints   *geo.PointIndex
	areaPoints   *geo.PointIndex
	zipTexts     []string // of the details' qualities
	fsaTexts     []string
	zipDensity   column
	fsaDensity   column
	zipZones     zoneShares
	fsaZones     zoneShares
	entities     *Entities
}

// A codesWriter collects the codes and the small tables of a new file.
type codesWriter struct {
	out *writer

	states      []State
	counties    []County
	cbsas       []CBSA
	divisions   []Division
	zones       []Zone
	zips        []ZIPRow
	fsas        []FSARow
	postalCodes []uint32
	postalRows  []byte
	places      []place
	placeIDs    map[place]uint32
	zipTexts    textPacker // of the details' qualities
	fsaTexts    textPacker
	zipDensity  densityWriter
	fsaDensity  densityWriter
	zipZones    zoneWriter
	fsaZones    zoneWriter
	entities    []Entity
	entityNames []EntityNames

	base    *codesReader       // of an extended file, else nil
	details map[ZIP]*ZIPDetail // that replace those of base
}

// The sections of codes.
const (
	SectionPostalCodes Sections = 1 << iota // full postal codes of Canada
	SectionPoints                           // indexes of the points of all codes
	SectionDensity                          // residents and land of ZIP Codes and forward sortation areas
	SectionZoneShares                       // time zones of areas
	SectionEntities                         // named places that suggestions find
)

type codesTable = table[*codesReader, *codesWriter]

func codesTables() []codesTable {
	list := []codesTable{statesTable, cbsasTable, divisionsTable, countiesTable, zonesTable, zipsTable, fsasTable, zipTextsTable, fsaTextsTable}
	add := func(section, needs Sections, tables ...codesTable) {
		for _, t := range tables {
			t.section, t.needs = section, needs
			list = append(list, t)
		}
	}
	add(SectionPostalCodes, 0, postalCodesTable)
	add(SectionPoints, SectionPostalCodes, codePointsTable, areaPointsTable)
	add(SectionDensity, 0, zipDensityTable, fsaDensityTable)
	add(SectionZoneShares, 0, zipZonesTable, fsaZonesTable)
	add(SectionEntities, 0, entitiesTable)
	return list
}

// newCodes registers the tables of codes with a file.
func newCodes(f *file) *codesReader {
	d := &codesReader{file: f, stateByAbbr: map[stateKey]StateID{}, countyByFIPS: map[string]CountyID{}}
	var list []boundTable
	for _, t := range codesTables() {
		list = append(list, t.bind(d, nil))
	}
	f.tables.add(list, []boundRows{zipDetailTable.bind(d), fsaDetailTable.bind(d)})
	return d
}

// newCodesWriter registers the tables of codes with a new file.
func newCodesWriter(out *writer) *codesWriter {
	w := &codesWriter{out: out, placeIDs: map[place]uint32{}}
	for _, t := range codesTables() {
		out.add(t.bind(nil, w))
	}
	return w
}

// codeSets returns the codes that the file holds, for the tables of other rooms
// that refer to them.
func codeSets(d *codesReader) (zips, fsas, postal *codeSet) {
	return &d.zipSet, &d.fsaSet, &d.postalSet
}

// checkStateID, checkCountyID and checkZoneID return an error for an identifier
// that is not a position of its table.
func checkStateID(d *codesReader, id StateID) error   { return checkID("state", int(id), d.states) }
func checkCountyID(d *codesReader, id CountyID) error { return checkID("county", int(id), d.counties) }
func checkZoneID(d *codesReader, id ZoneID) error     { return checkID("time zone", int(id), d.zones) }

// extend lets the writer copy the codes of a file.
func (w *codesWriter) extend(base *codesReader) {
	w.base, w.details = base, map[ZIP]*ZIPDetail{}
	for _, text := range base.zipTexts {
		w.zipTexts.id(text) // rows that are kept refer to them by number
	}
}

// SetZIPDetail replaces the detail of a ZIP Code of the extended file, which
// takes effect in Finish. A code that the file does not hold is an error that
// matches [ErrNotFound].
func (w *codesWriter) SetZIPDetail(z ZIP, t *ZIPDetail) error {
	if err := w.out.open(); err != nil {
		return err
	}
	if w.base == nil {
		return invalid("the detail of ZIP %s: the file extends none", z)
	}
	if _, ok := w.base.zipSet.row(uint32(z)); !ok {
		return fmt.Errorf("%w: %s holds no ZIP %s", ErrNotFound, w.base.file.path, z)
	}
	w.details[z] = t
	return nil
}

// replacedDetail returns the payload of a detail that was replaced.
func (w *codesWriter) replacedDetail(table *rowKind, id int64) ([]byte, error) {
	detail := w.details[ZIP(id)]
	if table != zipDetailRows || detail == nil {
		return nil, nil
	}
	return w.encodeZIPDetail(detail)
}

// renewed reports whether a table has to be encoded again because of replaced
// details.
func (w *codesWriter) renewed(table string) bool {
	return len(w.details) > 0 && (table == zipTextsTable.name || table == zipDensityTable.name)
}

// renewDensity collects the density of the extended file's ZIP Codes with that
// of replaced details.
func (w *codesWriter) renewDensity() error {
	for _, code := range w.base.zipSet.all() {
		z := ZIP(code)
		if t := w.details[z]; t != nil {
			w.zipDensity.add(t.Population, t.LandArea)
			continue
		}
		var population *int32
		var area *int64
		if n, ok := w.base.ZIPPopulation(z); ok {
			population = &n
		}
		if n, ok := w.base.ZIPLand(z); ok {
			area = &n
		}
		w.zipDensity.add(population, area)
	}
	return nil
}

// points returns the points of the file's ZIP Codes.
func (w *codesWriter) points() map[ZIP]geo.LatLng {
	points := map[ZIP]geo.LatLng{}
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
