package dataset

// A layersReader holds the areas of one file.
type layersReader struct {
	file  *file
	codes *codesReader

	zipAreas    *Areas[ZIP]
	fsaAreas    *Areas[FSA]
	stateAreas  *Areas[StateID]
	countyAreas *Areas[CountyID]
	zoneAreas   *Areas[ZoneID]
	layers      [endOfLayers]*Layer
	zipOverlaps codeSet // the ZIPs that have overlaps
	fsaOverlaps codeSet
	postalAreas codeSet // the FSAs whose postal codes have areas
}

// A layersWriter collects the areas of a new file.
type layersWriter struct {
	out *writer

	zipAreas    *AreaLayer[ZIP]
	fsaAreas    *AreaLayer[FSA]
	stateAreas  *AreaLayer[StateID]
	countyAreas *AreaLayer[CountyID]
	zoneAreas   *AreaLayer[ZoneID]
	layers      [endOfLayers]*layerWriter
	zipOverlaps []uint32 // the ZIPs that were given overlaps
	fsaOverlaps []uint32
	postalAreas []uint32 // the FSAs whose postal codes were given areas
	postalPage  postalPage
	schools     bool // SetSchoolDistricts was called
}

// The sections of areas. Those of layers are [LayerID.Section].
const (
	SectionStateAreas Sections = 1 << (iota + 8)
	SectionCountyAreas
	SectionZIPAreas
	SectionFSAAreas
	SectionZoneAreas
	SectionOverlaps // which codes have overlaps and census areas

	firstLayerSection Sections = 1 << 16
)

// Section returns the section with the areas of the layer.
func (id LayerID) Section() Sections {
	if id == 0 || id >= endOfLayers {
		return 0
	}
	return firstLayerSection << (id - 1)
}

type layersTable = table[*layersReader, *layersWriter]

func layersTables() []layersTable {
	list := []layersTable{layerListTable}
	add := func(section Sections, tables ...layersTable) {
		for _, t := range tables {
			t.section = section
			list = append(list, t)
		}
	}
	add(SectionStateAreas, stateAreasTable)
	add(SectionCountyAreas, countyAreasTable)
	add(SectionZIPAreas, zipAreasTable)
	add(SectionFSAAreas, fsaAreasTable)
	add(SectionZoneAreas, zoneAreasTable)
	add(SectionOverlaps, zipOverlapCodesTable, fsaOverlapCodesTable, postalAreaCodesTable)
	for id := LayerID(1); id < endOfLayers; id++ {
		list = append(list, layerAreasTable(id))
	}
	return list
}

// newLayers registers the tables of areas with a file.
func newLayers(f *file, codes *codesReader) *layersReader {
	d := &layersReader{file: f, codes: codes}
	var list []boundTable
	for _, t := range layersTables() {
		list = append(list, t.bind(d, nil))
	}
	f.tables.add(list, []boundRows{
		layerOutlinesTable.bind(d), zipOverlapsTable.bind(d), fsaOverlapsTable.bind(d), layerCodesTable.bind(d),
		schoolDistrictsTable.bind(d), postalAreasTable.bind(d),
	})
	return d
}

// newLayersWriter registers the tables of areas with a new file.
func newLayersWriter(out *writer) *layersWriter {
	w := &layersWriter{out: out}
	for _, t := range layersTables() {
		out.add(t.bind(nil, w))
	}
	out.flush = append(out.flush, w.spoolCodes, w.spoolPostalPage)
	return w
}
