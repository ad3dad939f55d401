package builder

import (
	"context"

	"github.com/postgeo/postgeo/dataset/builder/internal/clocks"
	"github.com/postgeo/postgeo/dataset/builder/internal/codes"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/layers"
	"github.com/postgeo/postgeo/dataset/builder/internal/names"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/streets"
	"github.com/postgeo/postgeo/dataset/builder/internal/survey"
	"github.com/postgeo/postgeo/internal/store"
)

// A part of the recipe reads sources into the draft, derives tables from others, or
// writes tables.
type part struct {
	name string
	do   func(context.Context, *plan.Env, *draft.Draft) error
}

// inOrder runs parts one after the other.
func (b *builder) inOrder(ctx context.Context, d *draft.Draft, parts ...part) error {
	for _, p := range parts {
		if err := b.Do(ctx, p.name, func(e *plan.Env) error { return p.do(ctx, e, d) }); err != nil {
			return err
		}
	}
	return nil
}

// derive is the recipe of a dataset: it reads the sources that were fetched, derives the
// tables, and writes them.
func (b *builder) derive(ctx context.Context, w *store.Writer) error {
	d, clock, tables, things := &draft.Draft{Output: w}, &clocks.Clocks{}, &survey.Tables{}, &names.Entities{}
	compared := layers.New(&layers.Requests{List: b.added, Set: w.SetLayer})
	roads := &streets.RoadTarget{Codes: &streets.AddressCodes{}, Add: w.AddRoad, Provinces: b.o.provinces()}
	return b.inOrder(ctx, d,
		part{"states and provinces", codes.States},
		part{"metropolitan areas", codes.Metros},
		part{"counties", codes.Counties},
		part{"survey: heads", tables.Read}, // so that a wrong file ends the build early
		part{"place names", codes.PlaceNames},
		part{"ZIP Codes", codes.ZIPs},
		part{"ZIP Codes: business", codes.Business},
		part{"ZIP Codes: classes", codes.Classes},
		part{"ZIP Codes: names", codes.ZIPNames},
		part{"ZIP Codes: deliveries", codes.Deliveries},
		part{"survey: population", survey.Count},
		part{"clock rules", clock.Read},

		part{"outlines", compared.ReadOutlines},
		part{"forward sortation areas", codes.FSAs},
		part{"postal codes", codes.PostalCodes},
		part{"ZIP Codes: residents", codes.Residents},
		part{"ZIP Codes: post offices", codes.PostOffices},
		part{"ZIP Codes: counties", codes.ZIPCounties},
		part{"ZIP Codes: areas and elevations", codes.Terrain},
		part{"ZIP Codes: Medicare", codes.Medicare},
		part{"outlines: states and checks", compared.CheckOutlines},
		part{"ZIP Codes: points", codes.Points},
		part{"municipalities", codes.Municipalities},
		part{"time zones: shares", clocks.Shares},
		part{"time zones", clock.Decide},
		part{"outlines: counties of ZIP Codes", compared.ShareCounties},
		part{"area codes", codes.AreaCodes},
		part{"outlines: packing", compared.Pack},
		part{"areas that codes are compared with", compared.Compare},
		part{"names for suggestions", things.Collect},

		part{"own layers: codes", compared.ListCodes},
		part{"roads: codes", roads.Codes.List},
		part{"gaps", func(ctx context.Context, e *plan.Env, d *draft.Draft) error {
			return countGaps(ctx, e, d, compared.CodeLayers)
		}},
		part{"write: states and counties", codes.WriteTables},
		part{"write: streets", streets.Write},
		part{"write: codes", codes.WriteCodes},
		part{"write: outlines", compared.WriteOutlines},
		part{"write: layers", compared.WriteLayers},
		part{"own layers and plans", compared.Add},
		part{"census blocks", compared.AddBlocks},
		part{"write: survey", tables.Write},
		part{"write: names", things.Write},
		part{"write: roads", roads.Write},
	)
}
