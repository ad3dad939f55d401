// Package survey holds the tables of the American Community Survey.
package survey

import (
	"context"
	"sync"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Reader holds the tables of the American Community Survey of one file.
type Reader struct {
	file *file.File

	acsAreas  [numACSLevels]acsAreas
	acsYears  [numACSLevels][]int
	acsTables []Table
	acsPages  int // of all tables
	acsCache  file.Cache[[]byte]
	segments  *cache.Recent[segmentID, *Segment] // by their bytes
	acsRooms  sync.Pool                          // of *acsRoom
}

// A Writer collects the tables of the American Community Survey of a new
// file. Rows wait in the spool, numbered by their areas. The run of a spooled
// row is the position of its table in the order of adding.
type Writer struct {
	out    *file.Writer
	points func() map[uint64]geo.LatLng // of ZIP Codes, by their five digits

	tables []Table // in the order of adding; of the file from rows on
	areas  [numACSLevels][]acsArea

	base *Reader // of an extended file, else nil
}

// SectionSurvey holds the tables of the American Community Survey.
const SectionSurvey file.Sections = 1 << 63

type table = file.ResidentTable[*Reader, *Writer]

func tables() []table {
	resident := acsResidentTable
	resident.Section = SectionSurvey
	return []table{acsYearsTable, resident}
}

// New registers the tables of the survey with a file.
func New(f *file.File) *Reader {
	d := &Reader{file: f, segments: cache.NewRecent[segmentID, *Segment](DefaultMemory)}
	var list []file.Bound
	for _, t := range tables() {
		list = append(list, t.Bind(d, nil))
	}
	f.Tables.Add(list, []file.BoundRows{acsTable.Bind(d)})
	return d
}

// NewWriter registers the tables of the survey with a new file.
func NewWriter(out *file.Writer, points func() map[uint64]geo.LatLng) *Writer {
	w := &Writer{out: out, points: points}
	for _, t := range tables() {
		out.Add(t.Bind(nil, w))
	}
	out.Packed = append(out.Packed, file.PackedRows{Kinds: []*file.RowKind{acsRows}, Write: w.writeACS, Kept: false})
	return w
}

// Extend lets the writer copy the tables of a file. Tables that are added take
// the place of those with the same level, year and name.
func (w *Writer) Extend(base *Reader) { w.base = base }

// Renewed reports whether a table is encoded again in an extended file.
func (w *Writer) Renewed(table string) bool {
	return table == acsResidentTable.Name || table == acsYearsTable.Name
}

// keepACS copies the tables of the extended file that were not replaced.
func (w *Writer) keepACS() error {
	if w.base == nil {
		return nil
	}
	if err := w.base.file.Load(context.Background(), SectionSurvey); err != nil {
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

func hasACS(tables []Table, t *Table) bool {
	for i := range tables {
		if compareACSTables(tables[i], *t) == 0 {
			return true
		}
	}
	return false
}

// copyACS copies the coded rows of a table of the extended file.
func (w *Writer) copyACS(id TableID, t *Table) error {
	geoids := w.base.ACSGEOIDs(t.Level)
	for _, p := range t.pages {
		payload, err := w.base.file.Row(context.Background(), acsRows, int64(p.id))
		if err != nil {
			return err
		}
		err = t.Walk(payload, p.first, func(position uint32, r *Row) (bool, error) {
			if int64(position) >= int64(len(geoids)) {
				return false, file.ErrRange
			}
			return true, w.spoolACSRow(id, geoids[position], r.first, r.rest)
		})
		if err != nil {
			return w.base.acsDamage(int64(p.id), err)
		}
	}
	return nil
}

// PagesInMemory returns the cache of pages.
func PagesInMemory(d *Reader) *file.Cache[[]byte] { return &d.acsCache }
