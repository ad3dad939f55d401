package lookuptest

import (
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// Reader returns the lookups of a dataset.
func Reader(d *store.Dataset) (*lookup.Reader, error) {
	return door.Take[func(*store.Dataset) (*lookup.Reader, error)]()(d)
}

// Survey returns the reader of a dataset's survey.
func Survey(d *store.Dataset) *acs.Reader { return door.Take[func(*store.Dataset) *acs.Reader]()(d) }
