package store

import (
	"context"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Dataset is an open dataset file. All its methods may be called from any
// number of goroutines at once. Methods without an error read a section that is
// not loaded, and panic if that fails: a damaged section must not look like
// missing data. [Dataset.Load] and [Dataset.Prepare] report the error before.
//
// Fields that a section loads are set once, before [file.File] marks the section as loaded,
// and not changed until Close. Methods read them after Need or Load without a lock. Only the
// caches, the pools and the outlines of layers change in between, and guard themselves.
//
// Identities (codes, names, points) are in memory, because nearly every answer has some and
// a lookup then takes nanoseconds. Details are rows of the file, read by key and kept in
// bounded caches: with ZIP+4 records and the survey, a national file has gigabytes of them.
type Dataset struct {
	*file.File

	// Codes and the small tables that they refer to.
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
	postalGroups []postalGroup // that postal codes refer to
	codePoints   *spatial.PointIndex
	areaPoints   *spatial.PointIndex
	zipDensity   []density
	fsaDensity   []density
	zipZones     map[uint32][]ZoneShare
	fsaZones     map[uint32][]ZoneShare
	entities     *Entities
	zipDetails   *cache.Recent[postcode.ZIP, *ZIPDetail]
	fsaDetails   *cache.Recent[postcode.FSA, *FSADetail]

	// Areas.
	zipAreas    Areas[postcode.ZIP]
	fsaAreas    Areas[postcode.FSA]
	stateAreas  Areas[StateID]
	countyAreas Areas[CountyID]
	zoneAreas   Areas[ZoneID]
	layers      []*Layer // ascending
	byArea      []*Layer // by their first areas
	byID        map[LayerID]*Layer
	drawn       map[string]bool        // names of outlines
	sections    [CA + 1]Sections       // of the layers of a country
	plans       [baseMask + 1]planList // by base
	meeting     *file.Table            // codes of all areas, area by area
	starts      []uint32               // in meeting of the areas in the order of byArea, and the end
	centers     []gridPage             // by state
	blocks      []gridPage             // by county

	// Streets of the postal service.
	streetSet file.CodeSet // the ZIPs that have street records
	streets   []streetZIP
	cities    []cityRow
	aliases   map[postcode.ZIP]bool // the ZIPs whose streets have other names
	pages     *tablePages           // of street records

	// Address points and segments of streets.
	roadSet      file.CodeSet
	roadAreas    []RoadArea
	roadGrid     map[gridCell][]int32 // areas by the cells that their boxes touch
	roadWide     []int32              // areas that touch too many cells
	roadPages    *tablePages
	roadSearches sync.Pool                     // of *RoadSearch
	hasRanges    bool                          // of a ZIP Code
	roadIndexes  *cache.Recent[int, roadIndex] // by the positions of their areas

	// The American Community Survey.
	acsAreas  [numACSLevels][]ACSArea // ascending
	acsYears  [numACSLevels][]int
	acsTables []ACSTable
	acsPages  *tablePages
	segments  *cache.Recent[segmentID, *ACSSegment] // by their bytes
	acsRooms  sync.Pool                             // of *acsRoom
}

// The numbers of decoded rows that are kept.
const (
	maxDetails   = 4096    // of each kind of code
	maxPages     = 8 << 20 // bytes in the file, of pages of each table
	maxHeldRoads = 500_000 // roads of indexes, about 45 MB
)

// New returns a dataset that is not open. A writer loads its parts.
func New(engine Engine) *Dataset {
	d := &Dataset{
		stateByAbbr: map[string]StateID{}, countyByFIPS: map[string]CountyID{},
		zipDetails:  cache.NewRecent[postcode.ZIP, *ZIPDetail](maxDetails),
		fsaDetails:  cache.NewRecent[postcode.FSA, *FSADetail](maxDetails),
		roadIndexes: cache.NewRecent[int, roadIndex](maxHeldRoads),
		pages:       cache.NewRecent[int64, *tablePage](maxPages),
		roadPages:   cache.NewRecent[int64, *tablePage](maxPages),
		acsPages:    cache.NewRecent[int64, *tablePage](maxPages),
		segments:    cache.NewRecent[segmentID, *ACSSegment](DefaultACSMemory),
	}
	d.File = file.NewFile(engine)
	for _, parts := range [][]file.Part{d.codeParts(), d.areaParts(), d.streetParts(), d.acsParts()} {
		d.Parts = append(d.Parts, parts...)
	}
	return d
}

// A tablePage is a page of rows that are decoded one by one. Several goroutines share a page of
// the cache.
type tablePage struct {
	*file.Table
	outlines []atomic.Pointer[RoadOutline] // of roads by their slots, each made by the first search that needs it
	outlined sync.Once                     // makes the list
}

// tablePages keeps pages by their numbers in the file.
type tablePages = cache.Recent[int64, *tablePage]

// readPage reads a page of a table with rows of a type, unless it was read lately.
func readPage[T any](ctx context.Context, d *Dataset, kept *tablePages, table string, id int64) (*tablePage, error) {
	if err := d.Usable(); err != nil {
		return nil, err
	}
	return kept.Get(ctx, id, func() (page *tablePage, size int64, err error) {
		page, err = file.ReadRow(ctx, d.File, table, id, func(data []byte) (*tablePage, error) {
			size = int64(len(data))
			t, err := file.DecodeTable[T](data)
			return &tablePage{Table: t}, err
		})
		return page, size, err
	})
}

// Sections is a set of the parts of a file that are kept in memory. Open reads the parts of
// no section.
type Sections = file.Sections

// The sections. Those of layers are [LayerID.Section].
const (
	SectionPostalCodes Sections = 1 << iota // full postal codes of Canada
	sectionPoints
	SectionDensity    // residents and land of ZIP Codes and forward sortation areas
	SectionZoneShares // time zones of areas
	SectionEntities   // named places that suggestions find
	SectionStateAreas
	SectionCountyAreas
	SectionZIPAreas
	SectionFSAAreas
	SectionZoneAreas
	SectionOverlaps // the codes of areas
	SectionCenters  // centers of population
	sectionOwn      // layers of users

	SectionPoints = sectionPoints | SectionPostalCodes // indexes of the points of all codes, which refer to these

	firstLayerSection Sections = 1 << 16
	SectionRoads      Sections = 1 << 61                       // areas of address points and segments
	sectionRecords    Sections = 1 << 62                       // street records, city names and other names of streets
	SectionStreets    Sections = sectionRecords | SectionRoads // which has the ranges of ZIP Codes without records
	SectionSurvey     Sections = 1 << 63                       // tables of the American Community Survey
	AllSections                = ^Sections(0)
)

// Open opens the dataset file at the path and reads the codes and names of ZIP
// Codes and forward sortation areas. Other parts are read later; see [Sections].
// The file must not change while it is open. To replace a dataset, rename another
// file over it and open the path again; see [Dataset.Moved].
//
// The error matches [fs.ErrNotExist], [ErrNotDataset], [ErrVersion] or
// [ErrDamaged] if one of these is the cause.
func Open(engine Engine, path string) (*Dataset, error) {
	d := New(engine)
	if err := d.Open(path); err != nil {
		return nil, err
	}
	return d, nil
}

// OpenFS opens the dataset file with the name in the file system, as Open
// does. A file of an embed.FS is supported: files must implement [io.ReaderAt].
func OpenFS(engine Engine, fsys fs.FS, name string) (*Dataset, error) {
	d := New(engine)
	if err := d.OpenFS(fsys, name); err != nil {
		return nil, err
	}
	return d, nil
}

// Engine is SQLite, which package sqlite has.
type Engine = file.Engine

// Format is the version of the file format that this package reads and writes.
const Format = file.FormatVersion

// The sentinels. Every error of this package with one of these causes matches it
// with errors.Is and names the file.
var (
	ErrClosed     = file.ErrClosed     // a call after Close
	ErrDamaged    = file.ErrDamaged    // the file contradicts its checksums or its index
	ErrUnreadable = file.ErrUnreadable // a failing disk, a missing permission, too little memory
	ErrNotDataset = file.ErrNotDataset // the file is not a postgeo dataset
	ErrNotFound   = file.ErrNotFound   // the dataset does not hold the code
	ErrVersion    = file.ErrVersion    // this release cannot read the format version
	ErrInvalidRow = file.ErrInvalidRow // a Writer was given a row that no dataset can hold
	ErrReplaced   = file.ErrReplaced   // another file has replaced the open one; see [file.File.Moved]
)
