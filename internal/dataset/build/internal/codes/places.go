package codes

import (
	"context"

	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/spelling"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
)

// placeSpellings reads the places and county subdivisions of the Gazetteer and
// learns their spelling; places come first.
type placeSpellings struct {
	*plan.Env
	Gazetteer *draft.Gazetteer `writes:"rows"`
}

func (b *placeSpellings) Run(ctx context.Context) error {
	seen := map[string]bool{}
	learn := func(r source.GazetteerRow) error {
		if seen[r.GEOID] {
			return plan.Refused("duplicate place", r.Line, r.GEOID)
		}
		seen[r.GEOID] = true
		b.Gazetteer.Spelling.Learn(r.State, spelling.PlainName(r.Name))
		b.Gazetteer.AddCity(r)
		b.Gazetteer.Add(r)
		return nil
	}
	if err := plan.ReadText(ctx, b.Env, catalog.GazetteerPlaces, source.GazetteerOf(7), learn); err != nil {
		return err
	}
	return plan.ReadText(ctx, b.Env, catalog.GazetteerCousubs, source.GazetteerOf(10), learn)
}
