// Package rooms joins the rooms of a dataset file: it opens and writes all
// their tables together.
package rooms

import (
	"errors"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
	"github.com/postgeo/postgeo/internal/store/internal/layers"
	"github.com/postgeo/postgeo/internal/store/internal/roads"
	"github.com/postgeo/postgeo/internal/store/internal/streets"
	"github.com/postgeo/postgeo/internal/store/internal/survey"
)

// A Set is a file with the readers of all rooms.
type Set struct {
	File    *file.File
	Codes   *codes.Reader
	Layers  *layers.Reader
	Roads   *roads.Reader
	Streets *streets.Reader
	Survey  *survey.Reader
}

// New returns the readers of a file that is not open.
func New(engine file.Engine) *Set {
	f := file.NewFile(engine, func() *file.File { return New(engine).File })
	s := &Set{File: f, Codes: codes.New(f)}
	s.Layers, s.Streets, s.Roads, s.Survey = layers.New(f, s.Codes), streets.New(f), roads.New(f), survey.New(f)
	return s
}

// The writers of the rooms, under names that can be embedded together.
type (
	codesWriter   = codes.Writer
	layersWriter  = layers.Writer
	roadsWriter   = roads.Writer
	streetsWriter = streets.Writer
	surveyWriter  = survey.Writer
)

// A Writer builds a dataset file. It is used by one goroutine. The order of
// adding tables does not affect the bytes of the file.
type Writer struct {
	out *file.Writer
	*codesWriter
	*layersWriter
	*roadsWriter
	*streetsWriter
	*surveyWriter
}

// Create begins a dataset file. Two files with ".part" and ".rows.part" added to
// the path, which may exist, hold it until Finish has written everything. Close
// the writer with Finish or Abort.
func Create(engine file.Engine, path string) (*Writer, error) { return create(engine, path, &Set{}) }

// create begins a file with the rooms of base, which may be empty.
func create(engine file.Engine, path string, base *Set) (*Writer, error) {
	out, err := file.Create(path, New(engine).File)
	if err != nil {
		return nil, err
	}
	w := &Writer{out: out, codesWriter: codes.NewWriter(out, base.Codes), streetsWriter: streets.NewWriter(out)}
	w.layersWriter = layers.NewWriter(out, w.codesWriter, base.Layers)
	w.roadsWriter = roads.NewWriter(out, base.Roads)
	w.surveyWriter = survey.NewWriter(out, func() map[uint64]geo.LatLng {
		points := map[uint64]geo.LatLng{}
		for z, p := range w.Points() {
			points[uint64(z)] = p
		}
		return points
	}, base.Survey)
	return w, nil
}

// Finish writes the remaining tables, gives the file its name and closes the
// writer. A reference to a row that no table holds is an error that matches
// [ErrInvalidRow]. After an error the part file is removed, and a previous file
// with the name is unchanged. The writer fills in Format, Tables and Digest of
// the manifest.
func (w *Writer) Finish(m dataset.Manifest) error { return w.out.Finish(m) }

// Abort removes the part file. It does nothing after Finish or a first Abort.
func (w *Writer) Abort() error { return w.out.Abort() }

// Extend begins a copy of a dataset with more tables, which must not be at the path
// of base. All tables of base are kept, except those that are added again:
//
//   - Tables of the American Community Survey with the same level, year and name.
//   - Census blocks of the same counties.
//
// Roads and layers of users join those of base. Details of ZIP Codes can be replaced,
// other codes not. base must stay open until Finish or Abort.
func Extend(path string, base *Set) (*Writer, error) {
	w, err := create(base.File.Engine, path, base)
	if err != nil {
		return nil, err
	}
	if err := w.out.Extend(base.File); err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return w, nil
}
