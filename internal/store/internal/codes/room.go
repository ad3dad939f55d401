// Package codes holds the tables of ZIP Codes, forward sortation areas and postal
// codes. Small tables have the states, counties, metropolitan areas and time
// zones of codes.
package codes

import (
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

// A CensusPlace has the census areas of a full postal code.
type CensusPlace struct {
	Dissemination string // block, else area
	Place         int64  `sql:"omitzero"` // number of its other areas; 0 none
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

	// CensusPlace returns the census areas of a full postal code.
	CensusPlace func(dataset.PostalCode) CensusPlace
}

// The sections of codes.
const (
	SectionPostalCodes file.Sections = 1 << iota // full postal codes of Canada
	SectionPoints                                // indexes of the points of all codes
	SectionDensity                               // residents and land of ZIP Codes and forward sortation areas
	SectionZoneShares                            // time zones of areas
	SectionEntities                              // named places that suggestions find
)

// New registers the codes with a file.
func New(f *file.File) *Reader {
	d := &Reader{
		file: f, stateByAbbr: map[string]StateID{}, countyByFIPS: map[string]CountyID{},
		zipDetails: cache.NewRecent[dataset.ZIP, *ZIPDetail](maxDetails), fsaDetails: cache.NewRecent[dataset.FSA, *FSADetail](maxDetails),
	}
	f.Parts = append(f.Parts, d.smallTables()...)
	f.Parts = append(f.Parts, d.codeRows()...)
	f.Parts = append(f.Parts, d.postalCodes(), d.codePointsPart(), d.areaPointsPart(),
		densityOf("zip", &d.zipDensity, &d.zipSet), densityOf("fsa", &d.fsaDensity, &d.fsaSet),
		zonesOf("zip_zones", zipNumber, "SELECT code AS zip, * FROM code_zone WHERE length(code) = 5", &d.zipZones),
		zonesOf("fsa_zones", fsaNumber, "SELECT * FROM code_zone WHERE length(code) = 3", &d.fsaZones),
		d.entitiesPart())
	return d
}

// NewWriter returns a writer of codes. base is the extended file or nil.
func NewWriter(out *file.Writer, base *Reader) *Writer {
	w := &Writer{out: out, base: base}
	if base == nil {
		out.Flush = append(out.Flush, w.writeTables)
	}
	return w
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
