package postgeo

import (
	"context"
	"slices"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/radius"
)

// AutoRadius returns the length of an automatic radius around a code or
// coordinate, for example to price a search before it runs.
func (db *DB) AutoRadius(ctx context.Context, center Where, rule radius.Auto) (geo.Miles, error) {
	return read(db, func(g *generation) (geo.Miles, error) { return g.engine.AutoRadius(ctx, center, rule) })
}

// HasAreas reports whether the dataset has areas of codes, which coordinates are
// resolved with.
func (db *DB) HasAreas(ctx context.Context) (bool, error) {
	return read(db, func(g *generation) (bool, error) {
		if err := g.data.Load(ctx, store.SectionZIPAreas|store.SectionFSAAreas); err != nil {
			return false, err
		}
		return g.data.ZIPAreas().Len()+g.data.FSAAreas().Len() > 0, nil
	})
}

// ACSYears returns the years of the American Community Survey in the dataset for
// a level ([acs.ZCTA] or [acs.Tract]), newest first.
func (db *DB) ACSYears(ctx context.Context, level acs.Level) ([]int, error) {
	return read(db, func(g *generation) ([]int, error) {
		if level != acs.ZCTA && level != acs.Tract {
			return nil, &Error{Op: "survey", Kind: envelope.KindInvalidParam, Param: "level", Input: level.String(), Range: "zcta or tract"}
		}
		return slices.Clone(g.data.ACSYears(level)), ctx.Err()
	})
}
