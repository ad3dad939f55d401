package layers

import (
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Reader holds the areas of one file.
type Reader struct {
	file  *file.File
	codes *codes.Reader

	zipAreas    *Areas[dataset.ZIP]
	fsaAreas    *Areas[dataset.FSA]
	stateAreas  *Areas[codes.StateID]
	countyAreas *Areas[codes.CountyID]
	zoneAreas   *Areas[codes.ZoneID]
	layers      [endOfIDs]*Layer
	list        []*Layer                    // in ascending order
	sections    [codes.CA + 1]file.Sections // of the layers of a country
	own         []*Layer                    // own layers of users, ascending
	added       []*Layer                    // these and plans of users, ascending
	centers     centers
	blocks      blocks
	plans       [baseMask + 1]planList // by base
	zipOverlaps file.CodeSet           // the ZIPs that have overlaps
	fsaOverlaps file.CodeSet
	postalAreas file.CodeSet // the FSAs whose postal codes have areas
}

// A Writer collects the areas of a new file.
type Writer struct {
	out *file.Writer

	zipAreas    *Outlines[dataset.ZIP]
	fsaAreas    *Outlines[dataset.FSA]
	stateAreas  *Outlines[codes.StateID]
	countyAreas *Outlines[codes.CountyID]
	zoneAreas   *Outlines[codes.ZoneID]
	layers      []*layerWriter // ascending
	centers     []Center
	blocks      []CensusBlock
	base        *Reader  // of an extended file, else nil
	zipOverlaps []uint32 // the ZIPs that were given overlaps
	fsaOverlaps []uint32
	postalAreas []uint32 // the FSAs whose postal codes were given areas
	postalPage  postalPage
	schools     bool // SetSchoolDistricts was called
}

// The sections of areas. Those of layers are [ID.Section].
const (
	SectionStateAreas file.Sections = 1 << (iota + 8)
	SectionCountyAreas
	SectionZIPAreas
	SectionFSAAreas
	SectionZoneAreas
	SectionOverlaps // which codes have overlaps and census areas
	SectionCenters  // centers of population
	SectionAdded    // layers and plans of users

	firstLayerSection file.Sections = 1 << 16
)

// Section returns the section with the areas of the layer.
func (id ID) Section() file.Sections {
	switch base := Base(id); {
	case !id.valid():
		return 0
	case Added(id):
		return SectionAdded
	case id == base:
		return firstLayerSection << (id - 1)
	default: // after those of the layers
		return firstLayerSection << (int(endOfLayers-1) + slices.Index(planned[:], base))
	}
}

type table = file.ResidentTable[*Reader, *Writer]

func tables() []table {
	list := []table{layerListTable}
	add := func(section file.Sections, tables ...table) {
		for _, t := range tables {
			t.Section = section
			list = append(list, t)
		}
	}
	add(SectionStateAreas, stateAreasTable)
	add(SectionCountyAreas, countyAreasTable)
	add(SectionZIPAreas, zipAreasTable)
	add(SectionFSAAreas, fsaAreasTable)
	add(SectionZoneAreas, zoneAreasTable)
	add(SectionOverlaps, zipOverlapCodesTable, fsaOverlapCodesTable, postalAreaCodesTable)
	for _, id := range PlanIDs() {
		if !Added(id) {
			list = append(list, layerAreasTable(id))
		}
	}
	add(SectionAdded, addedTable)
	add(SectionCenters, centersTable)
	return list
}

// Extend keeps the areas of another file and adds the layers that are given.
func (w *Writer) Extend(base *Reader) { w.base = base }

// Renewed reports whether a table is encoded again in an extended file.
func (w *Writer) Renewed(table string) bool {
	return len(w.layers) > 0 && (table == layerListTable.Name || table == addedTable.Name) || len(w.blocks) > 0 && table == centersTable.Name
}

// New registers the tables of areas with a file.
func New(f *file.File, codes *codes.Reader) *Reader {
	d := &Reader{file: f, codes: codes}
	var list []file.Bound
	for _, t := range tables() {
		list = append(list, t.Bind(d, nil))
	}
	f.Tables.Add(list, []file.BoundRows{
		layerOutlinesTable.Bind(d), zipOverlapsTable.Bind(d), fsaOverlapsTable.Bind(d), layerCodesTable.Bind(d),
		schoolDistrictsTable.Bind(d), PostalAreasTable.Bind(d),
	})
	return d
}

// NewWriter registers the tables of areas with a new file.
func NewWriter(out *file.Writer) *Writer {
	w := &Writer{out: out}
	for _, t := range tables() {
		out.Add(t.Bind(nil, w))
	}
	out.Flush = append(out.Flush, w.spoolCodes, w.spoolPostalPage)
	return w
}
