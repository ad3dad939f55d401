package store

import (
	"context"
	"io/fs"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
	"github.com/postgeo/postgeo/internal/store/internal/layers"
	"github.com/postgeo/postgeo/internal/store/internal/roads"
	"github.com/postgeo/postgeo/internal/store/internal/rooms"
	"github.com/postgeo/postgeo/internal/store/internal/streets"
	"github.com/postgeo/postgeo/internal/store/internal/survey"
)

// A Dataset is an open dataset file. All its methods may be called from any
// number of goroutines at once. Methods without an error read a section that is
// not loaded, and panic if that fails: a damaged section must not look like
// missing data. [Dataset.Load] and [Dataset.Prepare] report the error before.
type Dataset struct {
	*codesReader
	*layersReader
	*roadsReader
	*streetsReader
	*surveyReader

	rooms *rooms.Set
}

// The readers of the rooms, under names that can be embedded together.
type (
	codesReader   = codes.Reader
	layersReader  = layers.Reader
	roadsReader   = roads.Reader
	streetsReader = streets.Reader
	surveyReader  = survey.Reader
)

func newDataset(engine Engine) *Dataset {
	r := rooms.New(engine)
	return &Dataset{codesReader: r.Codes, layersReader: r.Layers, roadsReader: r.Roads, streetsReader: r.Streets, surveyReader: r.Survey, rooms: r}
}

// Open opens the dataset file at the path and reads the codes and names of ZIP
// Codes and forward sortation areas. Other parts are read later; see [Sections].
// The file must not change while it is open. To replace a dataset, rename another
// file over it and open the path again; see [Dataset.Moved].
//
// The error matches [fs.ErrNotExist], [ErrNotDataset], [ErrVersion] or
// [ErrDamaged] if one of these is the cause.
func Open(engine Engine, path string) (*Dataset, error) {
	d := newDataset(engine)
	if err := d.rooms.File.Open(path); err != nil {
		return nil, err
	}
	return d, nil
}

// OpenFS opens the dataset file with the name in the file system, as Open
// does. A file of an embed.FS is supported: files must implement [io.ReaderAt] or [io.Seeker].
func OpenFS(engine Engine, fsys fs.FS, name string) (*Dataset, error) {
	d := newDataset(engine)
	if err := d.rooms.File.OpenFS(fsys, name); err != nil {
		return nil, err
	}
	return d, nil
}

// Close closes the file. It waits for calls that read it; scans end early with
// [ErrClosed]. A second Close does nothing. After Close every method that
// returns an error returns one that matches ErrClosed. The others keep
// returning data from memory.
func (d *Dataset) Close() error { return d.rooms.File.Close() }

// Path returns the path or name that the dataset was opened with.
func (d *Dataset) Path() string { return d.rooms.File.Path }

// Manifest returns the description of the file. Its slices must not be
// changed.
func (d *Dataset) Manifest() dataset.Manifest { return d.rooms.File.Manifest }

// Load reads the sections that are not in memory yet. One goroutine reads a
// section; others wait for it until their context ends. After a failure the
// section is as unread as before: this call returns the error, and the next one
// reads it again.
func (d *Dataset) Load(ctx context.Context, s Sections) error { return d.rooms.File.Load(ctx, s) }

// Prepare reads all sections, so that no later call waits for one. Outlines of
// layers are not part of a section; see [Layer.Prepare].
func (d *Dataset) Prepare(ctx context.Context) error { return d.Load(ctx, AllSections) }

// Ping reads the first page of the file, past every cache, and compares it and the
// size of the file with those at Open. A page that a read found damaged is read too.
// So Ping reports damage that was met until it is repaired.
func (d *Dataset) Ping(ctx context.Context) error { return d.rooms.File.Ping(ctx) }

// Moved returns nil while the path still names the open file. After the file
// was deleted the error matches [fs.ErrNotExist], after another file replaced
// it [ErrReplaced]. The data comes from the open file in either case. A dataset
// that OpenFS opened does not move.
func (d *Dataset) Moved() error { return d.rooms.File.Moved() }

// VerifyOptions configures [Dataset.VerifyWith]. The zero value does what
// [Dataset.Verify] does.
type VerifyOptions struct {
	// Progress is called with the number of rows that were checked and the
	// number in the manifest; nil disables it.
	Progress func(done, total int64)
}

// VerifyPages reads the whole file and compares every page with its checksum. It joins
// at most twenty findings; each matches [ErrDamaged].
func (d *Dataset) VerifyPages(ctx context.Context) error { return d.rooms.File.VerifyPages(ctx) }

// Verify reads the whole file and checks everything that can be checked. It
// checks every page, SQLite's own structure, every row's coding and the
// digests of the tables and of the manifest. It joins at most twenty findings;
// each matches [ErrDamaged].
func (d *Dataset) Verify(ctx context.Context) error { return d.VerifyWith(ctx, VerifyOptions{}) }

// VerifyWith is Verify with options.
func (d *Dataset) VerifyWith(ctx context.Context, o VerifyOptions) error {
	return d.rooms.File.Verify(ctx, o.Progress)
}

// AllSections is every section of a file.
const AllSections = ^Sections(0)

// Writer builds a dataset file.
type Writer = rooms.Writer

// Create begins a dataset file at the path. Close the writer with Finish or
// Abort.
func Create(engine Engine, path string) (*Writer, error) { return rooms.Create(engine, path) }

// Extend begins a copy of base with more tables at the path, which must not be the
// path of base. Keep base open until Finish or Abort.
func Extend(path string, base *Dataset) (*Writer, error) { return rooms.Extend(path, base.rooms) }

type (
	// Engine is SQLite, which package sqlite has.
	Engine = file.Engine
	// Sections is a set of the parts of a file that are kept in memory.
	Sections = file.Sections
)

// Format is the version of the file format that this package reads and writes.
const Format = file.FormatVersion

// The sentinels. Every error of this package with one of these causes matches it
// with errors.Is and names the file.
var (
	// ErrClosed is returned by methods called after Close.
	ErrClosed = file.ErrClosed
	// ErrDamaged means that the checksums or the index of a file contradict it.
	ErrDamaged = file.ErrDamaged
	// ErrUnreadable means that the machine cannot read the file: a failing disk,
	// a missing permission, too little memory.
	ErrUnreadable = file.ErrUnreadable
	// ErrNotDataset means that the file is not a postgeo dataset.
	ErrNotDataset = file.ErrNotDataset
	// ErrNotFound means that the dataset does not hold the code.
	ErrNotFound = file.ErrNotFound
	// ErrVersion means that this release cannot read the format version.
	ErrVersion = file.ErrVersion
	// ErrInvalidRow means that a Writer was given a row that no dataset can hold.
	ErrInvalidRow = file.ErrInvalidRow
	// ErrReplaced is returned by [Dataset.Moved] if another file has replaced
	// the open one.
	ErrReplaced = file.ErrReplaced
)
