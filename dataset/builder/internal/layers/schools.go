package layers

import (
	"cmp"
	"context"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// schoolDistricts returns the properties of each school district of the layer:
// its office and locale, grades and type of agency, and its state's code.
func (b *layers) schoolDistricts(ctx context.Context, areas []store.LayerArea) ([]store.SchoolDistrict, error) {
	list := make([]store.SchoolDistrict, len(areas))
	at := make(map[string]*store.SchoolDistrict, len(areas))
	for i := range areas {
		at[areas[i].GEOID] = &list[i]
	}
	err := plan.Read(ctx, b.Env, catalog.SchoolOffices, source.SchoolOffices, func(r source.SchoolOfficeRow) error {
		if s := at[r.LEA]; s != nil {
			s.Locale = r.Locale
			s.Office = &store.SchoolOffice{
				Street: r.Street, City: r.City, State: r.State, ZIP: r.ZIP, County: r.County, CountyFIPS: r.CountyFIPS, Location: r.Location,
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = plan.Read(ctx, b.Env, catalog.SchoolAgencies, source.SchoolAgencies, func(r source.SchoolAgencyRow) error {
		if s := at[r.LEA]; s != nil {
			s.GradeLow, s.GradeHigh, s.Agency, s.StateID = r.GradeLow, r.GradeHigh, r.Kind, r.StateID
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, plan.Read(ctx, b.Env, catalog.SchoolIDs, source.SchoolIDs, func(r source.SchoolIDRow) error {
		if s := at[r.LEA]; s != nil {
			s.StateID = cmp.Or(s.StateID, r.StateID)
		}
		return nil
	})
}
