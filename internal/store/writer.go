package store

import (
	"errors"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Writer builds a dataset file. It is used by one goroutine. The order of
// adding tables does not affect the bytes of the file.
type Writer struct {
	out  *file.Writer
	base *Dataset // that is extended, else nil

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

	layers   []*layerWriter
	census   map[postcode.PostalCode]censusPlace
	later    []func() error
	nextArea int64 // number of the next area of a layer of users

	roads   []Road      // with one point or segment each
	records []streetRow // of the ZIP that is being added

	acsTables []ACSTable // in the order of adding
	acsAreas  [numACSLevels][]acsArea
}

// Create begins a dataset file. Two files with ".part" and ".rows.part" added to
// the path, which may exist, hold it until Finish has written everything. Close
// the writer with Finish or Abort.
func Create(engine Engine, path string) (*Writer, error) {
	out, err := file.Create(path, newDataset(engine).File)
	if err != nil {
		return nil, err
	}
	return &Writer{out: out, nextArea: int64(endOfIDs) * maxAreas, census: map[postcode.PostalCode]censusPlace{}}, nil
}

// Extend begins a copy of a dataset with more tables, which must not be at the path
// of base. Roads and layers of users join those of base. Tables of the American Community
// Survey replace all of base, and census blocks those of the same counties. base must stay
// open until Finish or Abort.
func Extend(path string, base *Dataset) (*Writer, error) {
	w, err := Create(base.Engine, path)
	if err != nil {
		return nil, err
	}
	w.base = base
	for _, l := range base.byArea {
		w.nextArea = max(w.nextArea, l.row.First+int64(l.row.Count))
	}
	if err := w.out.Extend(base.File); err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return w, nil
}

// Finish writes the remaining tables, gives the file its name and closes the
// writer. A reference to a row that no table holds is an error that matches
// [ErrInvalidRow]. After an error the part file is removed, and a previous file
// with the name is unchanged. The writer fills in Format, Tables and Digest of
// the manifest.
func (w *Writer) Finish(m dataset.Manifest) error {
	return w.out.Finish(m, w.numberPlaces, w.writeCodes, w.writeStreets, w.writeLayers, w.flushRoads, w.writeRoads, w.writeACS)
}

// Abort removes the part file. It does nothing after Finish or a first Abort.
func (w *Writer) Abort() error { return w.out.Abort() }
