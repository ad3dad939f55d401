package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A PostalArea is an area of the census that a full postal code of Canada was
// assigned to.
type PostalArea struct {
	Layer LayerID
	GEOID string
	Area  int // its number in the layer; -1 for dissemination areas and blocks, which have no table
}

// PostalAreas reads the areas of a full postal code: in each layer the area with
// most of its addresses. Layers ascend, each at most once. It is nil if the
// areas are unknown.
func (d *Dataset) PostalAreas(ctx context.Context, p postcode.PostalCode) (list []PostalArea, err error) {
	if err := d.Load(ctx, d.layersOf(CA)); err != nil || p >= postcode.NumPostalCodes {
		return nil, err
	}
	const sql = "SELECT dissemination, area FROM postal_code LEFT JOIN census_area USING (place) WHERE postal_code = ?"
	err = d.Query(ctx, "the areas of a postal code", sql, func(v []driver.Value) error {
		if geoid, _ := v[0].(string); geoid != "" && len(list) == 0 {
			area := geoid[:min(len(geoid), disseminationAreaDigits)]
			if list = append(list, PostalArea{LayerDisseminationArea, area, -1}); area != geoid {
				list = append(list, PostalArea{LayerDisseminationBlock, geoid, -1})
			}
		}
		if n, ok := v[1].(int64); ok {
			l := d.layerOf(n)
			if l == nil {
				return d.Damaged("the postal code %s lies in the area %d, which is not there", p, n)
			}
			i := int(n - l.row.First)
			list = append(list, PostalArea{l.info.ID, l.GEOID(i), i})
		}
		return nil
	}, p.String())
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(x, y PostalArea) int { return cmp.Compare(x.Layer, y.Layer) })
	return list, nil
}

// AddPostalAreas adds the areas of a full postal code, each code once, after their
// layers, in ascending order; dissemination areas and blocks need none. It ignores Area.
func (w *Writer) AddPostalAreas(p postcode.PostalCode, areas []PostalArea) error {
	var place censusPlace
	for _, a := range areas {
		switch l := w.layer(a.Layer); {
		case a.Layer == LayerDisseminationArea || a.Layer == LayerDisseminationBlock:
			if !strings.HasPrefix(a.GEOID, place.Dissemination) || a.Layer == LayerDisseminationArea && len(a.GEOID) != disseminationAreaDigits {
				return file.Invalid("areas of %s: the dissemination area %q and the block %q", p, place.Dissemination, a.GEOID)
			}
			place.Dissemination = a.GEOID
		case l == nil || l.find(a.GEOID) < 0 || a.Layer.Country() != CA:
			return file.Invalid("areas of %s: the layer %q has no area %q", p, a.Layer, a.GEOID)
		default:
			place.areas = append(place.areas, l.first+int64(l.find(a.GEOID)))
		}
	}
	slices.Sort(place.areas)
	w.census[p] = place
	return w.out.Usable()
}

// A censusAreas has the census areas of a full postal code.
type censusAreas struct {
	Dissemination string // block, else area
	Place         int64  `sql:"omitzero"` // number of its other areas; 0 none
}

// A censusPlace is a place whose areas have no number yet.
type censusPlace struct {
	censusAreas
	areas []int64
}

// numberPlaces numbers the different areas of postal codes and writes them.
func (w *Writer) numberPlaces() error {
	order := slices.SortedFunc(maps.Keys(w.census), func(p, q postcode.PostalCode) int {
		return cmp.Or(slices.Compare(w.census[p].areas, w.census[q].areas), cmp.Compare(p, q))
	})
	last, n := []int64(nil), int64(0)
	for _, p := range order {
		place := w.census[p]
		if len(place.areas) > 0 && !slices.Equal(place.areas, last) {
			n, last = n+1, place.areas
			for _, area := range place.areas {
				if err := w.out.Insert("census_area", n, area); err != nil {
					return err
				}
			}
		}
		if len(place.areas) > 0 {
			place.Place = n
			w.census[p] = place
		}
	}
	return nil
}
