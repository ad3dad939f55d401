package layers

import (
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
)

// build is the sources and findings of a build, and its tables.
type build struct {
	*plan.Env
	*draft.Draft
	*Tables
}
