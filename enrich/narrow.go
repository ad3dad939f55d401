package enrich

import (
	"context"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/lookup"
)

// The calls of package lookup for a caller that reads only some values. They take types of
// internal packages, so no public package exports them: see package door. The public lookups
// also compute the values that no column reads, such as all layers and the texts of notices.
var (
	withReader  = door.Take[func(*postgeo.DB, func(r *lookup.Reader, now time.Time) error) error]()
	fullRecord  = door.Take[func(*lookup.Reader, context.Context, string, lookup.Options, *door.Selection) (*lookup.Record, error)]()
	quickRecord = door.Take[func(*lookup.Reader, context.Context, string, lookup.QuickOptions, bool) (*lookup.QuickRecord, error)]()
	areaKey     = door.Take[func(r *lookup.Reader, opt *lookup.Options, only *door.Selection, id door.Identity) (door.AreaKey, error)]()
)

// quick returns the quick record of a code, without notices about coordinates.
func (e *Enricher) quick(ctx context.Context, key string) (rec *lookup.QuickRecord, err error) {
	err = withReader(e.db, func(r *lookup.Reader, now time.Time) (err error) {
		rec, err = quickRecord(r, ctx, key, lookup.QuickOptions{Timezone: e.needs[byZone], At: now}, true)
		return err
	})
	return rec, err
}

// full returns the record of a code with the values that columns read.
func (e *Enricher) full(ctx context.Context, key string) (rec *lookup.Record, err error) {
	opt := e.record
	err = withReader(e.db, func(r *lookup.Reader, now time.Time) (err error) {
		if opt.At.IsZero() {
			opt.At = now
		}
		rec, err = fullRecord(r, ctx, key, opt, &e.selection)
		return err
	})
	return rec, err
}
