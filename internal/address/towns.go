package address

import (
	"context"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/pub28"
)

// TownZIPs returns the ZIP Codes of a city, or of the municipalities with its name,
// in ascending order. The caller only reads them.
func (e *Engine) TownZIPs(ctx context.Context, state, city string) ([]dataset.ZIP, error) {
	key := pub28.Key(Clean(city))
	zips, err := e.ref.cityZIPs(ctx, state, key)
	if len(zips) > 0 || err != nil {
		return zips, err
	}
	return e.ref.areaZIPs(ctx, state, key)
}
