package names

import (
	"slices"

	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
)

// Write returns the step that writes the names.
func Write() plan.Step { return plan.Step{Name: "write: names", Do: &writer{}} }

// Steps returns the steps that collect the names.
func Steps() []plan.Step {
	return []plan.Step{
		{Name: "names for suggestions", Sources: append(slices.Clone(catalog.SchoolDistricts), catalog.SchoolIDs, catalog.CSDAreas, catalog.CDAreas, catalog.Subdivisions), Do: &names{}},
	}
}
