// Package survey holds the tables of the American Community Survey.
package survey

import (
	"cmp"
	"context"
	"sync"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Reader holds the tables of the American Community Survey of one file.
type Reader struct {
	file *file.File

	acsAreas  [numACSLevels][]acsArea // ascending
	acsYears  [numACSLevels][]int
	acsTables []Table
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

// New registers the tables of the survey with a file.
func New(f *file.File) *Reader {
	d := &Reader{file: f, segments: cache.NewRecent[segmentID, *Segment](DefaultMemory)}
	f.Parts = append(f.Parts, d.years(), d.tables())
	f.Blobs = append(f.Blobs, file.Blobs{Table: acsRows.Name, Check: d.checkPage})
	return d
}

// NewWriter returns a writer of tables. Those that are added take the place of those of
// base, which may be nil, with the same level, year and name.
func NewWriter(out *file.Writer, points func() map[uint64]geo.LatLng, base *Reader) *Writer {
	w := &Writer{out: out, points: points, base: base}
	out.Flush = append(out.Flush, w.writeACS)
	return w
}

// keepACS copies the tables of the extended file that were not replaced.
func (w *Writer) keepACS() error {
	if w.base == nil {
		return nil
	}
	err := cmp.Or(w.base.file.Load(context.Background(), SectionSurvey), w.out.Clear("acs_area", "acs_column", "acs_field", "acs_page", "acs_table"))
	if err != nil {
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
