package dataset

import (
	"context"
	"sync"

	"github.com/postgeo/postgeo/geo"
)

// A surveyReader holds the tables of the American Community Survey of one file.
type surveyReader struct {
	file *file

	acsAreas    [numACSLevels]acsAreas
	acsYears    [numACSLevels][]int
	acsTables   []ACSTable
	acsPages    int // of all tables
	acsCache    acsCache
	acsSegments acsSegments
	acsRooms    sync.Pool // of *acsRoom
}

// A surveyWriter collects the tables of the American Community Survey of a new
// file. Rows wait in the spool, numbered by their areas. The run of a spooled
// row is the position of its table in the order of adding.
type surveyWriter struct {
	out    *writer
	points func() map[uint64]geo.LatLng // of ZIP Codes, by their five digits

	tables []ACSTable // in the order of adding; of the file from rows on
	areas  [numACSLevels][]acsArea

	base *surveyReader // of an extended file, else nil
}

// SectionSurvey holds the tables of the American Community Survey.
const SectionSurvey Sections = 1 << 63

type surveyTable = table[*surveyReader, *surveyWriter]

func surveyTables() []surveyTable {
	resident := acsResidentTable
	resident.section = SectionSurvey
	return []surveyTable{acsYearsTable, resident}
}

// newSurvey registers the tables of the survey with a file.
func newSurvey(f *file) *surveyReader {
	d := &surveyReader{file: f, acsSegments: acsSegments{limit: DefaultACSMemory}}
	var list []boundTable
	for _, t := range surveyTables() {
		list = append(list, t.bind(d, nil))
	}
	f.tables.add(list, []boundRows{acsTable.bind(d)})
	return d
}

// newSurveyWriter registers the tables of the survey with a new file.
func newSurveyWriter(out *writer, points func() map[uint64]geo.LatLng) *surveyWriter {
	w := &surveyWriter{out: out, points: points}
	for _, t := range surveyTables() {
		out.add(t.bind(nil, w))
	}
	out.packed = append(out.packed, packedRows{[]*rowKind{acsRows}, w.writeACS, false})
	return w
}

// extend lets the writer copy the tables of a file. Tables that are added take
// the place of those with the same level, year and name.
func (w *surveyWriter) extend(base *surveyReader) { w.base = base }

// renewed reports whether a table is encoded again in an extended file.
func (w *surveyWriter) renewed(table string) bool {
	return table == acsResidentTable.name || table == acsYearsTable.name
}

// keepACS copies the tables of the extended file that were not replaced.
func (w *surveyWriter) keepACS() error {
	if w.base == nil {
		return nil
	}
	if err := w.base.file.load(context.Background(), SectionSurvey); err != nil {
		return err
	}
	given := w.tables
	for i := range w.base.acsTables {
		t := &w.base.acsTables[i]
		if hasACS(given, t) {
			continue
		}
		id, err := w.AddACSTable(*t)
		if err != nil {
			return err
		}
		if err := w.copyACS(id, t); err != nil {
			return err
		}
	}
	return nil
}

func hasACS(tables []ACSTable, t *ACSTable) bool {
	for i := range tables {
		if compareACSTables(tables[i], *t) == 0 {
			return true
		}
	}
	return false
}

// copyACS copies the coded rows of a table of the extended file.
func (w *surveyWriter) copyACS(id ACSTableID, t *ACSTable) error {
	geoids := w.base.ACSGEOIDs(t.Level)
	for _, p := range t.pages {
		payload, err := w.base.file.row(context.Background(), acsRows, int64(p.id))
		if err != nil {
			return err
		}
		err = t.walk(payload, p.first, func(position uint32, r *ACSRow) (bool, error) {
			if int64(position) >= int64(len(geoids)) {
				return false, errRange
			}
			return true, w.spoolACSRow(id, geoids[position], r.first, r.rest)
		})
		if err != nil {
			return w.base.acsDamage(int64(p.id), err)
		}
	}
	return nil
}
