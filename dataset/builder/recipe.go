package builder

import (
	"context"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/layers"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/store"
)

// A part of the recipe reads sources into the draft, derives tables from others, or
// writes tables.
type part struct {
	name string
	do   func(context.Context) error
}

// inOrder runs parts one after the other.
func (b *builder) inOrder(ctx context.Context, d *draft.Draft, parts ...part) error {
	for _, p := range parts {
		err := b.Do(ctx, p.name, func(e *plan.Env) error {
			d.Env = e
			return p.do(ctx)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// derive is the recipe of a dataset: it reads the sources that were fetched, derives the
// tables, and writes them.
func (b *builder) derive(ctx context.Context, w *store.Writer) error {
	d := &draft.Draft{Output: w}
	compared := layers.New(d, b.added)
	roads := &draft.RoadTarget{Add: w.AddRoad, Provinces: b.o.provinces()}
	return b.inOrder(ctx, d,
		part{"states and provinces", d.ListStates},
		part{"metropolitan areas", d.ReadMetros},
		part{"counties", d.ReadCounties},
		part{"survey: heads", d.ReadSurvey}, // so that a wrong file ends the build early
		part{"place names", d.ReadPlaceNames},
		part{"ZIP Codes", d.ListZIPs},
		part{"ZIP Codes: business", d.ReadBusiness},
		part{"ZIP Codes: classes", d.Classify},
		part{"ZIP Codes: names", d.NameZIPs},
		part{"ZIP Codes: deliveries", d.ReadDeliveries},
		part{"survey: population", d.CountPeople},
		part{"clock rules", d.ReadClocks},

		part{"outlines", compared.ReadOutlines},
		part{"forward sortation areas", d.ListFSAs},
		part{"postal codes", d.ListPostalCodes},
		part{"ZIP Codes: residents", d.FindResidents},
		part{"ZIP Codes: post offices", d.PlacePostOffices},
		part{"ZIP Codes: counties", d.ChooseCounties},
		part{"ZIP Codes: areas and elevations", d.MeasureTerrain},
		part{"ZIP Codes: Medicare", d.ReadMedicare},
		part{"outlines: states and checks", compared.CheckOutlines},
		part{"ZIP Codes: points", d.ChoosePoints},
		part{"municipalities", d.FindMunicipalities},
		part{"time zones: shares", d.ShareZones},
		part{"time zones", d.DecideZones},
		part{"outlines: counties of ZIP Codes", compared.ShareCounties},
		part{"area codes", d.ReadAreaCodes},
		part{"areas that codes are compared with", compared.Compare},
		part{"names for suggestions", d.CollectNames},

		part{"gaps", func(context.Context) error { return countGaps(d, compared.CodeLayers) }},
		part{"write: states and counties", d.WriteTables},
		part{"write: ZIP+4 records", d.WriteZIP4},
		part{"write: codes", d.WriteCodes},
		part{"write: outlines", compared.WriteOutlines},
		part{"write: layers", compared.WriteLayers},
		part{"own layers and plans", compared.Add},
		part{"census blocks", compared.AddBlocks},
		part{"write: survey", d.WriteSurvey},
		part{"write: names", d.WriteNames},
		part{"write: roads", func(ctx context.Context) error {
			roads.Codes = d.AddressCodes()
			return d.WriteRoads(ctx, roads)
		}},
	)
}
