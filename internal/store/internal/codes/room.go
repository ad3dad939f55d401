// Package codes holds the tables of ZIP Codes, forward sortation areas and postal
// codes. Small tables have the states, counties, metropolitan areas and time
// zones of codes.
package codes

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Reader holds the codes and the small tables of one file.
type Reader struct {
	file *file.File

	states       []State
	stateByAbbr  map[stateKey]StateID
	counties     []County
	countyByFIPS map[string]CountyID
	cbsas        []CBSA
	divisions    []Division
	zones        []Zone
	zipSet       file.CodeSet
	zips         file.Column
	fsaSet       file.CodeSet
	fsas         file.Column
	postalSet    file.CodeSet
	postal       file.Column
	places       []place // that postal codes refer to
	codePoints   *spatial.PointIndex
	areaPoints   *spatial.PointIndex
	zipTexts     []string // of the details' qualities
	fsaTexts     []string
	zipDensity   file.Column
	fsaDensity   file.Column
	zipZones     zoneShares
	fsaZones     zoneShares
	entities     *Entities
}

// A Writer collects the codes and the small tables of a new file.
type Writer struct {
	out *file.Writer

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
	zipTexts    file.TextPacker // of the details' qualities
	fsaTexts    file.TextPacker
	zipDensity  densityWriter
	fsaDensity  densityWriter
	zipZones    zoneWriter
	fsaZones    zoneWriter
	entities    []Entity
	entityNames []EntityNames

	base    *Reader                    // of an extended file, else nil
	details map[dataset.ZIP]*ZIPDetail // that replace those of base
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
	list := []table{statesTable.table(), cbsasTable.table(), divisionsTable.table(), countiesTable.table(), zonesTable.table(), zipsTable.table(), fsasTable.table(), zipTextsTable, fsaTextsTable}
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
	add(SectionEntities, 0, entitiesTable)
	return list
}

// New registers the tables of codes with a file.
func New(f *file.File) *Reader {
	d := &Reader{file: f, stateByAbbr: map[stateKey]StateID{}, countyByFIPS: map[string]CountyID{}}
	var list []file.Bound
	for _, t := range tables() {
		list = append(list, t.Bind(d, nil))
	}
	f.Tables.Add(list, []file.BoundRows{zipDetailTable.Bind(d), fsaDetailTable.Bind(d)})
	return d
}

// NewWriter registers the tables of codes with a new file.
func NewWriter(out *file.Writer) *Writer {
	w := &Writer{out: out, placeIDs: map[place]uint32{}}
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

// CheckState returns an error for an identifier that is not a position of the
// table of states.
func CheckState(d *Reader, id StateID) error { return checkID("state", int(id), d.states) }

// CheckCounty does so for a county.
func CheckCounty(d *Reader, id CountyID) error { return checkID("county", int(id), d.counties) }

// CheckZone does so for a time zone.
func CheckZone(d *Reader, id ZoneID) error { return checkID("time zone", int(id), d.zones) }

// Extend lets the writer copy the codes of a file.
func (w *Writer) Extend(base *Reader) {
	w.base, w.details = base, map[dataset.ZIP]*ZIPDetail{}
	w.out.Flush = append(w.out.Flush, w.renewDensity)
	for _, text := range base.zipTexts {
		w.zipTexts.Id(text) // rows that are kept refer to them by number
	}
}

// SetZIPDetail replaces the detail of a ZIP Code of the extended file, which
// takes effect in Finish. A code that the file does not hold is an error that
// matches [ErrNotFound].
func (w *Writer) SetZIPDetail(z dataset.ZIP, t *ZIPDetail) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if w.base == nil {
		return file.Invalid("the detail of ZIP %s: the file extends none", z)
	}
	if _, ok := w.base.zipSet.Row(uint32(z)); !ok {
		return fmt.Errorf("%w: %s holds no ZIP %s", file.ErrNotFound, w.base.file.Path, z)
	}
	w.details[z] = t
	return nil
}

// ReplacedDetail returns the payload of a detail that was replaced.
func (w *Writer) ReplacedDetail(table *file.RowKind, id int64) ([]byte, error) {
	detail := w.details[dataset.ZIP(id)]
	if table != zipDetailRows || detail == nil {
		return nil, nil
	}
	return EncodeDetail(detail, &w.zipTexts)
}

// Renewed reports whether a table has to be encoded again because of replaced
// details.
func (w *Writer) Renewed(table string) bool {
	return len(w.details) > 0 && (table == zipTextsTable.Name || table == zipDensityTable.Name)
}

// renewDensity collects the density of the extended file's ZIP Codes with that
// of replaced details.
func (w *Writer) renewDensity() error {
	if len(w.details) == 0 {
		return nil
	}
	if err := w.base.file.Load(context.Background(), SectionDensity); err != nil {
		return err
	}
	for _, code := range w.base.zipSet.All() {
		z := dataset.ZIP(code)
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
