package builder

import (
	"context"
	"net/http"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// Steps returns the steps of a build.
var Steps = steps

// BuildPrepared is Build with an engine that prepare has changed.
func BuildPrepared(ctx context.Context, o Options, prepare func(*plan.Build)) (*Report, error) {
	o.prepare = prepare
	return Build(ctx, o)
}

// CheckSourcesBy is CheckSources with an HTTP client.
func CheckSourcesBy(ctx context.Context, o Options, client *http.Client, held []dataset.Source, done func(done, total int)) ([]Freshness, error) {
	o.client = func(of *fetch.Options) { of.HTTP = client }
	return CheckSources(ctx, o, held, done)
}

// BuildBy is Build with an HTTP client.
func BuildBy(ctx context.Context, o Options, client *http.Client) (*Report, error) {
	o.client = func(of *fetch.Options) { of.HTTP = client }
	return Build(ctx, o)
}
