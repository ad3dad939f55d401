package build

import (
	"slices"

	"github.com/postgeo/postgeo/internal/dataset/build/internal/clocks"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/codes"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/layers"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/names"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/streets"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/survey"
)

// unverified is added to the name of a file that has not been read back.
const unverified = ".unverified"

// steps returns the steps of a build. The tables that they declare decide their
// order; those that write the file come last, in this order.
func steps() []plan.Step {
	return slices.Concat(
		codes.Steps(), survey.Steps(), clocks.Steps(), layers.Steps(), names.Steps(), []plan.Step{streets.Places(), {Name: "gaps", Do: &gaps{}}, codes.WriteTables(), streets.Write(), codes.WriteCodes()},
		layers.Writes(), []plan.Step{survey.Write(), names.Write(), streets.Roads()},
	)
}
