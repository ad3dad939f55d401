package dataset

import "errors"

// Sentinels of the dataset. Every error of this package that has one of these
// causes matches it with errors.Is and names the file, what was found and
// what was expected.
var (
	// ErrClosed says that the dataset was used after Close.
	ErrClosed = errors.New("dataset: closed")
	// ErrDamaged says that the file holds something that its own checksums or
	// its own index contradict.
	ErrDamaged = errors.New("dataset: damaged file")
	// ErrNotDataset says that the file is not a postgeo dataset.
	ErrNotDataset = errors.New("dataset: not a postgeo dataset")
	// ErrVersion says that the file is of a format version that this release
	// does not read.
	ErrVersion = errors.New("dataset: unsupported format version")
)
