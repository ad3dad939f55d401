package postgeo

import (
	"context"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

// AutoRadius returns the length of an automatic radius around a code or
// coordinate, for example to price a search before it runs.
func (db *DB) AutoRadius(ctx context.Context, center string, rule radius.Auto) (geo.Miles, error) {
	return read(db, func(g *generation) (geo.Miles, error) { return g.engine.AutoRadius(ctx, center, rule) })
}

// SpatialIndexLoaded reports whether coordinates can be resolved: the dataset
// has areas of codes, which this call reads unless [DB.Prepare] did.
func (db *DB) SpatialIndexLoaded() bool {
	loaded, err := read(db, func(g *generation) (bool, error) {
		if err := g.data.Load(context.Background(), dataset.SectionZIPAreas|dataset.SectionFSAAreas); err != nil {
			return false, err
		}
		return g.data.ZIPAreas().Len()+g.data.FSAAreas().Len() > 0, nil
	})
	return loaded && err == nil
}

// LastACSYear returns the last year that ACS flags of ZIP Codes may name: the
// newest one of the dataset, and at least 2024. It is 2024 for a closed
// database.
func (db *DB) LastACSYear() int {
	if g := db.current.Load(); g != nil {
		return g.reader.LastACSYear()
	}
	return acs.LastYear
}

// LastTractYear returns the newest year that flags of tract profiles may name:
// that of the dataset, and at least 2024. It is 2024 for a closed database.
func (db *DB) LastTractYear() int {
	if g := db.current.Load(); g != nil {
		return g.reader.LastTractYear()
	}
	return acs.LastYear
}

// ACSYears returns the years of the American Community Survey in the dataset for
// ZIP Codes, newest first; none for a closed database.
func (db *DB) ACSYears() []int {
	if g := db.current.Load(); g != nil {
		return g.reader.ACS().YearsOf(dataset.ACSZCTA)
	}
	return nil
}

// ACSTractYears is [DB.ACSYears] for census tracts.
func (db *DB) ACSTractYears() []int {
	if g := db.current.Load(); g != nil {
		return g.reader.ACS().YearsOf(dataset.ACSTract)
	}
	return nil
}
