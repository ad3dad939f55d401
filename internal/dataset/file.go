package dataset

import (
	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

type (
	// Manifest describes a dataset and its sources.
	Manifest = store.Manifest
	// Source is one file that a dataset was built from.
	Source = store.Source
	// Gap is a known hole of a dataset.
	Gap = store.Gap
	// Sections is a set of the parts of a file that are kept in memory.
	Sections = store.Sections
	// Verification is the progress of the verification of a file in service.
	Verification = store.Verification
	// Table is one table of a file.
	Table = store.Table
	// Kind is a kind of row by which two datasets are compared, e.g. "ZIP".
	Kind = store.Kind
	// Op is an operation of a Change.
	Op = store.Op
	// Change is one difference between two datasets.
	Change = store.Change
)

// The operations.
const (
	Added   = store.Added
	Removed = store.Removed
	Changed = store.Changed
)

// The sentinels. Every error of this package with one of these causes matches it
// with errors.Is and names the file.
var (
	// ErrClosed is returned by methods called after Close.
	ErrClosed = store.ErrClosed
	// ErrDamaged means that the checksums or the index of a file contradict it.
	ErrDamaged = store.ErrDamaged
	// ErrUnreadable means that the machine cannot read the file: a failing disk,
	// a missing permission, too little memory.
	ErrUnreadable = store.ErrUnreadable
	// ErrNotDataset means that the file is not a postgeo dataset.
	ErrNotDataset = store.ErrNotDataset
	// ErrNotFound means that the dataset does not hold the code.
	ErrNotFound = store.ErrNotFound
	// ErrVersion means that this release cannot read the format version.
	ErrVersion = store.ErrVersion
	// ErrInvalidRow means that a Writer was given a row that no dataset can hold.
	ErrInvalidRow = store.ErrInvalidRow
	// ErrReplaced is returned by [Dataset.Moved] if another file has replaced
	// the open one.
	ErrReplaced = store.ErrReplaced
)
