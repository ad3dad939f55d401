package enrich

import (
	"context"

	"github.com/postgeo/postgeo/internal/lookup"
)

// AppendAreas appends a text that identifies the areas around a coordinate. Rows
// with equal texts that are answered have equal values and outcomes, so that a
// caller needs to look up only one of them. It returns false if values depend on
// more than areas, such as a distance does, or if the key is not a coordinate. The
// error is the context's, or a failure of the dataset.
func (e *Enricher) AppendAreas(ctx context.Context, dst []byte, key string) ([]byte, bool, error) {
	if e.opt.Kind != Coordinates || e.measures() || !(e.identity || e.record) {
		return dst, false, nil
	}
	c, err := lookup.ParseCode(key)
	if err != nil || c.Type() != lookup.Coordinates {
		return dst, false, nil
	}
	s := lookup.Same{Zone: e.zone, Key: dst}
	_, _, err = e.db.FamiliesAt(ctx, c.LatLng(), lookup.SameAt(e.include, &s))
	return s.Key, s.Known, err
}
