package dataset

import (
	"github.com/postgeo/postgeo/geo"
)

// A roomSet is a file with the readers of all rooms.
type roomSet struct {
	file    *file
	codes   *codesReader
	layers  *layersReader
	streets *streetsReader
	survey  *surveyReader
}

// newRooms returns the readers of a file that is not open.
func newRooms() *roomSet {
	f := newFile(func() *file { return newRooms().file })
	r := &roomSet{file: f, codes: newCodes(f)}
	r.layers, r.streets, r.survey = newLayers(f, r.codes), newStreets(f), newSurvey(f)
	return r
}

// A Writer builds a dataset file. It is used by one goroutine. The tables may
// be given in any order; the bytes of the file depend only on what was given.
type Writer struct {
	out *writer
	*codesWriter
	*layersWriter
	*streetsWriter
	*surveyWriter
}

// Create begins a dataset file. Two files with ".part" and ".rows.part" added to
// the path, which may exist, hold it until Finish has written everything. Close
// the writer with Finish or Abort.
func Create(path string) (*Writer, error) {
	out, err := create(path, newRooms().file)
	if err != nil {
		return nil, err
	}
	w := &Writer{
		out: out, codesWriter: newCodesWriter(out), layersWriter: newLayersWriter(out), streetsWriter: newStreetsWriter(out),
	}
	w.surveyWriter = newSurveyWriter(out, func() map[uint64]geo.LatLng {
		points := map[uint64]geo.LatLng{}
		for z, p := range w.codesWriter.points() {
			points[uint64(z)] = p
		}
		return points
	})
	return w, nil
}

// Finish writes what is left, gives the file its name and closes the writer.
// A reference to a row that no table holds is an error that matches
// [ErrInvalidRow]. After an error the part file is gone and the file that had
// the name before, if any, is untouched. Format, Tables and Digest of the
// manifest are filled in by the writer.
func (w *Writer) Finish(m Manifest) error { return w.out.finish(m) }

// Abort removes what was written. After Finish or a first Abort it does
// nothing.
func (w *Writer) Abort() error { return w.out.abort() }

// An Extension writes a copy of a dataset with more tables of the American
// Community Survey, for example those of a new year. It can replace the details
// of ZIP Codes, too. It is used by one goroutine.
type Extension struct{ w *Writer }

// Extend begins a file at the path, which must not be the path of base. Tables
// that are added replace those of base with the same level, year and name. All
// other tables are kept. base must stay open until Finish or Abort.
func Extend(path string, base *Dataset) (*Extension, error) {
	w, err := Create(path)
	if err != nil {
		return nil, err
	}
	w.codesWriter.extend(base.rooms.codes)
	w.surveyWriter.extend(base.rooms.survey)
	w.out.base = &extended{
		file:    base.rooms.file,
		renewed: func(table string) bool { return w.codesWriter.renewed(table) || w.surveyWriter.renewed(table) },
		replace: w.codesWriter.replacedDetail,
	}
	return &Extension{w}, nil
}

// AddACSTable adds a table, as [Writer.AddACSTable] does.
func (e *Extension) AddACSTable(t ACSTable) (ACSTableID, error) { return e.w.AddACSTable(t) }

// AddACSRow adds the row of an area, as [Writer.AddACSRow] does.
func (e *Extension) AddACSRow(id ACSTableID, geoid uint64, cells []ACSCell) error {
	return e.w.AddACSRow(id, geoid, cells)
}

// SetZIPDetail replaces the detail of a ZIP Code of the base, which takes
// effect in Finish. A code that base does not hold is an error that matches
// [ErrNotFound].
func (e *Extension) SetZIPDetail(z ZIP, t *ZIPDetail) error {
	return e.w.codesWriter.SetZIPDetail(z, t)
}

// Finish writes the file, as [Writer.Finish] does. The manifest is the new
// file's: that of base with the sources that were added.
func (e *Extension) Finish(m Manifest) error { return e.w.Finish(m) }

// Abort removes the unfinished file, as [Writer.Abort] does.
func (e *Extension) Abort() error { return e.w.Abort() }
