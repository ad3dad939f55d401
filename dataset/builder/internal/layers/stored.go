package layers

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// StoredPlaces returns the codes of a dataset. PO Box, unique and military ZIP Codes,
// whose outlines it lacks, belong to an area with their whole extent if their point
// does.
func StoredPlaces(ctx context.Context, d *store.Dataset) (*Places, error) {
	if err := d.Load(ctx, store.SectionZIPAreas|store.SectionFSAAreas|store.SectionOverlaps|store.SectionCenters); err != nil {
		return nil, err
	}
	people := map[postcode.ZIP][]draft.Center{}
	for c := range d.Centers() {
		addPeople(people, &c)
	}
	return &Places{
		zips: func(box geo.Box) (list []codePlace[postcode.ZIP], err error) {
			for z := range d.ZIPs() {
				list, err = appendStored(list, codePlace[postcode.ZIP]{key: z.ZIP, state: z.State, point: z.Location}, box, d.ZIPAreas(), func() (store.CodeOverlaps, error) {
					return d.ZIPOverlaps(ctx, z.ZIP)
				})
				if err != nil {
					return nil, err
				}
			}
			return list, nil
		},
		fsas: func(box geo.Box) (list []codePlace[postcode.FSA], err error) {
			for f := range d.FSAs() {
				list, err = appendStored(list, codePlace[postcode.FSA]{key: f.FSA, state: f.Province, point: f.Location}, box, d.FSAAreas(), func() (store.CodeOverlaps, error) {
					return d.FSAOverlaps(ctx, f.FSA)
				})
				if err != nil {
					return nil, err
				}
			}
			return list, nil
		},
		people: people,
	}, nil
}

// appendStored adds a code that may meet the box.
func appendStored[K postcode.ZIP | postcode.FSA](
	list []codePlace[K], p codePlace[K], box geo.Box, areas *store.Areas[K], overlaps func() (store.CodeOverlaps, error),
) ([]codePlace[K], error) {
	i, drawn := areas.Find(p.key)
	if drawn && !box.Meets(areas.Index().Box(i)) || !drawn && !box.Contains(p.point) {
		return list, nil
	}
	of, err := overlaps()
	switch {
	case err != nil:
		return nil, err
	case !of.Known():
		return list, nil
	}
	if p.extent = of.Outline; drawn && of.Outline > 0 {
		if p.outline, err = spatial.NewOutline(areas.Index().Polygons(i)); err != nil {
			return nil, fmt.Errorf("outline of %v: %w", p.key, err)
		}
	}
	return append(list, p), nil
}
