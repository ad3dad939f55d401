package builder

import (
	"context"

	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
)

// Steps returns the steps of a build.
var Steps = steps

// BuildPrepared is Build with an engine that prepare has changed.
func BuildPrepared(ctx context.Context, o Options, prepare func(*plan.Build)) (*Report, error) {
	o.prepare = prepare
	return Build(ctx, o)
}
