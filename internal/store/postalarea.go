package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"

	"github.com/postgeo/postgeo/internal/postcode"
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
	if err := d.LoadLayers(ctx, CA); err != nil || p >= postcode.NumPostalCodes {
		return nil, err
	}
	const sql = "SELECT dissemination, area FROM postal_code LEFT JOIN census_area USING (place) WHERE postal_code = ?"
	err = d.Query(ctx, "the areas of a postal code", sql, func(v []driver.Value) error {
		if geoid, _ := v[0].(string); geoid != "" && len(list) == 0 {
			area := geoid[:min(len(geoid), DisseminationAreaDigits)]
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
