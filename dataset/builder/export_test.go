package builder

import (
	"context"
	"net/http"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// CheckSourcesBy is CheckSources with an HTTP client.
func CheckSourcesBy(ctx context.Context, o Options, client *http.Client, held []dataset.Source, done func(done, total int)) ([]Freshness, error) {
	o.download.HTTP = client
	return CheckSources(ctx, o, held, done)
}

// Newest returns the build time of vintages.
var Newest = newest

// BuildBy is Build with an HTTP client and a change of the catalog.
func BuildBy(ctx context.Context, o Options, client *http.Client, change func(*fetch.Source)) (*Report, error) {
	o.change = change
	o.download.HTTP = client
	return Build(ctx, o)
}

// BuildSample is Build of the sample.
func BuildSample(
	ctx context.Context, o Options, filter func(source string, row any) (any, bool), simplify func(string, orb.MultiPolygon) orb.MultiPolygon, describe func(*dataset.Source),
) (*Report, error) {
	o.filter, o.simplify, o.describe = filter, simplify, describe
	return Build(ctx, o)
}
