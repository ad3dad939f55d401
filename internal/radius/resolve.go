package radius

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/geo"
)

// AutoRadius returns the length of an automatic radius around a code of any
// kind or a coordinate. It returns the errors of [Engine.Search].
func (e *Engine) AutoRadius(ctx context.Context, center string, rule Auto) (geo.Miles, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("radius: %w", err)
	}
	opt := Options{Auto: rule}
	if rule == 0 {
		return 0, invalid("auto radius", "rule", "", expectedAuto)
	}
	if err := opt.Check(); err != nil {
		return 0, err
	}
	p, err := e.center(ctx, center)
	if err != nil {
		return 0, err
	}
	miles, _, _, err := e.automatic(ctx, &p, rule)
	return miles, err
}
